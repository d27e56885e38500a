"""The most memory that each allocator of an NPU and each module of CANN held, and when (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

_KEY = ("device", "component")
_TOTALS = ("allocated_bytes", "reserved_bytes", "active_bytes")


def npu_memory(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``npu_memory``, by rank and device, highest peak first."""
    schema = TABLES["npu_memory"].schema
    return pl.concat([pl.DataFrame(schema=schema), *map(_peaks_of, profile.ranks)])


def _peaks_of(rank: Rank) -> pl.DataFrame:
    trace = rank.trace
    frame = trace.frame("npu_memory", [*_KEY, "start_ns", *_TOTALS])
    frame = frame.filter(rank.inside(frame["start_ns"]))
    frame = frame.with_columns(trace.text(frame[name]).alias(name) for name in _KEY)
    allocated = pl.col("allocated_bytes")
    peaks = frame.group_by(_KEY, maintain_order=True).agg(
        pl.len().alias("records"),
        *(pl.col(name).max().alias(f"peak_{name}") for name in _TOTALS),
        pl.col("start_ns").filter(allocated == allocated.max()).min().alias("at_ns"),
        pl.col("reserved_bytes").filter(allocated == allocated.max()).first().alias("reserved_then_bytes"),
    )
    order = {"device": False, "peak_allocated_bytes": True, "peak_reserved_bytes": True, "component": False}
    made = peaks.with_columns(pl.lit(rank.number, pl.Int64).alias("rank")).sort(
        *order, descending=[*order.values()], nulls_last=True
    )
    return made.select(pl.col(name).cast(kind) for name, kind in TABLES["npu_memory"].schema.items())
