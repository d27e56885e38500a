"""docs/savings.md: what stepscope says of recordings whose steps were also timed without the profiler."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median

import numpy as np

import stepscope
from stepscope.findings.examination import Examination, Finding, examine

PAGE = Path(__file__).resolve().parent.parent / "docs" / "savings.md"

PLANTED = {
    "sync_item": ("host-synchronisation", "24 `.item()` a step"),
    "dataloader_workers": ("data-loading", "`num_workers=0`; fixed: 8 workers, pinned"),
    "optimizer_for_loop": ("optimizer-loop", "AdamW one parameter at a time; fixed: fused"),
    "fp32_no_tensor_core": ("no-tensor-cores", "fp32 GEMMs; fixed: TF32"),
    "launch_bound_decode": ("launch-bound", "tiny kernels; fixed: a CUDA graph"),
    "empty_cache": ("allocator", "`empty_cache()` every step"),
    "naive_attention": ("unfused-attention", "unfused attention; fixed: fused"),
    "batch_size": ("small-batch", "batch of 4; fixed: 32, per sample"),
}
"""By pair, the finding that names its planted cause, and what was planted."""

GIVEN = "mended"
"""What the recordings beside the repository call the fixed one of a pair."""

SAMPLES = {"batch_size": 8}
"""By pair, how many times the samples the fixed step handles."""

SETS = {"pairs": "stacks, shapes and memory recorded", "pairs_light": "only operators and GPU activity recorded"}


@dataclass(frozen=True)
class Run:
    """A recording, what was measured without the profiler (ms a step, run by run), and what was estimated."""

    name: str
    measured: tuple[float, ...]
    said: Examination

    @property
    def truth(self) -> float:
        return median(self.measured)

    @property
    def error_pct(self) -> float:
        return 100 * (self.said.step_ns.best / 1e6 / self.truth - 1)

    @property
    def inside(self) -> bool:
        return self.said.step_ns.low / 1e6 <= self.truth <= self.said.step_ns.high / 1e6

    def finding(self, name: str) -> Finding | None:
        return next((one for one in self.said.findings if one.cause.id == name), None)


@dataclass(frozen=True)
class Pair:
    """A planted cause and its fix."""

    name: str
    slow: Run
    fixed: Run

    @property
    def planted(self) -> str:
        return PLANTED[self.name][0]

    def saving_pct(self, slow: float, fixed: float) -> float:
        return 100 * (1 - fixed / SAMPLES.get(self.name, 1) / slow)

    @property
    def truth_pct(self) -> float:
        return self.saving_pct(self.slow.truth, self.fixed.truth)

    @property
    def truth_range(self) -> tuple[float, float]:
        """By the runs that differ most."""
        every = [self.saving_pct(slow, fixed) for slow in self.slow.measured for fixed in self.fixed.measured]
        return min(every), max(every)

    @property
    def first(self) -> str:
        """The finding that is named first, "" for none worth mending."""
        worth = [one for one in self.slow.said.findings if one.worth]
        return worth[0].cause.id if worth else ""

    @property
    def promised_on_fixed(self) -> float:
        found = self.fixed.finding(self.planted)
        return found.saving_pct.best if found and found.worth else 0.0


@cache
def pairs(data: Path, of: str) -> list[Pair]:
    """The pairs of one set of recordings."""
    folder = data / "h200" / of
    truth = json.loads((folder / "truth.json").read_text())
    known = truth.get("scenarios", truth)
    return [Pair(name, *(_run(folder, name, side, known[name][side]) for side in ("slow", GIVEN))) for name in PLANTED]


def _run(folder: Path, name: str, side: str, truth: dict[str, object]) -> Run:
    (path,) = folder.glob(f"{name}.{side}.*gz")
    profile = stepscope.open(str(path)).profile
    said = examine(profile, profile.ranks[0])
    assert said is not None
    runs = truth.get("step_ms_runs") or [truth["step_ms"]]
    assert isinstance(runs, list)
    return Run(f"{name}.{side.replace(GIVEN, 'fixed')}", tuple(float(one) for one in runs), said)


def page(data: Path) -> str:
    """The page, from the recordings."""
    return "\n".join([*_opening(), *(line for of, what in SETS.items() for line in _set(pairs(data, of), what))]) + "\n"


def _opening() -> Iterator[str]:
    yield "# Savings: estimated and measured"
    yield ""
    yield "Pairs of training or inference steps on an NVIDIA H200: one with a planted bottleneck, one without. Each was"
    yield "recorded with the profiler, and timed in three runs without it. All estimates are made from the recording"
    yield "alone. The parameters of the profiler overhead were fitted to these recordings, so errors on other"
    yield "machines and programs will be larger. `scripts/update_savings` writes this page."
    yield ""


def _set(found: list[Pair], what: str) -> Iterator[str]:
    yield f"## {what[0].upper()}{what[1:]}"
    yield ""
    yield from _steps([run for pair in found for run in (pair.slow, pair.fixed)])
    yield from _savings(found)
    yield from _fixed(found)


def _steps(runs: list[Run]) -> Iterator[str]:
    errors = np.abs([run.error_pct for run in runs])
    yield "### Step times without the profiler, ms"
    yield ""
    yield "| step | recorded | measured without | estimated | range | error | inside |"
    yield "|---|---:|---:|---:|---|---:|---|"
    for run in runs:
        said = run.said.step_ns
        spread = f"{run.truth:.1f} ({min(run.measured):.1f}-{max(run.measured):.1f})"
        ends = f"{said.low / 1e6:.1f}-{said.high / 1e6:.1f}"
        inside = "yes" if run.inside else "no"
        yield (
            f"| {run.name} | {run.said.recorded_ns / 1e6:.1f} | {spread} | {said.best / 1e6:.1f} | {ends} "
            f"| {run.error_pct:+.0f} % | {inside} |"
        )
    yield ""
    share = 100 * np.mean([run.inside for run in runs])
    yield (
        f"Error: median {np.median(errors):.1f} %, nine of ten below {np.quantile(errors, 0.9):.0f} %; "
        f"{share:.0f} % of the measured times lie inside the range."
    )
    yield ""


def _savings(found: list[Pair]) -> Iterator[str]:
    yield "### Savings, % of the step"
    yield ""
    yield "| planted | measured | estimated | range | error, points | inside | top finding |"
    yield "|---|---:|---:|---|---:|---|---|"
    errors, inside = [], []
    for pair in found:
        finding = pair.slow.finding(pair.planted)
        low, high = pair.truth_range
        start = f"| {PLANTED[pair.name][1]} | {pair.truth_pct:.0f} ({low:.0f} to {high:.0f}) "
        if finding is None:
            errors.append(abs(pair.truth_pct))
            yield f"{start}| not found | - | {-pair.truth_pct:+.0f} | - | {pair.first or 'nothing'} |"
            continue
        said = finding.saving_pct
        errors.append(abs(said.best - pair.truth_pct))
        inside.append(said.low <= pair.truth_pct <= said.high)
        yield (
            f"{start}| {said.best:.0f} | {said.low:.0f} to {said.high:.0f} | {said.best - pair.truth_pct:+.0f} "
            f"| {'yes' if inside[-1] else 'no'} | {pair.first or 'nothing'} |"
        )
    yield ""
    yield (
        f"Error: median {np.median(errors):.1f} points, largest {max(errors):.0f}; "
        f"{sum(inside)} of {len(inside)} measured savings lie inside the range."
    )
    yield ""


def _fixed(found: list[Pair]) -> Iterator[str]:
    yield "### Estimated saving of the planted cause once it is fixed"
    yield ""
    promised = [(pair.name, pair.promised_on_fixed) for pair in found if pair.promised_on_fixed > 0]
    if not promised:
        yield f"Nothing, on any of the {len(found)}."
    for name, saving in promised:
        yield f"- {name}: {saving:.0f} %"
    yield ""
