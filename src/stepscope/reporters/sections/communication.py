"""Collectives and messages between ranks."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.findings.report import Report
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import TextColumn
from stepscope.reporters.units import bytes_text, one_line, percent_text, time_text

_TOP = 5


def communication(report: Report, width: int) -> Iterator[Line]:
    table = report.tables["communication"]
    if len(table) == 0:
        return
    matched = bool(table["matched_calls"].sum())
    note = "waiting: for the rank that arrives last; bus: GB/s while transferring" if matched else "with waiting"
    yield from heading("Communication", note, width)
    columns = [
        TextColumn("operation", [one_line(name or "-") for name in table["op"]], False, True, key=True),
        TextColumn("group", [one_line(name or "-") for name in table["group"]], False, True),
        TextColumn("type", [one_line(name or "-") for name in table["dtype"]], False),
        TextColumn("calls", [f"{n:,}" for n in table["calls"]], True),
        TextColumn("bytes", [bytes_text(n) for n in table["bytes"]], True),
        TextColumn("total", [time_text(n) for n in table["total_ns"]], True),
        TextColumn("share", [percent_text(n) for n in table["share_pct"]], True),
    ]
    if matched:
        columns += [
            TextColumn("waiting", [time_text(n) for n in table["wait_ns"]], True),
            TextColumn("exposed", [time_text(n) for n in table["exposed_ns"]], True),
            TextColumn("bus", ["-" if n is None else f"{n:,.3g}" for n in table["busbw"]], True),
        ]
    else:
        columns += [
            TextColumn("exposed", [time_text(n) for n in table["exposed_ns"]], True),
            TextColumn("shortest", [time_text(n) for n in table["min_ns"]], True),
        ]
    yield from limited(columns, width, _TOP, "communication")
