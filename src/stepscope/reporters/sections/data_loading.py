"""Whether the steps wait for their data; silent where they do not."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages import Message
from stepscope.messages.quantities import one_line
from stepscope.messages.rendering import render, say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.sections.text_lines import Line, heading

_MOST = 4
_FINE = "not the problem"


def data_loading(report: Report, width: int) -> Iterator[Line]:
    """The notes of the table: its verdict in words."""
    steps = report.tables["data_loading"]
    notes = [render(note) for note in report.notes["data_loading"] if not _is_fine(note)]
    if len(steps.filter(pl.col("verdict") != _FINE)) == 0 or not notes:
        return
    yield from heading(say("section-data-loading"))
    for note in notes[:_MOST]:
        yield from (Line(line) for line in wrapped(one_line(note), width, "  ", "  "))
    if len(notes) > _MOST:
        yield Line("  " + say("section-more", count=len(notes) - _MOST, command="stepscope show data_loading"), "dim")


def _is_fine(note: Message) -> bool:
    """Whether a note only says of a rank that its loading is not the bottleneck."""
    own = note["note"] if note.id == "note-of-rank" else note
    return isinstance(own, Message) and own.id.startswith("note-loading-fine")
