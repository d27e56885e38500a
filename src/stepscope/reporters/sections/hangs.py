"""Collectives that did not end."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.findings.report import Report
from stepscope.messages.frames import in_words
from stepscope.messages.rendering import say
from stepscope.reporters.display_width import wrapped
from stepscope.reporters.sections.text_lines import TOP, Line, heading, limited
from stepscope.reporters.table import text_column
from stepscope.schema import TABLES

_STATES = ("waits", "behind", "completed")
_ADVISED = 3
_HANGS = ("collective", "sequence", "group", "cause", "suspects", "waiting_ranks", "missing_ranks", "since")
_RANKS = ("rank", "group", "description", "state", "collective", "sequence", "since", "source")


def hangs(report: Report, width: int) -> Iterator[Line]:
    """What hangs, and what to look at."""
    rows = report.tables["hangs"]
    if len(rows) == 0:
        return
    yield from heading(say("section-hangs"), say("section-hangs-note"), width)
    yield from limited([text_column(rows, "hangs", name) for name in _HANGS], width, TOP, "hangs")
    said = in_words(rows, TABLES["hangs"].messages).unique("advice", keep="first", maintain_order=True)
    for text in said["advice"].head(_ADVISED).to_list():
        yield from (Line(line) for line in wrapped(text, width, "  ", "  "))


def hang_ranks(report: Report, width: int) -> Iterator[Line]:
    """How far each rank came, those that wait or are behind first."""
    rows = report.tables["hang_ranks"]
    if len(rows) == 0:
        return
    yield from heading(say("section-hang-ranks"), say("section-hang-ranks-note"), width)
    rows = _telling(rows)
    yield from limited([text_column(rows, "hang_ranks", name) for name in _RANKS], width, TOP, "hang_ranks")


def _telling(rows: pl.DataFrame) -> pl.DataFrame:
    """Of a rank that waits where it waits, of one that is behind where it is, else its last calls; behind first."""
    worth = pl.col("state").replace_strict({state: at for at, state in enumerate(_STATES)}, return_dtype=pl.Int64)
    kept = rows.filter(worth == worth.min().over("rank"))
    return kept.sort(pl.col("state") != "behind", pl.col("state") == "completed", "rank", maintain_order=True)
