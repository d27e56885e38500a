"""The report as one JSON document or as Markdown."""

from __future__ import annotations

import json
from dataclasses import asdict

import polars as pl

from stepscope.findings.job_words import waited_for
from stepscope.findings.report import Report
from stepscope.reporters.records import markdown_table, profile_facts, rows_of
from stepscope.reporters.table import text_columns
from stepscope.schema import JSON_VERSION, TABLES

_MOST_ROWS = 20


def report_json(report: Report) -> str:
    """``{"schema_version", "table", "profile", "verdicts", "across_ranks", "job", "notes", "tables"}``, a newline."""
    document = {
        "schema_version": JSON_VERSION,
        "table": "report",
        "profile": profile_facts(report.profile),
        "verdicts": [asdict(verdict) for verdict in report.verdicts],
        "across_ranks": waited_for(report.job),
        "job": report.job,
        "notes": report.notes,
        "tables": {name: rows_of(frame) for name, frame in report.tables.items()},
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def report_markdown(report: Report) -> str:
    """Verdict and the first rows of every table."""
    parts = ["# stepscope report", "", f"`{report.profile.path.replace('`', '')}`", ""]
    if report.job:
        parts += [" ".join(report.job), ""]
    for verdict in report.verdicts:
        label = f"**rank {verdict.rank}:** " if len(report.verdicts) > 1 else ""
        parts += [label + " ".join(verdict.sentences), ""]
    for name, frame in report.tables.items():
        shown = frame.filter(pl.col("status") != "ok") if name == "health" else frame
        parts += [f"## {name}", "", f"{TABLES[name].description}", ""]
        if len(shown) == 0:
            parts += ["Nothing to warn of." if name == "health" else _sentence(report.notes[name]), ""]
            continue
        columns = text_columns(shown.head(_MOST_ROWS), name)
        rows = [list(cells) for cells in zip(*(column.cells for column in columns), strict=True)]
        parts += [markdown_table([c.title for c in columns], rows, [c.right for c in columns]), ""]
        if len(shown) > _MOST_ROWS:
            parts += [f"and {len(shown) - _MOST_ROWS:,} more rows", ""]
        if report.notes[name]:
            parts += [_sentence(report.notes[name]), ""]
    return "\n".join(parts)


def _sentence(notes: list[str]) -> str:
    text = "; ".join(notes)
    return f"{text[:1].upper()}{text[1:]}."
