"""Collectives and messages between ranks."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import text_column

_TOP = 5


def communication(report: Report, width: int) -> Iterator[Line]:
    table = report.tables["communication"]
    if len(table) == 0:
        return
    matched = bool(table["matched_calls"].sum())
    note = say("section-communication-matched") if matched else say("section-communication-unmatched")
    yield from heading(say("section-communication"), note, width)
    columns = [
        text_column(table, "communication", "op", key=True),
        text_column(table, "communication", "group"),
        text_column(table, "communication", "dtype"),
        text_column(table, "communication", "calls"),
        text_column(table, "communication", "bytes"),
        text_column(table, "communication", "total_ns"),
        text_column(table, "communication", "share_pct"),
    ]
    if matched:
        columns += [
            text_column(table, "communication", "wait_ns"),
            text_column(table, "communication", "exposed_ns"),
            text_column(table, "communication", "busbw"),
        ]
    else:
        columns += [
            text_column(table, "communication", "exposed_ns"),
            text_column(table, "communication", "min_ns"),
        ]
    yield from limited(columns, width, _TOP, "communication")
