"""How good a tool's answers are: counts and errors over a set of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from yardstick.answers import Answer, Named, Range, Rows
from yardstick.pairs import Pair, Side

LITTLE_PCT = 3.0
"""A fix that saves less is within the variation from run to run: no tool has to name its cause."""


@dataclass(frozen=True)
class Answered:
    """A pair, and what a tool says of its two recordings.

    Attributes:
        bounds: what bounds the slow step and the fixed one, by measurement; "" without a GPU.
    """

    pair: Pair
    slow: Answer
    fixed: Answer
    bounds: tuple[str, str]

    @property
    def sides(self) -> tuple[tuple[Side, Answer, str], ...]:
        return (self.pair.slow, self.slow, self.bounds[0]), (self.pair.fixed, self.fixed, self.bounds[1])

    def found(self, answer: Answer) -> Named | None:
        """Where the answer names the planted cause."""
        return next((each for each in answer.named if each.cause in self.pair.causes), None)


@dataclass(frozen=True)
class Counted:
    """So many of so many."""

    right: int
    of: int

    def __str__(self) -> str:
        return f"{self.right} of {self.of}" if self.of else "-"


@dataclass(frozen=True)
class Errors:
    """Errors of a figure against what was measured, and whether its ranges hold that.

    Attributes:
        errors: in % of the measured step, or in points of it.
        inside: measured values inside their range, of the ranges that were stated.
        widths: of the ranges, in the same unit.
    """

    errors: tuple[float, ...]
    inside: Counted
    widths: tuple[float, ...]

    def __str__(self) -> str:
        if not self.errors:
            return "-"
        away = np.abs(self.errors)
        return f"{np.median(away):.1f}, {np.quantile(away, 0.9):.0f}"


@dataclass(frozen=True)
class Score:
    """What docs/yardstick.md says of a tool on a set of pairs.

    Attributes:
        answered: recordings that it says anything of.
        bound: what bounds the step, right.
        named: planted causes that it names, of those whose fix saves something; ``first``: as the first one.
        step: time of a step without the profiler, error in %.
        saving: of the causes it names, error in points of the step.
        false: fixed recordings in which it still promises something for the planted cause.
    """

    answered: Counted
    bound: Counted
    named: Counted
    first: Counted
    step: Errors
    saving: Errors
    false: Counted


def score(every: Sequence[Answered]) -> Score:
    """A recording without an answer counts as not found and as not falsely named."""
    sides = [side for each in every for side in each.sides]
    worth = [each for each in every if each.pair.saving_pct >= LITTLE_PCT]
    judged = [(answer, bound) for _, answer, bound in sides if bound]
    return Score(
        answered=Counted(sum(not answer.failed for _, answer, _ in sides), len(sides)),
        bound=Counted(sum(answer.side == bound for answer, bound in judged), len(judged)),
        named=Counted(sum(each.found(each.slow) is not None for each in worth), len(worth)),
        first=Counted(sum(_is_first(each) for each in worth), len(worth)),
        step=_errors([(answer.step_ms, side.step_ms) for side, answer, _ in sides], relative=True),
        saving=_errors([(_saving(each), each.pair.saving_pct) for each in every], relative=False),
        false=Counted(sum(_is_promised(each.found(each.fixed)) for each in every), len(every)),
    )


def _is_promised(named: Named | None) -> bool:
    """A cause that is said to save next to nothing is no promise; one without a figure is."""
    return named is not None and (named.saving_pct is None or named.saving_pct.best >= LITTLE_PCT)


def _is_first(each: Answered) -> bool:
    return bool(each.slow.named) and each.slow.named[0].cause in each.pair.causes


def _saving(each: Answered) -> Range | None:
    found = each.found(each.slow)
    return found.saving_pct if found else None


def _errors(figures: Sequence[tuple[Range | None, float]], *, relative: bool) -> Errors:
    """Of those that were stated; a range of no width counts as none."""
    stated = [(said, truth) for said, truth in figures if said is not None]
    units = [truth / 100 if relative else 1.0 for _, truth in stated]
    ranges = [(said, truth, unit) for (said, truth), unit in zip(stated, units, strict=True) if said.high > said.low]
    return Errors(
        tuple((said.best - truth) / unit for (said, truth), unit in zip(stated, units, strict=True)),
        Counted(sum(said.low <= truth <= said.high for said, truth, _ in ranges), len(ranges)),
        tuple((said.high - said.low) / unit for said, _, unit in ranges),
    )


@dataclass(frozen=True)
class Alarms:
    """What a tool calls changed between recordings of one program.

    Attributes:
        compared: pairs of recordings that it compared.
        rows: of all of them.
        changed: of these.
        steps: pairs whose step it calls changed.
    """

    compared: Counted
    rows: int
    changed: int
    steps: int


def alarms(said: Sequence[Rows]) -> Alarms:
    """Each of them is false."""
    answered = [each for each in said if not each.failed]
    return Alarms(
        Counted(len(answered), len(said)),
        sum(each.rows for each in answered),
        sum(each.changed for each in answered),
        sum(each.step == "changed" for each in answered),
    )


@dataclass(frozen=True)
class Changes:
    """Fixes that a tool notices, comparing the slow recording with the fixed one.

    Attributes:
        found: steps called changed, of those that changed by at least `LITTLE_PCT`, by measurement.
        smallest_pct: the smallest of those found, None if there is none.
        largest_missed_pct: the largest of those not found, None if there is none.
    """

    found: Counted
    smallest_pct: float | None
    largest_missed_pct: float | None


def changes(said: Sequence[tuple[Pair, Rows]]) -> Changes:
    """Of tools that judge the step at all. A change is what the step takes, whatever it handles."""
    sizes = [(abs(100 * (pair.fixed.step_ms / pair.slow.step_ms - 1)), rows.step == "changed") for pair, rows in said]
    real = [(size, found) for size, found in sizes if size >= LITTLE_PCT]
    seen, missed = ([size for size, found in real if found is wanted] for wanted in (True, False))
    return Changes(Counted(len(seen), len(real)), min(seen, default=None), max(missed, default=None))
