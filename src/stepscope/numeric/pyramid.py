"""Coarser and coarser pictures of lanes of events, so that any window of any length is a short list of cells.

A lane holds events that do not overlap, in order. Its level ``k`` has cells on the grid of ``2**k`` ns: events shorter
than that which start in one cell of the grid and follow one another are merged into one; an event of at least a cell
stays as it is. A merged cell reaches from its first event's start to its last one's end.

Neighbours that are merged on one level are merged on every coarser one: each pair has a level from which on it is
(`_join`). So the sizes of all levels are known before any is made, only those are made that are at most half as long as
the last one, and each is made of the last one: all levels together cost about two passes over the events.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.numeric.compiling import compiled, inner, writable
from stepscope.numeric.nested import Ints

LEVELS = 64
_NEVER = 255
_SHORT_LANE = 64
"""Lanes with fewer events have no coarser levels: there is nothing to save."""

Names = npt.NDArray[np.uint32]
Kinds = npt.NDArray[np.uint8]


class Cells(NamedTuple):
    """Cells of all levels but the first of some lanes, one level of one lane behind the other.

    Attributes:
        start, end: in ns.
        first: row of the first event within its lane.
        events: how many are in the cell.
        busy: time of the cell that events cover, in ns.
        name: name that probably takes most of it (by majority vote), and ``kind`` of that event.
    """

    start: Ints
    end: Ints
    first: npt.NDArray[np.uint32]
    events: npt.NDArray[np.uint32]
    busy: Ints
    name: Names
    kind: Kinds


class Levels(NamedTuple):
    """Which levels there are: an entry per lane and level, ordered by these, the events themselves left out.

    Attributes:
        lane, level: of each entry.
        bounds: where each entry's cells begin, and the end of the last; one more than entries.
    """

    lane: Ints
    level: Ints
    bounds: Ints


def build_levels(first: Ints, start: Ints, end: Ints, name: Names, kind: Kinds) -> tuple[Levels, Cells]:
    """Coarser levels of lanes.

    Args:
        first: where each lane's events begin, and the end of the last: one more than lanes.
        start, end: of the events in ns, sorted within a lane and not overlapping.
        name, kind: of the events.
    """
    first, start, end, name, kind = (writable(array) for array in (first, start, end, name, kind))
    join, joined = _join(first, start, end)
    levels = _worthwhile(first, joined)
    size = int(levels.bounds[-1])
    cells = Cells(
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.uint32),
        np.empty(size, np.uint32),
        np.empty(size, np.int64),
        np.empty(size, np.uint32),
        np.empty(size, np.uint8),
    )
    weight = np.empty(size, np.int64)
    _merge_events(first, start, end, name, kind, join, levels, cells, weight)
    _merge_cells(first, join, levels, cells, weight)
    return levels, cells


@inner
def _bits(value):
    """Bits that a number of at least 0 needs."""
    bits = 0
    while value > 0:
        value >>= 1
        bits += 1
    return bits


@compiled
def _join(first, start, end):
    """The level from which on each event is merged with the next of its lane; and how many pairs have each level."""
    join = np.full(len(start), _NEVER, np.uint8)
    joined = np.zeros((len(first) - 1, LEVELS), np.int64)
    for lane in range(len(first) - 1):
        for i in range(first[lane], first[lane + 1] - 1):
            # Shorter than a cell and begun in the same one: as many bits as the longest of the three have.
            differ = (end[i] - start[i]) | (end[i + 1] - start[i + 1]) | (start[i] ^ start[i + 1])
            if differ < 0:
                continue  # on two sides of time zero
            level = max(_bits(differ), 1)
            join[i] = level
            joined[lane, level] += 1
    return join, joined


def _worthwhile(first: Ints, joined: Ints) -> Levels:
    """Levels that have at most half of the cells of the last one before them."""
    count = np.diff(first)
    sizes = count[:, None] - np.cumsum(joined, axis=1)
    last = count.copy()
    chosen = np.zeros(sizes.shape, np.bool_)
    for level in range(LEVELS):
        chosen[:, level] = (count >= _SHORT_LANE) & (2 * sizes[:, level] <= last)
        last = np.where(chosen[:, level], sizes[:, level], last)
    lane, level_of = np.nonzero(chosen)
    bounds = np.concatenate([[0], np.cumsum(sizes[chosen])])
    return Levels(lane.astype(np.int64), level_of.astype(np.int64), bounds.astype(np.int64))


@inner
def _begin(cells, weight, out, start, first, events, busy, name, kind, votes):
    """Begin a cell."""
    cells.start[out] = start
    cells.first[out] = first
    cells.events[out] = events
    cells.busy[out] = busy
    cells.name[out] = name
    cells.kind[out] = kind
    weight[out] = votes


@inner
def _add(cells, weight, out, events, busy, name, kind, votes):
    """Add to a cell; the name with more votes than all others together wins for sure."""
    cells.events[out] += events
    cells.busy[out] += busy
    if name == cells.name[out]:
        weight[out] += votes
    elif votes > weight[out]:
        weight[out] = votes - weight[out]
        cells.name[out] = name
        cells.kind[out] = kind
    else:
        weight[out] -= votes


@compiled
def _merge_events(first, start, end, name, kind, join, made, cells, weight):
    """Make the first coarser level of each lane of its events."""
    for entry in range(len(made.lane)):
        lane = made.lane[entry]
        if entry > 0 and made.lane[entry - 1] == lane:
            continue
        level = made.level[entry]
        out = made.bounds[entry] - 1
        begin = first[lane]
        for i in range(begin, first[lane + 1]):
            length = end[i] - start[i]
            if i == begin or join[i - 1] > level:
                out += 1
                _begin(cells, weight, out, start[i], i - begin, 1, length, name[i], kind[i], length)
            else:
                _add(cells, weight, out, 1, length, name[i], kind[i], length)
            cells.end[out] = end[i]


@compiled
def _merge_cells(first, join, made, cells, weight):
    """Make each further level of a lane of the one before it."""
    start, count, busy, name, kind = cells.start, cells.events, cells.busy, cells.name, cells.kind
    for entry in range(1, len(made.lane)):
        lane = made.lane[entry]
        if made.lane[entry - 1] != lane:
            continue
        level = made.level[entry]
        out = made.bounds[entry] - 1
        begin = made.bounds[entry - 1]
        for i in range(begin, made.bounds[entry]):
            row = cells.first[i]
            if i == begin or join[first[lane] + row - 1] > level:
                out += 1
                _begin(cells, weight, out, start[i], row, count[i], busy[i], name[i], kind[i], weight[i])
            else:
                _add(cells, weight, out, count[i], busy[i], name[i], kind[i], weight[i])
            cells.end[out] = cells.end[i]


class NameTotals(NamedTuple):
    """What there is of each name: events, their time (``total``) in ns, the places of the first and of the longest.

    ``first`` and ``longest`` are -1 for a name without events; of equal ones the one on the first lane.
    """

    events: Ints
    total: Ints
    first: Ints
    longest: Ints


def name_totals(start: Ints, end: Ints, name: Names, names: int) -> NameTotals:
    """Sums by name over all events of some lanes.

    Args:
        names: how many names there are.
    """
    return NameTotals(*_name_totals(*(writable(array) for array in (start, end, name)), names))


@compiled
def _name_totals(start, end, name, names):
    count = np.zeros(names, np.int64)
    total = np.zeros(names, np.int64)
    first = np.full(names, -1, np.int64)
    longest = np.full(names, -1, np.int64)
    for i in range(len(start)):
        which = name[i]
        count[which] += 1
        total[which] += end[i] - start[i]
        if first[which] < 0 or start[i] < start[first[which]]:
            first[which] = i
        if longest[which] < 0 or end[i] - start[i] > end[longest[which]] - start[longest[which]]:
            longest[which] = i
    return count, total, first, longest


def clipped_totals(
    columns: tuple[Ints, Ints, Names, Kinds], ranges: tuple[Ints, Ints], names: int, begin: int, until: int
) -> tuple[Ints, Ints, Kinds]:
    """Events of each name, their time inside ``[begin, until)``, and what kind they are.

    Args:
        columns: start, end, name and kind of events.
        ranges: the events to look at, all of which reach into the window: ranges of their places.
        names: how many names there are.
    """
    arrays = (writable(array) for array in (*columns, *ranges))
    count, total, kind_of = _clipped_totals(*arrays, names, np.int64(begin), np.int64(until))
    return count, total, kind_of


@compiled
def _clipped_totals(start, end, name, kind, low, high, names, begin, until):
    count = np.zeros(names, np.int64)
    total = np.zeros(names, np.int64)
    kind_of = np.zeros(names, np.uint8)
    for part in range(len(low)):
        for i in range(low[part], high[part]):
            which = name[i]
            count[which] += 1
            total[which] += min(end[i], until) - max(start[i], begin)
            kind_of[which] = kind[i]
    return count, total, kind_of


def shades(text: npt.NDArray[np.uint8], bounds: Ints) -> Kinds:
    """A number from 0 to 255 for each text, the same in every run: FNV-1a of its bytes, folded to one byte.

    Args:
        text: the bytes of all texts, one behind the other.
        bounds: where each begins, and the end of the last.
    """
    found: Kinds = _shades(writable(text), writable(bounds))
    return found


@compiled
def _shades(text, bounds):
    found = np.empty(len(bounds) - 1, np.uint8)
    for i in range(len(bounds) - 1):
        value = np.uint32(2166136261)
        for k in range(bounds[i], bounds[i + 1]):
            value = np.uint32((value ^ np.uint32(text[k])) * np.uint32(16777619))
        value ^= value >> np.uint32(16)
        found[i] = np.uint8((value ^ (value >> np.uint32(8))) & np.uint32(255))
    return found
