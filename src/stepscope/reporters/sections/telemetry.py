"""Counters over time."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import text_column

_TOP = 12
_FIRST = r"(?i)power|clock|temp|util|active|throttle|event_reasons|mem"
"""What people look for first: the others follow."""


def telemetry(report: Report, width: int) -> Iterator[Line]:
    """Each counter of each GPU: mean, extremes and 95th percentile."""
    rows = report.tables["telemetry"].filter(pl.col("samples") > 0)
    if len(rows) == 0:
        return
    rows = rows.sort(~pl.col("counter").str.contains(_FIRST), maintain_order=True)
    yield from heading(say("section-telemetry"), "", width)
    names = ("gpu", "counter", "unit", "mean", "min", "p95", "max")
    yield from limited([text_column(rows, "telemetry", name) for name in names], width, _TOP, "telemetry")
