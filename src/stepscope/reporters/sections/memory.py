"""The peak of memory, and what was alive then."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line, heading, limited, notes_of
from stepscope.reporters.table import text_column, wrapped
from stepscope.reporters.units import one_line

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
        text_column(rows, "memory_peak", "op"),
        text_column(rows, "memory_peak", "blocks"),
        text_column(rows, "memory_peak", "alive_bytes"),
        text_column(rows, "memory_peak", "share_pct"),
    ]
    if rows["source"].is_not_null().any():
        columns.append(text_column(rows, "memory_peak", "source"))
    yield from limited(columns, width, _TOP, "memory_peak")
