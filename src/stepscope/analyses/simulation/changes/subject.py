"""What a change is asked for, and what it changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import polars as pl

from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank

Fixes: TypeAlias = Callable[[Profile, Rank, str], Callable[[Edit, int], Edit] | None]
"""What simulates the fix of a finding of a rank, by its id: see `findings.fixes`, which comes after all analyses."""


@dataclass(frozen=True)
class Changed:
    """An edit after a change, and what the change affects."""

    edit: Edit
    affected: Message


class NothingToChange(BadRequest):
    """A change that has nothing to change in these steps; what was found is the reason."""


def cannot_change(text: str) -> Message:
    """What was tried where a change is refused."""
    return Message("change-cannot", text=repr(text))


@dataclass(frozen=True)
class Subject:
    """What a change is asked for.

    Attributes:
        profile, rank, model: what is changed.
        text: the change as written.
        name: what it is about: a name, or a pattern between slashes.
        factor: by what times are multiplied.
        fixes: of the findings.
    """

    profile: Profile
    rank: Rank
    model: StepModel
    text: str
    name: str
    factor: float
    fixes: Fixes

    def codes(self) -> pl.Series:
        """Codes of the texts that the name stands for.

        Raises:
            BadRequest: the pattern is not a valid regular expression.
        """
        pattern = re.fullmatch(r"/(.*)/", self.name)
        if pattern and not pattern[1]:
            raise BadRequest(self._tried, Message("change-empty-pattern"), Message("change-write-pattern"))
        try:
            if pattern:
                return self.rank.trace.codes(lambda text: text.str.contains(pattern[1]))
        except pl.exceptions.PolarsError:
            raise BadRequest(
                self._tried, Message("change-invalid-pattern"), Message("change-correct-pattern")
            ) from None
        return self.rank.trace.codes(lambda text: text == self.name)

    def nothing(self, what: str, advice: str = "change-take-name") -> BadRequest:
        """The error that nothing has the name.

        Args:
            what, advice: ids of the messages that say so, and what to do.
        """
        return BadRequest(self._tried, Message(what), Message(advice))

    @property
    def _tried(self) -> Message:
        return cannot_change(self.text)
