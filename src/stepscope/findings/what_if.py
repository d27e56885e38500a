"""What changes that a user asks for would save, on each rank: one by one, and all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from stepscope.analyses.simulation.changes import KINDS, Change, apply_changes
from stepscope.analyses.simulation.estimates import Answer, answer
from stepscope.analyses.simulation.model import StepModel, timed_ranks
from stepscope.analyses.simulation.path import step_path
from stepscope.analyses.simulation.unprofiled import unprofiled
from stepscope.findings.fixes import finding_of, fix_of
from stepscope.store.profile import Profile, Rank


@dataclass(frozen=True)
class WhatIf:
    """The answers for one rank.

    Attributes:
        rank: its number.
        recorded_ns: time of a step as recorded.
        changes: what was asked for, as written.
        alone: what each change saves, in the same order.
        together: what all save, simulated together.
        path_before, path_after: what a step is made of without profiler overhead, and with all changes, see
            `path.step_path`.
    """

    rank: int
    recorded_ns: float
    changes: tuple[str, ...]
    alone: tuple[Answer, ...]
    together: Answer
    path_before: pl.DataFrame
    path_after: pl.DataFrame


def what_if(profile: Profile, changes: Sequence[Change]) -> list[WhatIf]:
    """The answers for every rank that has steps to simulate; the other ranks are assumed to stay as they were.

    Raises:
        BadRequest: no rank has any, or a change is about something that does not occur.
    """
    found = []
    for rank, model in timed_ranks(profile):
        alone = tuple(_alone(profile, rank, model, change) for change in changes)
        together = answer(profile, rank, model, changes, fix_of) if len(changes) > 1 else alone[0]
        texts = tuple(change.text for change in changes)
        edit = unprofiled(rank, model).edits[0]
        edits = (edit, apply_changes(profile, rank, model, changes, edit, fix_of)[0])
        paths = [step_path(rank, model, one) for one in edits]
        found.append(WhatIf(rank.number, model.recorded_ns, texts, alone, together, *paths))
    return found


def _alone(profile: Profile, rank: Rank, model: StepModel, change: Change) -> Answer:
    """What one change brings; of a finding's fix what the finding says, whose range has the effort in it, too."""
    found = answer(profile, rank, model, [change], fix_of)
    finding = finding_of(profile, rank, change.name) if change.kind is KINDS["fix"] else None
    return replace(found, saving_pct=finding.saving_pct) if finding else found


def what_if_frame(found: Sequence[WhatIf]) -> pl.DataFrame:
    """The answers as rows: of each rank one per change, then, of several, one of all together.

    Columns: rank, change, before_ns, after_ns, saving_pct, saving_low_pct, saving_high_pct, bottleneck_before,
    bottleneck_after. Times are of a step without the profiler.
    """
    rows = []
    for one in found:
        together = [("together", one.together)] if len(one.changes) > 1 else []
        for change, answered in [*zip(one.changes, one.alone, strict=True), *together]:
            saved = answered.saving_pct
            rows.append(
                {
                    "rank": one.rank,
                    "change": change,
                    "before_ns": round(answered.before.best),
                    "after_ns": round(answered.after.best),
                    "saving_pct": saved.best,
                    "saving_low_pct": saved.low,
                    "saving_high_pct": saved.high,
                    "bottleneck_before": answered.bound_before[0],
                    "bottleneck_after": answered.bound_after[0],
                }
            )
    return pl.DataFrame(rows)
