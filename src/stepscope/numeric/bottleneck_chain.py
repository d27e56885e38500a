"""What the time of repeated steps is made of: a walk back from their end along what each thing waited for.

A replay notes for each item and activity the one that it waited for. Walking back along these from the end of the last
pass to where the first of the steady ones began crosses work of threads, activities and the delays between them; the
walk only goes back in time, so what it crosses adds up to these passes in whole ns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stepscope.numeric.compiling import compiled
from stepscope.numeric.nested import Ints
from stepscope.numeric.replay import BY_WORK, Activities, Timed


class Chain(NamedTuple):
    """Time on the path, in ns.

    Attributes:
        worked: by item, its thread's work before it.
        returned: by item, from the end of what it waited for until it was done.
        ran: by activity, its own time.
        late: by `BY_LAUNCH`, `BY_STREAM` or `BY_EVENT` and activity, from what its start waited for to the start.
        unknown: before anything that was timed.
        passes: how many passes the path goes through.
    """

    worked: Ints
    returned: Ints
    ran: Ints
    late: Ints
    unknown: int
    passes: int

    def total_ns(self) -> int:
        """All of it: what these passes took."""
        return self.unknown + sum(int(part.sum()) for part in (self.worked, self.returned, self.ran, self.late))


def binding_chain(timed: Timed, activities: Activities) -> Chain:
    """The path through the steady passes of a replay that kept the nodes of every pass."""
    first, last, passes = timed.period()
    node = int(timed.final[1 if timed.gpu_takes_longer() else 0])
    duration = np.ascontiguousarray(activities.duration, np.int64)
    crossed = _walk(timed.moment, timed.why, timed.before, duration, timed.items, node, first, last)
    worked, returned, ran, late, unknown = crossed
    return Chain(worked, returned, ran, late, int(unknown), passes)


@compiled
def _walk(moment, why, before, duration, items, node, floor, now):
    worked, returned = np.zeros(items, np.int64), np.zeros(items, np.int64)
    ran, late = np.zeros(len(duration), np.int64), np.zeros((3, len(duration)), np.int64)
    nodes = moment.shape[1]
    while node >= 0 and now > floor:
        turn, place = node // nodes, node % nodes
        if place >= items:
            start = min(now, max(floor, moment[turn, place]))
            ran[place - items] += now - start
            now = start
        earlier = before[turn, place]
        by_work = place < items and why[turn, place] == BY_WORK
        if earlier < 0 and not by_work:
            break
        # A start may lie before the end of what it waited for, by a delay below zero: no time goes by there.
        until = min(now, max(floor, _done(moment, duration, items, earlier)))
        if place >= items:
            late[why[turn, place], place - items] += now - until
        elif by_work:
            worked[place] += now - until
        else:
            returned[place] += now - until
        node, now = earlier, until
    return worked, returned, ran, late, now - floor


@compiled
def _done(moment, duration, items, node):
    """When an item was done, or an activity had ended; threads begin at 0."""
    if node < 0:
        return 0
    turn, place = node // moment.shape[1], node % moment.shape[1]
    return moment[turn, place] + (duration[place - items] if place >= items else 0)
