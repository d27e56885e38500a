"""Kernels by length: how many there are, how much time they take, how many end before their launch has returned."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.gpu.short_kernels import launched_kernels
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_EDGES_NS = [factor * 10**power for power in range(3, 9) for factor in (1, 2, 5)]
"""Upper ends of the classes: 1, 2, 5, 10 us and so on."""


def kernel_lengths(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_lengths``, shortest first; classes without kernels are left out."""
    kernels = pl.concat([launched_kernels(rank) for rank in profile.ranks])
    edges = pl.Series(_EDGES_NS)
    number = edges.search_sorted(kernels["duration_ns"], side="right")
    rows = (
        kernels.with_columns(number.alias("number"))
        .group_by("number")
        .agg(
            pl.len().cast(pl.Int64).alias("calls"),
            pl.col("duration_ns").sum().alias("total_ns"),
            (pl.col("duration_ns") < pl.col("call_ns")).sum().cast(pl.Int64).alias("shorter_than_launch"),
            pl.col("in_graph").sum().cast(pl.Int64),
        )
    )
    lower = pl.Series("from_ns", [0, *_EDGES_NS])
    upper = pl.Series("to_ns", [*_EDGES_NS, None], dtype=pl.Int64)
    rows = rows.sort("number").with_columns(
        lower.gather(rows.sort("number")["number"]),
        upper.gather(rows.sort("number")["number"]),
        (100.0 * pl.col("calls") / max(len(kernels), 1)).alias("of_kernels_pct"),
        (100.0 * pl.col("total_ns") / max(int(kernels["duration_ns"].sum()), 1)).alias("share_pct"),
    )
    return rows.select(pl.col(name).cast(dtype) for name, dtype in TABLES["kernel_lengths"].schema.items())
