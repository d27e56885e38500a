"""Stretches of threads, cut where the innermost interval changes."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stepscope.numeric.compiling import hot, writable
from stepscope.numeric.nested import Ints
from stepscope.numeric.nesting import Settle, nesting_order

Intervals: TypeAlias = tuple[Ints, Ints, Ints, npt.NDArray[Any]]
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
    sorted_by = _in_order(intervals, settle)
    arrays = _int64(stretches)
    pieces = np.empty((4, 2 * len(sorted_by[0]) + len(arrays[0])), np.int64)
    count = _cut(*sorted_by, *arrays, _stack(sorted_by[0]), np.zeros(_STATES, np.int64), pieces)
    return Pieces(*(part[:count].copy() for part in pieces))


def innermost_sums(intervals: Intervals, settle: Settle, stretches: Stretches, group: Ints, key: Ints) -> Sums:
    """The same pieces added up by key, some at a time: of millions of intervals there are twice as many.

    Args:
        group: of each stretch; it has several rows of a key where its pieces stand apart.
        key: number of each interval's kind, and behind the last that of no interval.
    """
    sorted_by = _in_order(intervals, settle)
    arrays, (group, key) = _int64(stretches), _int64((group, key))
    stack, state = _stack(sorted_by[0]), np.zeros(_STATES, np.int64)
    pieces, sums = np.empty((4, _AT_ONCE), np.int64), np.empty((4, _AT_ONCE), np.int64)
    by_key = np.zeros((2, int(key.max()) + 1), np.int64)
    found = [np.empty((4, 0), np.int64)]
    while count := _cut(*sorted_by, *arrays, stack, state, pieces):
        found.append(sums[:, : _add_up(pieces, count, group, key, by_key, sums)].copy())
    return Sums(*np.concatenate(found, axis=1))


_AT_ONCE = 1 << 15
_STATES = 5
"""Numbers that `_cut` goes on from: stretch, moment in it, place in the order, size of the stack, whether it began."""


def _in_order(intervals: Intervals, settle: Settle) -> tuple[Ints, Ints, Ints, Ints]:
    thread, start, end, tie = _int64(intervals)
    return writable(np.asarray(nesting_order(thread, start, end, tie, settle), np.int64)), thread, start, end


def _int64(arrays: tuple[npt.NDArray[Any], ...]) -> tuple[Ints, ...]:
    return tuple(writable(np.asarray(array, np.int64)) for array in arrays)


def _stack(order: Ints) -> Ints:
    return np.empty(len(order), np.int64)


@hot
def _cut(order, thread, start, end, of_thread, first, last, stack, state, pieces):
    """Fill as many pieces as there is room for, from where ``state`` stands; how many."""
    s, now, i, size, begun = state[0], state[1], state[2], state[3], state[4]
    count = 0
    room = pieces.shape[1]
    while s < len(first):
        place = of_thread[s]
        if begun == 0:
            begun = 1
            now = first[s]
            if s == 0 or of_thread[s - 1] != place:
                size = 0
                while i < len(order) and thread[order[i]] < place:
                    i += 1
        # A piece ends where its stretch does or where an interval starts or ends.
        while now < last[s] and count < room:
            # What has started by now lies on the stack; what has ended leaves its top.
            while i < len(order) and thread[order[i]] == place and start[order[i]] <= now:
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
        if now < last[s]:
            break
        s += 1
        begun = 0
    state[0], state[1], state[2], state[3], state[4] = s, now, i, size, begun
    return count


@hot
def _add_up(pieces, count, group, key, by_key, sums):
    """Add up pieces of a group that follow one another by key; how many sums. ``by_key`` is 0 before and behind."""
    begun = done = 0
    for p in range(count):
        g = group[pieces[0, p]]
        if p == 0 or group[pieces[0, p - 1]] != g:
            for k in range(begun, done):
                by_key[1, sums[1, k]] = 0
            begun = done
        kind = key[pieces[1, p]]
        if by_key[1, kind] == 0:
            sums[0, done], sums[1, done], sums[2, done], sums[3, done] = g, kind, 0, 0
            done += 1
            by_key[1, kind] = 1
            by_key[0, kind] = done - 1
        at = by_key[0, kind]
        sums[2, at] += pieces[3, p] - pieces[2, p]
        sums[3, at] += 1
    for k in range(begun, done):
        by_key[1, sums[1, k]] = 0
    return done
