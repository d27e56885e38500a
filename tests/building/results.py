"""Histories of checks and ledgers of predictions, made up, where the commands keep them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def checked(n: int, step_ns: float = 1e7, **others: Any) -> dict[str, Any]:
    """A run that was checked, as its history has it."""
    known: dict[str, Any] = {
        "at_s": 1e9 + n,
        "label": f"r{n}",
        "outcome": "fine",
        "setup": {"device": "H200"},
        "recordings": [],
        "step_ns": step_ns,
        "figures": {"count:kernels": 3.0},
        "units": {"count:kernels": "none"},
    }
    return known | others


def predicted(outcome: str, came: list[float], **others: Any) -> dict[str, Any]:
    """A prediction that was tested, as its ledger has it; ``came`` is low, best and high."""
    known: dict[str, Any] = {
        "at_s": 1e9,
        "finding": "launch-bound",
        "confidence": "high",
        "promised_pct": [10, 20, 30],
        "came_pct": came,
        "outcome": outcome,
        "setup": {"device": "H200"},
        "before": "a.json",
        "after": "b.json",
    }
    return known | others


def kept(folder: Path, name: str, lines: list[dict[str, Any]]) -> Path:
    """Write lines to a file of results."""
    path = folder / ".stepscope" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
