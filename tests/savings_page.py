"""docs/savings.md: what stepscope says of recordings whose steps were also timed without the profiler.

Its tables are those of docs/savings-cpu.md, too (yardstick/savings_page.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import stepscope
from savings_left_out import DEEP, LIGHT, Timed, fitted, fitted_without
from stepscope.findings.examination import Examination, Finding, examine
from stepscope.findings.findings import confidence

PAGE = Path(__file__).resolve().parent.parent / "docs" / "savings.md"

WITHOUT_STACKS = "untraced-host-time"
"""What names Python outside of PyTorch where no stacks were recorded."""

_PYTHON = {
    "python-work",
    "object-conversion",
    "garbage-collection",
    "sleep",
    "file-io",
    "logging",
    "tensor-printing",
}

GIVEN = "mended"
"""What the recordings beside the repository call the fixed one of a pair."""

Truth = dict[str, Any]
"""Of a pair, what truth.json says."""

KNOWN: Truth = json.loads((PAGE.parent.parent / "yardstick" / "known_pairs.json").read_text(encoding="utf-8"))
"""By pair, the findings that name its planted cause, and what was planted."""


@dataclass(frozen=True)
class Set:
    """A folder of pairs.

    Attributes:
        suffix: of the files' names.
        title: heading of its part of the page.
        kind: parameters of the profiler overhead that it is judged with.
        fixed: what files and truth.json call the fixed one of a pair.
        refit: whether its programs are among those that these parameters were fitted to, so that each is judged with
            parameters fitted without it.
    """

    folder: str
    suffix: str
    title: str
    kind: str
    fixed: str = GIVEN
    refit: bool = True

    @property
    def sides(self) -> tuple[str, str]:
        return "slow", self.fixed


SETS = (
    Set("h200/pairs", "", "NVIDIA H200, with stacks, shapes and memory", DEEP),
    Set("h200/pairs_more", "", "NVIDIA H200, more programs, with stacks, shapes and memory", DEEP),
    Set("h200/pairs_light", ".light", "NVIDIA H200, only operators and GPU activity", LIGHT),
    Set("cpu/pairs", "", "CPU, with stacks, shapes and memory", DEEP),
    Set("cpu/pairs", ".light", "CPU, only operators", LIGHT),
)


@dataclass(frozen=True)
class Run:
    """A recording, what was measured without the profiler (ms a step, run by run), and what was estimated.

    Attributes:
        said: with parameters that were not fitted to its program.
        in_sample: with the product's own.
    """

    name: str
    measured: tuple[float, ...]
    said: Examination
    in_sample: Examination

    @property
    def truth(self) -> float:
        return median(self.measured)

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
    """A planted cause and its fix.

    Attributes:
        causes: the findings that may name it.
        planted: what was planted, in a phrase.
    """

    name: str
    causes: tuple[str, ...]
    planted: str
    slow: Run
    fixed: Run

    def finding(self, said: Examination) -> Finding | None:
        """Of several the one that comes first."""
        return next((one for one in said.findings if one.cause.id in self.causes), None)

    def saving_pct(self, slow: float, fixed: float) -> float:
        return 100 * (1 - fixed / KNOWN.get(self.name, {}).get("samples", 1) / slow)

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
        """The finding that is named first, "" for none worth fixing."""
        worth = [one for one in self.slow.said.findings if one.worth]
        return worth[0].cause.id if worth else ""

    @property
    def promised_on_fixed(self) -> float:
        found = self.finding(self.fixed.said)
        return found.saving_pct.best if found and found.worth else 0.0


def _truth(data: Path, one: Set) -> dict[str, Truth]:
    """By pair; without those whose times differed from round to round. Some files say what was planted, some do not."""
    truth = json.loads((data / one.folder / "truth.json").read_text(encoding="utf-8"))
    known = truth.get("scenarios", truth)
    described = {name: each for name, each in known.items() if "findings" in each}
    usual = {name: known[name] for name in KNOWN if name in known}
    return {name: each for name, each in (described or usual).items() if not each.get("unsteady")}


def _path(data: Path, one: Set, name: str, side: str) -> Path:
    return data / one.folder / f"{name}.{side}{one.suffix}.pt.trace.json.gz"


@cache
def _timed(data: Path, kind: str) -> tuple[Timed, ...]:
    return tuple(
        Timed(name, _path(data, one, name, side), 1e6 * truth[side]["step_ms"])
        for one in SETS
        if one.kind == kind
        for name, truth in _truth(data, one).items()
        for side in one.sides
    )


@cache
def pairs(data: Path, of: Set) -> list[Pair]:
    """The pairs of one set of recordings."""
    return [_pair(data, of, name, truth) for name, truth in _truth(data, of).items()]


def _pair(data: Path, of: Set, name: str, truth: Truth) -> Pair:
    if "findings" in truth:
        causes, planted = tuple(truth["findings"]), truth["planted"]
    else:
        causes, planted = tuple(KNOWN[name]["findings"]), KNOWN[name]["planted"]
    if of.kind == LIGHT and _PYTHON.intersection(causes):
        causes = (*causes, WITHOUT_STACKS)
    slow, fixed = (_run(data, of, name, side, truth[side]) for side in of.sides)
    return Pair(name, causes, planted, slow, fixed)


def _run(data: Path, of: Set, name: str, side: str, truth: Truth) -> Run:
    path = _path(data, of, name, side)
    said = in_sample = _examined(path)
    if of.refit:
        with fitted(of.kind, fitted_without(name, _timed(data, of.kind), of.kind)):
            said = _examined(path)
    runs = truth.get("step_ms_runs") or [truth["step_ms"]]
    title = f"{name}.{side.replace(GIVEN, 'fixed')}"
    return Run(title, tuple(float(one) for one in runs), said, in_sample)


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
        spread = f"{run.truth:.1f} ({min(run.measured):.1f}-{max(run.measured):.1f})"
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
        low, high = pair.truth_range
        start = f"| {pair.planted} | {pair.truth_pct:.0f} ({low:.0f} to {high:.0f}) "
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
