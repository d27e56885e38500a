"""Stacks of nested events told apart by the names on them, in one pass however deep they are; and sums over them.

A path is a stack of names: it has the path around it and a name of its own. Paths are numbered as they are met, each
behind the one around it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stepscope.numeric.compiling import compiled, hot, inner, writable
from stepscope.numeric.nested import FOREVER, NOBODY, Ints, Rows

_UNKNOWN, _WAITING = -2, -3
_ROOM = 512
"""Paths for which there is room at first; a power of two."""

_GOLDEN = np.int64(-7046029254386353131)
"""The odd number nearest to 2**64 over the golden ratio: multiplied by it, keys that differ little lie far apart."""


class Paths(NamedTuple):
    """Paths of some events.

    Attributes:
        of_row: path of each event, that around it for one without a name, or `NOBODY`.
        outer: of each path, the one around it or `NOBODY`; a lower number.
        name: of each path.
    """

    of_row: Ints
    outer: Ints
    name: Ints


def number_paths(parent: Ints | Rows, name: Ints) -> Paths:
    """Number the paths of events.

    Args:
        parent: row of each event's parent, in any order, or `NOBODY`. A circle is cut.
        name: number of each event's name; negative for an event that paths leave out.

    >>> paths = number_paths(np.array([-1, 0, 0, 1]), np.array([7, 8, 8, -1]))
    >>> [column.tolist() for column in paths]
    [[0, 1, 1, 1], [-1, 0], [7, 8]]
    """
    parent, name = writable(parent.astype(np.int64, copy=False)), writable(name)
    path = np.full(len(parent), _UNKNOWN, np.int64)
    outer, own = np.empty((2, _ROOM), np.int64)
    first = known = 0
    while True:
        table, stack = np.full(2 * len(outer), NOBODY, np.int64), np.empty(len(outer), np.int64)
        first, known = _number_some(parent, name, path, table, outer, own, stack, first, known)
        if first == len(parent):
            return Paths(path, outer[:known], own[:known])
        outer, own = (np.concatenate([numbers, np.empty_like(numbers)]) for numbers in (outer, own))


@inner
def _slot(table, outer, own, at, name):
    """Place of a path in the table, or the free one where it belongs."""
    mask = len(table) - 1
    key = (at * np.int64(1000003) + name) * _GOLDEN
    slot = (key ^ (key >> 29)) & mask
    while table[slot] >= 0 and (outer[table[slot]] != at or own[table[slot]] != name):
        slot = (slot + 1) & mask
    return slot


@hot
def _number_some(parent, name, path, table, outer, own, stack, first, known):
    """Number paths of events from `first` on as long as there is room; returns the next event, and how many are known.

    Args:
        table: of all `NOBODY`, twice as long as the others.
        outer, own: the paths; what is known of them stands in front.
        stack: to note events in, as long as these.
    """
    for one in range(known):
        table[_slot(table, outer, own, outer[one], own[one])] = one
    while first < len(parent):
        size = 0
        row = np.int64(first)
        while row >= 0 and path[row] == _UNKNOWN and known + size < len(stack):
            stack[size] = row
            size += 1
            path[row] = _WAITING
            row = parent[row]
        if row >= 0 and path[row] == _UNKNOWN:
            for at in range(size):
                path[stack[at]] = _UNKNOWN
            break
        at = path[row] if row >= 0 and path[row] != _WAITING else np.int64(NOBODY)
        for place in range(size - 1, -1, -1):
            row = stack[place]
            if name[row] >= 0:
                slot = _slot(table, outer, own, at, name[row])
                if table[slot] < 0:
                    outer[known], own[known], table[slot] = at, name[row], known
                    known += 1
                at = table[slot]
            path[row] = at
        first += 1
    return first, known


def sums_inside(outer: Ints, amount: Ints) -> Ints:
    """Amounts of paths, each with those of all paths inside it; a path lies behind the one around it."""
    total: Ints = _sums_inside(writable(outer), writable(amount))
    return total


@compiled
def _sums_inside(outer, amount):
    total = amount.copy()
    for at in range(len(outer) - 1, -1, -1):
        if outer[at] >= 0:
            total[outer[at]] += total[at]
    return total


def depth_first(outer: Ints, before: Ints) -> tuple[Ints, Ints]:
    """Number and depth of each path, depth first.

    Args:
        before: how many paths its earlier siblings hold, themselves included.
    """
    number, depth = _depth_first(writable(outer), writable(before))
    return number, depth


@compiled
def _depth_first(outer, before):
    number, depth = before.copy(), np.zeros(len(outer), np.int64)
    for at in range(len(outer)):
        if outer[at] >= 0:
            number[at] += number[outer[at]] + 1
            depth[at] = depth[outer[at]] + 1
    return number, depth


def self_within(order: Rows, thread: Rows, start: Ints, end: Ints, windows: tuple[Ints, Ints]) -> Ints:
    """Time in which each event is its thread's innermost, as far as it lies in some windows.

    Args:
        order: of the events, as of `nesting.Nesting`.
        windows: starts and ends, in order and apart.
    """
    rows, together = np.arange(len(order)), np.zeros(len(windows[0]), np.int64)
    return _within(order, thread, start, end, windows, rows, together, (len(order), 1))[:, 0]


def self_by_window(
    order: Rows, thread: Rows, start: Ints, end: Ints, windows: tuple[Ints, Ints], key: Ints, count: int
) -> Ints:
    """The same added up by key, apart for each window: ``count`` rows, a column for each window.

    Args:
        key: of each event, from 0 to ``count`` - 1.
    """
    each = np.arange(len(windows[0]))
    return _within(order, thread, start, end, windows, key, each, (count, len(each)))


def _within(
    order: Rows,
    thread: Rows,
    start: Ints,
    end: Ints,
    windows: tuple[Ints, Ints],
    key: Ints,
    column: Ints,
    shape: tuple[int, int],
) -> Ints:
    rows = (writable(order.astype(np.int32, copy=False)), writable(thread.astype(np.int32, copy=False)))
    times = (writable(start), writable(end), writable(windows[0]), writable(windows[1]))
    own, stack = np.zeros(shape, np.int64), np.empty(len(order), np.int64)
    _sum_within(*rows, *times, writable(key.astype(np.int64, copy=False)), writable(column), own, stack)
    return own


@hot
def _sum_within(order, thread, start, end, begin, until, key, column, own, stack):
    """Add to ``own``; ``stack`` has room for all events, of which nested ones are noted."""
    size, window, now = 0, 0, np.int64(0)
    for i in range(len(order) + 1):
        new_thread = i == len(order) or (i > 0 and thread[order[i]] != thread[order[i - 1]])
        stop_at = FOREVER if new_thread else start[order[i]]
        while size > 0:
            top = stack[size - 1]
            if end[top] > now:
                stop = min(end[top], stop_at)
                while window < len(until) and until[window] <= now:
                    window += 1
                at = window
                while at < len(begin) and begin[at] < stop:
                    own[key[top], column[at]] += max(0, min(stop, until[at]) - max(now, begin[at]))
                    at += 1
                now = stop
            if end[top] > stop_at:
                break
            size -= 1
        if i == len(order):
            break
        if new_thread:
            window = 0
        now = start[order[i]]
        stack[size] = order[i]
        size += 1
    return size


__all__ = ["NOBODY", "Paths", "depth_first", "number_paths", "self_by_window", "self_within", "sums_inside"]
