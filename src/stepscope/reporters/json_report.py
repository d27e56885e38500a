"""The report as one JSON document."""

from __future__ import annotations

import json

from stepscope.findings.job_messages import leading
from stepscope.findings.report import Report
from stepscope.findings.verdict import verdict_json
from stepscope.messages.rendering import rendered_json
from stepscope.reporters.records import profile_facts, rows_of
from stepscope.schema import JSON_VERSION


def report_json(report: Report) -> str:
    """``{"schema_version", "table", "profile", "verdicts", "across_ranks", "job", "job_figures", "notes",
    "tables"}``, a newline."""
    late = leading(report.job)
    document = {
        "schema_version": JSON_VERSION,
        "table": "report",
        "profile": profile_facts(report.profile),
        "verdicts": [verdict_json(verdict, rendered_json) for verdict in report.verdicts],
        "across_ranks": late and rendered_json(late),
        "job": [rendered_json(one) for one in report.job],
        "job_figures": report.figures and report.figures.json(),
        "notes": {name: [rendered_json(note) for note in notes] for name, notes in report.notes.items()},
        "tables": {name: rows_of(name, frame) for name, frame in report.tables.items()},
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"
