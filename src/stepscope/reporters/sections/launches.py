"""Calls that queue GPU work, and calls that wait for it."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.quantities import percent_text
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.sections.text_lines import Line, heading, limited, notes_of
from stepscope.reporters.table import TextColumn, text_column
from stepscope.schema import UNATTRIBUTED

_MOST = 4
_WORTH_SAYING = 0.001


def launches(report: Report, width: int) -> Iterator[Line]:
    table = report.tables["launches"].filter(pl.col("name") != UNATTRIBUTED)
    if len(table) == 0:
        return
    yield from heading(say("section-launches"), say("section-launches-note"), width)
    calls = list(zip(table["short_kernels"], table["calls"], strict=True))
    columns = [
        text_column(table, "launches", "name"),
        text_column(table, "launches", "calls"),
        text_column(table, "launches", "host_ns"),
        text_column(table, "launches", "host_p50_ns"),
        TextColumn(say("head-short-kernels"), [_share(short, count) for short, count in calls], True),
        text_column(table, "launches", "launch_latency_p50_ns"),
        text_column(table, "launches", "queueing_p50_ns"),
    ]
    if table["blocked_calls"].sum():
        columns.append(text_column(table, "launches", "blocked_ns"))
    yield from limited(columns, width, _MOST, "launches")


def _share(short: int | None, calls: int) -> str:
    return "-" if short is None else percent_text(100 * short / max(calls, 1))


def waits(report: Report, width: int) -> Iterator[Line]:
    """Calls that hold the host; silent where they take next to no time."""
    table = report.tables["sync"]
    span = int(report.rows("summary")["span_ns"].sum())
    table = table.filter(pl.col("host_ns") >= max(1, _WORTH_SAYING * span))
    if len(table) == 0:
        return
    yield from heading(say("section-sync"), say("section-sync-note"), width)
    columns = [
        text_column(table, "sync", "name"),
        text_column(table, "sync", "waits_for"),
        text_column(table, "sync", "operator"),
        text_column(table, "sync", "calls"),
        text_column(table, "sync", "host_ns"),
        text_column(table, "sync", "busy_ns"),
        text_column(table, "sync", "idle_ns"),
    ]
    yield from limited(columns, width, _MOST, "sync")
    for note in notes_of(report, "sync"):
        yield from (Line(line, "dim") for line in wrapped(note, width, "  "))
