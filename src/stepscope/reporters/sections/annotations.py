"""Ranges that the user named."""

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.quantities import percent_text
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import TextColumn, text_column

_MOST = 6


def annotations(report: Report, width: int) -> Iterator[Line]:
    """Those of `record_function`; steps, optimizer, loader and collectives have sections of their own."""
    table = report.tables["annotations"]
    named = table.filter(pl.col("kind") == "user")
    if len(named) == 0:
        return
    yield from heading(say("section-ranges"), say("section-ranges-note"), width)
    columns = [
        text_column(named, "annotations", "name"),
        text_column(named, "annotations", "calls"),
        text_column(named, "annotations", "host_total_ns"),
    ]
    whole = int(table["device_self_ns"].sum())
    if whole:
        columns += [
            text_column(named, "annotations", "device_total_ns"),
            TextColumn(say("head-of-gpu"), [percent_text(100 * n / whole) for n in named["device_total_ns"]], True),
            text_column(named, "annotations", "backward_ns"),
        ]
    yield from limited(columns, width, _MOST, "annotations")
