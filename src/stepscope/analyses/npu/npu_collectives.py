"""Collectives of an NPU by the times that its profiler takes apart (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

_TIMES = ("elapse_ns", "transit_ns", "wait_ns", "synchronization_ns", "idle_ns")


def npu_collectives(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``npu_collectives``, most time first."""
    schema = TABLES["npu_collectives"].schema
    return pl.concat([pl.DataFrame(schema=schema), *map(_collectives_of, profile.ranks)])


def _collectives_of(rank: Rank) -> pl.DataFrame:
    key = ["op", "group", "p2p"]
    # What was not recorded of any of them stays unknown: the sum of nothing would be 0.
    summed = (
        calls(rank)
        .group_by(key, maintain_order=True)
        .agg(
            pl.len().alias("calls"),
            *(pl.when(pl.col(name).count() > 0).then(pl.col(name).sum()).alias(name) for name in _TIMES),
        )
    )
    moved = pl.col("wait_ns") + pl.col("transit_ns")
    made = summed.with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        pl.when(moved > 0).then(100.0 * pl.col("wait_ns") / moved).alias("wait_pct"),
    ).sort("elapse_ns", *key, descending=[True, False, False, False], nulls_last=True)
    return made.select(pl.col(name).cast(kind) for name, kind in TABLES["npu_collectives"].schema.items())


def calls(rank: Rank) -> pl.DataFrame:
    """Calls of the selected steps."""
    trace = rank.trace
    frame = trace.frame("npu_collective", ["collective", "step", "p2p", "operation", "group", "start_ns", *_TIMES])
    if rank.chosen is not None:
        frame = frame.filter(pl.col("step").is_between(*rank.chosen))
    texts = {"op": "operation", "group": "group"}
    return frame.with_columns(trace.text(frame[stored]).alias(name) for name, stored in texts.items())
