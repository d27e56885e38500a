"""The segments of an earlier point of a snapshot's history, and what would have fitted into them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.memory.snapshot import RELEASE, RESERVE, history, segments
from stepscope.numeric.intervals import Ints
from stepscope.store.profile import Rank

USUAL_POOL = "(0, 0)"
SMALL, LARGE = "small", "large"
_SMALL_BYTES = 1 << 20
_SMALL_SEGMENT = 2 << 20


@dataclass(frozen=True)
class Fit:
    """Free pieces of some segments, and the least that would have to go for a request to fit into one.

    Attributes:
        evict_bytes: active bytes of the blocks to release; None where no segment is long enough.
    """

    free_bytes: int
    largest_bytes: int
    evict_bytes: int | None
    evict_blocks: int | None


def pool_class(requested: int, pool: str | None) -> tuple[str, str]:
    """The pool and size class that serve a request."""
    return pool or USUAL_POOL, SMALL if requested <= _SMALL_BYTES else LARGE


def segments_then(rank: Rank, device: int, row: int) -> pl.DataFrame | None:
    """Segments behind a row of `snapshot.history`: those of the end, without later ones, with those given back since.

    Columns: address, bytes, stream, pool, size_class. None where the snapshot has none, or where segments grew or
    shrank since (expandable ones), of which the parts cannot be told.
    """
    end = segments(rank).filter(pl.col("device") == device)
    later = history(rank).filter(
        (pl.col("device") == device) & (pl.col("row") > row) & pl.col("action").is_in([RESERVE, RELEASE])
    )
    if len(segments(rank)) == 0 or (len(later) and end["expandable"].fill_null(False).any()):
        return None
    first = later.unique("address", keep="first", maintain_order=True)
    back = first.filter(pl.col("action") == RELEASE).select("address", "bytes", "stream", "pool")
    size_class = pl.when(pl.col("bytes") <= _SMALL_SEGMENT).then(pl.lit(SMALL)).otherwise(pl.lit(LARGE))
    back = back.with_columns(pl.col("pool").cast(pl.String).fill_null(USUAL_POOL), size_class.alias("size_class"))
    columns = ["address", "bytes", "stream", "pool", "size_class"]
    kept = end.filter(~pl.col("address").is_in(later["address"].implode())).select(columns)
    return pl.concat([kept, back.select(columns)]).drop_nulls("address").sort("address")


def best_fit(where: pl.DataFrame, used: pl.DataFrame, requested: int) -> Fit:
    """What of some segments is free, and the cheapest neighbours to release so that a request fits.

    Args:
        where: segments: address, bytes.
        used: blocks in use: address, block_bytes.
    """
    used = used.select("address", "block_bytes").drop_nulls().sort("address")
    starts, ends = used["address"].to_numpy(), (used["address"] + used["block_bytes"]).to_numpy()
    free, largest, best = 0, 0, None
    for begin, size in where.select("address", "bytes").iter_rows():
        first, last = np.searchsorted(starts, [begin, begin + size], side="left")
        own_starts, own_ends = starts[first:last], np.minimum(ends[first:last], begin + size)
        left = np.concatenate([[begin], own_ends])
        right = np.concatenate([own_starts, [begin + size]])
        gaps = np.maximum(right - left, 0)
        free, largest = free + int(gaps.sum()), max(largest, int(gaps.max()))
        found = _cheapest(left, right, own_ends - own_starts, requested)
        if found is not None and (best is None or found < best):
            best = found
    return Fit(free, largest, *(best or (None, None)))


def _cheapest(left: Ints, right: Ints, sizes: Ints, requested: int) -> tuple[int, int] | None:
    """Least bytes, and blocks, to release between the end of one block and the start of another so far apart."""
    spent = np.concatenate([[0], np.cumsum(sizes)])
    at = np.searchsorted(right, left + requested, side="left")
    there = at < len(right)
    if not there.any():
        return None
    cost = spent[at[there]] - spent[np.flatnonzero(there)]
    which = int(cost.argmin())
    return int(cost[which]), int(at[there][which] - np.flatnonzero(there)[which])
