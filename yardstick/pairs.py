"""Planted pairs: a recording of a step with a known bottleneck, one of the same step without it, and both timed.

A folder of pairs holds ``NAME.slow.pt.trace.json.gz``, ``NAME.fixed.pt.trace.json.gz`` and ``truth.json``; README.md
says what stands in it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

KNOWN: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("known_pairs.json").read_text(encoding="utf-8"))
"""By pair, what is known of those whose truth.json holds times alone."""

PYTHON = {
    *("python-work", "object-conversion", "garbage-collection", "sleep"),
    *("file-io", "logging", "tensor-printing"),
}
"""Causes outside of PyTorch: a recording without Python stacks can show that there is one, not which."""

UNTRACED = "untraced-host-time"
"""What names such a cause where no stacks were recorded."""


@dataclass(frozen=True)
class Side:
    """One program of a pair.

    Attributes:
        runs_ms: time of a step without the profiler, run by run.
    """

    path: Path
    runs_ms: tuple[float, ...]

    @property
    def step_ms(self) -> float:
        return median(self.runs_ms)


@dataclass(frozen=True)
class Pair:
    """A planted bottleneck and its fix.

    Attributes:
        planted: the bottleneck, in a phrase.
        causes: ids of causes that name it.
        samples: how many times the samples of the slow step the fixed one handles.
        fixed_program: what the fixed side is, where other pairs have the same; else "".
    """

    name: str
    planted: str
    causes: tuple[str, ...]
    samples: int
    slow: Side
    fixed: Side
    fixed_program: str = ""

    @property
    def saving_pct(self) -> float:
        """What the fix saved, measured without the profiler, in % of the slow step (per sample)."""
        return self._saving_pct(self.slow.step_ms, self.fixed.step_ms)

    @property
    def saving_range_pct(self) -> tuple[float, float]:
        """The same by the runs that differ most."""
        every = [self._saving_pct(slow, fixed) for slow in self.slow.runs_ms for fixed in self.fixed.runs_ms]
        return min(every), max(every)

    def _saving_pct(self, slow_ms: float, fixed_ms: float) -> float:
        return 100 * (1 - fixed_ms / self.samples / slow_ms)


def pairs(folder: Path, *, light: bool = False) -> list[Pair]:
    """The pairs of a folder whose times were steady.

    Args:
        light: the recordings of operators and GPU activity alone, ``NAME.slow.light.pt.trace.json.gz``.
    """
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    recordings = folder / truth.get("recordings", ".")
    every = truth.get("scenarios", truth)
    steady = {name: known for name, known in every.items() if _is_steady(known)}
    return [_pair(recordings, name, _described(name, known), light) for name, known in steady.items()]


def _described(name: str, known: dict[str, Any]) -> dict[str, Any]:
    """With its planted bottleneck, in a phrase and as ids of causes."""
    return known if "findings" in known else {**known, **KNOWN[name]}


def _is_steady(known: object) -> bool:
    return isinstance(known, dict) and "slow" in known and not known.get("unsteady")


def _pair(recordings: Path, name: str, known: dict[str, Any], light: bool) -> Pair:
    [fixed] = [side for side, entry in known.items() if side != "slow" and isinstance(entry, dict)]
    causes = tuple(known["findings"])
    if light and PYTHON.intersection(causes):
        causes = (*causes, UNTRACED)
    slow, other = (_side(recordings, name, side, known[side], light) for side in ("slow", fixed))
    samples, program = known.get("samples", 1), known.get("fixed_program", "")
    return Pair(name, known["planted"], causes, samples, slow, other, program)


def _side(recordings: Path, name: str, side: str, known: dict[str, Any], light: bool) -> Side:
    path = recordings / f"{name}.{side}{'.light' if light else ''}.pt.trace.json.gz"
    return Side(path, tuple(known.get("step_ms_runs") or [known["step_ms"]]))
