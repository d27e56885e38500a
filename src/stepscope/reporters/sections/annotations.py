"""Ranges that the user named."""

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import TextColumn
from stepscope.reporters.units import one_line, percent_text, time_text

_MOST = 6


def annotations(report: Report, width: int) -> Iterator[Line]:
    """Those of `record_function`; steps, optimizer, loader and collectives have sections of their own."""
    table = report.tables["annotations"]
    named = table.filter(pl.col("kind") == "user")
    if len(named) == 0:
        return
    yield from heading("Named ranges", "GPU time launched inside, and of the backward of what was called inside", width)
    columns = [
        TextColumn("range", [one_line(name or "-") for name in named["name"]], False, True),
        TextColumn("calls", [f"{n:,}" for n in named["calls"]], True),
        TextColumn("host", [time_text(n) for n in named["host_total_ns"]], True),
    ]
    whole = int(table["device_self_ns"].sum())
    if whole:
        columns += [
            TextColumn("GPU", [time_text(n) for n in named["device_total_ns"]], True),
            TextColumn("of GPU", [percent_text(100 * n / whole) for n in named["device_total_ns"]], True),
            TextColumn("its backward", [time_text(n) for n in named["backward_ns"]], True),
        ]
    yield from limited(columns, width, _MOST, "annotations")
