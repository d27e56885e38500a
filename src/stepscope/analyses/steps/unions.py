"""Unions of what the analyses have in common: of activity, of a host table, of the data loader's ranges."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.numeric.intervals import EMPTY, Ints, Union, merge, union
from stepscope.numeric.nested import NOBODY
from stepscope.schema import KERNEL, STORE_TABLES
from stepscope.store.memo import per_rank
from stepscope.store.nesting import host_nesting
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
    return thread_union(trace, table) if trace.rows(table) else EMPTY


def thread_union(trace: Trace, table: str, lane: int | None = None) -> Union:
    """Union of the events of a host table that is not empty, of one of its threads or of all.

    Args:
        lane: number of the thread, see `store.nesting.HostNesting`.
    """
    host = host_nesting(trace, table, ["parent", "sticks_out"])
    # What lies inside another event adds nothing, and most events do.
    around = (host.nesting.parent == NOBODY) | host.nesting.sticks_out
    rows = np.flatnonzero(around if lane is None else around & (host.thread == lane))
    return union(host.start[rows], host.end[rows])


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
    from stepscope.numeric.nesting import union_by_key

    order = np.argsort(start, kind="stable").astype(np.int32)
    return union_by_key(order, np.zeros(len(key), np.int32), start, end, key, count)
