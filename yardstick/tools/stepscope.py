"""stepscope, by what its commands print as JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from yardstick.answers import Answer, Named, Range, Rows
from yardstick.bound import COPIES, GPU, HOST
from yardstick.tools.running import run

SIDES = {"host": HOST, "data loading": HOST, "gpu": GPU, "copies": COPIES}
"""By what the verdict calls the bound."""


def examine(recording: Path) -> Answer:
    """``stepscope report``: the verdict, and the recommendations that it says are worth the work."""
    report = _json("report", recording)
    [verdict] = report["verdicts"]
    low, best, high = (each / 1e6 for each in verdict["unprofiled_ns"])
    named = tuple(
        _named(row) for row in report["tables"]["findings"] if row["saving_pct"] and row["severity"] != "note"
    )
    return Answer(_version(), Range(low, best, high), SIDES.get(verdict["bound"], ""), named)


def _named(row: dict[str, Any]) -> Named:
    saving = Range(row["saving_low_pct"], row["saving_pct"], row["saving_high_pct"])
    return Named(row["id"], saving, row["title"])


def compare(base: Path, new: Path) -> Rows:
    """``stepscope diff``: rows of every level, and the step."""
    said = _json("diff", base, new)
    changed = sum(row["status"] == "changed" for row in said["rows"])
    return Rows(len(said["rows"]), changed, said["step"]["status"])


def _json(command: str, *recordings: Path) -> dict[str, Any]:
    return json.loads(_printed(command, *map(str, recordings), "--format", "json"))


def _version() -> str:
    return _printed("--version").split()[-1]


def _printed(*arguments: str) -> str:
    command = [sys.executable, "-m", "stepscope", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    run(examine, compare)
