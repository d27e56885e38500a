"""What the caching allocator holds and nobody uses (see docs/tables/).

``reserved = allocated + pending + whole free + holes``, to the byte: whole free are segments without an active block,
holes the free blocks of the others. Rounding is a part of what is allocated or pending.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.memory_segments import with_blocks
from stepscope.analyses.memory.snapshot import device_name, devices, has_snapshot
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank


def memory_fragmentation(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_fragmentation``, by rank, device, pool and size class."""
    schema = TABLES["memory_fragmentation"].schema
    frames = [_rank_rows(rank) for rank in profile.ranks if has_snapshot(rank)]
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    rows = pl.concat([pl.DataFrame(schema=schema), *(frame.select(columns) for frame in frames)])
    return rows.sort("rank", "device", "pool", "size_class")


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How much of what is reserved lies in holes."""
    reserved, holes = int(frame["reserved_bytes"].sum()), int(frame["hole_bytes"].sum())
    if reserved == 0:
        return []
    whole = int(frame["whole_free_bytes"].sum())
    return [Message("note-snapshot-holes", hole_bytes=holes, hole_pct=100 * holes / reserved, whole_free_bytes=whole)]


def _rank_rows(rank: Rank) -> pl.DataFrame:
    names = {number: device_name(number) for number in devices(rank)}
    free = pl.col("bytes") - pl.col("active_bytes")
    is_whole = pl.col("active_bytes") == 0
    return (
        with_blocks(rank)
        .group_by("device", "pool", "size_class")
        .agg(
            pl.col("bytes").sum().alias("reserved_bytes"),
            pl.col("allocated_bytes").sum(),
            (pl.col("active_bytes") - pl.col("allocated_bytes")).sum().alias("pending_bytes"),
            free.filter(is_whole).sum().alias("whole_free_bytes"),
            free.filter(~is_whole).sum().alias("hole_bytes"),
            (pl.col("active_bytes") - pl.col("requested_bytes")).sum().alias("rounding_bytes"),
            pl.col("largest_free_bytes").max(),
            pl.len().cast(pl.Int64).alias("segments"),
        )
        .with_columns(
            pl.lit(rank.number, pl.Int64).alias("rank"),
            pl.col("device").replace_strict(names, default=None, return_dtype=pl.String),
        )
    )
