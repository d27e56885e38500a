"""Collectives and messages between ranks."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import TextColumn
from stepscope.reporters.units import bytes_text, one_line, percent_text, time_text

_TOP = 5


def communication(report: Report, width: int) -> Iterator[Line]:
    table = report.tables["communication"]
    if len(table) == 0:
        return
    matched = bool(table["matched_calls"].sum())
    note = say("section-communication-matched") if matched else say("section-communication-unmatched")
    yield from heading(say("section-communication"), note, width)
    columns = [
        TextColumn(say("head-operation"), [one_line(name or "-") for name in table["op"]], False, True, key=True),
        TextColumn(say("head-group"), [one_line(name or "-") for name in table["group"]], False, True),
        TextColumn(say("head-type"), [one_line(name or "-") for name in table["dtype"]], False),
        TextColumn(say("head-calls"), [f"{n:,}" for n in table["calls"]], True),
        TextColumn(say("head-bytes"), [bytes_text(n) for n in table["bytes"]], True),
        TextColumn(say("head-total"), [time_text(n) for n in table["total_ns"]], True),
        TextColumn(say("head-share"), [percent_text(n) for n in table["share_pct"]], True),
    ]
    if matched:
        columns += [
            TextColumn(say("head-waiting"), [time_text(n) for n in table["wait_ns"]], True),
            TextColumn(say("head-exposed"), [time_text(n) for n in table["exposed_ns"]], True),
            TextColumn(say("head-bus"), ["-" if n is None else f"{n:,.3g}" for n in table["busbw"]], True),
        ]
    else:
        columns += [
            TextColumn(say("head-exposed"), [time_text(n) for n in table["exposed_ns"]], True),
            TextColumn(say("head-shortest"), [time_text(n) for n in table["min_ns"]], True),
        ]
    yield from limited(columns, width, _TOP, "communication")
