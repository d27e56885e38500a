"""Steps timed again: threads that work, launch and wait, streams that run what they were given, in order.

The items of the host stand in the order in which they were recorded. Each moves the clock of its thread on by the work
before it; a launch gives its activities to their streams, a wait holds the thread until an activity has ended, a
hand-over until another thread has come as far. An activity starts at the latest of three moments: its launch plus a
latency, the end of the one before it on its stream plus a gap, the end of one on another stream plus a gap. So one pass
over the items times everything. The same steps are repeated until they no longer change: what one pass leaves running
is what the next begins with. A pass that did the same as the one before it, only later, stands for all that follow.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stepscope.numeric.compiling import compiled, compiled_part, hot_part, inner
from stepscope.numeric.nested import Ints

MARK, LAUNCH, WAIT, WAIT_STREAM, WAIT_ALL, HAND_OVER = 0, 1, 2, 3, 4, 5
"""What an item of the host does behind its work: nothing, start its activities, wait for an activity, for all that was
given to a stream, or to all streams; go on when another thread has come as far as it has by now."""

BY_LAUNCH, BY_STREAM, BY_EVENT = 0, 1, 2
"""Which of its three moments an activity's start waited for."""

BY_WORK, BY_WAIT, BY_QUEUE = 0, 1, 2
"""What the clock of a thread was set by at an item: its own work, what it waited for, room in the launch queue."""


_NEVER = -(1 << 62)

_NO_LATENCY = -(1 << 39)
"""What starts so long before its launch is nothing that is launched."""


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
    """What a replay found.

    A node is a time at which an item was done or an activity started: in pass ``p``, item ``i`` is the node
    ``p * (items + activities) + i``, activity ``a`` the node ``p * (items + activities) + items + a``.

    Attributes:
        host: by pass, when its last item was done; in ns from the beginning.
        gpu: by pass, when its last activity had ended.
        final: nodes that the host's and the GPU's last pass ended with, -1 for none.
        moment: by kept pass (the last one, or all) and node, when an item was done, when an activity started.
        why: of each node: `BY_WORK`, `BY_WAIT` or `BY_QUEUE`; of activities `BY_LAUNCH`, `BY_STREAM` or `BY_EVENT`.
        before: the node that each waited for, -1 for none.
        items: how many there are.
    """

    host: Ints
    gpu: Ints
    final: Ints
    moment: Ints
    why: Ints
    before: Ints
    items: int

    def period_ns(self) -> float:
        """Time of one pass when nothing changes any more: the later half of them, on the side that takes longer."""
        first, last, passes = self.period()
        return float(last - first) / passes

    def period(self) -> tuple[int, int, int]:
        """From when to when the later half of the passes took, on that side, in ns, and how many these are."""
        half = len(self.host) // 2
        side = self.gpu if self.gpu_takes_longer() else self.host
        return int(side[half - 1]), int(side[-1]), len(side) - half

    def gpu_takes_longer(self) -> bool:
        """Whether the GPU is the side whose passes take longer."""
        half = len(self.host) // 2
        return bool(self.gpu[-1] - self.gpu[half - 1] > self.host[-1] - self.host[half - 1])


class Backlog(NamedTuple):
    """What the GPU had been given before the first pass; times in ns from the beginning.

    Attributes:
        busy: by stream, until when it runs; streams behind the last one are free.
        pending: when each launch that was not done yet will be, in order.
    """

    busy: Ints
    pending: Ints


def replay(
    items: Items, activities: Activities, backlog: Backlog, threads: int, room: int, passes: int, *, keep: bool = False
) -> Timed:
    """Time some steps again, several times one after another.

    Args:
        threads: how many there are.
        room: launches that may be pending before the next one has to wait.
        passes: how often, at least 2.
        keep: whether the nodes of every pass are kept, not of the last one alone.
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
    kept = passes if keep else 1
    host, gpu, *nodes = _replay(of_items, of_activities, free, pending, max(threads, 1), passes, kept)
    final, moment, why, before = nodes
    return Timed(host, gpu, final, moment, why, before, len(items.kind))


@compiled
def _replay(items, activities, free, pending, threads, passes, kept):
    nodes = items.shape[1] + activities.shape[1]
    times = (np.zeros(threads, np.int64), free, np.full(activities.shape[1], _NEVER, np.int64), pending)
    nodes_of = (_nobody(threads), _nobody(len(free)), _nobody(activities.shape[1]), _nobody(len(pending)))
    earlier = (times[0].copy(), times[1].copy(), times[2].copy(), times[3].copy())
    host_ends, gpu_ends = np.zeros(passes, np.int64), np.zeros(passes, np.int64)
    moment, why = np.zeros((kept, nodes), np.int64), np.zeros((kept, nodes), np.int8)
    before = np.zeros((kept, nodes), np.int64)
    final, latest = _nobody(2), np.zeros(2, np.int64)
    slack = _slack(items, activities)
    launches, turn = 0, 0
    while turn < passes:
        for k in range(len(times)):
            earlier[k][:] = times[k]
        noted = turn >= passes - kept  # others would be written over
        notes = (moment[turn % kept], why[turn % kept], before[turn % kept])
        launched = _pass(items, activities, times, nodes_of, (latest, final), notes, noted, turn * nodes, launches)
        launches += launched
        host_ends[turn], gpu_ends[turn] = latest[0], latest[1]
        turn += 1
        more = passes - kept - turn
        if turn > 1 and more > 0:
            by, gpu_by = host_ends[turn - 1] - host_ends[turn - 2], gpu_ends[turn - 1] - gpu_ends[turn - 2]
            same = gpu_by == by or launched == 0
            if same and _repeats(times, earlier, by, launches, launched, slack):
                _go_on(times, earlier, nodes_of, more * by, more * nodes)
                _later(final, more * nodes)
                for _ in range(more):
                    latest[0] += by
                    latest[1] += gpu_by
                    host_ends[turn], gpu_ends[turn] = latest[0], latest[1]
                    turn += 1
    return host_ends, gpu_ends, final, moment, why, before


@compiled_part
def _nobody(count):
    return np.full(count, -1, np.int64)


@compiled_part
def _slack(items, activities):
    """How long after its time something may still be waited for, at most."""
    most, least = 0, 0
    for i in range(items.shape[1]):
        most = max(most, items[4, i])
    for a in range(activities.shape[1]):
        most = max(most, max(activities[3, a], activities[5, a]))
        if activities[2, a] > _NO_LATENCY:
            least = min(least, activities[2, a])
    return most - least


@compiled_part
def _repeats(times, earlier, by, launches, launched, slack):
    """Whether a pass left everything as the one before did, ``by`` later, so that all that follow will too.

    What was over so long before any thread began the pass that nothing waits for it is the only thing that may differ.
    """
    over, moved = _NEVER, False
    for thread in range(len(times[0])):
        if times[0][thread] != earlier[0][thread]:
            begun = earlier[0][thread] - slack
            over = min(over, begun) if moved else begun
            moved = True
    for k in range(len(times) - 1):
        for i in range(len(times[k])):
            was, now = earlier[k][i], times[k][i]
            if now - was != by and max(was, now) > over:
                return False
    # Room in the queue is taken in turns, and a pass may begin with another place than the one before.
    was, now = earlier[len(times) - 1], times[len(times) - 1]
    for i in range(len(now)):
        here, there = now[(launches + i) % len(now)], was[(launches - launched + i) % len(now)]
        if here - there != by and max(here, there) > over:
            return False
    return True


@compiled_part
def _go_on(times, earlier, nodes_of, by, nodes):
    """Leave everything as passes that repeat the last one would."""
    for k in range(len(times)):
        for i in range(len(times[k])):
            # Room in the queue is taken in turns: what this pass left alone, the next ones would take.
            if times[k][i] != earlier[k][i] or k == len(times) - 1:
                times[k][i] += by
        _later(nodes_of[k], nodes)


@compiled_part
def _later(nodes_of, by):
    """Make nodes those of a later pass."""
    for i in range(len(nodes_of)):
        if nodes_of[i] >= 0:
            nodes_of[i] += by


@hot_part
def _pass(items, activities, times, nodes_of, ended, notes, noted, first_node, launches):
    """All items once; how many of them launched something."""
    clock, free, ends, pending = times
    clock_by, free_by, ended_by, room_by = nodes_of
    latest, final = ended
    count, launched = items.shape[1], 0
    gpu = (free, free_by, ends, ended_by)
    for i in range(count):
        kind, thread, node = items[0, i], items[1, i], first_node + i
        now, by, reason = clock[thread] + items[2, i], clock_by[thread], BY_WORK
        if kind == LAUNCH and items[5, i] < items[6, i]:
            slot = (launches + launched) % len(pending)
            if pending[slot] > now:
                now, by, reason = pending[slot], room_by[slot], BY_QUEUE
            pending[slot], room_by[slot] = _launch(
                items[5, i], items[6, i], now, node, count - i, activities, gpu, notes, noted
            )
            launched += 1
            if pending[slot] >= latest[1]:
                latest[1], final[1] = pending[slot], room_by[slot]
        elif kind != MARK and kind != LAUNCH:
            until, other = _waited(kind, items[3, i], items[4, i], (clock, clock_by), gpu)
            if until > now:
                now, by, reason = until, other, BY_WAIT
        clock[thread], clock_by[thread] = now, node
        if noted:
            notes[0][i], notes[1][i], notes[2][i] = now, reason, by
        if now >= latest[0]:
            latest[0], final[0] = now, node
    return launched


@inner
def _launch(first, last, now, node, behind, activities, gpu, notes, noted):
    """Give activities to their streams; when the last of them will have ended, and its node.

    ``behind`` is how far the first activity's node lies behind the launch's, in every pass.
    """
    free, free_by, ends, ended_by = gpu
    moment, why, before = notes
    place = len(moment) - activities.shape[1]
    latest, latest_by = now, node
    for a in range(first, last):
        stream = activities[0, a]
        begin, reason, by = now + activities[2, a], BY_LAUNCH, node
        if free[stream] + activities[3, a] > begin:
            begin, reason, by = free[stream] + activities[3, a], BY_STREAM, free_by[stream]
        event = activities[4, a]
        if event >= 0 and ends[event] + activities[5, a] > begin:
            begin, reason, by = ends[event] + activities[5, a], BY_EVENT, ended_by[event]
        if noted:
            moment[place + a], why[place + a], before[place + a] = begin, reason, by
        ends[a], ended_by[a] = begin + activities[1, a], node + behind + a
        if ends[a] >= free[stream]:
            free[stream], free_by[stream] = ends[a], ended_by[a]
        if ends[a] > latest:
            latest, latest_by = ends[a], ended_by[a]
    return latest, latest_by


@inner
def _waited(kind, target, tail, clock, gpu):
    """Until when an item holds its thread, and the node it waits for."""
    free, free_by, ends, ended_by = gpu
    if kind == HAND_OVER:
        return clock[0][target] + tail, clock[1][target]
    if kind == WAIT:
        return ends[target] + tail, ended_by[target]
    if kind == WAIT_STREAM:
        return free[target] + tail, free_by[target]
    latest = 0
    for stream in range(1, len(free)):
        if free[stream] > free[latest]:
            latest = stream
    return free[latest] + tail, free_by[latest]
