"""Rows for events that overlap: each event of a track gets a depth, and no two of one depth overlap.

Events come in the order of `nesting.nesting_order`: by track, start and length (longest first), so that what lies
inside an event comes behind it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.numeric.compiling import compiled, compiled_part, writable
from stepscope.numeric.nested import Ints, Rows


class Depths(NamedTuple):
    """Depths of ``n`` events on some tracks.

    Attributes:
        depth: of each event, in the order in which they came.
        rows: depths that each track needs, one more than its deepest event.
        busy: time in which any event of each track runs, in ns.
        overlaps: events that begin inside another one of their track and end behind it.
    """

    depth: Rows
    rows: Ints
    busy: Ints
    overlaps: int


NESTED, PACKED, CALLS = 0, 1, 2
"""How a track gives rows to its events, see `find_depths`."""


def find_depths(track: Rows, start: Ints, end: Ints, way: npt.NDArray[np.uint8]) -> Depths:
    """Depths of sorted events.

    On a `NESTED` track an event is one deeper than the deepest event that still runs where it starts: nested events
    look nested, and what overlaps without nesting goes below. On a `PACKED` one, which holds several streams, it takes
    the first row that is free. On one of `CALLS`, which nest by their nature, those that outlast the call around them
    (the profiler missed their return) have rows of their own below all others, so that they push nothing down.

    Args:
        track: number of each event's track, ascending.
        start, end: in ns; by track and start.
        way: of each track; its length is the number of tracks.
    """
    arrays = (writable(array) for array in (track.astype(np.int32, copy=False), start, end, way))
    depth, rows, busy, overlaps = _depths(*arrays)
    return Depths(depth, rows, busy, int(overlaps))


_MOST_ROWS_LOOKED_AT = 256
"""Packed rows that are looked at for a free one; an event that finds none goes below all that run."""

_LATER = -1
"""Depth of a call that outlasts the one around it, until all others of its track have theirs."""


@compiled
def _depths(track, start, end, way):
    n = len(track)
    depth = np.zeros(n, np.int32)
    rows = np.zeros(len(way), np.int64)
    busy = np.zeros(len(way), np.int64)
    until = np.zeros(256, np.int64)
    reach = np.int64(0)
    size, overlaps, late, first = 0, 0, 0, 0
    for i in range(n):
        begin = start[i]
        if i == 0 or track[i] != track[i - 1]:
            if late > 0:
                rows[track[first]] += _place_late(depth, start, end, first, i, rows[track[first]])
            size, late, first, reach = 0, 0, i, begin
        reach = max(reach, begin)
        if end[i] > reach:
            busy[track[i]] += end[i] - reach
            reach = end[i]
        while size > 0 and until[size - 1] <= begin:
            size -= 1
        at = size
        if way[track[i]] == PACKED:
            at = _free_row(until, min(size, _MOST_ROWS_LOOKED_AT), begin, size)
        elif size > 0 and until[size - 1] < end[i]:
            overlaps += 1
            if way[track[i]] == CALLS:
                late += 1
                depth[i] = _LATER
                continue
        if at == len(until):
            until = np.concatenate((until, np.zeros(at, np.int64)))
        until[at] = end[i]
        depth[i] = at
        size = max(size, at + 1)
        rows[track[i]] = max(rows[track[i]], size)
    if late > 0:
        rows[track[first]] += _place_late(depth, start, end, first, n, rows[track[first]])
    return depth, rows, busy, overlaps


@compiled_part
def _free_row(until, looked_at, begin, otherwise):
    """The first row that is free at a moment."""
    for row in range(looked_at):
        if until[row] <= begin:
            return row
    return otherwise


@compiled_part
def _place_late(depth, start, end, first, last, base):
    """Give calls that outlast the one around them rows below all others; returns how many rows."""
    until = np.zeros(256, np.int64)
    size = 0
    for i in range(first, last):
        if depth[i] != _LATER:
            continue
        row = _free_row(until, min(size, _MOST_ROWS_LOOKED_AT), start[i], size)
        if row == len(until):
            until = np.concatenate((until, np.zeros(row, np.int64)))
        until[row] = end[i]
        depth[i] = base + row
        size = max(size, row + 1)
    return size


class Laid(NamedTuple):
    """Events of some lanes, one lane behind the other, each by start.

    Attributes:
        start, end: in ns.
        name, kind: numbers.
        source: which event of the store it is.
    """

    start: Ints
    end: Ints
    name: npt.NDArray[np.uint32]
    kind: npt.NDArray[np.uint8]
    source: npt.NDArray[np.uint32]

    @classmethod
    def room(cls, size: int) -> Laid:
        """Room for some events."""
        types = (np.int64, np.int64, np.uint32, np.uint8, np.uint32)
        return cls._make(np.empty(size, dtype) for dtype in types)


def lay_out(order: Ints, lane: Rows, free: Ints, events: Laid, laid: Laid) -> None:
    """Put events where they belong.

    Args:
        order: row of each event, sorted by track and start.
        lane: lane of each event in that order.
        free: where each lane's next event goes; moved on.
        events: by row.
        laid: filled.
    """
    lane = writable(lane.astype(np.int32, copy=False))
    _lay_out(writable(order), lane, free, *(writable(column) for column in events), *laid)


@compiled
def _lay_out(order, lane, free, start, end, name, kind, source, to_start, to_end, to_name, to_kind, to_source):
    for i in range(len(order)):
        row = order[i]
        place = free[lane[i]]
        free[lane[i]] = place + 1
        to_start[place] = start[row]
        to_end[place] = end[row]
        to_name[place] = name[row]
        to_kind[place] = kind[row]
        to_source[place] = source[row]
