"""Ranks whose verdicts say the same, in about the same numbers: one of them speaks for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stepscope.findings.verdict import Verdict
from stepscope.messages import Message
from stepscope.messages.message import Param
from stepscope.messages.rendering import say
from stepscope.store.profile import as_ranges

_SHARE, _POINTS = 0.05, 5.0
"""Numbers differ by no more than this share of the larger one, those in per cent by so many points."""

_SAID = 2
"""Sentences of a verdict that are shown of several ranks: what limits it, and the time of a step."""


@dataclass(frozen=True)
class Alike:
    """Ranks that are alike.

    Attributes:
        verdict: of the one with the longest step.
        ranks: all of them, in order.
    """

    verdict: Verdict
    ranks: tuple[int, ...]

    @property
    def sentences(self) -> tuple[Message, ...]:
        """What is shown of them."""
        return self.verdict.sentences[:_SAID]

    def label(self, of: int) -> str:
        """Which ranks, in front of a sentence.

        Args:
            of: how many ranks there are.
        """
        rank = self.verdict.rank
        if len(self.ranks) == of:
            return say("section-alike-ranks", ranks=None, rank=rank)
        if len(self.ranks) > 1:
            return say("section-alike-ranks", ranks=as_ranges(self.ranks), rank=rank)
        return say("section-of-rank", rank=rank)


def alike_ranks(verdicts: Sequence[Verdict]) -> list[Alike]:
    """Verdicts that say the same together, in the order of the first ones."""
    groups: list[list[Verdict]] = []
    for one in verdicts:
        group = next((known for known in groups if _say_the_same(known[0], one)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return [
        Alike(max(group, key=lambda one: one.step_ns or 0), tuple(sorted(one.rank for one in group)))
        for group in groups
    ]


def _say_the_same(one: Verdict, other: Verdict) -> bool:
    said = one.sentences[:_SAID], other.sentences[:_SAID]
    return len(said[0]) == len(said[1]) and all(map(_alike, *said))


def _alike(one: Message, other: Message) -> bool:
    if one.id != other.id or len(one.params) != len(other.params):
        return False
    pairs = zip(one.params, other.params, strict=True)
    return all(name == same and _near(name, value, theirs) for (name, value), (same, theirs) in pairs)


def _near(name: str, one: Param, other: Param) -> bool:
    if isinstance(one, Message) and isinstance(other, Message):
        return _alike(one, other)
    if isinstance(one, bool) or not isinstance(one, int | float) or not isinstance(other, int | float):
        return one == other
    return abs(one - other) <= (_POINTS if name.endswith("_pct") else _SHARE * max(abs(one), abs(other)))
