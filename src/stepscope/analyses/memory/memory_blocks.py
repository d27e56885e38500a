"""The blocks of each segment when the snapshot was taken (see docs/tables/).

The blocks of a segment cover it. Where a file lists less, rows say what is between; where blocks overlap, one row takes
back what they count twice. So the rows of a segment add up to its size.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.block_categories import categorised
from stepscope.analyses.memory.snapshot import blocks, device_name, devices, has_snapshot, segments
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

NOT_LISTED, COUNTED_TWICE = "not listed", "counted twice"
"""States of rows that are no block."""

_FACTS = ("category", "op", "source", "lines", "start_ns")


def memory_blocks(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_blocks``, by rank, device and segment, the largest first, and by place."""
    schema = TABLES["memory_blocks"].schema
    frames = [_rank_rows(rank) for rank in profile.ranks if has_snapshot(rank)]
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    return pl.concat([pl.DataFrame(schema=schema), *(frame.select(columns) for frame in frames)])


def _rank_rows(rank: Rank) -> pl.DataFrame:
    owner = segments(rank).select(
        "device", "segment", "pool", "stream", pl.col("address").alias("begin"), pl.col("bytes").alias("whole_bytes")
    )
    facts = (
        categorised(rank)
        .filter("held")
        .select(*("device", "address", "category", "op", "source", "lines"), pl.col("born_ns").alias("start_ns"))
    )
    placed = blocks(rank).drop("device").join(owner, "segment").join(facts, ["device", "address"], "left")
    return laid_out(rank, owner, placed, NOT_LISTED)


def laid_out(rank: Rank, owner: pl.DataFrame, blocks: pl.DataFrame, state: str) -> pl.DataFrame:
    """Rows of `memory_blocks` that cover each segment, the largest segment first.

    Args:
        owner: segments: device, segment, pool, stream, begin, whole_bytes.
        blocks: their blocks with these columns, address, bytes, requested_bytes, state, is_active and what made them:
            category, op, source, lines, start_ns.
        state: of what lies between the blocks.
    """
    names = {number: device_name(number) for number in devices(rank)}
    placed = blocks.sort("segment", "address", nulls_last=True)
    rows = pl.concat([placed, _between(owner, placed, state)], how="diagonal")
    rows = pl.concat([rows, _without_place(owner, rows)], how="diagonal")
    active = pl.col("is_active").fill_null(False)
    return rows.sort(
        "device", "whole_bytes", "begin", "address", descending=[False, True, False, False], nulls_last=True
    ).with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        pl.col("device").replace_strict(names, default=None, return_dtype=pl.String),
        pl.col("begin").alias("segment"),
        (pl.col("address") - pl.col("begin")).alias("offset_bytes"),
        pl.when(active).then("requested_bytes").otherwise(0).alias("requested_bytes"),
        *(pl.when(active).then(name).alias(name) for name in _FACTS),
    )


def _between(owner: pl.DataFrame, placed: pl.DataFrame, state: str) -> pl.DataFrame:
    """What lies between the blocks of a segment, before the first and behind the last one."""
    begin, whole = pl.col("begin"), pl.col("whole_bytes")
    ends = owner.select(pl.all(), (begin + whole).alias("address"), pl.lit(0, pl.Int64).alias("bytes"))
    marks = pl.concat([placed.select(ends.columns), ends]).drop_nulls("address").sort("segment", "address")
    covered = (pl.col("address") + pl.col("bytes")).cum_max().over("segment").shift(1).over("segment")
    marks = marks.with_columns(pl.max_horizontal(covered.fill_null(begin), begin).alias("until"))
    return marks.filter(pl.col("address") > pl.col("until")).select(
        pl.exclude("until", "address", "bytes"),
        pl.col("until").alias("address"),
        (pl.col("address") - pl.col("until")).alias("bytes"),
        pl.lit(state).alias("state"),
    )


def _without_place(owner: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """By how much the rows of a segment are too many, or too few where it has no address, as one row."""
    sums = rows.group_by("segment").agg(pl.col("bytes").sum())
    rest = owner.join(sums, "segment", "left").with_columns(pl.col("whole_bytes") - pl.col("bytes").fill_null(0))
    rest = rest.select(pl.exclude("bytes"), pl.col("whole_bytes").alias("bytes"))
    state = pl.when(pl.col("bytes") > 0).then(pl.lit(NOT_LISTED)).otherwise(pl.lit(COUNTED_TWICE))
    return rest.filter(pl.col("bytes") != 0).with_columns(state.alias("state"))
