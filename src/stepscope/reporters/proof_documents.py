"""Proofs and ledgers for programs: JSON, and Markdown for a pull request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from stepscope.messages import readable
from stepscope.messages.rendering import render, rendered_json
from stepscope.proving.experience import experience
from stepscope.proving.ledger import Entry, coverage
from stepscope.proving.proof import Proof, StepTime
from stepscope.proving.sentences import sentences
from stepscope.reporters.markdown_report import plain
from stepscope.schema import JSON_VERSION


def proof_json(found: Proof) -> str:
    """One JSON document, a newline behind."""
    document = {
        "schema_version": JSON_VERSION,
        "finding": found.finding,
        "title": rendered_json(found.title),
        "confidence": found.confidence,
        "rank": found.rank,
        "outcome": found.outcome,
        "sentences": [rendered_json(one) for one in sentences(found)],
        "promised_pct": asdict(found.promised_pct),
        "came_pct": asdict(found.came_pct),
        "before": _step(found.before, found.sources[0]),
        "after": _step(found.after, found.sources[1]),
        "work": found.work,
        "still": found.still,
        "setup": [{"what": one.what, "base": one.base, "new": one.new} for one in found.setup],
    }
    return _written(document)


def _step(time: StepTime, path: str) -> dict[str, Any]:
    ends = {f"step_{name}_ns": round(value) for name, value in asdict(time.ns).items()}
    return {"path": readable(path), "source": time.source, **ends}


def proof_markdown(found: Proof) -> str:
    """The first sentence as a heading, the others below."""
    first, *others = [plain(render(one)) for one in sentences(found)]
    return "\n".join([f"### {first}", "", *(f"{one}  " for one in others)]) + "\n"


def ledger_json(entries: Sequence[Entry], broken: int) -> str:
    """One JSON document, a newline behind."""
    document = {
        "schema_version": JSON_VERSION,
        "coverage": [asdict(one) for one in coverage(entries)],
        "experience": [asdict(one) for one in experience(entries)],
        "predictions": [asdict(one) for one in entries],
        "unreadable_lines": broken,
    }
    return _written(document)


def _written(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"
