"""Which entries of a history are kept where only a part of its time is wanted.

What was alive in that part is kept whole, wherever it was allocated and released, and what the segments did. Left out
are allocations that were released before it began, and those that came and went behind it: each with all its entries,
so that the levels within the part stay exact.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric.intervals import Ints
from stepscope.readers.sources import Between

ALLOC, REQUESTED, COMPLETED, SEGMENT, OTHER = range(5)
"""What an entry did: allocated, asked for the release, released, something to a segment, anything else."""


def kind_of(action: str) -> int:
    """What an action of the allocator does, of these."""
    if action.startswith("segment_"):
        return SEGMENT
    return {"alloc": ALLOC, "free_requested": REQUESTED, "free_completed": COMPLETED}.get(action, OTHER)


def bounds_of(first_ns: int, last_ns: int, between: Between) -> tuple[int, int]:
    """The part of the time of a history, from and to, none of it behind its last entry.

    >>> bounds_of(100, 200, (5, None)), bounds_of(100, 200, (None, 20))
    ((105, 201), (100, 120))
    """
    begin, end = between
    start = first_ns + (begin or 0)
    stop = last_ns + 1 if end is None else min(first_ns + end, last_ns + 1)
    return start, max(stop, start + 1)


def kept_entries(kind: np.ndarray, address: Ints, at_ns: Ints, bounds: tuple[int, int]) -> np.ndarray:
    """Whether each entry of a device is kept.

    Args:
        kind: what each did, of this module.
        address: -1 where it is not known.
        at_ns: times, -1 where there is none; such an entry has that of the entry before it. Is overwritten.
    """
    at = np.maximum.accumulate(at_ns, out=at_ns)
    first, last = (int(np.searchsorted(at, bound, side="left")) for bound in bounds)
    kept: np.ndarray = kind == SEGMENT
    kept[first:last] = True
    paired = np.flatnonzero((kind <= COMPLETED) & (address >= 0))
    kept[paired] = _alive_between(address[paired], kind[paired], paired, (first, last))
    return kept


def _alive_between(address: Ints, kind: np.ndarray, place: Ints, part: tuple[int, int]) -> np.ndarray:
    """Of entries that allocate or release, whether their block was alive between two places of the history.

    From one allocation at an address to the next the entries are of one block. What was never released, or is still
    used by a stream in the end, is alive everywhere: the levels are counted from the end, where it is.
    """
    if len(place) == 0:
        return np.zeros(0, bool)
    order = np.argsort(address, kind="stable")
    address, kind = address[order], kind[order]
    starts = kind == ALLOC
    starts[0] = True
    starts[1:] |= address[1:] != address[:-1]
    del address
    begins = np.flatnonzero(starts)
    final = np.append(begins[1:], len(place)) - 1
    born = np.where(kind[begins] == ALLOC, place[order[begins]], -1)
    alive = (kind[final] != COMPLETED) | ((born < part[1]) & (place[order[final]] >= part[0]))
    found = np.empty(len(place), bool)
    found[order] = np.repeat(alive, final - begins + 1)
    return found
