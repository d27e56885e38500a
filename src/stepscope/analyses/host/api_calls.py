"""Calls of libraries by function: of the CUDA runtime and driver, and of the C library (see docs/tables/).

A call counts where it starts in the selected steps. The standard deviation is that of a sample (n - 1), null of one
call, as ``nsys stats`` has it.
"""

from __future__ import annotations

import polars as pl

from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank


def api_calls(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``api_calls``, most time first."""
    return _by_function(profile, "runtime", "api_calls")


def os_runtime(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``os_runtime``, most time first."""
    return _by_function(profile, "os_call", "os_runtime")


def _by_function(profile: Profile, stored: str, table: str) -> pl.DataFrame:
    length = pl.col("duration_ns")
    calls = pl.concat([_calls(rank, stored) for rank in profile.ranks])
    rows = calls.group_by("name", maintain_order=True).agg(
        pl.len().alias("calls"),
        length.sum().alias("total_ns"),
        length.mean().round().alias("mean_ns"),
        length.median().round().alias("median_ns"),
        length.min().alias("min_ns"),
        length.max().alias("max_ns"),
        length.std().round().alias("stddev_ns"),
    )
    columns = [pl.col(name).cast(dtype) for name, dtype in TABLES[table].schema.items()]
    return rows.select(columns).sort("total_ns", "name", descending=[True, False], nulls_last=True)


def _calls(rank: Rank, stored: str) -> pl.DataFrame:
    """Calls of the selected steps: columns name, duration_ns."""
    frame = rank.trace.frame(stored, ["name", "start_ns", "duration_ns"])
    frame = frame.filter(rank.inside(frame["start_ns"]))
    return frame.select(rank.trace.text(frame["name"]).alias("name"), "duration_ns")
