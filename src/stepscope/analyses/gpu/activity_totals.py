"""What MindSpore's profiler adds up for each kernel (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

_TEXTS = ("name", "kind", "operator", "block", "grid")


def activity_totals(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``activity_totals``, most time first."""
    schema = TABLES["activity_totals"].schema
    return pl.concat([pl.DataFrame(schema=schema), *map(_of_rank, profile.ranks)])


def _of_rank(rank: Rank) -> pl.DataFrame:
    trace = rank.trace
    frame = trace.frame("activity_total", [*_TEXTS, "stream", "calls", "total_ns", "min_ns", "max_ns"])
    frame = frame.with_columns(trace.text(frame[name]) for name in _TEXTS).rename({"kind": "type"})
    key = ["name", "type", "operator", "stream", "grid", "block"]
    sums = [pl.col(name).sum() for name in ("calls", "total_ns")]
    summed = frame.group_by(key, maintain_order=True).agg(*sums, pl.col("min_ns").min(), pl.col("max_ns").max())
    mean = pl.col("total_ns") / pl.when(pl.col("calls") > 0).then(pl.col("calls"))
    made = summed.with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"), mean.round().cast(pl.Int64).alias("mean_ns")
    ).sort("total_ns", "name", descending=[True, False], maintain_order=True)
    return made.select(pl.col(name).cast(kind) for name, kind in TABLES["activity_totals"].schema.items())


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Of which launch operator, stream, grid and block are."""
    return [Message("totals-first-launch")] if len(frame) else []
