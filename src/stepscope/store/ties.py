"""An order of rows that are equal in time, by what was recorded of them and not by where they stand in the file.

Profilers write what ended first, or one thread after the other, and tools that cut traces sort anew: tables must not
depend on it. Only the tied rows are compared, and column by column until all are told apart, since a recording has
millions of rows and few ties.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric.intervals import distinct
from stepscope.schema import STORE_TABLES
from stepscope.store.memo import per_trace_on_disk
from stepscope.store.sorting import tied_places
from stepscope.store.trace import Trace

Ints: TypeAlias = npt.NDArray[np.int64]

_FIRST = ("process", "thread", "device", "stream", "name", "correlation", "external_id")
"""What is compared first: it nearly always tells two events apart."""

_TIMES = ["start_ns", "duration_ns"]


def places(trace: Trace, table: str) -> Ints:
    """A number for each row of a timed table, to sort by behind its start and its end.

    It is the row's own, except that rows of equal start and end have exchanged theirs, so that they are in order.
    """
    moved = _moved(trace, table)
    place = np.arange(trace.rows(table))
    place[moved["row"].to_numpy()] = moved["place"].to_numpy()
    return place


def with_places(trace: Trace, table: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Some rows of a timed table, which the column row tells, with the column place: see `places`."""
    return rows.with_columns(pl.Series("place", places(trace, table)).gather(rows["row"]))


@per_trace_on_disk
def _moved(trace: Trace, table: str) -> pl.DataFrame:
    """Columns row and place (number) of the rows that do not keep their own number."""
    times = trace.frame(table, _TIMES)
    # Few starts are equal, so that the other column is looked at only there.
    rows = pl.Series(_repeated(times["start_ns"].to_numpy()), dtype=pl.UInt32)
    tied = times[rows].is_duplicated()
    rows, times = rows.filter(tied), times[rows].filter(tied)
    groups = times.select(pl.struct(_TIMES).rank("dense")).to_series().cast(pl.Int64).to_numpy()
    row = rows.cast(pl.Int64).to_numpy()
    own, settled = row[np.lexsort((row, groups))], row[np.lexsort((row, settle(trace, table, row, groups)))]
    moved = own != settled
    return pl.DataFrame({"row": settled[moved], "place": own[moved]})


def _repeated(times: Ints) -> Ints:
    """Rows of the times that occur more than once. Times are nearly in order, which a stable sort makes use of."""
    order = np.argsort(times, kind="stable")
    return np.sort(order[tied_places(times[order])])


def settle(trace: Trace, table: str, rows: Ints, groups: Ints) -> Ints:
    """Rank of some rows by their group and, inside it, by what was recorded of them; what is alike in all is equal.

    Args:
        rows: of the stored table.
        groups: number of the group of each.
    """
    types = STORE_TABLES[table]
    first = [name for name in _FIRST if name in types]
    ranks = groups
    for name in (*first, *(name for name in types if name not in ("event", *first, *_TIMES))):
        if len(distinct(ranks)) == len(ranks):
            break
        values = trace.frame(table, [name])[name][rows]
        # Codes are numbered in the order of the file.
        values = trace.text(values) if types[name] == pl.UInt32 else values
        ranks = _refined(ranks, values)
    return ranks


def _refined(ranks: Ints, values: pl.Series) -> Ints:
    """Ranks by the ranks so far, then by a value; null comes first."""
    frame = pl.DataFrame({"rank": ranks, "value": values.rank("dense").fill_null(0)})
    return frame.select(pl.struct("rank", "value").rank("dense")).to_series().cast(pl.Int64).to_numpy()
