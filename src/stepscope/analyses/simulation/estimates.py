"""How long the steps take without profiler overhead, and with changes: a best estimate and a range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stepscope.analyses.simulation.bottleneck_sides import SIDES, binding_shares
from stepscope.analyses.simulation.changes import Change, apply_changes
from stepscope.analyses.simulation.model import StepModel
from stepscope.analyses.simulation.unprofiled import unprofiled, unprofiled_shares
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank

REPEATS_PCT = 3.0
"""Steps of the same program differ by this much from run to run even where the GPU is the bottleneck."""

SAVING_POINTS = 5.0
"""And savings by this many points of the step, beyond what the profiler overhead leaves open."""


@dataclass(frozen=True)
class Range:
    """A best estimate and the range that contains the value in about four of five cases."""

    low: float
    best: float
    high: float

    @classmethod
    def around(cls, figures: Sequence[float], margin: float) -> Range:
        """The first of some values as the best; the range contains all and a margin."""
        return cls(min(figures) - margin, figures[0], max(figures) + margin)

    @classmethod
    def of_savings(cls, pct: Sequence[float]) -> Range:
        """Savings in per cent, at most 100."""
        found = cls.around(pct, SAVING_POINTS)
        return cls(found.low, found.best, min(100.0, found.high))


@dataclass(frozen=True)
class Answer:
    """What changes would bring on one rank.

    Attributes:
        before, after: time of a step without profiler overhead, in ns.
        saving_pct: in per cent of the step before.
        bound_before, bound_after: the bottleneck, and how many per cent of the step it bounds.
        affected: what each change affects.
    """

    before: Range
    after: Range
    saving_pct: Range
    bound_before: tuple[str, float]
    bound_after: tuple[str, float]
    affected: tuple[Message, ...]

    @property
    def saving_ns(self) -> Range:
        """The saving of a step, in ns."""
        of = self.before.best / 100
        return Range(self.saving_pct.low * of, self.saving_pct.best * of, self.saving_pct.high * of)


def unprofiled_step(rank: Rank, model: StepModel) -> Range:
    """Time of a step without profiler overhead, in ns."""
    return around_steps(unprofiled(rank, model).step_ns)


def around_steps(step_ns: Sequence[float]) -> Range:
    """Times of a step, the first as the best."""
    return Range.around(step_ns, REPEATS_PCT / 100 * step_ns[0])


def answer(profile: Profile, rank: Rank, model: StepModel, changes: Sequence[Change]) -> Answer:
    """What some changes bring together."""
    base = unprofiled(rank, model)
    changed = [apply_changes(profile, rank, model, changes, edit) for edit in base.edits]
    after = [model.step_ns(edit) for edit, _ in changed]
    saved = [100 * (1 - new / old) if old else 0.0 for old, new in zip(base.step_ns, after, strict=True)]
    return Answer(
        around_steps(base.step_ns),
        around_steps(after),
        Range.of_savings(saved),
        _largest(unprofiled_shares(rank, model)),
        _largest(binding_shares(rank, model, changed[0][0])),
        tuple(changed[0][1]),
    )


def _largest(shares: dict[str, float]) -> tuple[str, float]:
    side = max(SIDES, key=lambda side: shares[side])
    return side, shares[side]
