"""Page faults of unified memory, as Nsight Systems records them (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank


def page_faults(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``page_faults``, most faults first."""
    rows = (
        pl.concat([_faults(rank) for rank in profile.ranks])
        .group_by("side", "gpu", "access")
        .agg(
            pl.len().alias("events"),
            pl.col("faults").sum(),
            pl.when(pl.col("duration_ns").is_not_null().any()).then(pl.col("duration_ns").sum()).alias("total_ns"),
        )
    )
    columns = [pl.col(name).cast(dtype) for name, dtype in TABLES["page_faults"].schema.items()]
    return rows.select(columns).sort("faults", "side", "gpu", "access", descending=[True, False, False, False])


def _faults(rank: Rank) -> pl.DataFrame:
    """Page faults in the selected steps: columns side, gpu, access, faults, duration_ns."""
    frame = rank.trace.frame("page_fault", ["category", "name", "device", "faults", "start_ns", "duration_ns"])
    frame = frame.filter(rank.inside(frame["start_ns"]))
    text = rank.trace.text
    return frame.select(
        text(frame["category"]).alias("side"),
        pl.col("device").alias("gpu"),
        text(frame["name"]).alias("access"),
        "faults",
        "duration_ns",
    )
