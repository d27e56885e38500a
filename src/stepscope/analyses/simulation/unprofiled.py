"""The steps of a rank without the profiler, timed once for all who compare with them."""

from __future__ import annotations

from dataclasses import dataclass

from stepscope.analyses.simulation.bottleneck_sides import binding_shares
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.analyses.simulation.profiler_overhead import slowdowns
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank


@dataclass(frozen=True)
class Unprofiled:
    """Steps without what the profiler adds: as far as is known, at the most and at the least of it.

    Attributes:
        edits: that take it away.
        step_ns: time of a step after each.
    """

    edits: tuple[Edit, ...]
    step_ns: tuple[float, ...]


@per_rank
def unprofiled(rank: Rank, model: StepModel) -> Unprofiled:
    """The rank's steps without the profiler; ``model`` is `step_model` of it."""
    edits = tuple(slow.removed(model) for slow in slowdowns(rank))
    return Unprofiled(edits, tuple(model.step_ns(edit) for edit in edits))


@per_rank
def unprofiled_shares(rank: Rank, model: StepModel) -> dict[str, float]:
    """By side, how much of these steps it bounds (see `binding_shares`)."""
    return binding_shares(rank, model, unprofiled(rank, model).edits[0])
