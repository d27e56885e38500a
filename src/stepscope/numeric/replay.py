"""Steps timed again: threads that work, launch and wait, streams that run what they were given, in order.

The items of the host stand in the order in which they were recorded. Each moves the clock of its thread on by the work
before it; a launch gives its activities to their streams, a wait holds the thread until an activity has ended, a
hand-over until another thread has come as far. An activity starts at the latest of three moments: its launch plus a
latency, the end of the one before it on its stream plus a gap, the end of one on another stream plus a gap. So one pass
over the items times everything. The same steps are repeated until they no longer change: what one pass leaves running
is what the next begins with.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stepscope.numeric.compiling import compiled
from stepscope.numeric.nested import Ints

MARK, LAUNCH, WAIT, WAIT_STREAM, WAIT_ALL, HAND_OVER = 0, 1, 2, 3, 4, 5
"""What an item of the host does behind its work: nothing, start its activities, wait for an activity, for all that was
given to a stream, or to all streams; go on when another thread has come as far as it has by now."""

BY_LAUNCH, BY_STREAM, BY_EVENT = 0, 1, 2
"""Which of its three moments an activity's start waited for."""

BY_WORK, BY_WAIT, BY_QUEUE = 0, 1, 2
"""What the clock of a thread was set by at an item: its own work, what it waited for, room in the launch queue."""


_NEVER = -(1 << 62)


class Items(NamedTuple):
    """What the threads of the host do, in recorded order.

    Attributes:
        kind: one of the above.
        thread: number of the thread.
        work: of the thread since its item before, in ns.
        target: of `WAIT` the activity, of `WAIT_STREAM` the stream, of `HAND_OVER` the other thread; else -1.
        tail: from the end of what was waited for to the thread's going on, in ns.
        first, last: activities that a launch starts, ``[first, last)``.
    """

    kind: Ints
    thread: Ints
    work: Ints
    target: Ints
    tail: Ints
    first: Ints
    last: Ints


class Activities(NamedTuple):
    """What the GPU does, in the order of its launches.

    Attributes:
        stream: number of the stream.
        duration: in ns.
        latency: least time from the launch to the start.
        gap: least time from the end of the activity before on the stream to the start.
        event: number of the activity of another stream that it waits for, or -1; it stands before this one.
        event_gap: least time from that one's end to the start.
    """

    stream: Ints
    duration: Ints
    latency: Ints
    gap: Ints
    event: Ints
    event_gap: Ints


class Timed(NamedTuple):
    """What a replay found; the arrays are of its last pass.

    Attributes:
        host: by pass, when its last item was done; in ns from the beginning.
        gpu: by pass, when its last activity had ended.
        item: by item, when it was done.
        by_item: by item, `BY_WORK`, `BY_WAIT` or `BY_QUEUE`.
        start: by activity.
        by_start: by activity, `BY_LAUNCH`, `BY_STREAM` or `BY_EVENT`.
    """

    host: Ints
    gpu: Ints
    item: Ints
    by_item: Ints
    start: Ints
    by_start: Ints

    def period_ns(self) -> float:
        """Time of one pass when nothing changes any more: the later half of them, on the side that takes longer."""
        passes = len(self.host)
        half = passes // 2
        host = (self.host[-1] - self.host[half - 1]) / (passes - half)
        gpu = (self.gpu[-1] - self.gpu[half - 1]) / (passes - half)
        return float(max(host, gpu))


class Backlog(NamedTuple):
    """What the GPU had been given before the first pass; times in ns from the beginning.

    Attributes:
        busy: by stream, until when it runs; streams behind the last one are free.
        pending: when each launch that was not done yet will be, in order.
    """

    busy: Ints
    pending: Ints


def replay(items: Items, activities: Activities, backlog: Backlog, threads: int, room: int, passes: int) -> Timed:
    """Time some steps again, several times one after another.

    Args:
        threads: how many there are.
        room: launches that may be pending before the next one has to wait.
        passes: how often, at least 2.
    """
    of_items = np.array(items, np.int64).reshape(len(Items._fields), -1)
    of_activities = np.array(activities, np.int64).reshape(len(Activities._fields), -1)
    waited_for = items.target[items.kind == WAIT_STREAM]
    most = max(int(activities.stream.max(initial=0)), int(waited_for.max(initial=0)))
    free = np.full(max(len(backlog.busy), most + 1), _NEVER, np.int64)
    free[: len(backlog.busy)] = backlog.busy
    pending = np.full(room, _NEVER, np.int64)
    known = backlog.pending[-room:]
    pending[room - len(known) :] = known
    return Timed(*_replay(of_items, of_activities, free, pending, max(threads, 1), passes))


@compiled
def _replay(items, activities, free, pending, threads, passes):
    room = len(pending)
    clock = np.zeros(threads, np.int64)
    ends = np.full(activities.shape[1], _NEVER, np.int64)
    host, gpu = np.zeros(passes, np.int64), np.zeros(passes, np.int64)
    done, by_item = np.zeros(items.shape[1], np.int64), np.zeros(items.shape[1], np.int64)
    start, by_start = np.zeros(activities.shape[1], np.int64), np.zeros(activities.shape[1], np.int64)
    launches = 0
    for turn in range(passes):
        for i in range(items.shape[1]):
            kind, thread = items[0, i], items[1, i]
            now = clock[thread] + items[2, i]
            by_item[i] = BY_WORK
            if kind == LAUNCH and items[5, i] < items[6, i]:
                room_at = pending[launches % room]
                if room_at > now:
                    now, by_item[i] = room_at, BY_QUEUE
                last = _launch(items[5, i], items[6, i], now, activities, free, ends, start, by_start)
                pending[launches % room] = last
                launches += 1
                gpu[turn] = max(gpu[turn], last)
            elif kind != MARK and kind != LAUNCH:
                until = _waited(kind, items[3, i], items[4, i], clock, free, ends)
                if until > now:
                    now, by_item[i] = until, BY_WAIT
            clock[thread] = now
            done[i] = now
            host[turn] = max(host[turn], now)
        if turn:
            host[turn], gpu[turn] = max(host[turn], host[turn - 1]), max(gpu[turn], gpu[turn - 1])
    return host, gpu, done, by_item, start, by_start


@compiled
def _launch(first, last, now, activities, free, ends, start, by_start):
    """Give activities to their streams; when the last of them will have ended."""
    latest = now
    for a in range(first, last):
        stream = activities[0, a]
        begin, why = now + activities[2, a], BY_LAUNCH
        if free[stream] + activities[3, a] > begin:
            begin, why = free[stream] + activities[3, a], BY_STREAM
        event = activities[4, a]
        if event >= 0 and ends[event] + activities[5, a] > begin:
            begin, why = ends[event] + activities[5, a], BY_EVENT
        ends[a] = begin + activities[1, a]
        free[stream] = max(free[stream], ends[a])
        start[a], by_start[a] = begin, why
        latest = max(latest, ends[a])
    return latest


@compiled
def _waited(kind, target, tail, clock, free, ends):
    """Until when an item holds its thread."""
    if kind == HAND_OVER:
        return clock[target] + tail
    if kind == WAIT:
        return ends[target] + tail
    if kind == WAIT_STREAM:
        return free[target] + tail
    latest = free[0]
    for stream in range(1, len(free)):
        latest = max(latest, free[stream])
    return latest + tail
