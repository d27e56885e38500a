"""A straggler that works like the other ranks: a change of the job, and of no rank's steps by themselves."""

from __future__ import annotations

from stepscope.analyses.ranks.without_straggler import WithoutStraggler, without_straggler
from stepscope.analyses.simulation.changes.subject import Changed, Subject, cannot_change
from stepscope.analyses.simulation.model import Edit
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.profile import Profile

WORD = "no-straggler"


def found_straggler(profile: Profile, text: str, name: str) -> WithoutStraggler:
    """The straggler that a change names.

    Raises:
        BadRequest: the rank is not selected or no straggler in the selected steps, or one rank was recorded.
    """
    found = without_straggler(profile, int(name)) if name.isdecimal() else None
    if found is not None:
        return found
    advice = "change-take-straggler" if len(profile.everyone.ranks) > 1 else "change-select-ranks"
    raise BadRequest(cannot_change(text), Message("change-no-such-straggler"), Message(advice))


def affected(found: WithoutStraggler) -> Message:
    """What the other ranks wait for it."""
    return Message("change-affects-straggler", rank=found.rank, wait_ns=found.saving_ns.best)


def straggler(subject: Subject, edit: Edit) -> Changed:
    """Leave a rank's own steps as they are."""
    return Changed(edit, affected(found_straggler(subject.profile, subject.text, subject.name)))
