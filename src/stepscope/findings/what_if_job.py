"""What changes would save of the job's step, which its last rank ends.

Each rank is simulated by itself: it waits in collectives as long as in the recording, unless a straggler is made to
work like the others. So what one rank saves is saved by the job only as far as no other takes longer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from stepscope.analyses.ranks.job import job
from stepscope.analyses.simulation.changes import Change
from stepscope.analyses.simulation.changes.straggling import affected, found_straggler
from stepscope.analyses.simulation.estimates import Answer
from stepscope.analyses.simulation.ranges import Range
from stepscope.findings.what_if import WhatIf, what_if
from stepscope.messages import Message
from stepscope.store.profile import Profile

_NOTHING = Range(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class JobAnswer:
    """What a change, or several together, would bring to the job's step.

    Attributes:
        before, after: time of a step, in ns; as recorded where waiting for a straggler is all that is changed, else
            without profiler overhead.
        saving_pct: in per cent of the step before.
        affected: what is changed.
    """

    before: Range
    after: Range
    saving_pct: Range
    affected: tuple[Message, ...] = ()

    @property
    def saving_ns(self) -> Range:
        """The saving of a step, in ns."""
        of = self.before.best / 100
        return Range(self.saving_pct.low * of, self.saving_pct.best * of, self.saving_pct.high * of)


@dataclass(frozen=True)
class JobWhatIf:
    """The answers for the job.

    Attributes:
        recorded_ns: mean time of its step as recorded.
        changes, alone, together: as of `WhatIf`.
    """

    recorded_ns: float
    changes: tuple[str, ...]
    alone: tuple[JobAnswer, ...]
    together: JobAnswer


def what_if_job(profile: Profile, changes: Sequence[Change], ranks: Sequence[WhatIf]) -> JobWhatIf | None:
    """The answers for the job; None of one rank, unless a change is of the job.

    Args:
        ranks: the answers for the selected ranks.

    Raises:
        BadRequest: a change is about a rank that is no straggler, or one rank was recorded only.
    """
    for change in changes:
        if change.kind.of_job:
            found_straggler(profile, change.text, change.name)
    if any(change.kind.of_job for change in changes) and len(profile.ranks) < len(profile.everyone.ranks):
        # Its step is that of all ranks, which none of those that are not shown gets shorter with.
        profile = replace(profile.with_every_rank(), peaks=profile.peaks, eager=profile.eager)
        ranks = what_if(profile, changes)
    if len(profile.ranks) < 2:
        return None
    steps = job(profile)
    longest = max((one.recorded_ns for one in ranks), default=0.0)
    recorded = float(steps["duration_ns"][0]) if len(steps) else longest
    simulated = _Simulated(ranks, recorded / longest if longest else 1.0)
    alone = tuple(_alone(profile, change, simulated) for change in changes)
    texts = tuple(change.text for change in changes)
    return JobWhatIf(recorded, texts, alone, _together(changes, alone, simulated))


def _alone(profile: Profile, change: Change, simulated: _Simulated) -> JobAnswer:
    if not change.kind.of_job:
        return simulated.of(lambda one: one.of(change.text))
    found = found_straggler(profile, change.text, change.name)
    step = float(found.step_ns)
    return JobAnswer(Range(step, step, step), found.after_ns, found.saving_pct, (affected(found),))


def _together(changes: Sequence[Change], alone: Sequence[JobAnswer], simulated: _Simulated) -> JobAnswer:
    """All changes: what is simulated of each rank, and what the ranks wait less for stragglers after that."""
    waiting = [one for change, one in zip(changes, alone, strict=True) if change.kind.of_job]
    if len(changes) == 1:
        return alone[0]
    others = [] if len(waiting) == len(changes) else [simulated.of(lambda one: one.together)]
    first, *rest = [*others, *waiting]
    for one in rest:
        first = _and(first, one)
    return first


def _and(first: JobAnswer, second: JobAnswer) -> JobAnswer:
    """Two changes one after the other: at least the larger saving, and of what one leaves the other's share."""
    one, other = first.saving_pct, second.saving_pct

    def both(a: float, b: float) -> float:
        return 100 - (100 - a) * (100 - b) / 100

    saved = Range(max(one.low, other.low), both(one.best, other.best), both(one.high, other.high))
    step = first.before.best / 100
    after = Range(*(step * (100 - of) for of in (saved.high, saved.best, saved.low)))
    return JobAnswer(first.before, after, saved)


@dataclass(frozen=True)
class _Simulated:
    """The simulated ranks, and by what their steps are multiplied to be the job's."""

    ranks: Sequence[WhatIf]
    scale: float

    def of(self, answer: Callable[[WhatIf], Answer | None]) -> JobAnswer:
        """The last rank's step before and after what one question changes; a rank without an answer stays as it is."""
        found = [(one.together.before, answer(one)) for one in self.ranks]
        before = self._last([one for one, _ in found])
        after = self._last([one.after if one else stays for stays, one in found])
        left = [(stays.best, one.saving_pct if one else _NOTHING) for stays, one in found]

        def saved(end: str) -> float:
            longest = max(step * (100 - float(getattr(of, end))) for step, of in left)
            return 100 - longest / max(step for step, _ in left)

        pct = Range(saved("low"), saved("best"), saved("high"))
        changed = [one for _, one in found if one is not None]
        return JobAnswer(before, after, pct, changed[0].affected if len(changed) == 1 else ())

    def _last(self, steps: Sequence[Range]) -> Range:
        return Range(*(self.scale * max(getattr(one, end) for one in steps) for end in ("low", "best", "high")))
