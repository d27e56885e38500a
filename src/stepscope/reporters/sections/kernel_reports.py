"""Kernels that Nsight Compute profiled."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.frames import in_words
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.kernel_text import short_kernel
from stepscope.reporters.sections.text_lines import TOP, Line, heading, limited
from stepscope.reporters.table import text_column
from stepscope.schema import TABLES

_ADVISED = 5
_LINES = 3
_COLUMNS = (
    *("name", "duration_ns", "bottleneck", "bound_pct", "compute_throughput_pct", "memory_throughput_pct"),
    "achieved_occupancy_pct",
)


def kernel_reports(report: Report, width: int) -> Iterator[Line]:
    """The longest kernels: how busy the GPU is in them, what limits each, and what to do."""
    rows = report.tables["kernel_reports"]
    if len(rows) == 0:
        return
    rows = rows.sort("duration_ns", descending=True, nulls_last=True, maintain_order=True)
    yield from heading(say("section-kernel-reports"), say("section-kernel-reports-note"), width)
    said = in_words(rows.filter(pl.col("bound_pct").is_not_null()), TABLES["kernel_reports"].messages)
    rows = rows.with_columns(pl.Series("bottleneck", [_word(one) for one in rows["bottleneck"]]))
    columns = [text_column(rows, "kernel_reports", name) for name in _COLUMNS]
    yield from limited(columns, width, TOP, "kernel_reports")
    for row in said.unique("bottleneck", keep="first", maintain_order=True).head(_ADVISED).iter_rows(named=True):
        text = f"{short_kernel(row['name'])}: {row['advice']}"
        yield from (Line(line) for line in wrapped(text, width, "  ", "  "))
    yield from _lines(report, rows["id", "rank", "report"].rows(), width)


def _lines(report: Report, kernels: list[tuple[int, int, str]], width: int) -> Iterator[Line]:
    """Where the samples of the longest kernels fall: of each the lines with most of them."""
    table = report.tables["kernel_lines"].filter(pl.col("samples") > 0)
    shown = [(one, table.filter(_is_of(*one)).head(_LINES)) for one in kernels[:_ADVISED]]
    if not any(len(lines) for _, lines in shown):
        return
    yield from heading(say("section-kernel-lines"), say("section-kernel-lines-note"), width)
    for _, lines in shown:
        for at, row in enumerate(lines.iter_rows(named=True)):
            place = f"{posixpath.basename(row['file'])}:{row['line']}"
            said = say("section-kernel-line", share_pct=row["samples_pct"], place=place, stall=row["stall"] or "none")
            text = f"{short_kernel(row['kernel'])}: {said}" if at == 0 else said
            yield from (Line(line) for line in wrapped(text, width, "  " if at == 0 else "    ", "    "))


def _is_of(number: int, rank: int, report: str) -> pl.Expr:
    return (pl.col("id") == number) & (pl.col("rank") == rank) & (pl.col("report") == report)


def _word(bottleneck: str) -> str:
    """What limits a kernel, as people call it."""
    return say(f"value-bottleneck-{bottleneck.replace('_', '-')}")
