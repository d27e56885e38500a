"""Segments of the caching allocator when the snapshot was taken (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.snapshot import (
    blocks,
    device_name,
    devices,
    has_snapshot,
    listed_blocks,
    segments,
)
from stepscope.analyses.memory.stack_facts import stack_facts
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank


def memory_segments(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_segments``, by rank and device, largest first."""
    schema = TABLES["memory_segments"].schema
    frames = [_rank_rows(rank) for rank in profile.ranks if has_snapshot(rank)]
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    rows = pl.concat([pl.DataFrame(schema=schema), *(frame.select(columns) for frame in frames)])
    return rows.sort("rank", "device", "bytes", "address", descending=[False, False, True, False])


def _rank_rows(rank: Rank) -> pl.DataFrame:
    names = {number: device_name(number) for number in devices(rank)}
    facts = stack_facts(rank).select(pl.col("stack").cast(pl.Int64), "source")
    return (
        with_blocks(rank)
        .join(facts, "stack", "left", maintain_order="left")
        .with_columns(
            pl.lit(rank.number, pl.Int64).alias("rank"),
            pl.col("device").replace_strict(names, default=None, return_dtype=pl.String),
        )
    )


def with_blocks(rank: Rank) -> pl.DataFrame:
    """`segments` with sums over their blocks, which are taken where segments and blocks differ.

    Columns besides: blocks, allocated_bytes, active_bytes, requested_bytes (of active blocks), largest_free_bytes.
    """
    active, free = pl.col("is_active"), ~pl.col("is_active")
    sums = (
        blocks(rank)
        .group_by("segment")
        .agg(
            pl.len().cast(pl.Int64).alias("blocks"),
            pl.col("bytes").filter("is_allocated").sum().alias("allocated_bytes"),
            pl.col("bytes").filter(active).sum().alias("active_bytes"),
            pl.col("requested_bytes").filter(active).sum(),
            pl.col("bytes").filter(free).max().fill_null(0).alias("largest_free_bytes"),
        )
    )
    own = ["allocated_bytes", "active_bytes", "requested_bytes"]
    none_listed = ~pl.col("segment").is_in(listed_blocks(rank)["segment"].unique().implode())
    found = segments(rank).join(sums, "segment", "left", maintain_order="left", suffix="_of_blocks")
    return found.with_columns(
        *(pl.coalesce(f"{name}_of_blocks", pl.when(none_listed).then(name)).fill_null(0).alias(name) for name in own),
        pl.col("blocks", "largest_free_bytes").fill_null(0),
    ).drop(f"{name}_of_blocks" for name in own)
