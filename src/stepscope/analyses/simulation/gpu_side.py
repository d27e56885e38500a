"""The GPU's side of the timed steps: what was launched in them, and what each start waits for, as delays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stepscope.analyses.critical_path.activity_dependencies import STREAM, bindings, usual_gap, usual_latency
from stepscope.analyses.critical_path.events import event_waits
from stepscope.analyses.critical_path.queue import NEVER, Queue, gpu_queue, launch_times
from stepscope.numeric.backtrace import ACTIVITY, CALL
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.numeric.replay import Activities, Backlog
from stepscope.store.profile import Rank

LEAST_ROOM = 1_020
"""Launches pending at every blocked launch seen: 1019 to 1021."""


@dataclass(frozen=True)
class GpuSide:
    """Activities launched in the window, in the order of their launches.

    Attributes:
        rows: of each in the table activity.
        number: by row of that table, the number of the activity here, or `NOBODY`.
        activities: for the replay.
        thread: number of the thread that launched each.
        backlog: what was launched before the window.
        room: launches that may be pending before the next one has to wait.
    """

    rows: Ints
    number: Ints
    activities: Activities
    thread: Ints
    backlog: Backlog
    room: int


def _by_launch(queue: Queue, rows: Ints) -> Ints:
    """Order of some activities by their launches; of calls that start at once, by what ran first."""
    calls, number = np.unique(queue.call[rows], return_inverse=True)
    first = np.full(len(calls), len(queue.place), np.int64)
    np.minimum.at(first, number, queue.place[rows])
    order: Ints = np.lexsort((queue.place[rows], first[number], queue.call_start[rows]))
    return order


def gpu_side(rank: Rank, window: tuple[int, int]) -> GpuSide:
    """The activities of a window.

    Of the moments that a start may wait for (its launch, its stream, an event) exactly one was the latest; its delay is
    the one measured, so that unchanged steps come out as recorded. The other delays are the usual ones of the trace.
    """
    queue, bound = gpu_queue(rank), bindings(rank)
    rows = np.flatnonzero((queue.call >= 0) & (queue.call_start >= window[0]) & (queue.call_start < window[1]))
    rows = rows[_by_launch(queue, rows)]
    number = np.full(len(queue.start), NOBODY, np.int64)
    number[rows] = np.arange(len(rows))
    start, usual = queue.start[rows], usual_gap(queue)
    by_other = bound.work.bound[rows] == ACTIVITY
    by_stream = by_other & (bound.reason[rows] == STREAM)
    since_call = start - queue.call_start[rows]
    since_stream = start - _ended_before(queue, rows, start - usual)
    target = np.where(by_other & ~by_stream, bound.work.before[rows], event_waits(rank, queue).target[rows])
    since_event = start - queue.end[np.maximum(target, 0)]
    by_call = bound.work.bound[rows] == CALL
    activities = Activities(
        stream=queue.stream[rows],
        duration=queue.end[rows] - start,
        latency=np.maximum(0, np.where(by_call, since_call, np.minimum(since_call, usual_latency(queue)[rows]))),
        gap=np.where(by_stream, since_stream, np.minimum(since_stream, usual)),
        event=np.where(target >= 0, number[np.maximum(target, 0)], NOBODY),
        event_gap=np.where(by_other & ~by_stream, since_event, np.minimum(since_event, usual)),
    )
    return GpuSide(rows, number, activities, bound.work.thread[rows], _backlog(queue, number, window[0]), _room(queue))


def _backlog(queue: Queue, number: Ints, first: int) -> Backlog:
    """What was launched before a moment."""
    busy = np.full(len(queue.streams), NEVER, np.int64)
    before = (number == NOBODY) & (queue.launched < first)
    np.maximum.at(busy, queue.stream[before], queue.end[before] - first)
    begun, ended = launch_times(queue)
    pending = ended[: np.searchsorted(begun, first)] - first
    return Backlog(busy, pending[pending > 0])


def _room(queue: Queue) -> int:
    """Launches that may be pending: as many as on every NVIDIA GPU seen, or as were in this recording."""
    begun, ended = launch_times(queue)
    pending = np.arange(1, len(begun) + 1) - np.searchsorted(ended, begun, side="right")
    return max(LEAST_ROOM, int(pending.max(initial=0)))


def _ended_before(queue: Queue, rows: Ints, unknown: Ints) -> Ints:
    """End of the activity launched before each on its stream, or ``unknown`` without one."""
    stream = queue.stream[rows]
    order = np.argsort(stream, kind="stable")
    same = stream[order][1:] == stream[order][:-1]
    before = queue.before[rows]
    before[order[1:][same]] = rows[order[:-1][same]]
    return np.where(before >= 0, queue.end[np.maximum(before, 0)], unknown)
