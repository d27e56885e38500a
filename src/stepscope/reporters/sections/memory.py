"""The peak of memory, and what was alive then."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages import Message
from stepscope.messages.rendering import render, say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.sections.text_lines import Line, heading, limited
from stepscope.reporters.table import text_column

_TOP = 5


def memory(report: Report, width: int) -> Iterator[Line]:
    """The device with the most memory allocated; of several ranks the one with the highest peak."""
    peak = report.tables["memory_peak"]
    if len(peak) == 0:
        return
    peaks = peak.group_by("rank", "device", maintain_order=True).agg(pl.col("alive_bytes").sum())
    rank, device, _ = peaks.sort("alive_bytes", descending=True, maintain_order=True).row(0)
    yield from heading(say("section-memory"), say("section-memory-note"), width)
    several = len(report.profile.ranks) > 1
    of = Message("note-memory-device-of-rank", rank=rank, device=device) if several else device
    for note in report.notes["memory_peak"]:
        if dict(note.params).get("device") == of:
            yield from (Line(line) for line in wrapped(render(note), width, "  ", "  "))
    rows = peak.filter((pl.col("rank") == rank) & (pl.col("device") == device))
    columns = [
        text_column(rows, "memory_peak", "op"),
        text_column(rows, "memory_peak", "blocks"),
        text_column(rows, "memory_peak", "alive_bytes"),
        text_column(rows, "memory_peak", "share_pct"),
    ]
    if rows["source"].is_not_null().any():
        columns.append(text_column(rows, "memory_peak", "source"))
    yield from limited(columns, width, _TOP, "memory_peak")
