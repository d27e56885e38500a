"""Unions of what the analyses have in common: of activity, of a host table, of the data loader's ranges."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.numeric.intervals import Ints, Union, merge, union
from stepscope.schema import KERNEL, STORE_TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank
from stepscope.store.trace import Trace

LOADER_PREFIX = "enumerate(DataLoader)#"


def union_of(events: pl.DataFrame) -> Union:
    """Union of the intervals of a frame with columns start_ns and end_ns."""
    return union(events["start_ns"].to_numpy(), events["end_ns"].to_numpy())


def activity_unions(activity: pl.DataFrame) -> tuple[Union, Union, Union]:
    """Unions of compute, communication, and copies with fills, of a frame like `Rank.activity`."""
    kernel = pl.col("activity") == KERNEL
    return (
        union_of(activity.filter(kernel & ~pl.col("communication"))),
        union_of(activity.filter(kernel & pl.col("communication"))),
        union_of(activity.filter(~kernel)),
    )


@per_rank
def rank_unions(rank: Rank) -> tuple[Union, Union, Union]:
    """The same of a rank's selected activity."""
    return activity_unions(rank.activity)


@per_rank
def rank_busy(rank: Rank) -> Union:
    """Union of all selected activity of a rank."""
    return merge(*rank_unions(rank))


def table_union(trace: Trace, table: str) -> Union:
    """Union of all events of a host table."""
    frame = trace.frame(table, ["start_ns", "duration_ns"])
    return union(frame["start_ns"].to_numpy(), (frame["start_ns"] + frame["duration_ns"]).to_numpy())


def loader_ranges(trace: Trace) -> pl.DataFrame:
    """Ranges of the data loader: columns name (code), process, thread, start_ns, end_ns."""
    return loader_rows(trace).drop("table", "row")


def loader_rows(trace: Trace) -> pl.DataFrame:
    """The same with table and row of each.

    Told by name alone: their category changed over the years (kineto issue 610).
    """
    columns = ["name", "process", "thread", "start_ns", "duration_ns"]
    names = trace.codes(lambda text: text.str.starts_with(LOADER_PREFIX))
    found = [_rows(trace, table, names, columns) for table in ("annotation", "operator", "python")]
    timed = pl.all_horizontal(pl.col("start_ns", "duration_ns").is_not_null())
    other = _rows(trace, "other", names, [*columns, "broken"]).filter((pl.col("broken") == 0) & timed)
    found.append(other.drop("broken"))
    end = (pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns")
    return pl.concat(found).with_columns(end).drop("duration_ns")


def _rows(trace: Trace, table: str, names: pl.Series, columns: list[str]) -> pl.DataFrame:
    """Rows of a table with some names; of most traces none, and then its columns are not read."""
    rows = trace.rows_with(table, names)
    if len(rows) == 0:
        found = pl.DataFrame(schema={name: STORE_TABLES[table][name] for name in columns})
    else:
        found = trace.frame(table, columns)[rows]
    return found.with_columns(pl.lit(table).alias("table"), pl.Series("row", rows, pl.UInt32))


def lengths_by(key: Ints, start: Ints, end: Ints, count: int) -> Ints:
    """Length of the union of each group's intervals in ns.

    Args:
        key: group of each interval, below ``count``.

    >>> lengths_by(np.array([0, 1, 0]), np.array([0, 5, 2]), np.array([3, 6, 4]), 2)
    array([4, 1])
    """
    total = np.zeros(count, np.int64)
    if len(key) == 0:
        return total
    # The groups are laid one behind the other on one axis, as many at once as int64 has room for.
    first = int(start.min())
    span = int(end.max()) - first + 1
    at_once = max(1, (1 << 62) // span)
    for low in range(0, count, at_once):
        mine = (key >= low) & (key < low + at_once)
        shift = (key[mine] - low) * span - first
        begins, ends = union(start[mine] + shift, end[mine] + shift)
        np.add.at(total, begins // span + low, ends - begins)
    return total
