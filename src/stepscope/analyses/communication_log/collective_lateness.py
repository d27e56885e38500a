"""Who arrives last in collectives over the whole run (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.communication_log.samples import CALL, samples
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

ALIKE = 0.1
"""Ranks that arrive within this share of a call's longest wait arrive together."""


def collective_lateness(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``collective_lateness``, by rank. Of equal times none is last."""
    schema, found = TABLES["collective_lateness"].schema, samples(profile)
    if len(found) == 0:
        return pl.DataFrame(schema=schema)
    least, next_ = pl.col("duration_ns").min().over(CALL), pl.col("duration_ns").bottom_k(2).max().over(CALL)
    judged = _matched(found).with_columns(least.alias("least"), next_.alias("next"))
    last = (pl.col("duration_ns") == pl.col("least")) & (pl.col("next") > pl.col("least"))
    table = judged.group_by("rank", "file").agg(
        pl.len().alias("calls"),
        last.sum().alias("last_calls"),
        (100 * last.sum() / pl.len()).alias("last_pct"),
        (pl.col("next") - pl.col("least")).filter(last).sum().alias("late_ns"),
        (pl.col("duration_ns") - pl.col("least")).sum().alias("wait_ns"),
        pl.col("duration_ns").sum().alias("total_ns"),
    )
    return table.sort("rank", "file").select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def last_together(profile: Profile) -> pl.DataFrame:
    """Ranks that arrive last together, at most half of a call's: of equal or nearly equal times no rank alone is last.

    Columns ranks (a list), last_calls (calls in which these arrive last), late_ns (in these, how much later than the
    next one), most first.
    """
    found = samples(profile)
    if len(found) == 0:
        return pl.DataFrame(schema={"ranks": pl.List(pl.Int64), "last_calls": pl.UInt32, "late_ns": pl.Int64})
    wait = (pl.col("duration_ns") - pl.col("duration_ns").min().over(CALL)).alias("wait")
    judged = _matched(found).with_columns(wait)
    is_last = pl.col("wait") <= ALIKE * pl.col("wait").max()
    called = judged.group_by(CALL).agg(
        pl.col("rank").filter(is_last).sort().alias("ranks"),
        pl.col("wait").filter(~is_last).min().alias("late_ns"),
        pl.len().alias("of"),
    )
    several = called.filter((pl.col("ranks").list.len() > 1) & (2 * pl.col("ranks").list.len() <= pl.col("of")))
    summed = several.group_by("ranks").agg(pl.len().alias("last_calls"), pl.col("late_ns").sum())
    return summed.sort("late_ns", "last_calls", "ranks", descending=[True, True, False])


def _matched(found: pl.DataFrame) -> pl.DataFrame:
    """Lines of collectives with a line of every rank."""
    own = found.filter(~pl.col("p2p")).unique([*CALL, "place"], keep="last", maintain_order=True)
    return own.filter((pl.len().over(CALL) == pl.col("ranks")) & (pl.col("ranks") > 1))
