"""The peak of memory, and what was alive then."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line, heading, limited, notes_of
from stepscope.reporters.table import TextColumn, wrapped
from stepscope.reporters.units import bytes_text, one_line, percent_text

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
    sentence = f"rank {rank} {device}: " if several else f"{device}: "
    for note in notes_of(report, "memory_peak"):
        if note.startswith(sentence):
            yield from (Line(line) for line in wrapped(one_line(note), width, "  ", "  "))
    rows = peak.filter((pl.col("rank") == rank) & (pl.col("device") == device))
    columns = [
        TextColumn(say("head-allocated-by"), [one_line(name) for name in rows["op"]], False, True),
        TextColumn(say("head-blocks"), ["-" if n is None else f"{n:,}" for n in rows["blocks"]], True),
        TextColumn(say("head-alive"), [bytes_text(n) for n in rows["alive_bytes"]], True),
        TextColumn(say("head-share"), [percent_text(n) for n in rows["share_pct"]], True),
    ]
    if rows["source"].is_not_null().any():
        columns.append(TextColumn(say("head-at"), [one_line(line or "-") for line in rows["source"]], False, True))
    yield from limited(columns, width, _TOP, "memory_peak")
