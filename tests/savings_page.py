"""docs/savings.md: what stepscope says of recordings whose steps were also timed without the profiler.

Its tables are those of docs/savings-cpu.md, too (yardstick/savings_page.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from yardstick.pairs import Pair as PlantedPair
from yardstick.pairs import Side
from yardstick.pairs import pairs as planted_pairs

import stepscope
from savings_left_out import DEEP, LIGHT, Timed, fitted, fitted_without
from stepscope.analyses.simulation.profiler_overhead import Slowdown
from stepscope.findings.examination import Examination, Finding, examine
from stepscope.findings.findings import confidence

PAGE = Path(__file__).resolve().parent.parent / "docs" / "savings.md"


@dataclass(frozen=True)
class Set:
    """A folder of pairs.

    Attributes:
        title: heading of its part of the page.
        kind: parameters of the profiler overhead that it is judged with.
        refit: whether its programs are among those that these parameters were fitted to, so that each is judged with
            parameters fitted without it.
    """

    folder: str
    title: str
    kind: str
    refit: bool = True

    def planted(self, data: Path) -> list[PlantedPair]:
        """Its pairs, as their folder has them."""
        return planted_pairs(data / self.folder, light=self.kind == LIGHT)


SETS = (
    Set("h200/pairs", "NVIDIA H200, with stacks, shapes and memory", DEEP),
    Set("h200/pairs_more", "NVIDIA H200, more programs, with stacks, shapes and memory", DEEP),
    Set("h200/pairs_light", "NVIDIA H200, only operators and GPU activity", LIGHT),
    Set("cpu/pairs", "CPU, with stacks, shapes and memory", DEEP),
    Set("cpu/pairs", "CPU, only operators", LIGHT),
)


@dataclass(frozen=True)
class Run:
    """A recording, and what was estimated from it.

    Attributes:
        side: the recording, and what was measured without the profiler.
        said: with parameters that were not fitted to its program.
        in_sample: with the product's own.
    """

    name: str
    side: Side
    said: Examination
    in_sample: Examination

    @property
    def truth(self) -> float:
        return self.side.step_ms

    @property
    def error_pct(self) -> float:
        return 100 * (self.said.step_ns.best / 1e6 / self.truth - 1)

    @property
    def in_sample_error_pct(self) -> float:
        return 100 * (self.in_sample.step_ns.best / 1e6 / self.truth - 1)

    @property
    def inside(self) -> bool:
        return self.said.step_ns.low / 1e6 <= self.truth <= self.said.step_ns.high / 1e6


@dataclass(frozen=True)
class Pair:
    """A planted cause and its fix."""

    planted: PlantedPair
    slow: Run
    fixed: Run

    @property
    def name(self) -> str:
        return self.planted.name

    @property
    def causes(self) -> tuple[str, ...]:
        """The findings that may name it."""
        return self.planted.causes

    def finding(self, said: Examination) -> Finding | None:
        """Of several the one that comes first."""
        return next((one for one in said.findings if one.cause.id in self.causes), None)

    @property
    def truth_pct(self) -> float:
        return self.planted.saving_pct

    @property
    def first(self) -> str:
        """The finding that is named first, "" for none worth fixing."""
        worth = [one for one in self.slow.said.findings if one.worth]
        return worth[0].cause.id if worth else ""

    @property
    def promised_on_fixed(self) -> float:
        found = self.finding(self.fixed.said)
        return found.saving_pct.best if found and found.worth else 0.0


@cache
def _timed(data: Path, kind: str) -> tuple[Timed, ...]:
    return tuple(
        Timed(pair.name, side.path, 1e6 * side.step_ms)
        for one in SETS
        if one.kind == kind
        for pair in one.planted(data)
        for side in (pair.slow, pair.fixed)
    )


@cache
def pairs(data: Path, of: Set) -> list[Pair]:
    """The pairs of one set of recordings."""
    return [_pair(data, of, planted) for planted in of.planted(data)]


def _pair(data: Path, of: Set, planted: PlantedPair) -> Pair:
    parameters = fitted_without(planted.name, _timed(data, of.kind), of.kind) if of.refit else None
    slow, fixed = (
        _run(f"{planted.name}.{which}", side, of.kind, parameters)
        for which, side in (("slow", planted.slow), ("fixed", planted.fixed))
    )
    return Pair(planted, slow, fixed)


def _run(name: str, side: Side, kind: str, parameters: Slowdown | None) -> Run:
    said = in_sample = _examined(side.path)
    if parameters:
        with fitted(kind, parameters):
            said = _examined(side.path)
    return Run(name, side, said, in_sample)


def _examined(path: Path) -> Examination:
    profile = stepscope.open(str(path)).profile
    said = examine(profile, profile.ranks[0])
    assert said is not None
    return said


def page(data: Path) -> str:
    """The page, from the recordings."""
    return "\n".join([*_opening(), *tables([(of, pairs(data, of)) for of in SETS])]) + "\n"


def tables(every: Sequence[tuple[Set, list[Pair]]]) -> Iterator[str]:
    """All that a page says of sets of recordings."""
    yield from _summary(every)
    yield from _confidences([pair for _, found in every for pair in found])
    for of, found in every:
        yield from _set(of, found)


def _opening() -> Iterator[str]:
    yield "# Savings: estimated and measured"
    yield ""
    yield "Pairs of training or inference steps: one with a planted bottleneck, one without. Each was recorded with the"
    yield "profiler, and timed in three to five runs without it. All estimates are made from the recording alone, and"
    yield 'all but the column "in-sample" with parameters of the profiler overhead that were fitted **without that'
    yield "program**. What else was chosen by hand, as how much of a cause's time a fix leaves, was chosen with these"
    yield "programs in view, so errors on others will be larger. `scripts/update_savings` writes this page."
    yield ""


def _row(*cells: str | None) -> str:
    """A row of a table; a column that the page does not have is None."""
    return f"| {' | '.join(cell for cell in cells if cell is not None)} |"


def _summary(every: Sequence[tuple[Set, list[Pair]]]) -> Iterator[str]:
    yield "## All of it"
    yield ""
    yield "Step: error of the time without the profiler, %. Saving: error in points of the step, where the cause was"
    yield "found. Inside: of the measured values, those in the range. False: the planted cause is still promised once"
    yield "it is fixed."
    yield ""
    refit = any(of.refit for of, _ in every)
    start = ("recordings", "pairs", "step, median", "nine of ten", "in-sample" if refit else None, "inside", "found")
    yield _row(*start, "saving, median", "nine of ten", "inside", "mean width", "false")
    yield "|---|" + "---:|" * (11 if refit else 10)
    for of, found in every:
        runs = [run for pair in found for run in (pair.slow, pair.fixed)]
        errors, own = (np.abs([getattr(run, each) for run in runs]) for each in ("error_pct", "in_sample_error_pct"))
        seen = [(pair, finding) for pair in found if (finding := pair.finding(pair.slow.said))]
        off = np.abs([finding.saving_pct.best - pair.truth_pct for pair, finding in seen])
        inside = sum(_holds(finding, pair.truth_pct) for pair, finding in seen)
        width = np.mean([finding.saving_pct.high - finding.saving_pct.low for _, finding in seen])
        yield _row(
            of.title,
            f"{len(found)} | {np.median(errors):.1f} | {np.quantile(errors, 0.9):.0f}",
            f"{np.median(own):.1f}" if refit else None,
            f"{sum(run.inside for run in runs)} of {len(runs)} | {len(seen)}",
            f"{np.median(off):.1f} | {np.quantile(off, 0.9):.0f} | {inside} of {len(seen)} | {width:.0f}",
            f"{sum(pair.promised_on_fixed > 0 for pair in found)}",
        )
    yield ""


def _holds(finding: Finding, truth: float) -> bool:
    return finding.saving_pct.low <= truth <= finding.saving_pct.high


def _confidences(every: list[Pair]) -> Iterator[str]:
    yield "What the confidences mean, by the findings above that are worth fixing:"
    yield ""
    yield "| confidence | findings | measured saving inside the range | mean width, points |"
    yield "|---|---:|---:|---:|"
    found = [(pair, finding) for pair in every if (finding := pair.finding(pair.slow.said)) and finding.worth]
    for word in ("high", "medium", "low"):
        mine = [(pair, finding) for pair, finding in found if confidence(finding) == word]
        inside = sum(_holds(finding, pair.truth_pct) for pair, finding in mine)
        width = np.mean([finding.saving_pct.high - finding.saving_pct.low for _, finding in mine]) if mine else 0.0
        yield f"| {word} | {len(mine)} | {inside} | {width:.0f} |"
    yield ""


def _set(of: Set, found: list[Pair]) -> Iterator[str]:
    yield f"## {of.title}"
    yield ""
    yield from _steps([run for pair in found for run in (pair.slow, pair.fixed)], of.refit)
    yield from _savings(found)
    yield from _fixed(found)


def _steps(runs: list[Run], refit: bool) -> Iterator[str]:
    yield "### Step times without the profiler, ms"
    yield ""
    start = ("step", "recorded", "measured without", "estimated", "range", "error", "inside")
    yield _row(*start, "in-sample" if refit else None)
    yield "|---|---:|---:|---:|---|---:|---|" + ("---:|" if refit else "")
    for run in runs:
        said = run.said.step_ns
        spread = f"{run.truth:.1f} ({min(run.side.runs_ms):.1f}-{max(run.side.runs_ms):.1f})"
        ends = f"{said.low / 1e6:.1f}-{said.high / 1e6:.1f}"
        yield _row(
            f"{run.name} | {run.said.recorded_ns / 1e6:.1f} | {spread} | {said.best / 1e6:.1f} | {ends}",
            f"{run.error_pct:+.0f} % | {'yes' if run.inside else 'no'}",
            f"{run.in_sample_error_pct:+.0f} %" if refit else None,
        )
    yield ""


def _savings(found: list[Pair]) -> Iterator[str]:
    yield "### Savings, % of the step"
    yield ""
    yield "| planted | measured | estimated | range | error, points | inside | confidence | top finding |"
    yield "|---|---:|---:|---|---:|---|---|---|"
    for pair in found:
        finding = pair.finding(pair.slow.said)
        low, high = pair.planted.saving_range_pct
        start = f"| {pair.planted.planted} | {pair.truth_pct:.0f} ({low:.0f} to {high:.0f}) "
        first = pair.first or "nothing"
        if finding is None:
            yield f"{start}| not found | - | - | - | - | {first} |"
            continue
        said = finding.saving_pct
        yield (
            f"{start}| {said.best:.0f} | {said.low:.0f} to {said.high:.0f} | {said.best - pair.truth_pct:+.0f} "
            f"| {'yes' if _holds(finding, pair.truth_pct) else 'no'} | {confidence(finding)} | {first} |"
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
