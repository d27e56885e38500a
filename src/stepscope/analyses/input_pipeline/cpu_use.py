"""The use of CPUs by each operator of an input pipeline."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.input_pipeline.recorded import RecordedPipeline, stands_for
from stepscope.readers.mindspore.cpu import OPERATOR


def operator_use(recorded: RecordedPipeline) -> dict[int, float]:
    """Mean CPU use of each operator's workers together, per cent of one core, over its samples."""
    frame = recorded.usage().filter(pl.col("scope") == OPERATOR)
    both = (pl.col("user_pct") + pl.col("system_pct")).mean()
    rows = frame.group_by("operator").agg(both.alias("pct")).filter(pl.col("pct").is_not_null())
    return dict(rows.select("operator", "pct").iter_rows())


def operator_cpu_ns(recorded: RecordedPipeline) -> dict[int, int]:
    """CPU time of each operator's workers: their use times the time that each sample stands for."""
    times = recorded.times()
    if len(times) < 2:
        return {}
    known = pl.DataFrame({"time_ns": times, "stands_ns": stands_for(times)})
    frame = recorded.usage().filter(pl.col("scope") == OPERATOR).join(known, "time_ns", "left")
    took = ((pl.col("user_pct") + pl.col("system_pct")) / 100 * pl.col("stands_ns")).sum().round().cast(pl.Int64)
    return dict(frame.group_by("operator").agg(took.alias("cpu_ns")).iter_rows())
