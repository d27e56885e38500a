"""Stretches of threads, cut where the innermost interval changes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stepscope.numeric.compiling import compiled, writable
from stepscope.numeric.nested import Ints
from stepscope.numeric.nesting import Settle, nesting_order


class Pieces(NamedTuple):
    """Parts of stretches: number of the stretch, row of the innermost interval or -1, start and end in ns."""

    stretch: Ints
    row: Ints
    start: Ints
    end: Ints


def innermost_pieces(
    intervals: tuple[Ints, Ints, Ints, Ints], settle: Settle, of_thread: Ints, first: Ints, last: Ints
) -> Pieces:
    """Cut stretches ``[first, last)`` of threads into pieces by the interval that is innermost there.

    Args:
        intervals, settle: thread, start, end, tie and what decides last, as for `nesting.nest`.
        of_thread, first, last: the stretches, sorted by thread and time; those of a thread do not overlap.

    Returns:
        Pieces in the order of the stretches; those of a stretch cover it exactly.
    """
    thread, start, end, tie = (writable(np.asarray(array, np.int64)) for array in intervals)
    order = writable(np.asarray(nesting_order(thread, start, end, tie, settle), np.int64))
    del tie  # of millions of rows
    stretches = (writable(np.asarray(array, np.int64)) for array in (of_thread, first, last))
    return Pieces(*(part.copy() for part in _pieces(order, thread, start, end, *stretches)))


@compiled
def _pieces(order, thread, start, end, of_thread, first, last):
    # A piece ends where its stretch does or where an interval starts or ends.
    pieces = np.empty((4, 2 * len(order) + len(first)), np.int64)
    count = 0
    stack = np.empty(256, np.int64)
    i = 0
    s = 0
    while s < len(first):
        # All stretches of one thread, with the intervals of that thread.
        place = of_thread[s]
        while i < len(order) and thread[order[i]] < place:
            i += 1
        size = 0
        while s < len(first) and of_thread[s] == place:
            now = first[s]
            while now < last[s]:
                # What has started by now lies on the stack; what has ended leaves its top.
                while i < len(order) and thread[order[i]] == place and start[order[i]] <= now:
                    if size == len(stack):
                        stack = np.concatenate((stack, np.empty(size, np.int64)))
                    stack[size] = order[i]
                    size += 1
                    i += 1
                while size > 0 and end[stack[size - 1]] <= now:
                    size -= 1
                until = last[s]
                if i < len(order) and thread[order[i]] == place:
                    until = min(until, start[order[i]])
                row = np.int64(-1)
                if size > 0:
                    row = stack[size - 1]
                    until = min(until, end[row])
                pieces[0, count], pieces[1, count], pieces[2, count], pieces[3, count] = s, row, now, until
                count += 1
                now = until
            s += 1
    return pieces[:, :count]
