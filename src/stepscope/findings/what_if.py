"""What changes that a user asks for would save, on each rank: one by one, and all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from stepscope.analyses.simulation.changes import KINDS, Change, apply_changes
from stepscope.analyses.simulation.changes.subject import cannot_change
from stepscope.analyses.simulation.estimates import Answer, answer
from stepscope.analyses.simulation.model import Edit, StepModel, timed_ranks
from stepscope.analyses.simulation.path import step_path
from stepscope.analyses.simulation.unprofiled import unprofiled
from stepscope.errors import BadRequest
from stepscope.findings.fixes import finding_of, fix_of
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank

_NO_SUCH_RANK, _TAKE_RANK = Message("change-no-such-rank"), Message("change-take-rank")


@dataclass(frozen=True)
class WhatIf:
    """The answers for one rank.

    Attributes:
        rank: its number.
        recorded_ns: time of a step as recorded.
        changes: what was asked for and can be changed on this rank, as written.
        alone: what each change saves, in the same order.
        together: what all save, simulated together.
        path_before, path_after: what a step is made of without profiler overhead, and with all changes, see
            `path.step_path`.
        edit: the steps with all changes.
    """

    rank: int
    recorded_ns: float
    changes: tuple[str, ...]
    alone: tuple[Answer, ...]
    together: Answer
    path_before: pl.DataFrame
    path_after: pl.DataFrame
    edit: Edit

    def of(self, change: str) -> Answer | None:
        """The answer to one change; None where this rank has nothing to change."""
        return dict(zip(self.changes, self.alone, strict=True)).get(change)


def what_if(profile: Profile, changes: Sequence[Change]) -> list[WhatIf]:
    """The answers for every rank that has steps to simulate; the other ranks are assumed to stay as they were.

    A rank that has nothing of what a change is about stays as it is. Changes of the job (`what_if_job`) are left out:
    without others there is no answer.

    Raises:
        BadRequest: no rank has any steps to simulate, or a change is about something that occurs on none.
    """
    asked = [change for change in changes if not change.kind.of_job]
    refused: dict[Change, BadRequest] = {}
    made = [_of_rank(profile, *one, asked, refused) for one in timed_ranks(profile)] if asked else []
    for change in asked:
        if not any(one.of(change.text) for one in made):
            nowhere = BadRequest(cannot_change(change.text), _NO_SUCH_RANK, _TAKE_RANK)
            raise refused.get(change, nowhere)
    return made


def _of_rank(
    profile: Profile, rank: Rank, model: StepModel, changes: Sequence[Change], refused: dict[Change, BadRequest]
) -> WhatIf:
    """The answers for a rank; what has nothing to change on it goes to ``refused``."""
    alone: dict[Change, Answer] = {}
    for change in changes:
        try:
            if change.on(rank.number):
                alone[change] = _alone(profile, rank, model, change)
        except BadRequest as error:
            refused.setdefault(change, error)
    made = list(alone)
    together = alone[made[0]] if len(made) == 1 else answer(profile, rank, model, made, fix_of)
    edit = unprofiled(rank, model).edits[0]
    edits = (edit, apply_changes(profile, rank, model, made, edit, fix_of)[0])
    before, after = (step_path(rank, model, one) for one in edits)
    texts = tuple(change.text for change in made)
    return WhatIf(rank.number, model.recorded_ns, texts, tuple(alone.values()), together, before, after, edits[1])


def _alone(profile: Profile, rank: Rank, model: StepModel, change: Change) -> Answer:
    """What one change brings; of a finding's fix what the finding says, whose range has the effort in it, too."""
    found = answer(profile, rank, model, [change], fix_of)
    finding = finding_of(profile, rank, change.name) if change.kind is KINDS["fix"] else None
    return found.saving(finding.saving_pct) if finding else found
