"""Which end belongs to which beginning of a slice."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stepscope.numeric.compiling import compiled

Ints = npt.NDArray[np.int64]

NONE = -1


@compiled
def pair_by_stack(order, track, is_end, tracks, partner):
    """Pair on each track: an end belongs to what began last and has not ended. What stays alone keeps ``partner``.

    Args:
        order: rows in order of time.
        track: number of the track of each row, from 0.
        is_end: whether a row ends a slice.
        tracks: how many there are.
        partner: written: of each row the other one.
    """
    top = np.full(tracks, NONE, np.int64)
    below = np.full(len(track), NONE, np.int64)
    for row in order:
        on = track[row]
        if not is_end[row]:
            below[row] = top[on]
            top[on] = row
        elif top[on] != NONE:
            begin = top[on]
            partner[begin], partner[row] = row, begin
            top[on] = below[begin]


def pair_by_runs(is_end: npt.NDArray[np.bool_]) -> Ints | None:
    """Pair rows that come as so many beginnings and then as many ends in the same order; None where they do not."""
    if len(is_end) == 0:
        return np.empty(0, np.int64)
    starts = np.flatnonzero(np.append(True, is_end[1:] != is_end[:-1]))
    lengths = np.diff(np.append(starts, len(is_end)))
    if is_end[0] or len(starts) % 2 or not np.array_equal(lengths[::2], lengths[1::2]):
        return None
    begins = np.flatnonzero(~is_end)
    partner = np.empty(len(is_end), np.int64)
    ends = np.flatnonzero(is_end)
    partner[begins], partner[ends] = ends, begins
    return partner
