"""Counters in a window of time: least, most and mean of each pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stepscope.numeric.nested import Ints
from stepscope.timeline.binary_format import frame
from stepscope.timeline.lane_file import Saved
from stepscope.timeline.tracks import Track
from stepscope.timeline.windows import moments

Floats = npt.NDArray[np.float64]

BLOCK = 64
"""Moments of a counter whose least and most value are kept together."""

COLUMNS = {"min": "f32", "max": "f32", "mean": "f32"}


@dataclass(frozen=True)
class Counter:
    """One counter as the timeline numbers it.

    Attributes:
        number: of its track.
        saved: the counters of its rank.
        index: which of them it is.
        shift: as `windows.Part.shift`.
    """

    number: int
    saved: Saved
    index: int
    shift: int = 0

    @property
    def track(self) -> Track:
        """Its track."""
        return self.saved.tracks[self.index]


def answer_counters(counters: Sequence[Counter], origin: int, t0: int, t1: int, bins: int) -> bytearray:
    """Counters in ``[t0, t1)``: a binary answer with the columns `COLUMNS`, ``bins`` values for each counter.

    Means are integrals over the bin, or over as much of it as the counter knows; what it does not know is NaN. Of
    counters that are a share of time, least and most are the mean as well: at a single moment a GPU is busy or not.
    """
    tracks = [{"track": counter.number, "offset": i * bins} for i, counter in enumerate(counters)]
    data, views = frame({"t0": t0, "t1": t1, "bins": bins, "tracks": tracks}, COLUMNS, bins * len(counters))
    for i, counter in enumerate(counters):
        edges = _edges(*moments(origin + counter.shift, (t0, t1)), bins)
        for name, values in zip(COLUMNS, _values(counter, edges), strict=True):
            views[name][i * bins : (i + 1) * bins] = values
    return data


def _edges(begin: int, until: int, bins: int) -> Ints:
    """Where bins begin and end, as equal as whole numbers can be."""
    share, rest = divmod(until - begin, bins)
    if until - begin >= 1 << 62:
        return np.array([begin + share * i + rest * i // bins for i in range(bins + 1)], np.int64)
    place = np.arange(bins + 1, dtype=np.int64)
    edges: Ints = begin + share * place + rest * place // bins
    return edges


def _values(counter: Counter, edges: Ints) -> tuple[Floats, Floats, Floats]:
    """Least, most and mean between each two edges."""
    columns = counter.saved.columns
    low, high = columns["bounds"][counter.index : counter.index + 2].tolist()
    at, value = columns["at"][low:high], columns["value"][low:high]
    begin, end = np.clip(edges[:-1], at[0], at[-1]), np.clip(edges[1:], at[0], at[-1])
    sums = columns["before"][low:high], columns["known"][low:high]
    integral, time = (
        until - before
        for until, before in zip(_integral(at, value, *sums, end), _integral(at, value, *sums, begin), strict=True)
    )
    first = np.maximum(np.searchsorted(at, begin, side="right") - 1, 0)
    # Bins narrower than a nanosecond hold the value of their moment.
    instant = (edges[:-1] == edges[1:]) & (edges[:-1] >= at[0]) & (edges[:-1] < at[-1])
    known = end > begin
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, integral / time, np.where(instant, value[first], np.nan))
    if columns["rate"][counter.index]:
        return mean, mean, mean
    last = np.maximum(np.searchsorted(at, end, side="left"), first + 1)
    last = np.where(known | instant, last, first)
    block_low, block_high = columns["blocks"][counter.index : counter.index + 2].tolist()
    least = _extreme(np.fmin, value, columns["least"][block_low:block_high], first, last)
    most = _extreme(np.fmax, value, columns["most"][block_low:block_high], first, last)
    return least, most, mean


def _integral(at: Ints, value: Floats, before: Floats, known: Ints, times: Ints) -> tuple[Floats, Ints]:
    """Of a counter from its first moment to some times that lie within its own: integral, and time with a value."""
    index = np.clip(np.searchsorted(at, times, side="right") - 1, 0, len(at) - 2)
    here, since = value[index], times - at[index]
    missing = np.isnan(here)
    return before[index] + np.where(missing, 0.0, here) * since, known[index] + np.where(missing, 0, since)


def _extreme(of: np.ufunc, value: Floats, blocks: Floats, first: Ints, last: Ints) -> Floats:
    """Least or most value of each ``[first, last)``, NaN where that is empty: of whole blocks where they fit."""
    inner, outer = -(-first // BLOCK), last // BLOCK
    whole = outer > inner
    found = _gathered(of, blocks, np.where(whole, inner, 0), np.where(whole, outer, 0))
    head = _gathered(of, value, first, np.where(whole, inner * BLOCK, last))
    tail = _gathered(of, value, np.where(whole, outer * BLOCK, 0), np.where(whole, last, 0))
    extreme: Floats = of(of(found, head), tail)
    return extreme


def _gathered(of: np.ufunc, values: Floats, first: Ints, last: Ints) -> Floats:
    """The same by looking at each value."""
    count = last - first
    total = int(count.sum())
    found = np.full(len(first), np.nan)
    used = np.flatnonzero(count)
    if total == 0:
        return found
    shift = np.cumsum(count) - count
    index = np.repeat(first - shift, count) + np.arange(total)
    found[used] = of.reduceat(values[index], shift[used])
    return found
