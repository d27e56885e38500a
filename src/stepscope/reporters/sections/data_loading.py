"""Whether the steps wait for their data; silent where they do not."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.rendering import say
from stepscope.reporters.sections.text_lines import Line, heading, notes_of
from stepscope.reporters.table import wrapped
from stepscope.reporters.units import one_line

_MOST = 4
_FINE = "not the problem"


def data_loading(report: Report, width: int) -> Iterator[Line]:
    """The notes of the table: its verdict in words."""
    steps = report.tables["data_loading"]
    notes = [note for note in notes_of(report, "data_loading") if f"data loading is {_FINE}" not in note]
    if len(steps.filter(pl.col("verdict") != _FINE)) == 0 or not notes:
        return
    yield from heading(say("section-data-loading"))
    for note in notes[:_MOST]:
        yield from (Line(line) for line in wrapped(one_line(note), width, "  ", "  "))
    if len(notes) > _MOST:
        yield Line("  " + say("section-more", count=len(notes) - _MOST, command="stepscope show data_loading"), "dim")
