"""The report as one JSON document or as Markdown."""

from __future__ import annotations

import json
from collections.abc import Sequence

import polars as pl

from stepscope.findings.job_messages import waited_for
from stepscope.findings.report import Report
from stepscope.findings.verdict import verdict_json
from stepscope.messages import Message, readable
from stepscope.messages.frames import in_words
from stepscope.messages.rendering import render, rendered_json
from stepscope.reporters.cells import description_text
from stepscope.reporters.records import markdown_table, profile_facts, rows_of
from stepscope.reporters.table import text_columns
from stepscope.reporters.table_text import on_job_clock
from stepscope.schema import JSON_VERSION, TABLES

_MOST_ROWS = 20


def report_json(report: Report) -> str:
    """``{"schema_version", "table", "profile", "verdicts", "across_ranks", "job", "notes", "tables"}``, a newline."""
    late = waited_for(report.job)
    document = {
        "schema_version": JSON_VERSION,
        "table": "report",
        "profile": profile_facts(report.profile),
        "verdicts": [verdict_json(verdict, rendered_json) for verdict in report.verdicts],
        "across_ranks": late and rendered_json(late),
        "job": [rendered_json(one) for one in report.job],
        "notes": {name: [rendered_json(note) for note in notes] for name, notes in report.notes.items()},
        "tables": {name: rows_of(name, frame) for name, frame in report.tables.items()},
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def report_markdown(report: Report) -> str:
    """Verdict and the first rows of every table."""
    parts = ["# stepscope report", "", f"`{readable(report.profile.path).replace('`', '')}`", ""]
    if report.job:
        parts += [" ".join(map(render, report.job)), ""]
    for verdict in report.verdicts:
        label = f"**rank {verdict.rank}:** " if len(report.verdicts) > 1 else ""
        parts += [label + " ".join(map(render, verdict.sentences)), ""]
    for name, frame in report.tables.items():
        shown = frame.filter(pl.col("status") != "ok") if name == "health" else frame
        parts += [f"## {name}", "", description_text(TABLES[name]), ""]
        if len(shown) == 0:
            parts += ["Nothing to warn of." if name == "health" else _sentence(report.notes[name]), ""]
            continue
        said = in_words(shown.head(_MOST_ROWS), TABLES[name].messages)
        columns = text_columns(on_job_clock(said, report.profile), name)
        rows = [list(cells) for cells in zip(*(column.cells for column in columns), strict=True)]
        parts += [markdown_table([c.title for c in columns], rows, [c.right for c in columns]), ""]
        if len(shown) > _MOST_ROWS:
            parts += [f"and {len(shown) - _MOST_ROWS:,} more rows", ""]
        if report.notes[name]:
            parts += [_sentence(report.notes[name]), ""]
    return "\n".join(parts)


def _sentence(notes: Sequence[Message]) -> str:
    text = "; ".join(map(render, notes))
    return f"{text[:1].upper()}{text[1:]}."
