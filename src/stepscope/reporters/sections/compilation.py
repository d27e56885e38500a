"""What torch.compile did: its time, recompiles with their reasons, graph breaks, lines of kernels."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import TOP, Line, heading, limited
from stepscope.reporters.table import text_column

_COMPILATIONS = ("compile_id", "direction", "function", "source", "step", "duration_ns", "cache", "outcome")
_RECOMPILES = ("compile_id", "function", "reason", "guard_source", "step", "duration_ns", "outcome")
_BREAKS = ("source", "reason", "explanation", "compilations")
_KERNELS = ("kernel", "lines", "origin", "calls", "gpu_ns")


def compilations(report: Report, width: int) -> Iterator[Line]:
    """The longest compilations."""
    rows = report.tables["compilations"].sort("duration_ns", descending=True, nulls_last=True, maintain_order=True)
    yield from _section(report, rows, "compilations", _COMPILATIONS, width)


def recompiles(report: Report, width: int) -> Iterator[Line]:
    """The longest recompilations, with the guard that failed."""
    rows = report.tables["recompiles"].sort("duration_ns", descending=True, nulls_last=True, maintain_order=True)
    yield from _section(report, rows, "recompiles", _RECOMPILES, width)


def graph_breaks(report: Report, width: int) -> Iterator[Line]:
    """The lines at which graphs break most often."""
    yield from _section(report, report.tables["graph_breaks"], "graph_breaks", _BREAKS, width)


def compiled_kernels(report: Report, width: int) -> Iterator[Line]:
    """Generated kernels with the lines that they come from, those with most GPU time."""
    rows = report.tables["compiled_kernels"].filter(pl.col("lines").is_not_null())
    yield from _section(report, rows, "compiled_kernels", _KERNELS, width)


def _section(report: Report, rows: pl.DataFrame, table: str, names: tuple[str, ...], width: int) -> Iterator[Line]:
    if len(rows) == 0:
        return
    yield from heading(say(f"section-{table.replace('_', '-')}"), say(f"section-{table.replace('_', '-')}-note"), width)
    shown = [name for name in ("rank", *names) if name != "rank" or len(report.profile.ranks) > 1]
    shown = [name for name in shown if name == "rank" or rows[name].null_count() < len(rows)]
    yield from limited([text_column(rows, table, name) for name in shown], width, TOP, table)
