"""Lines of text, and what several sections print in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from stepscope.messages.quantities import percent_text, time_text
from stepscope.messages.rendering import render, say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.table import TextColumn, render_table

if TYPE_CHECKING:
    from stepscope.findings.report import Report


def notes_of(report: Report, table: str) -> list[str]:
    """The notes of a table in words."""
    return [render(note) for note in report.notes[table]]


TOP = 10
"""Rows that a section shows of a table."""


@dataclass(frozen=True)
class Line:
    """A line of text and how it is meant: heading, strong, warning, error, dim or plain."""

    text: str
    style: str = ""


def heading(text: str, note: str = "", width: int = 100) -> list[Line]:
    """An empty line and a heading; a note that does not fit beside it goes below."""
    whole = f"{text}  ({note})" if note else text
    if len(whole) <= width:
        return [Line(""), Line(whole, "heading")]
    return [Line(""), Line(text, "heading"), *(Line(line, "dim") for line in wrapped(note, width, "  "))]


def limited(columns: list[TextColumn], width: int, most: int, table: str) -> Iterator[Line]:
    """A table of at most ``most`` rows and a line that says how many more there are."""
    count = len(columns[0].cells)
    cut = [replace(column, cells=column.cells[:most]) for column in columns]
    yield from (Line(line) for line in render_table(cut, width, "  ", f"stepscope show {table}"))
    if count > most:
        text = say("section-more", count=count - most, command=f"stepscope show {table}")
        yield from (Line(line, "dim") for line in wrapped(text, width, "  ", "  "))


def more(count: int, rest: pl.DataFrame, column: str, table: str, width: int) -> Iterator[Line]:
    gpu, rest_ns = column != "host_self_ns", int(rest[column].sum())
    text = say("section-more-time", count=count, rest_ns=rest_ns, gpu=gpu, command=f"stepscope show {table}")
    yield from (Line(line, "dim") for line in wrapped(text, width, "  ", "  "))


def with_share(part: int, whole: int) -> str:
    return f"{time_text(part)} {percent_text(100 * part / whole):>7}"
