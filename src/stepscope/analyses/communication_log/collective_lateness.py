"""Who arrives last in collectives over the whole run (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.communication_log.samples import CALL, samples
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


def collective_lateness(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``collective_lateness``, by rank. Of equal times none is last."""
    schema, found = TABLES["collective_lateness"].schema, samples(profile)
    if len(found) == 0:
        return pl.DataFrame(schema=schema)
    own = found.filter(~pl.col("p2p")).unique([*CALL, "place"], keep="last", maintain_order=True)
    least, next_ = pl.col("duration_ns").min().over(CALL), pl.col("duration_ns").bottom_k(2).max().over(CALL)
    whole = own.filter((pl.len().over(CALL) == pl.col("ranks")) & (pl.col("ranks") > 1))
    judged = whole.with_columns(least.alias("least"), next_.alias("next"))
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
