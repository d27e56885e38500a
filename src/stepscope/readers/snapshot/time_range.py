"""Which entries of a history are kept where only a part of its time is wanted.

What was alive in that part is kept whole, wherever it was allocated and released, and what the segments did. Left out
are allocations that were released before it began, and those that came and went behind it: each with all its entries,
so that the levels within the part stay exact.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.numeric.intervals import Ints
from stepscope.readers.sources import Between

_ALLOC, _REQUESTED, _COMPLETED, _SEGMENTS = "alloc", "free_requested", "free_completed", "segment_"


def bounds_of(first_ns: int, last_ns: int, between: Between) -> tuple[int, int]:
    """The part of the time of a history, from and to, none of it behind its last entry.

    >>> bounds_of(100, 200, (5, None)), bounds_of(100, 200, (None, 20))
    ((105, 201), (100, 120))
    """
    begin, end = between
    start = first_ns + (begin or 0)
    stop = last_ns + 1 if end is None else min(first_ns + end, last_ns + 1)
    return start, max(stop, start + 1)


def kept_entries(action: pl.Series, address: pl.Series, at_ns: pl.Series, bounds: tuple[int, int]) -> np.ndarray:
    """Whether each entry of a device is kept.

    Args:
        action: texts.
        at_ns: times; an entry without one has that of the entry before it.
    """
    count = len(action)
    at = at_ns.fill_null(strategy="forward").cum_max().fill_null(-1).to_numpy()
    first, last = (int(np.searchsorted(at, bound, side="left")) for bound in bounds)
    place = np.arange(count)
    kept = (place >= first) & (place < last)
    kept |= action.cast(pl.String).str.starts_with(_SEGMENTS).fill_null(False).to_numpy()
    blocks = action.is_in([_ALLOC, _REQUESTED, _COMPLETED]).fill_null(False) & address.is_not_null()
    paired = np.flatnonzero(blocks.to_numpy())
    kept[paired] = _alive_between(address.gather(paired).to_numpy(), action.gather(paired), paired, (first, last))
    return kept


def _alive_between(address: Ints, action: pl.Series, place: Ints, part: tuple[int, int]) -> np.ndarray:
    """Of entries that allocate or release, whether their block was alive between two places of the history.

    From one allocation at an address to the next the entries are of one block. What was never released, or is still
    used by a stream in the end, is alive everywhere: the levels are counted from the end, where it is.
    """
    if len(place) == 0:
        return np.zeros(0, bool)
    order = np.argsort(address, kind="stable")
    address, place = address[order], place[order]
    allocates, completes = ((action == one).to_numpy()[order] for one in (_ALLOC, _COMPLETED))
    starts = allocates | np.append(True, address[1:] != address[:-1])
    begins = np.flatnonzero(starts)
    final = np.append(begins[1:], len(place)) - 1
    over = completes[final]
    born = np.where(allocates[begins], place[begins], -1)
    alive = ~over | ((born < part[1]) & (place[final] >= part[0]))
    found = np.empty(len(place), bool)
    found[order] = alive[np.cumsum(starts) - 1]
    return found
