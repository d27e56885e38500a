"""How long the steps take without profiler overhead, and with changes: a best estimate and a range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stepscope.analyses.simulation.bottleneck_sides import SIDES, binding_shares
from stepscope.analyses.simulation.changes import Change, apply_changes
from stepscope.analyses.simulation.changes.subject import Fixes
from stepscope.analyses.simulation.least_step import most_saved_pct
from stepscope.analyses.simulation.model import StepModel
from stepscope.analyses.simulation.ranges import Range
from stepscope.analyses.simulation.unprofiled import around_steps, unprofiled, unprofiled_shares, unprofiled_step
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank

SAVING_POINTS = 6.0
"""Savings differ by this many points of the step from run to run, beyond what the profiler overhead leaves open."""

GPU_POINTS = 4.0
"""And by this many more where the host launches for a GPU: what it takes there differs more from minute to minute. With
them 36 of 45 savings of programs that nothing was fitted to lie in their ranges (docs/savings-gpu.md), with 2 it were
30."""


def saving_points(model: StepModel, points: float = SAVING_POINTS) -> float:
    """By how many points of the step a saving differs, of what differs by so many on a CPU."""
    return points + (GPU_POINTS if len(model.gpu.rows) else 0.0)


@dataclass(frozen=True)
class Answer:
    """What changes would bring on one rank.

    Attributes:
        before, after: time of a step without profiler overhead, in ns; the range of the one after has that of the
            saving in it.
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

    def saving(self, pct: Range) -> Answer:
        """The same with another range of the saving, by which the step after it is no surer."""
        ends = [self.before.best * (1 - end / 100) for end in (pct.high, pct.low)]
        after = Range(min(self.after.low, ends[0]), self.after.best, max(self.after.high, ends[1]))
        return replace(self, saving_pct=pct, after=after)


def answer(profile: Profile, rank: Rank, model: StepModel, changes: Sequence[Change], fixes: Fixes) -> Answer:
    """What some changes bring together."""
    base = unprofiled(rank, model)
    changed = [apply_changes(profile, rank, model, changes, edit, fixes) for edit in base.edits]
    after = [model.step_ns(edit) for edit, _ in changed]
    saved = [100 * (1 - new / old) if old else 0.0 for old, new in zip(base.step_ns, after, strict=True)]
    before = unprofiled_step(rank, model)
    # A measured step is not what the simulation gives to the nanosecond: what is saved is a share of it.
    scale = before.best / base.step_ns[0] if base.step_ns[0] else 1.0
    found = Answer(
        before,
        around_steps(rank, model, [scale * new for new in after]),
        Range(0.0, 0.0, 0.0),
        _largest(unprofiled_shares(rank, model)),
        _largest(binding_shares(rank, model, changed[0][0])),
        tuple(changed[0][1]),
    )
    if not changes:
        return found
    most = most_saved_pct(rank, model, changed[0][0])
    return found.saving(Range.of_savings(saved, saving_points(model), most))


def _largest(shares: dict[str, float]) -> tuple[str, float]:
    side = max(SIDES, key=lambda side: shares[side])
    return side, shares[side]
