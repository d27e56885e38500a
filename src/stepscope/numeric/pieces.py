"""Stretches of threads, cut where the innermost interval changes."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stepscope.numeric.compiling import hot, inner, writable
from stepscope.numeric.nested import FOREVER, Ints, Rows
from stepscope.numeric.nesting import Settle, nesting_order

Intervals: TypeAlias = tuple[Rows | Ints, Ints, Ints, npt.NDArray[Any]]
"""Thread, start, end and tie of each, as for `nesting.nest`."""

Stretches: TypeAlias = tuple[Ints, Ints, Ints]
"""Thread, first and last moment of each, sorted by thread and time; those of a thread do not overlap."""


class Pieces(NamedTuple):
    """Parts of stretches: number of the stretch, row of the innermost interval or -1, start and end in ns."""

    stretch: Ints
    row: Ints
    start: Ints
    end: Ints


class Sums(NamedTuple):
    """Pieces added up: the group of their stretches, the key of their interval, their length in ns, and how many."""

    group: Ints
    key: Ints
    length: Ints
    pieces: Ints


def innermost_pieces(intervals: Intervals, settle: Settle, stretches: Stretches) -> Pieces:
    """Cut stretches into pieces by the interval that is innermost there; ``settle`` decides last, as for `nest`.

    Returns:
        Pieces in the order of the stretches; those of a stretch cover it exactly.
    """
    sorted_by, arrays = _in_order(intervals, settle), _int64(stretches)
    pieces = np.empty((4, 2 * len(sorted_by[0]) + len(arrays[0])), np.int64)
    count = _cut(*sorted_by, *arrays, _stack(sorted_by[0]), pieces)
    return Pieces(*(part[:count].copy() for part in pieces))


def innermost_sums(intervals: Intervals, settle: Settle, stretches: Stretches, group: Ints, key: Ints) -> Sums:
    """The same pieces added up by key, without holding them: of millions of intervals there are twice as many.

    Args:
        group: of each stretch; it has several rows of a key where its pieces stand apart.
        key: number of each interval's kind, and behind the last that of no interval.
    """
    sorted_by, arrays = _in_order(intervals, settle), _int64((*stretches, group, key))
    stack, state = _stack(sorted_by[0]), np.array([0, -FOREVER, 0, 0, 0])
    sums, place = np.empty((_ROOM, 4), np.int64), np.full(int(key.max()) + 1, -1, np.int64)
    found = [sums[:0].copy()]
    while count := _add_up(*sorted_by, *arrays, stack, state, sums, place):
        found.append(sums[:count].copy())
        place.fill(-1)
    return Sums(*np.concatenate(found).T.copy())


_ROOM = 1 << 12
"""Sums that are held at once."""


def _in_order(intervals: Intervals, settle: Settle) -> tuple[Rows, Rows, Ints, Ints]:
    """Order, thread, start and end; of millions of intervals no array is wider than it must be."""
    thread = writable(np.asarray(intervals[0], np.int32))
    start, end, tie = _int64(intervals[1:])
    return nesting_order(thread, start, end, tie, settle).astype(np.int32), thread, start, end


def _int64(arrays: tuple[npt.NDArray[Any], ...]) -> tuple[Ints, ...]:
    return tuple(writable(np.asarray(array, np.int64)) for array in arrays)


def _stack(order: Rows) -> Ints:
    return np.empty(len(order), np.int64)


@inner
def _stretch_of(place, order, thread, i):
    """Where in the order, from one place on, those of a thread begin and end."""
    while i < len(order) and thread[order[i]] < place:
        i += 1
    stop = i
    while stop < len(order) and thread[order[stop]] == place:
        stop += 1
    return i, stop


@inner
def _innermost(order, start, end, now, i, stop, stack, size):
    """Row of the interval that is innermost at a moment, or -1; when that may change; and the sweep's next place in
    the order, which ends at ``stop``, and size of the stack."""
    until = FOREVER
    # What has started by now lies on the stack; what has ended leaves its top.
    while i < stop:
        if start[order[i]] > now:
            until = start[order[i]]
            break
        stack[size] = order[i]
        size += 1
        i += 1
    while size > 0 and end[stack[size - 1]] <= now:
        size -= 1
    row = np.int64(-1)
    if size > 0:
        row = stack[size - 1]
        until = min(until, end[row])
    return row, until, i, size


@hot
def _cut(order, thread, start, end, of_thread, first, last, stack, pieces):
    """Fill in the pieces; how many."""
    count = i = stop = size = 0
    for s in range(len(first)):
        place = of_thread[s]
        if s == 0 or of_thread[s - 1] != place:
            i, stop = _stretch_of(place, order, thread, i)
            size = 0
        now = first[s]
        while now < last[s]:
            row, until, i, size = _innermost(order, start, end, now, i, stop, stack, size)
            until = min(until, last[s])
            pieces[0, count], pieces[1, count], pieces[2, count], pieces[3, count] = s, row, now, until
            count += 1
            now = until
    return count


@hot
def _add_up(order, thread, start, end, of_thread, first, last, group, key, stack, state, sums, place):
    """Fill in as many sums as there is room for, from where ``state`` stands (stretch, moment in it, place in the
    order and where those of its thread end, size of the stack); how many. ``place`` of each key's sum is -1 before."""
    s, now, i, stop, size = state[0], state[1], state[2], state[3], state[4]
    begun = count = 0
    while s < len(first):
        of = of_thread[s]
        if now < first[s]:
            now = first[s]
            if s == 0 or of_thread[s - 1] != of:
                i, stop = _stretch_of(of, order, thread, i)
                size = 0
            if s > 0 and group[s - 1] != group[s]:
                begun = count
        while now < last[s]:
            row, until, i, size = _innermost(order, start, end, now, i, stop, stack, size)
            kind = key[row]
            at = place[kind]
            # What lies before is of stretches that stand apart.
            if at < begun:
                if count == len(sums):
                    break
                at = place[kind] = count
                sums[at, 0], sums[at, 1], sums[at, 2], sums[at, 3] = group[s], kind, 0, 0
                count += 1
            until = min(until, last[s])
            sums[at, 2] += until - now
            sums[at, 3] += 1
            now = until
        if now < last[s]:
            break
        s, now = s + 1, -FOREVER
    state[0], state[1], state[2], state[3], state[4] = s, now, i, stop, size
    return count
