"""Which step of one rank is which of another, where ranks count their steps from different moments."""

from __future__ import annotations

import heapq
from collections import Counter

import polars as pl

Link = tuple[int, int, int]
"""To another rank: minus the number of collectives in common, the rank, and what is added to its steps."""


def step_offsets(calls: pl.DataFrame) -> dict[int, int]:
    """What is added to the step numbers of each rank to have those of most ranks that it shares collectives with.

    Two ranks differ by what the steps of most of their common collectives differ by.

    Args:
        calls: columns rank, collective, step; rows without collective or step tell nothing.
    """
    known = calls.select("collective", "rank", "step").drop_nulls()
    order = known.sort("rank").unique("collective", keep="first", maintain_order=True)
    pairs = known.join(order, on="collective", suffix="_of").filter(pl.col("rank") != pl.col("rank_of"))
    counted = pairs.group_by("rank_of", "rank", (pl.col("step_of") - pl.col("step")).alias("apart")).len()
    counted = counted.sort("len", "apart", descending=[True, False]).unique(["rank_of", "rank"], keep="first")
    links: dict[int, list[Link]] = {rank: [] for rank in known["rank"].unique().sort()}
    for of, rank, apart, common in counted.select("rank_of", "rank", "apart", "len").iter_rows():
        links[of].append((-common, rank, apart))
        links[rank].append((-common, of, -apart))
    found: dict[int, int] = {}
    for rank in links:
        if rank not in found:
            found |= _of_most(_spread(links, rank))
    return found


def _spread(links: dict[int, list[Link]], first: int) -> dict[int, int]:
    """Offsets of all ranks that links join to the first one, whose own is 0; those of most collectives tell first."""
    found: dict[int, int] = {}
    waiting: list[tuple[int, int, int]] = [(0, first, 0)]
    while waiting:
        _, near, offset = heapq.heappop(waiting)
        if near not in found:
            found[near] = offset
            for common, rank, apart in links[near]:
                heapq.heappush(waiting, (common, rank, offset + apart))
    return found


def _of_most(offsets: dict[int, int]) -> dict[int, int]:
    """The same against the numbering that most of them share; of two as common, that of the lowest rank."""
    ((common, _),) = Counter(offsets[rank] for rank in sorted(offsets)).most_common(1)
    return {rank: offset - common for rank, offset in offsets.items()}
