"""What the start of each activity waited for: the activity before it on its stream, an event of another stream, or its
launch.

An activity can start when its stream is free, when the events its stream was told to wait for have happened, and when
its launch has reached the GPU. Each of these has a moment: the end of the earlier activity plus the usual gap between
queued activities, or the start of the call plus the usual latency on an idle stream (both are measured in the trace).
The latest moment is the one that the start waited for; there is always exactly one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stepscope.analyses.critical_path.events import ended_before, event_waits
from stepscope.analyses.critical_path.queue import NEVER, Flags, Queue, gpu_queue
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.numeric.backtrace import ACTIVITY, CALL, NOTHING, Work
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.profile import Rank

_ENOUGH = 20
"""Launches on an idle stream from which an API has a latency of its own."""

_MOST_LATENCY_NS, _MOST_GAP_NS = 50_000, 5_000
"""Several times what was measured on any GPU (6 to 9 us, 0.5 to 1.6 us): a trace full of waits must not raise them."""


_CROWDED_NS = 10_000
"""A wait of this length that nothing else explains, and that ends no later than this after an activity of another
stream has ended, was for room on the GPU."""

STREAM, EVENT, ROOM = 0, 1, 2
"""Why an activity waited for another one: it was before it on its stream, the stream was told to wait for an event, or
the GPU was full."""


@dataclass(frozen=True)
class Bindings:
    """What each activity's start waited for, by the activity's row.

    Attributes:
        work: for the walk.
        reason: `STREAM`, `EVENT` or `ROOM` where it waited for another activity.
        inferred: whether that was told from times instead of being recorded.
    """

    work: Work
    reason: Ints
    inferred: Flags


def bindings(rank: Rank) -> Bindings:
    """What each activity of the whole trace waited for."""
    queue = gpu_queue(rank)
    wait = event_waits(rank, queue)
    gap, latency = usual_gap(queue), usual_latency(queue)
    before = queue.before
    ended = np.where(before >= 0, np.minimum(queue.end[before], queue.start), NEVER)
    # Branches of a graph may carry one stream: what still ran did not hold up a node whose dependency is recorded.
    beside = wait.in_graph & (queue.end[before] > queue.start)
    by_stream = np.where((before >= 0) & ~beside, ended + gap, NEVER)
    event_end = queue.end[wait.target]
    # Edges of graphs may run backwards by the difference of two clocks.
    event_end = np.where(wait.in_graph, np.minimum(event_end, queue.start), event_end)
    by_event = np.where(wait.target >= 0, event_end + gap, NEVER)
    linked = queue.call >= 0
    possible = linked & (queue.call_start <= queue.start)
    by_call = np.where(possible, queue.call_start + latency, np.where(linked & (before < 0), NEVER + 1, NEVER))
    latest = np.maximum(np.maximum(by_stream, by_event), by_call)
    event = (by_event == latest) & (by_event > by_stream)
    room = _crowded(queue, latest)
    reason = np.where(room >= 0, ROOM, np.where(event, EVENT, STREAM))
    earlier = np.where(room >= 0, room, np.where(event, wait.target, before))
    behind = (room >= 0) | event | (by_stream == latest)
    bound = np.where(latest == NEVER, NOTHING, np.where(behind, ACTIVITY, CALL))
    thread = np.where(linked, _call_threads(rank, queue), NOBODY)
    released = np.clip(queue.call_end, None, queue.start)
    work = Work(queue.start, queue.end, bound, earlier, thread, released)
    return Bindings(work, reason, (reason == ROOM) | ((reason == EVENT) & wait.inferred))


def _crowded(queue: Queue, latest: Ints) -> Ints:
    """Activity of another stream whose end made room for each that started late for no other reason, or `NOBODY`."""
    if len(queue.streams) < 2:
        return np.full(len(queue.start), NOBODY, np.int64)
    late = np.flatnonzero((latest > NEVER + 1) & (queue.start - latest > _CROWDED_NS))

    def fits(row: Ints, other: Ints) -> Flags:
        return (queue.start[row] - queue.end[other] <= _CROWDED_NS) & (queue.end[other] > latest[row])

    return ended_before(queue, late, fits)


def _call_threads(rank: Rank, queue: Queue) -> Ints:
    """Number of the thread of each activity's launch; of no use where there is none."""
    number, _ = host_threads(rank).numbered(rank, "runtime")
    return number[queue.call] if len(number) else np.full(len(queue.call), NOBODY, np.int64)


def usual_gap(queue: Queue) -> int:
    """Median pause between an activity and one that was queued behind it on its stream, in ns."""
    before = np.maximum(queue.before, 0)
    queued = (queue.before >= 0) & (queue.call >= 0) & (queue.call_end < queue.end[before])
    gaps = (queue.start - queue.end[before])[queued]
    return min(int(np.median(np.maximum(gaps, 0))), _MOST_GAP_NS) if len(gaps) else 0


def usual_latency(queue: Queue) -> Ints:
    """Time from the start of a call to the start of its activity on an idle stream, in ns: lower quartile by API.

    The quartile, because some of the starts waited for something that the trace does not show.
    """
    before = np.maximum(queue.before, 0)
    idle = (queue.before < 0) | (queue.end[before] <= queue.call_start)
    idle &= (queue.call >= 0) & (queue.start >= queue.call_start)
    latency, api = (queue.start - queue.call_start)[idle], queue.api[idle]
    seen = np.bincount(api, minlength=int(queue.api.max(initial=0)) + 1)
    usual = np.full(len(seen), _lower_quartile(latency) if len(latency) else 0)
    for code in np.flatnonzero(seen >= _ENOUGH).tolist():
        usual[code] = _lower_quartile(latency[api == code])
    found: Ints = np.minimum(usual, _MOST_LATENCY_NS)[queue.api]
    return found


def _lower_quartile(values: Ints) -> int:
    at = (len(values) - 1) // 4
    return int(np.partition(values, at)[at])
