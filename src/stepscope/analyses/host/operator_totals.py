"""What MindSpore's profiler adds up for each operator (see docs/tables/): host time, and GPU activity beside it."""

from __future__ import annotations

import polars as pl

from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

_SUMS = ("calls", "activity_ns", "activities", "host_ns")


def operator_totals(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``operator_totals``, most GPU activity first, then most host time.

    Args:
        by: "" for a row for each operator, ``type`` for one for each type.
    """
    schema = TABLES["operator_totals"].schema
    return pl.concat([pl.DataFrame(schema=schema), *(_of_rank(rank, by) for rank in profile.ranks)])


def _of_rank(rank: Rank, by: str) -> pl.DataFrame:
    trace = rank.trace
    frame = trace.frame("operator_total", ["name", "kind", "side", *_SUMS])
    frame = frame.with_columns(trace.text(frame[name]) for name in ("name", "kind", "side")).rename({"kind": "type"})
    key = ["side", "type"] if by else ["side", "type", "name"]
    # What was not recorded of any of them stays unknown: the sum of nothing would be 0.
    summed = frame.group_by(key, maintain_order=True).agg(
        pl.when(pl.col(name).count() > 0).then(pl.col(name).sum()).alias(name) for name in _SUMS
    )
    made = summed.with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        *([pl.lit(None, pl.String).alias("name")] if by else []),
        *(
            (
                100.0
                * pl.col(f"{which}_ns")
                / pl.when(pl.col(f"{which}_ns").sum() > 0).then(pl.col(f"{which}_ns").sum())
            ).alias(f"{which}_share_pct")
            for which in ("activity", "host")
        ),
        (pl.col("host_ns") / pl.when(pl.col("calls") > 0).then(pl.col("calls")))
        .round()
        .cast(pl.Int64)
        .alias("host_mean_ns"),
    )
    order = made.sort(
        "activity_ns", "host_ns", "type", descending=[True, True, False], nulls_last=True, maintain_order=True
    )
    return order.select(pl.col(name).cast(kind) for name, kind in TABLES["operator_totals"].schema.items())


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What the two times are, and how much more one is than the other."""
    if len(frame) == 0 or frame["activity_ns"].null_count() == len(frame):
        return []
    known = frame.filter(pl.col("activity_ns").is_not_null())
    return [
        Message("totals-host-time", host_ns=int(known["host_ns"].sum()), activity_ns=int(known["activity_ns"].sum())),
        Message("totals-activity"),
    ]
