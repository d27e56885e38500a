"""Points in time that draw the levels of a device: so few that a picture holds them, and the highest and lowest of all.

The history is cut into equal stretches of time and, so that a short busy time is no blot, into equal stretches of
its entries. Of each the moments with the most and the least allocated are points, beside the first and the last one.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl

from stepscope.numeric.intervals import Ints

_STRETCHES = 200
_COARSER = 4
"""So many stretches together have two points that `memory_alive` shows."""


def points_of(levels: pl.DataFrame) -> pl.DataFrame:
    """The rows of levels that are points, at most 802, in order, with their number ``point``.

    Column coarse: whether the point is one of those, a quarter or so, that draw a coarser picture.
    """
    cuts = [_by_entry(levels)] if levels["at_ns"].null_count() else [_by_entry(levels), _by_time(levels)]
    ends = np.array([0, len(levels) - 1], np.int64)
    coarse = np.concatenate([ends, *(_extremes(levels, stretch // _COARSER) for stretch in cuts)])
    places = np.unique(np.concatenate([coarse, *(_extremes(levels, stretch) for stretch in cuts)]))
    found = levels[places].with_row_index("point").with_columns(pl.col("point").cast(pl.Int64))
    return found.with_columns(pl.Series("coarse", np.isin(places, coarse)))


def _by_entry(levels: pl.DataFrame) -> Ints:
    """Number of the stretch of each row, of equally many rows."""
    return np.arange(len(levels), dtype=np.int64) * _STRETCHES // len(levels)


def _by_time(levels: pl.DataFrame) -> Ints:
    """Number of the stretch of each row, equally long."""
    first, last = int(levels["at_ns"][0]), int(levels["at_ns"][-1]) + 1
    edges = [first + (last - first) * at // _STRETCHES for at in range(_STRETCHES)]
    return np.searchsorted(np.array(edges, np.int64), levels["at_ns"].to_numpy(), side="right") - 1


def _extremes(levels: pl.DataFrame, stretch: Ints) -> Ints:
    """Places of the first row with the most, and of the first with the least allocated, of each stretch.

    Args:
        stretch: number of the stretch of each row, ascending.
    """
    allocated = levels["allocated_bytes"].to_numpy()
    ends = [0, *(np.flatnonzero(np.diff(stretch)) + 1).tolist(), len(stretch)]
    found = [first + one(allocated[first:end]) for first, end in pairwise(ends) for one in (np.argmax, np.argmin)]
    return np.array(found, np.int64)
