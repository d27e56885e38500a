"""Collectives as NCCL Inspector measured them over the whole run."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import TOP, Line, heading, limited
from stepscope.reporters.table import text_column

_BANDWIDTH = ("op", "communicator", "link", "from_bytes", "ranks", "nodes", "calls", "busbw", "of_others_pct")
_LATENESS = ("rank", "file", "calls", "last_pct", "late_ns", "wait_ns")


def bandwidths(report: Report, width: int) -> Iterator[Line]:
    """The operations with most transfer time."""
    rows = report.tables["collective_bandwidth"]
    if len(rows) == 0:
        return
    yield from heading(say("section-bandwidths"), say("section-bandwidths-note"), width)
    columns = [text_column(rows, "collective_bandwidth", name) for name in _BANDWIDTH]
    yield from limited(columns, width, TOP, "collective_bandwidth")


def lateness(report: Report, width: int) -> Iterator[Line]:
    """The ranks that others wait for longest."""
    rows = report.tables["collective_lateness"]
    if len(rows) == 0:
        return
    yield from heading(say("section-lateness"), say("section-lateness-note"), width)
    rows = rows.sort("late_ns", descending=True, maintain_order=True)
    columns = [text_column(rows, "collective_lateness", name) for name in _LATENESS]
    yield from limited(columns, width, TOP, "collective_lateness")
