"""What was measured of pairs of programs without the profiler, and whether it can be relied upon."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

STEADY = 1.2
"""Steps whose rounds, or times before and after the recordings, differ by more than this were disturbed by something
else."""

SIDES = ("slow", "fixed")


@dataclass(frozen=True)
class Timed:
    """One side of a pair.

    Attributes:
        runs: the usual step of each round before the recordings, in ms.
        after: and after them.
    """

    runs: tuple[float, ...]
    after: float

    @property
    def step_ms(self) -> float:
        return median(self.runs)

    @property
    def spread(self) -> float:
        """How many times longer the longest is than the shortest."""
        return max(max(self.runs) / min(self.runs), apart(self.step_ms, self.after))

    def entry(self) -> dict[str, Any]:
        """As truth.json has it."""
        return {"step_ms": self.step_ms, "step_ms_runs": list(self.runs), "step_ms_after": self.after}


def agree(runs: Sequence[float]) -> bool:
    """Whether rounds may be of one undisturbed program."""
    return max(runs) <= STEADY * min(runs)


def apart(one: float, other: float) -> float:
    """How many times longer the longer of two is."""
    return max(one / other, other / one)


def entry(planted: str, findings: Sequence[str], slow: Timed, fixed: Timed) -> dict[str, Any]:
    """What truth.json says of a pair."""
    unsteady = max(slow.spread, fixed.spread) > STEADY
    sides = {"slow": slow.entry(), "fixed": fixed.entry()}
    return {"planted": planted, "findings": list(findings), "unsteady": unsteady, **sides}


def read(folder: Path) -> dict[str, Any]:
    """The truth.json of a folder; one without pairs if there is none."""
    path = folder / "truth.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"scenarios": {}}


def add(folder: Path, about: dict[str, Any], name: str, pair: dict[str, Any]) -> None:
    """Add a pair to the truth.json of a folder, or replace it, and say when and with what it was recorded."""
    truth = read(folder)
    text = json.dumps({**truth, **about, "scenarios": {**truth["scenarios"], name: pair}}, indent=1)
    part = folder / "truth.json.part"
    part.write_text(text + "\n", encoding="utf-8")
    part.replace(folder / "truth.json")
