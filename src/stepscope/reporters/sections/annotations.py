"""Ranges that the user named."""

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
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
    yield from heading(say("section-ranges"), say("section-ranges-note"), width)
    columns = [
        TextColumn(say("head-range"), [one_line(name or "-") for name in named["name"]], False, True),
        TextColumn(say("head-calls"), [f"{n:,}" for n in named["calls"]], True),
        TextColumn(say("head-cpu"), [time_text(n) for n in named["host_total_ns"]], True),
    ]
    whole = int(table["device_self_ns"].sum())
    if whole:
        columns += [
            TextColumn(say("head-gpu"), [time_text(n) for n in named["device_total_ns"]], True),
            TextColumn(say("head-of-gpu"), [percent_text(100 * n / whole) for n in named["device_total_ns"]], True),
            TextColumn(say("head-backward"), [time_text(n) for n in named["backward_ns"]], True),
        ]
    yield from limited(columns, width, _MOST, "annotations")
