"""The GPU's queue as the trace shows it: activities with their launches, in order on each stream."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.text_order import text_places
from stepscope.numeric.intervals import Ints, in_order
from stepscope.numeric.nested import NOBODY
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank
from stepscope.store.sorting import by_start
from stepscope.store.ties import places

Flags: TypeAlias = npt.NDArray[np.bool_]

NEVER = -(1 << 62)
"""A moment before everything."""


@dataclass(frozen=True)
class Queue:
    """Every activity of a trace, arrays by row.

    Attributes:
        start, end: when it ran, in ns.
        stream: number of its stream among those of the trace.
        streams: device and stream of each number.
        place: of each activity in the order of time; equal times are told apart by everything else that is known.
        before: row of the activity before it on its stream, or `NOBODY`.
        call: row of its launch in the table runtime, or `NOBODY`.
        api: code of the launch's name; 0 without a launch.
        call_start, call_end: of the launch; without one `launched`.
        launched: when it was queued: the start of its launch, `NEVER` if that was before the recording, its own
            start where nothing is known.
        earlier: end of what each launch before the recording had queued, sorted.
    """

    start: Ints
    end: Ints
    stream: Ints
    streams: pl.DataFrame
    place: Ints
    before: Ints
    call: Ints
    api: Ints
    call_start: Ints
    call_end: Ints
    launched: Ints
    earlier: Ints

    def of_stream(self, number: int) -> Ints:
        """Rows of a stream's activities, in the order in which they were launched."""
        order, first = self._by_stream
        return order[first[number] : first[number + 1]]

    @cached_property
    def _by_stream(self) -> tuple[Ints, Ints]:
        """Rows by stream and launch, and where those of each stream begin."""
        order = np.lexsort((self.place, self.launched, self.stream))
        return order, np.searchsorted(self.stream[order], np.arange(len(self.streams) + 1))


@per_rank(whole=True)
def gpu_queue(rank: Rank) -> Queue:
    """The queue of the whole trace."""
    activity = rank.activity
    start, end = activity["start_ns"].to_numpy(), activity["end_ns"].to_numpy()
    number, streams = _numbered_streams(activity.select("device", "stream"))
    calls = rank.trace.frame("runtime", ["name", "start_ns", "duration_ns", "correlation"])
    launch = activity["launch"]
    linked = launch.is_not_null().to_numpy()
    launched = np.where(linked, 0, _unlinked_launches(rank, activity, calls))
    call_start, call_end = launched.copy(), launched.copy()
    row = launch.fill_null(0).cast(pl.Int64).to_numpy()
    api = np.zeros(len(row), np.int64)
    if linked.any():
        launches = row[linked]
        begin = calls["start_ns"].to_numpy()[launches]
        call_start[linked] = begin
        call_end[linked] = begin + calls["duration_ns"].to_numpy()[launches]
        launched[linked] = begin
        api[linked] = calls["name"].fill_null(0).to_numpy()[launches]
    call = np.where(linked, row, NOBODY)
    order = _by_time(rank, activity, number, launched)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    before = _before(number, order)
    earlier = _earlier(rank, launched, end)
    return Queue(start, end, number, streams, place, before, call, api, call_start, call_end, launched, earlier)


def _by_time(rank: Rank, activity: pl.DataFrame, stream: Ints, launched: Ints) -> Ints:
    """Rows in the order of time."""
    start, end = activity["start_ns"].to_numpy(), activity["end_ns"].to_numpy()

    def settled(rows: Ints) -> Ints:
        names = text_places(rank.trace, activity["name"].gather(rows))
        rest, kind = places(rank.trace, "activity")[rows], activity["activity"].to_numpy()[rows]
        return rows[np.lexsort((rest, stream[rows], names, kind, launched[rows], end[rows], start[rows]))]

    return by_start(start, settled)


def launch_times(queue: Queue) -> tuple[Ints, Ints]:
    """When launches were made and when the last activity of each had ended, each sorted, in ns.

    What was launched before the recording was launched at `NEVER`.
    """
    linked = np.flatnonzero(queue.call >= 0)
    calls = queue.call[linked]
    begun, ended = np.full((2, int(calls.max()) + 1 if len(calls) else 0), NEVER)
    begun[calls] = queue.call_start[linked]
    np.maximum.at(ended, calls, queue.end[linked])
    launched = begun > NEVER
    begun, ended = begun[launched], ended[launched]
    before = np.full(len(queue.earlier), NEVER, np.int64)
    return in_order(before, begun), in_order(queue.earlier, ended)


def _earlier(rank: Rank, launched: Ints, end: Ints) -> Ints:
    """End of what each launch before the recording had queued: what has one correlation is of one launch."""
    frame = rank.trace.frame("activity", ["correlation"]).with_columns(pl.Series("end", end))
    frame = frame.filter(pl.Series(launched == NEVER))
    return frame.group_by("correlation").agg(pl.col("end").max())["end"].sort().to_numpy()


def _numbered_streams(keys: pl.DataFrame) -> tuple[Ints, pl.DataFrame]:
    """Number of each row's stream among the distinct ones, and these in order."""
    device, stream = (column.fill_null(NEVER).to_numpy() for column in keys)
    order = np.lexsort((stream, device))
    begins = np.ones(len(order), np.bool_)
    begins[1:] = np.diff(device[order]).astype(np.bool_) | np.diff(stream[order]).astype(np.bool_)
    number = np.empty(len(order), np.int64)
    number[order] = np.cumsum(begins) - 1
    return number, keys[order[begins]].with_row_index("number")


def _before(stream: Ints, order: Ints) -> Ints:
    """Row of the activity before each on its stream, from all in the order of time."""
    order = order[np.argsort(stream[order], kind="stable")]
    before = np.full(len(stream), NOBODY, np.int64)
    same = stream[order][1:] == stream[order][:-1]
    before[order[1:][same]] = order[:-1][same]
    return before


def _unlinked_launches(rank: Rank, activity: pl.DataFrame, calls: pl.DataFrame) -> Ints:
    """When activities without a launch were queued.

    Correlation numbers count up: one below every recorded call's belongs to a call before the recording.
    """
    correlation = rank.trace.frame("activity", ["correlation"])["correlation"]
    first = calls.filter(pl.col("correlation") > 0)["correlation"].min()
    start = activity["start_ns"].to_numpy()
    if first is None:
        return start.copy()
    before = ((correlation > 0) & (correlation < first)).fill_null(False).to_numpy()
    return np.where(before, NEVER, start)
