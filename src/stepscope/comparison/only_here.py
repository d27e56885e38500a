"""What runs on one side only: kernels, operators with the shapes and with the types of their inputs, compiled regions.

A count of kernels may stay the same while all of them are others. Each is a set, without noise: what is in every
recording of its side, and in none of the other's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import polars as pl

from stepscope.comparison.launched import launch_steps
from stepscope.comparison.names import same_kernel
from stepscope.comparison.recorded import compared_steps
from stepscope.schema import KERNEL
from stepscope.store.profile import Rank

_Set = frozenset[tuple[str, ...]]

_REGION = r"^Torch-Compiled Region: "


def only_here(base: Sequence[Rank], new: Sequence[Rank]) -> Iterator[tuple[str, int, int]]:
    """Key, how many are on the base's side only, and how many on the new side only.

    Left out is what a recording of either side does not hold, as shapes without ``record_shapes``.
    """
    for key, of in SETS.items():
        sides = [[of(rank) for rank in ranks] for ranks in (base, new)]
        known = [[one for one in side if one is not None] for side in sides]
        if [len(side) for side in known] == [len(base), len(new)]:
            one, other = (_in_all(mine) - _in_any(theirs) for mine, theirs in (known, known[::-1]))
            yield key, len(one), len(other)


def _in_all(sets: list[_Set]) -> _Set:
    return frozenset.intersection(*sets)


def _in_any(sets: list[_Set]) -> _Set:
    return frozenset.union(*sets)


def _kernels(rank: Rank) -> _Set | None:
    """Names of the kernels that the compared steps launch; None without a GPU."""
    activity = rank.whole.activity
    if len(activity) == 0:
        return None
    mine = (activity["activity"] == KERNEL).to_numpy() & (launch_steps(rank) >= 0)
    names = rank.trace.text(activity["name"].filter(pl.Series(mine)).unique().drop_nulls())
    return frozenset(names.to_frame("name").select(same_kernel(pl.col("name"))).iter_rows())


def _with(column: str) -> Callable[[Rank], _Set | None]:
    """Operators of the compared steps with what a column says of their inputs; None where it says nothing."""

    def found(rank: Rank) -> _Set | None:
        rows = _in_steps(rank, "operator", [column, "name"]).filter(pl.col(column).is_not_null()).unique()
        texts = rows.select(rank.trace.text(rows[name]).alias(name) for name in ("name", column)).drop_nulls()
        texts = texts.filter(pl.col(column).str.contains(r"[^\[\], ]"))
        return frozenset(texts.iter_rows()) or None

    return found


def _regions(rank: Rank) -> _Set | None:
    """What torch.compile compiled, by name; None where nothing is. A graph break makes two of one."""
    codes = rank.trace.codes(lambda text: text.str.contains(_REGION)).implode()
    names: set[str] = set()
    for table in ("operator", "annotation"):
        code = _in_steps(rank, table, ["name"])["name"].unique()
        names |= set(rank.trace.text(code.filter(code.is_in(codes))).drop_nulls())
    return frozenset((name,) for name in names) or None


def _in_steps(rank: Rank, table: str, columns: list[str]) -> pl.DataFrame:
    """Rows of a host table that begin in the compared steps."""
    rows = rank.trace.frame(table, [*columns, "start_ns"])
    inside = compared_steps(rank).holding(rows["start_ns"].to_numpy()) >= 0
    return rows.filter(pl.Series(np.asarray(inside))).drop("start_ns")


SETS: dict[str, Callable[[Rank], _Set | None]] = {
    "kernel_names": _kernels,
    "operator_shapes": _with("input_dims"),
    "operator_types": _with("input_types"),
    "compiled_regions": _regions,
}
"""By key of the row, what finds the set of a recording."""
