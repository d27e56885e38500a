"""The instructions of profiled kernels, and the samples of each by warp state."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.kernel_reports.reports import ReportOf

SUMS = ("samples", "not_issued", "executed", "thread_executed")
"""Columns that are sums over instructions."""

_EXCESSIVE = {"excessive_sectors": "sectors", "excessive_wavefronts": "wavefronts"}
_NO_STALL = ("selected", "not_selected")
_SPELLED = {"no_instructions": "no_instruction"}
"""Warp states that Nsight Compute spells otherwise here than in its metrics per issued instruction."""


def instructions(report: ReportOf) -> pl.DataFrame:
    """Its instructions: columns id, kernel, function, offset, opcode, file, line, `SUMS`, excessive_..., in order."""
    if not report.trace.rows("kernel_instruction"):
        return pl.DataFrame(schema=_SCHEMA)
    names = [*("kernel", "function", "offset", "opcode", "file", "line"), *SUMS]
    pairs = [name for one in _EXCESSIVE.values() for name in (one, f"ideal_{one}")]
    frame = report.trace.frame("kernel_instruction", [*names, *pairs])
    texts = [report.trace.text(frame[name]).replace("", None).alias(name) for name in ("function", "opcode", "file")]
    excessive = [(pl.col(one) - pl.col(f"ideal_{one}")).alias(name) for name, one in _EXCESSIVE.items()]
    named = frame.with_columns(texts).with_columns(excessive).rename({"kernel": "id"})
    kernels = report.kernels().select("id", pl.col("name").alias("kernel"))
    return named.join(kernels, "id", "left", maintain_order="left").select(list(_SCHEMA))


def stalled(report: ReportOf) -> pl.DataFrame:
    """Samples in which a warp waited: columns id, function, offset, reason, samples, not_issued."""
    if not report.trace.rows("kernel_sample"):
        return pl.DataFrame(schema=_STALLED)
    frame = report.trace.frame("kernel_sample", ["kernel", "function", "offset", "reason", "samples", "not_issued"])
    texts = [report.trace.text(frame[name]).alias(name) for name in ("function", "reason")]
    named = frame.with_columns(texts).rename({"kernel": "id"}).with_columns(pl.col("reason").replace(_SPELLED))
    return named.filter(~pl.col("reason").is_in(_NO_STALL)).select(list(_STALLED))


def with_stall(rows: pl.DataFrame, samples: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """Rows with what their warps waited for most: a column stall, null where they did not wait.

    Args:
        samples: columns ``key``, reason, samples.
    """
    summed = (
        samples.group_by(*key, "reason")
        .agg(pl.col("samples").sum())
        .sort("samples", "reason", descending=[True, False])
    )
    most = summed.filter(pl.col("samples") > 0).unique(key, keep="first", maintain_order=True)
    named = most.select(*key, pl.col("reason").alias("stall"))
    return rows.join(named, key, "left", nulls_equal=True, maintain_order="left")


_SCHEMA = {
    "id": pl.Int64,
    **dict.fromkeys(("kernel", "function"), pl.String),
    "offset": pl.Int64,
    **dict.fromkeys(("opcode", "file"), pl.String),
    **dict.fromkeys(("line", *SUMS, *_EXCESSIVE), pl.Int64),
}
_STALLED = {
    "id": pl.Int64,
    "function": pl.String,
    "offset": pl.Int64,
    "reason": pl.String,
    **dict.fromkeys(("samples", "not_issued"), pl.Int64),
}
EXCESSIVE = tuple(_EXCESSIVE)
"""Columns of what a perfect access would not have moved."""
