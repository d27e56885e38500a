"""Host events nested on their threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric.nested import NOBODY, Nesting, Rows
from stepscope.store.memo import per_trace_on_disk
from stepscope.store.ties import settle
from stepscope.store.trace import Trace

Ints: TypeAlias = npt.NDArray[np.int64]

PLACE = ["process", "thread"]
"""Columns (codes of the trace) that tell a thread of the host."""


@dataclass(frozen=True)
class HostNesting:
    """Nested events of one stored table, arrays by row in file order.

    Attributes:
        lanes: columns process, thread (codes) and lane, the number used in ``thread``.
        thread, start, end: of each event.
        nesting: order, parents, depths, self times.
    """

    lanes: pl.DataFrame
    thread: Rows
    start: Ints
    end: Ints
    nesting: Nesting


def host_nesting(trace: Trace, table: str, parts: Sequence[str] = Nesting._fields) -> HostNesting:
    """Nest the events of a host table (operator, python, annotation, runtime); nested once, then kept on disk.

    Args:
        parts: fields of `Nesting` that are needed; the others may be empty.
    """
    known: HostNesting | None = trace.nestings.get(table)
    if known is None:
        known = _read_nesting(trace, table, parts)
        if trace.keeps and set(parts) == set(Nesting._fields):
            trace.nestings[table] = known
    return known


def _read_nesting(trace: Trace, table: str, parts: Sequence[str]) -> HostNesting:
    # What takes room of its own while it is made comes first: of millions of rows every array counts.
    lanes, thread = lanes_of(trace, table)
    kept = nested_rows.columns(parts, trace, table)
    fields: dict[str, Any] = dict.fromkeys(Nesting._fields, np.empty(0))
    for name in kept.columns:
        # Writable, so that compiled loops need no copies of their own.
        fields[name] = kept.drop_in_place(name).to_numpy(writable=True)
    return HostNesting(lanes, thread, *_times(trace, table), Nesting(**fields))


@per_trace_on_disk
def nested_rows(trace: Trace, table: str) -> pl.DataFrame:
    """The fields of `Nesting` as columns, one row for each event of a host table."""
    from stepscope.numeric.nesting import nest

    _, thread = lanes_of(trace, table)
    start, end = _times(trace, table)
    made = nest(thread, start, end, _ties(trace, table), partial(settle, trace, table))
    return pl.DataFrame(made._asdict())


def _times(trace: Trace, table: str) -> tuple[Ints, Ints]:
    """Start and end of each row of a host table."""
    start, end = trace.integers(table, "start_ns"), trace.integers(table, "duration_ns")
    end += start
    return start, end


def _ties(trace: Trace, table: str) -> Ints:
    """What decides first between events of equal start and end: the one numbered later is inside."""
    number = "python_id" if table == "python" else "external_id"
    if table == "annotation":
        # They are few, and older ones have no number.
        frame = trace.frame(table, [number, "name"])
        keys = frame.select(pl.col(number).fill_null(-1), trace.text(frame["name"]).alias("text"))
        return keys.select(pl.struct(number, "text").rank("dense")).to_series().cast(pl.Int64).to_numpy(writable=True)
    return trace.integers(table, number, missing=-1)


def lanes_of(trace: Trace, table: str) -> tuple[pl.DataFrame, Rows]:
    """The threads of a host table and the number of each row's, as of `number_lanes`: held where columns are, since all
    nesting asks."""
    found: tuple[pl.DataFrame, Rows] | None = trace.lanes.get(table)
    if found is None:
        found = number_lanes(trace.frame(table, PLACE))
        if trace.keeps:
            trace.lanes[table] = found
    return found


def rows_of_places(known: pl.DataFrame, places: pl.DataFrame) -> Ints:
    """Row of each (process, thread) of a frame among the distinct ones of another, `NOBODY` for one that is not there.

    By search instead of a join: threads are few, and a query takes longer than looking them up.

    Args:
        known, places: columns process and thread, codes or numbers; null and -1 stand for a missing one.
    """
    keys, asked = _keys_of_places(known), _keys_of_places(places)
    if len(keys) == 0:
        return np.full(len(asked), NOBODY, np.int64)
    order = np.argsort(keys)
    row = order.take(np.searchsorted(keys, asked, sorter=order), mode="clip")
    return np.where(keys[row] == asked, row, NOBODY)


def _keys_of_places(places: pl.DataFrame) -> Ints:
    """A number for each pair of process and thread."""
    process, thread = (_numbers(places[name]) for name in PLACE)
    return (process << 32) + thread


def _numbers(codes: pl.Series) -> Ints:
    """Codes as numbers; `NOBODY` for null."""
    known = codes.cast(pl.Int64)
    return (known.fill_null(NOBODY) if known.null_count() else known).to_numpy()


def number_lanes(places: pl.DataFrame) -> tuple[pl.DataFrame, Rows]:
    """Number the (process, thread) pairs of a frame: columns process, thread, lane; and the number of each row.

    Tables over the codes instead of a join: threads are few, rows are many.
    """
    of_row, processes = _dense(places["process"])
    row, threads = _dense(places["thread"])
    pairs = pl.int_range(len(threads), eager=True)
    if len(processes) > 1:
        of_row *= len(threads)
        of_row += row
        row, pairs = _dense(pl.Series(of_row))
    lanes = pl.DataFrame(
        {
            "process": processes.gather(pairs // len(threads)),
            "thread": threads.gather(pairs % len(threads)),
            "lane": pl.int_range(len(pairs), dtype=pl.UInt32, eager=True),
        }
    )
    return lanes, row


def _dense(codes: pl.Series) -> tuple[Rows, pl.Series]:
    """Number of each value among the distinct ones, and those; null is a value too."""
    if len(codes) == 0:
        return np.empty(0, np.int32), codes
    if codes.null_count() == 0 and codes.min() == codes.max():  # as the process mostly is
        return np.zeros(len(codes), np.int32), codes[:1]
    nobody = int(codes.max() or 0) + 1  # type: ignore[arg-type]
    numbers = codes.fill_null(nobody).to_numpy()
    seen = np.zeros(nobody + 1, np.bool_)
    seen[numbers] = True
    distinct = pl.Series(np.flatnonzero(seen)).cast(codes.dtype)
    return (np.cumsum(seen, dtype=np.int32) - 1)[numbers], distinct.set(distinct == nobody, None)
