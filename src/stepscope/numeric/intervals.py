"""Unions of half-open intervals ``[start, end)`` in int64 ns, exact.

A union is a pair of arrays (starts, ends), sorted, disjoint and not touching.
"""

from __future__ import annotations

from functools import reduce
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Union: TypeAlias = tuple[Ints, Ints]

_LONG = 20_000
"""Fewer parts are sorted before a compiled loop is loaded."""

EMPTY: Union = (np.empty(0, np.int64), np.empty(0, np.int64))


def union(start: Ints, end: Ints) -> Union:
    """Union of intervals in any order; empty and negative ones count nothing.

    >>> union(np.array([5, 0, 2]), np.array([6, 3, 4]))
    (array([0, 5]), array([4, 6]))
    """
    real = end > start
    if not real.all():
        start, end = start[real], end[real]
    if len(start) == 0:
        return EMPTY
    # Events of one stream or thread mostly come in order.
    if (start[1:] < start[:-1]).any():
        # A part ends where as many intervals have ended as have begun; which of them is all the same.
        start, reach = np.sort(start, kind="stable"), np.sort(end, kind="stable")
    else:
        reach = np.maximum.accumulate(end)
    opens = np.empty(len(start), np.bool_)
    opens[0] = True
    np.greater(start[1:], reach[:-1], out=opens[1:])
    first = np.flatnonzero(opens)
    last = np.append(first[1:], len(start)) - 1
    return start[first], reach[last]


def merge(*unions: Union) -> Union:
    """Union of unions."""
    unions = tuple(u for u in unions if len(u[0]))
    if len(unions) < 2:
        return unions[0] if unions else EMPTY
    if sum(len(u[0]) for u in unions) < _LONG:
        return union(np.concatenate([u[0] for u in unions]), np.concatenate([u[1] for u in unions]))
    from stepscope.numeric.merging import merged

    return reduce(merged, unions)


def in_order(*parts: Ints) -> Ints:
    """Times of all parts, sorted. Each part is almost in order, which a stable sort makes use of.

    >>> in_order(np.array([1, 4]), np.array([2, 3]))
    array([1, 2, 3, 4])
    """
    return np.sort(np.concatenate(parts), kind="stable")


def length(of: Union) -> int:
    """Total length in ns.

    >>> length((np.array([0, 5]), np.array([4, 6])))
    5
    """
    return int((of[1] - of[0]).sum())


def covered_before(of: Union, times: Ints) -> Ints:
    """How much of the union lies before each time, in ns.

    >>> covered_before((np.array([0, 5]), np.array([4, 6])), np.array([2, 4, 9]))
    array([2, 4, 5])
    """
    start, end = of
    if len(start) == 0:
        return np.zeros(len(times), np.int64)
    before = np.concatenate([[0], np.cumsum(end - start)])
    index = np.searchsorted(start, times, side="right")
    inside = np.clip(end[index - 1] - times, 0, None)
    return np.where(index > 0, before[index] - inside, 0)


def covered_within(of: Union, start: Ints, end: Ints) -> Ints:
    """How much of the union lies inside each interval, in ns."""
    return covered_before(of, end) - covered_before(of, start)


def touched(of: Union, start: Ints, end: Ints) -> npt.NDArray[np.bool_]:
    """Whether each interval has any time in common with the union; an empty one has none.

    >>> touched((np.array([0, 5]), np.array([4, 6])), np.array([3, 4, 5]), np.array([4, 5, 5]))
    array([ True, False, False])
    """
    if len(of[0]) == 0:
        return np.zeros(len(start), np.bool_)
    index = np.searchsorted(of[1], start, side="right")
    found: npt.NDArray[np.bool_] = index < len(of[0])
    found &= of[0].take(index, mode="clip") < end
    found &= start < end
    return found


def contains(of: Union, times: Ints) -> npt.NDArray[np.bool_]:
    """Whether each time lies in the union.

    >>> contains((np.array([0, 5]), np.array([4, 6])), np.array([-1, 0, 4, 5]))
    array([False,  True, False,  True])
    """
    start, end = of
    if len(start) == 0:
        return np.zeros(len(times), np.bool_)
    index = np.searchsorted(start, times, side="right") - 1
    return (index >= 0) & (times < end[index])


def distinct(*values: Ints) -> Ints:
    """All the values, in order, each once.

    `np.unique` hashes: for many different values, and most of all for those almost in order, it takes ten times as
    long.

    >>> distinct(np.array([5, 7]), np.array([1, 5]))
    array([1, 5, 7])
    """
    every = np.sort(np.concatenate(values), kind="stable")
    return every[np.append(True, every[1:] != every[:-1])] if len(every) else every


def gaps(of: Union) -> Union:
    """The intervals between the parts of a union."""
    return of[1][:-1], of[0][1:]


def without(of: Union, other: Union) -> Union:
    """What of a union lies outside another.

    >>> without((np.array([0, 8]), np.array([6, 9])), (np.array([2]), np.array([4])))
    (array([0, 4, 8]), array([2, 6, 9]))
    """
    # Parts of the other one that touch nothing take nothing away: of a short union and a long one, nearly all.
    near = touched(of, *other)
    other = other[0][near], other[1][near]
    edges = distinct(*of, *other)
    start, end = edges[:-1], edges[1:]
    kept = contains(of, start) & ~contains(other, start)
    return union(start[kept], end[kept])


def common(of: Union, other: Union) -> Union:
    """What lies in both of two unions.

    >>> common((np.array([0, 8]), np.array([6, 9])), (np.array([2]), np.array([9])))
    (array([2, 8]), array([6, 9]))
    """
    edges = distinct(*of, *other)
    start, end = edges[:-1], edges[1:]
    kept = contains(of, start) & contains(other, start)
    return union(start[kept], end[kept])
