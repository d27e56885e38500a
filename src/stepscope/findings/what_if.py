"""What changes that a user asks for would bring, on each rank: one by one, and all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stepscope.analyses.retiming.changes import Change
from stepscope.analyses.retiming.estimates import Answer, answer
from stepscope.analyses.retiming.model import step_model
from stepscope.errors import BadRequest
from stepscope.store.profile import Profile


@dataclass(frozen=True)
class WhatIf:
    """The answers for one rank.

    Attributes:
        rank: its number.
        recorded_ns: time of a step as recorded.
        changes: what was asked for, as written.
        alone: what each change brings, in the same order.
        together: what all bring, timed together.
    """

    rank: int
    recorded_ns: float
    changes: tuple[str, ...]
    alone: tuple[Answer, ...]
    together: Answer


def what_if(profile: Profile, changes: Sequence[Change]) -> list[WhatIf]:
    """The answers for every rank that has steps to time again; the other ranks are taken to stay as they were.

    Raises:
        BadRequest: no rank has any, or a change is about something that does not occur.
    """
    found = []
    for rank in profile.ranks:
        model = step_model(rank)
        if model is None:
            continue
        alone = tuple(answer(profile, rank, model, [change]) for change in changes)
        together = answer(profile, rank, model, changes) if len(changes) > 1 else alone[0]
        found.append(WhatIf(rank.number, model.recorded_ns, tuple(change.text for change in changes), alone, together))
    if not found:
        nothing = "nothing of the host was recorded in whole steps"
        raise BadRequest("cannot time steps again", nothing, "Record with ProfilerActivity.CPU and a schedule.")
    return found
