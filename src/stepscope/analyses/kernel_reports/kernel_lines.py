"""The source lines of each profiled kernel, with the samples that fall on them (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.kernel_reports.code import EXCESSIVE, SUMS, instructions, stalled, with_stall
from stepscope.analyses.kernel_reports.emptiness import why_empty
from stepscope.analyses.kernel_reports.reports import ReportOf, every_report
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_INSTRUCTION = ["id", "function", "offset"]
_LINE = ["id", "file", "line"]


def kernel_lines(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernel_lines``, by kernel, most samples first."""
    schema = TABLES["kernel_lines"].schema
    parts = [_lines(report).with_columns(report.of).select(list(schema)) for report in every_report(profile)]
    return pl.concat([pl.DataFrame(schema=schema), *parts])


notes = why_empty("kernel_lines")


def _lines(report: ReportOf) -> pl.DataFrame:
    code = instructions(report)
    every = code.group_by("id").agg(pl.col("samples").sum().alias("all"))
    rows = (
        code.filter(pl.col("line").is_not_null())
        .group_by(*_LINE, "kernel", maintain_order=True)
        .agg(pl.len().cast(pl.Int64).alias("instructions"), *(_sum(name) for name in (*SUMS, *EXCESSIVE)))
        .join(every, "id", "left", maintain_order="left")
        .with_columns(
            pl.when(pl.col("all") > 0).then(100 * pl.col("samples") / pl.col("all")).alias("samples_pct"),
            pl.when(pl.col("executed") > 0)
            .then(pl.col("thread_executed") / pl.col("executed"))
            .alias("threads_per_instruction"),
        )
    )
    samples = stalled(report).join(code.select(*_INSTRUCTION, "file", "line"), _INSTRUCTION)
    known = with_stall(rows, samples.filter(pl.col("line").is_not_null()), _LINE)
    texts = known.join(_texts(report), ["file", "line"], "left", maintain_order="left")
    return texts.sort("id", "samples", "file", "line", descending=[False, True, False, False], nulls_last=True)


def _sum(name: str) -> pl.Expr:
    """A sum, null where nothing was collected."""
    return pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name)


def _texts(report: ReportOf) -> pl.DataFrame:
    """What stands in the lines that the report holds: columns file, line, text."""
    if not report.trace.rows("source_line"):
        return pl.DataFrame(schema={"file": pl.String, "line": pl.Int64, "text": pl.String})
    frame = report.trace.frame("source_line", ["file", "line", "text"])
    return frame.with_columns(report.trace.text(frame[name]).alias(name) for name in ("file", "text"))
