"""Calls that queue GPU work, and calls that wait for it."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line, heading, limited, notes_of
from stepscope.reporters.table import TextColumn, wrapped
from stepscope.reporters.units import one_line, percent_text, time_text
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
        TextColumn(say("head-call"), [one_line(name or "-") for name in table["name"]], False, True),
        TextColumn(say("head-calls"), [f"{n:,}" for n in table["calls"]], True),
        TextColumn(say("head-cpu"), [time_text(n) for n in table["host_ns"]], True),
        TextColumn(say("head-per-call"), [time_text(n) for n in table["host_p50_ns"]], True),
        TextColumn(say("head-short-kernels"), [_share(short, count) for short, count in calls], True),
        TextColumn(say("head-latency"), [time_text(n) for n in table["launch_latency_p50_ns"]], True),
        TextColumn(say("head-queueing"), [time_text(n) for n in table["queueing_p50_ns"]], True),
    ]
    if table["blocked_calls"].sum():
        columns.append(TextColumn(say("head-queue-full"), [time_text(n) for n in table["blocked_ns"]], True))
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
    yield from heading(say("section-sync"), say("section-sync-note"))
    columns = [
        TextColumn(say("head-call"), [one_line(name or "-") for name in table["name"]], False, True),
        TextColumn(say("head-waits-for"), table["waits_for"].to_list(), False),
        TextColumn(say("head-mostly-in"), [one_line(name or "-") for name in table["operator"]], False, True),
        TextColumn(say("head-calls"), [f"{n:,}" for n in table["calls"]], True),
        TextColumn(say("head-cpu"), [time_text(n) for n in table["host_ns"]], True),
        TextColumn(say("head-gpu-busy"), [time_text(n) for n in table["busy_ns"]], True),
        TextColumn(say("head-gpu-idle"), [time_text(n) for n in table["idle_ns"]], True),
    ]
    yield from limited(columns, width, _MOST, "sync")
    for note in notes_of(report, "sync"):
        yield from (Line(line, "dim") for line in wrapped(note, width, "  "))
