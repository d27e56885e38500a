"""GPU time of each rank."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.reporters.sections.lines import Line, heading, limited, with_share
from stepscope.reporters.table import TextColumn
from stepscope.reporters.units import percent_text, time_text


def ranks(report: Report, width: int) -> Iterator[Line]:
    summary = report.tables["summary"].filter(pl.col("span_ns") > 0)
    if len(summary) == 0:
        return
    yield from heading("GPU time", "from the first activity to the last", width)
    columns = [
        TextColumn("rank", [str(n) for n in summary["rank"]], True),
        TextColumn("span", [time_text(n) for n in summary["span_ns"]], True),
    ]
    for title, name in (
        ("compute", "compute_ns"),
        ("exposed comm", "exposed_communication_ns"),
        ("exposed copies", "exposed_memory_ns"),
        ("idle", "idle_ns"),
    ):
        cells = [with_share(part, whole) for part, whole in zip(summary[name], summary["span_ns"], strict=True)]
        columns.append(TextColumn(title, cells, True))
    columns.append(TextColumn("overlap", [percent_text(n) for n in summary["overlap_pct"]], True))
    yield from limited(columns, width, 16, "summary")
