"""Times looked up among sorted ones, nearly in order: each mostly lies where the one before did."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stepscope.numeric.compiling import hot, inner, writable
from stepscope.numeric.intervals import Union
from stepscope.numeric.nested import Ints, Rows


def add_touching(
    thread: Ints,
    start: Ints,
    length: Ints,
    wanted: npt.NDArray[np.bool_],
    needed: Union,
    events: tuple[Rows, Ints],
    count: int,
) -> int:
    """Add the events of wanted threads that have any time in common with a union to those found before; how many
    there are now. An empty one has none.

    Args:
        thread, start, length: of all events.
        wanted: by number of the thread; a negative one counts from behind.
        events: thread and number (row) of each found, and its start and end; their second axes have room for all.
        count: how many were found before.
    """
    arrays = (writable(array) for array in (thread, start, length, wanted, *needed))
    return int(_add_touching(*arrays, *events, count))


@inner
def _place(times, time, near):
    """The first place of sorted times that are no earlier than a time, looked for first where it was before."""
    n = len(times)
    if near < n and times[near] < time:
        near += 1
    if (near == n or times[near] >= time) and (near == 0 or times[near - 1] < time):
        return near
    low, high = np.int64(0), np.int64(n)
    while low < high:
        middle = (low + high) // 2
        if times[middle] < time:
            low = middle + 1
        else:
            high = middle
    return low


@hot
def _add_touching(thread, start, length, wanted, begins, ends, of, times, count):
    part = np.int64(0)
    for row in range(len(start)):
        begin = start[row]
        if not wanted[thread[row]] or length[row] <= 0:
            continue
        # The first that ends behind the start.
        part = _place(ends, begin + 1, part)
        end = begin + length[row]
        if part < len(ends) and begins[part] < end:
            of[0, count], of[1, count], times[0, count], times[1, count] = thread[row], row, begin, end
            count += 1
    return count


def neighbours(at: Ints, *times: Ints) -> tuple[Ints, Ints]:
    """The latest of some times at or before each moment, and the earliest after it; `-NONE` and `NONE` without one.

    The times are not sorted: they may be millions, and the moments far fewer.

    >>> neighbours(np.array([3, 5]), np.array([3, 9]), np.array([4]))
    (array([3, 4]), array([4, 9]))
    """
    order = np.argsort(at, kind="stable")
    moments, latest, earliest = at[order], np.full(len(at), -NONE), np.full(len(at), NONE)
    for some in times:
        _keep_nearest(writable(some), moments, latest, earliest)
    found = np.empty((2, len(at)), np.int64)
    found[:, order] = np.maximum.accumulate(latest), np.minimum.accumulate(earliest[::-1])[::-1]
    return found[0], found[1]


NONE = 1 << 62
"""A time after everything."""


@hot
def _keep_nearest(times, moments, latest, earliest):
    """Keep the times nearest to the moments between which they lie."""
    place = np.int64(0)
    for time in times:
        place = _place(moments, time, place)
        if place < len(moments):
            latest[place] = max(latest[place], time)
        if place > 0:
            earliest[place - 1] = min(earliest[place - 1], time)
    return place
