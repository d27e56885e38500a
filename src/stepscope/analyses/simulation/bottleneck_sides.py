"""Which resource is the bottleneck: whose work, if it were done a little faster, would make the step shorter.

Each resource's work is made a little faster and the steps are simulated. The bottleneck saves all of that, a resource
that is overlapped by others saves nothing.
"""

from __future__ import annotations

from functools import partial

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.simulation.edits import loading, shares, slowed, stretched
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.schema import KERNEL
from stepscope.store.profile import Rank

HOST, DATA_LOADING, COMPUTE, COMMUNICATION, COPIES = "host", "data_loading", "compute", "communication", "copies"
SIDES = (HOST, DATA_LOADING, COMPUTE, COMMUNICATION, COPIES)

_FASTER = 0.97


def binding_shares(rank: Rank, model: StepModel, edit: Edit, step_ns: float | None = None) -> dict[str, float]:
    """By resource, how many per cent of the step it bounds: what going 3 % faster saves, over 3 %.

    The shares add up to about 100; less where the step is bound by delays that are no resource's work (latencies,
    other ranks).

    Args:
        step_ns: time of the step after the edit, where it is known.
    """
    before = model.step_ns(edit) if step_ns is None else step_ns
    if before <= 0:
        return dict.fromkeys(SIDES, 0.0)
    loads = shares(model, loading(rank, model))
    own = {HOST: tuple(1 - share for share in loads), DATA_LOADING: loads}
    found = {}
    for side in SIDES:
        if side in own:
            has_work, faster = any(share.any() for share in own[side]), partial(slowed, edit, own[side], _FASTER)
        else:
            mine = activities_of(rank, model, side)
            has_work, faster = bool(mine.any()), partial(stretched, edit, mine, _FASTER)
        # What has no work gets no faster: that needs no simulation.
        saved = before - model.step_ns(faster()) if has_work else 0.0
        found[side] = max(0.0, 100.0 * saved / before / (1 - _FASTER))
    return found


def activities_of(rank: Rank, model: StepModel, side: str) -> Flags:
    """Which activities belong to a resource."""
    activity = rank.whole.activity[model.gpu.rows]
    kernel, talks = (activity["activity"] == KERNEL).to_numpy(), activity["communication"].to_numpy()
    which: dict[str, Flags] = {COMPUTE: kernel & ~talks, COMMUNICATION: kernel & talks, COPIES: ~kernel}
    return which[side]
