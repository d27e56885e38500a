"""Sentences of several ranks that say the same but for small differences of their figures, worst rank first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stepscope.findings.job_figures import JobFigures
from stepscope.findings.verdict import Verdict
from stepscope.messages import Message, Param

_POINTS, _SHARE = 5.0, 0.05
"""So many percentage points between shares, and such a part of other quantities, make no difference to a reader."""

_QUANTITIES = ("_ns", "_bytes", "_flops")


def worst_first(verdicts: Sequence[Verdict], figures: JobFigures | None) -> list[Verdict]:
    """Verdicts by what each rank costs the job; without a straggler the longest steps first."""
    if figures is None or figures.straggler is None:
        return sorted(verdicts, key=lambda one: (-(one.step_ns or 0), one.rank))
    places = {one.rank: place for place, one in enumerate(figures.ranks)}
    return sorted(verdicts, key=lambda one: places.get(one.rank, len(places)))


def grouped(verdicts: Iterable[Verdict], sentences: int) -> list[tuple[Verdict, ...]]:
    """Verdicts whose first sentences are alike, in the order of each group's first one, which stands for all.

    Args:
        sentences: how many of each are shown.
    """
    groups: list[list[Verdict]] = []
    for one in verdicts:
        own = one.sentences[:sentences]
        group = next((group for group in groups if _alike(group[0].sentences[:sentences], own)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return [tuple(group) for group in groups]


def _alike(first: Param, second: Param, name: str = "") -> bool:
    if isinstance(first, Message) and isinstance(second, Message):
        if first.id != second.id or [own for own, _ in first.params] != [own for own, _ in second.params]:
            return False
        return all(_alike(a, b, own) for (own, a), (_, b) in zip(first.params, second.params, strict=True))
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(map(_alike, first, second))
    if isinstance(first, (int, float)) and isinstance(second, (int, float)):
        if name.endswith("_pct"):
            return abs(first - second) <= _POINTS
        if name.endswith(_QUANTITIES):
            return abs(first - second) <= _SHARE * max(abs(first), abs(second))
    return first == second
