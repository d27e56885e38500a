"""Any table of two sides next to each other, row by row: whatever has a key that both recordings can share.

Figures are those of the whole recordings (or of the steps that were chosen), as the tables have them: counts, bytes
and FLOPs are exact, so that they are the same or changed; of times and rates it is not told whether a difference is
noise. The rank and the file of recordings that have one each name nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from stepscope.analyses import check_request, make_table
from stepscope.comparison.testing import CHANGED, GONE, NEW, SAME, UNKNOWN
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.schema import TABLES, Column, Table
from stepscope.store.profile import Profile

_SHARED_IDS = ("rank", "step", "gpu", "device", "stream", "slice", "src", "dst", "for_rank", "report")
"""Columns of ids that mean the same in two recordings; addresses, events and threads do not."""

_OF_RECORDING = ("rank", "report", "file")
"""Columns that name the recording and not the row, where it has one value of them."""

_EXACT = ("bytes", "flops")
_EXACT_COUNTS = (
    "calls",
    "activities",
    "kernels",
    "memcpys",
    "memsets",
    "allocations",
    "releases",
    "blocks",
    "graph_launches",
)
"""Other counts depend on times, as that of launches onto an idle stream does."""

_FIGURES = ("amount", "statistic", "rate", "share")
_OCCURRENCE = "occurrence"


@dataclass(frozen=True)
class TableComparison:
    """A table of both sides.

    Attributes:
        table: its name.
        key: columns that name a row.
        rows: these, then figure (a column of the table), base, new, delta and status: the largest differences of each
            figure first; a figure that neither side has is left out.
        base_rows, new_rows: how many rows each side has.
    """

    table: str
    key: tuple[str, ...]
    rows: pl.DataFrame
    base_rows: int
    new_rows: int

    @property
    def differing(self) -> pl.DataFrame:
        """Rows that are not the same."""
        return self.rows.filter(pl.col("status") != SAME)


def compare_table(base: Sequence[Profile], new: Sequence[Profile], name: str, by: str = "") -> TableComparison:
    """Compare a table of the recordings of two sides; of several, the mean of each figure.

    Raises:
        BadRequest: there is no such table, or its rows cannot be told to be the same in another recording.
    """
    check_request(name, by, False, False)
    table = TABLES[name]
    columns = table.described(by)
    figures = _figures(table, by)
    sides = [[make_table(profile, name, by) for profile in profiles] for profiles in (base, new)]
    kernel = next((column.name for column in columns.values() if column.role == "kernel"), None)
    key = [one for one in table.key_of(by) if one != "id"]
    if "id" in table.key_of(by) and kernel:
        sides = [[_by_occurrence(frame, kernel) for frame in frames] for frames in sides]
        key = [*(one for one in key if one != kernel), kernel, _OCCURRENCE]
    key = _telling(key, [frame for frames in sides for frame in frames])
    means = [_mean(frames, key, figures) for frames in sides]
    return TableComparison(name, tuple(key), _joined(means, key, figures), *(len(one) for one in means))


def _tried(name: str) -> Message:
    return Message("diff-cannot-compare-table", table=name)


def _figures(table: Table, by: str) -> list[Column]:
    """What is compared; tables are refused whose rows are named by moments or by numbers that one recording knows."""
    if table.base:
        raise BadRequest(_tried(table.name), Message("diff-table-compares"), Message("diff-take-base"))
    columns = table.described(by)
    kernel = any(column.role == "kernel" for column in columns.values())
    for name in table.key_of(by):
        role = columns[name].role
        shared = role not in ("moment", "id") or name in _SHARED_IDS or (name == "id" and kernel)
        if not shared:
            found = Message("diff-table-own-names", column=name)
            raise BadRequest(_tried(table.name), found, Message("diff-table-which"))
    figures = [
        column
        for column in columns.values()
        if column.role in _FIGURES and column.dtype.is_numeric() and column.name not in table.key_of(by)
    ]
    if not figures:
        raise BadRequest(_tried(table.name), Message("diff-table-no-figures"), Message("diff-table-which"))
    return figures


def _by_occurrence(frame: pl.DataFrame, kernel: str) -> pl.DataFrame:
    """Results numbered among those of one kernel: which number a recorder gave them says nothing."""
    return frame.with_columns(pl.col("id").rank("dense").over(kernel).cast(pl.Int64).alias(_OCCURRENCE))


def _telling(key: Sequence[str], frames: Sequence[pl.DataFrame]) -> list[str]:
    """Columns of a key without those that name the recording."""
    single = {name for name in _OF_RECORDING if name in key and all(frame[name].n_unique() <= 1 for frame in frames)}
    found = [name for name in key if name not in single]
    return found or list(key[-1:])


def _mean(frames: Sequence[pl.DataFrame], key: list[str], figures: Sequence[Column]) -> pl.DataFrame:
    """Figures of a side by key; an amount that a recording lacks is 0 of it."""
    several = pl.concat([frame.select(*key, *(column.name for column in figures)) for frame in frames])
    count = len(frames)

    def of_side(column: Column) -> pl.Expr:
        value = pl.col(column.name).cast(pl.Float64)
        some = pl.when(value.is_not_null().any())
        return some.then(value.sum() / count if column.role == "amount" else value.mean()).alias(column.name)

    return several.group_by(key, maintain_order=True).agg(of_side(column) for column in figures)


def _joined(sides: Sequence[pl.DataFrame], key: list[str], figures: Sequence[Column]) -> pl.DataFrame:
    both = sides[0].join(
        sides[1], key, "full", coalesce=True, nulls_equal=True, suffix=" new", maintain_order="left_right"
    )
    parts = [_figure(both, key, column) for column in figures]
    return pl.concat([part for part in parts if len(part)] or parts[:1])


def _figure(both: pl.DataFrame, key: list[str], column: Column) -> pl.DataFrame:
    base, new = pl.col("base"), pl.col("new")
    exact = column.role == "amount" and (column.unit in _EXACT or column.name in _EXACT_COUNTS)
    nothing = pl.lit(column.role == "amount") & (pl.max_horizontal(base, new) == 0)
    status = (
        pl.when(nothing)
        .then(pl.lit(SAME))
        .when(base.is_null())
        .then(pl.lit(NEW))
        .when(new.is_null())
        .then(pl.lit(GONE))
        .when(base == new)
        .then(pl.lit(SAME))
        .otherwise(pl.lit(CHANGED if exact else UNKNOWN))
    )
    rows = both.select(
        *key,
        pl.lit(column.name).alias("figure"),
        pl.col(column.name).alias("base"),
        pl.col(f"{column.name} new").alias("new"),
    )
    rows = rows.filter(base.is_not_null() | new.is_not_null())
    rows = rows.with_columns((new.fill_null(0.0) - base.fill_null(0.0)).alias("delta"), status.alias("status"))
    return rows.sort(pl.col("delta").abs(), descending=True, maintain_order=True)
