"""What lies in a window of time: the cells of some lanes, at most a few for each pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stepscope.numeric.nested import Ints
from stepscope.timeline.binary_format import frame
from stepscope.timeline.lanes import LEVEL_BITS, LaneSet

COLUMNS = {
    "start": "f64",
    "end": "f64",
    "first": "u32",
    "count": "u32",
    "name": "u32",
    "busy": "u16",
    "kind": "u8",
    "shade": "u8",
}
"""Columns of a window and their types."""

_PIXELS_PER_CELL = 2
_FULL = 65535
HIGHEST_LEVEL = 62
_LAST = (1 << 63) - 1


@dataclass(frozen=True, eq=False)
class Part:
    """Lanes as the timeline numbers them.

    Attributes:
        lanes: the lanes.
        rank: index of their rank in the profile.
        first_lane, first_track: numbers of the first of them.
        name: number in the timeline of each of their names.
        shift: what is taken off times of their rank to have them on the job's clock, in ns.
    """

    lanes: LaneSet
    rank: int
    first_lane: int
    first_track: int
    name: npt.NDArray[np.uint32]
    shift: int = 0

    def origin(self, origin: int) -> int:
        """A moment of the job's clock on the rank's own."""
        return origin + self.shift


def moments(origin: int, window: tuple[int, int]) -> tuple[int, int]:
    """Begin and end of a window as the trace has times, within what 64 bits hold."""
    begin, until = (min(max(origin + offset, -_LAST), _LAST) for offset in window)
    return begin, until


def level_for(length: int, pixels: int) -> int:
    """The coarsest level whose cells are at most two pixels wide.

    >>> level_for(1_000_000, 1_000)
    10
    """
    per_cell = _PIXELS_PER_CELL * max(length, 0) // max(pixels, 1)
    return min(max(per_cell.bit_length() - 1, 0), HIGHEST_LEVEL)


def answer_window(parts: Sequence[Part], origin: int, t0: int, t1: int, pixels: int, lanes: Ints) -> bytearray:
    """Cells of some lanes that reach into ``[t0, t1)``: a binary answer with the columns `COLUMNS`.

    Args:
        parts: all lanes there are.
        origin: what times are counted from, in ns on the job's clock.
        t0, t1: offsets from it, in ns.
        pixels: how wide the window is shown.
        lanes: ascending numbers; those that do not exist are left out.
    """
    return answer_level(parts, origin, (t0, t1), level_for(t1 - t0, pixels), lanes)


def answer_level(parts: Sequence[Part], origin: int, window: tuple[int, int], level: int, lanes: Ints) -> bytearray:
    """The same with cells of ``2**level`` ns; of exact events with level 0."""
    found = [_Found(part, lanes, *moments(part.origin(origin), window), level) for part in parts]
    found = [one for one in found if len(one.lane)]
    entries = []
    at = 0
    for one in found:
        for lane, count in zip(one.lane.tolist(), one.count.tolist(), strict=True):
            entries.append({"lane": lane, "offset": at, "count": count})
            at += count
    header = {"t0": window[0], "t1": window[1], "cell_ns": 1 << level, "lanes": entries}
    data, views = frame(header, COLUMNS, at)
    at = 0
    for one in found:
        one.fill(views, at, origin)
        at += one.total
    return data


def count_cells(parts: Sequence[Part], origin: int, window: tuple[int, int], level: int, lanes: Ints) -> int:
    """How many cells `answer_level` would send."""
    found = [_Found(part, lanes, *moments(part.origin(origin), window), level) for part in parts]
    return sum(one.total for one in found if len(one.lane))


class _Found:
    """The cells of one part that lie in a window."""

    def __init__(self, part: Part, lanes: Ints, begin: int, until: int, level: int) -> None:
        self._part = part
        low, high = np.searchsorted(lanes, [part.first_lane, part.first_lane + part.lanes.lanes])
        self.lane = lanes[low:high]
        if len(self.lane) == 0:
            return
        self._own = self.lane - part.first_lane
        self._first, last = lane_ranges(part.lanes, self._own, level, begin, until)
        self.count = last - self._first
        self.total = int(self.count.sum())

    def fill(self, views: dict[str, Any], at: int, origin: int) -> None:
        """Write the cells into the columns of an answer."""
        columns = self._part.lanes.columns
        events = self._part.lanes.events
        to = slice(at, at + self.total)
        shift = np.cumsum(self.count) - self.count
        index = np.repeat(self._first - shift, self.count)
        index += np.arange(self.total)
        start, end = columns["start"][index], columns["end"][index]
        origin = self._part.origin(origin)
        np.subtract(start, origin, out=views["start"][to], casting="same_kind")
        np.subtract(end, origin, out=views["end"][to], casting="same_kind")
        name = columns["name"][index]
        views["name"][to] = self._part.name[name]
        views["shade"][to] = columns["shade"][name]
        views["kind"][to] = columns["kind"][index]
        merged = self._first >= events
        if merged.all():
            self._fill_cells(views, to, index - events, end - start)
            return
        lane_first = columns["lane_first"][self._own]
        views["first"][to] = index - np.repeat(lane_first, self.count)
        views["count"][to] = 1
        views["busy"][to] = _FULL
        if merged.any():
            where = np.flatnonzero(np.repeat(merged, self.count))
            self._fill_cells(views, where + at, index[where] - events, (end - start)[where])

    def _fill_cells(self, views: dict[str, Any], to: Any, cell: Ints, length: Ints) -> None:
        columns = self._part.lanes.columns
        views["first"][to] = columns["first"][cell]
        views["count"][to] = columns["count"][cell]
        share = columns["busy"][cell] * (_FULL / np.maximum(length, 1))
        views["busy"][to] = np.where(length > 0, np.rint(share), _FULL)


def lane_ranges(lanes: LaneSet, own: Ints, level: int, begin: int, until: int) -> tuple[Ints, Ints]:
    """Where the cells of some lanes that reach into ``[begin, until)`` begin and end.

    Of events without a length those at the window's first moment are in it.

    Args:
        own: lanes as the set numbers them.
        level: none coarser than this; 0 for the events.
        begin, until: in ns, as the trace has them.
    """
    first, last = _ranges(lanes, own, level)
    low = first_after(lanes["end"], lanes["start"], first, last, begin)
    return low, first_at(lanes["start"], low, last, until)


def _ranges(lanes: LaneSet, own: Ints, level: int) -> tuple[Ints, Ints]:
    """Where the cells of the coarsest level up to ``level`` begin and end; the events, where there is none."""
    columns = lanes.columns
    key = columns["entry_key"]
    entry = np.searchsorted(key, (own << LEVEL_BITS) | level, side="right") - 1
    coarser = (entry >= 0) & (key[np.maximum(entry, 0)] >> LEVEL_BITS == own) if len(key) else entry >= 0
    bounds = columns["entry_bounds"]
    entry = np.where(coarser, entry, 0)
    lane_first = columns["lane_first"]
    if len(key) == 0:
        return lane_first[own], lane_first[own + 1]
    return (
        np.where(coarser, bounds[entry], lane_first[own]),
        np.where(coarser, bounds[entry + 1], lane_first[own + 1]),
    )


def first_at(values: Ints, low: Ints, high: Ints, wanted: int) -> Ints:
    """The first index in each ``[low, high)`` whose value is at least the wanted one, by halving all at once."""
    low, high = low.copy(), high.copy()
    last = len(values) - 1
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) >> 1
        before = (values[np.minimum(middle, last)] < wanted) & (low < high)
        low = np.where(before, middle + 1, low)
        high = np.where(before, high, middle)
    return low


def first_after(end: Ints, start: Ints, low: Ints, high: Ints, begin: int) -> Ints:
    """The first index in each ``[low, high)`` that ends behind a moment, or begins there."""
    low, high = low.copy(), high.copy()
    last = len(end) - 1
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = np.minimum((low + high) >> 1, last)
        before = (end[middle] <= begin) & (start[middle] < begin) & (low < high)
        low = np.where(before, middle + 1, low)
        high = np.where(before, high, np.maximum(middle, low))
    return low
