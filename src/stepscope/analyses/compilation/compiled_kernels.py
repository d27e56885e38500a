"""Which lines of the program generated kernels come from (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.compilation.logs import Log, logs_of
from stepscope.schema import KERNEL, TABLES
from stepscope.store.profile import Profile, Rank

_TEXTS = ("compile_id", "name", "origin", "lines", "nodes", "before")
_LISTS = {"lines": "\n", "nodes": ", ", "before": ", "}


def compiled_kernels(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``compiled_kernels``, most GPU time first. Kernels of several graphs may have one
    name: their lines are together, because the trace has no more than the name."""
    schema, logs = TABLES["compiled_kernels"].schema, logs_of(profile)
    if not logs:
        return pl.DataFrame(schema=schema)
    frame = pl.concat([_of_log(log) for log in logs]).rename({"name": "kernel"})
    joined = [
        pl.col(name).drop_nulls().str.split(sign).explode().drop_nulls().unique(maintain_order=True).str.join(", ")
        for name, sign in _LISTS.items()
    ]
    grouped = frame.group_by("rank", "kernel", maintain_order=True).agg(
        *joined,
        pl.col("origin").drop_nulls().first(),
        pl.col("compile_id").n_unique().cast(pl.Int64).alias("compilations"),
        pl.col("compile_id").unique(maintain_order=True).str.join(", ").alias("compile_ids"),
    )
    times = pl.concat([_times(rank) for rank in {log.rank.number: log.rank for log in logs}.values()])
    found = grouped.join(times, ["rank", "kernel"], "left", maintain_order="left")
    known = pl.col("rank").is_in(times["rank"].unique().implode())
    found = found.with_columns(
        *(pl.when(known).then(pl.col(name).fill_null(0)).alias(name) for name in ("calls", "gpu_ns")),
        *(pl.col(name).replace("", None) for name in _LISTS),
    )
    ordered = found.sort("rank", "gpu_ns", descending=[False, True], nulls_last=True, maintain_order=True)
    return ordered.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _of_log(log: Log) -> pl.DataFrame:
    return log.frame("compiled_kernel", _TEXTS)


def _times(rank: Rank) -> pl.DataFrame:
    """Calls and time of each kernel of a rank's trace in the selected steps: columns rank, kernel, calls, gpu_ns."""
    kernels = rank.activity.filter(pl.col("activity") == KERNEL) if rank.trace.rows("activity") else None
    if kernels is None:
        return pl.DataFrame(schema={"rank": pl.Int64, "kernel": pl.String, "calls": pl.Int64, "gpu_ns": pl.Int64})
    grouped = kernels.group_by("name").agg(
        pl.len().cast(pl.Int64).alias("calls"), pl.col("duration_ns").sum().alias("gpu_ns")
    )
    return grouped.select(
        pl.lit(rank.number, pl.Int64).alias("rank"), rank.trace.text(grouped["name"]).alias("kernel"), "calls", "gpu_ns"
    )
