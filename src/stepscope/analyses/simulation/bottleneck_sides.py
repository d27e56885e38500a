"""Which resource is the bottleneck: whose work, if it were done a little faster, would make the step shorter.

Each resource's work is made a little faster and the steps are simulated. The bottleneck saves all of that, a resource
that is overlapped by others saves nothing. Two that take as long as each other, side by side, save little alone and all
of it together: there the GPU binds if it is busy nearly all of the step.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.simulation.edits import busy_by_stream, loading, shares, slowed, stretched
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.schema import KERNEL
from stepscope.store.profile import Rank

HOST, DATA_LOADING, COMPUTE, COMMUNICATION, COPIES = "host", "data_loading", "compute", "communication", "copies"
SIDES = (HOST, DATA_LOADING, COMPUTE, COMMUNICATION, COPIES)

_FASTER = 0.97

_UNEXPLAINED_PCT = 10.0
"""So much of the step that no resource bounds alone is worth asking whether all of them do."""

_BUSY = 0.9
"""Share of the step from which on the GPU is busy nearly all of it."""


def binding_shares(rank: Rank, model: StepModel, edit: Edit, step_ns: float | None = None) -> dict[str, float]:
    """By resource, how many per cent of the step it bounds: what going 3 % faster saves, over 3 %.

    The shares add up to about 100; less where the step is bound by delays that are no resource's work (latencies,
    other ranks). What only several resources together save is the GPU's or, where that is not busy all the time, the
    share of the one that bounds most.

    Args:
        step_ns: time of the step after the edit, where it is known.
    """
    before = model.step_ns(edit) if step_ns is None else step_ns
    if before <= 0:
        return dict.fromkeys(SIDES, 0.0)
    loads = shares(model, loading(rank, model))
    own = {HOST: tuple(1 - share for share in loads), DATA_LOADING: loads}

    def saved_pct(faster: Edit) -> float:
        return max(0.0, 100.0 * (before - model.step_ns(faster)) / before / (1 - _FASTER))

    found = {}
    for side in SIDES:
        if side in own:
            has_work, faster = any(share.any() for share in own[side]), partial(slowed, edit, own[side], _FASTER)
        else:
            mine = activities_of(rank, model, side)
            has_work, faster = bool(mine.any()), partial(stretched, edit, mine, _FASTER)
        # What has no work gets no faster: that needs no simulation.
        found[side] = saved_pct(faster()) if has_work else 0.0
    unexplained = 100.0 - sum(found.values())
    if unexplained < _UNEXPLAINED_PCT:
        return found
    every = slowed(edit, [np.ones_like(share) for share in loads], _FASTER)
    every = stretched(every, np.ones(len(model.gpu.rows), np.bool_), _FASTER)
    together = saved_pct(every) - sum(found.values())
    if together >= _UNEXPLAINED_PCT:
        found[_binding(rank, model, edit, before, found)] += min(together, unexplained)
    return found


def _binding(rank: Rank, model: StepModel, edit: Edit, step_ns: float, found: dict[str, float]) -> str:
    """Of resources that bound the step together, the one to name."""
    work = edit.activities.duration * ~edit.gone
    streams, busy = busy_by_stream(model, edit.activities.stream, work)
    if len(busy) == 0 or busy.max() < _BUSY * step_ns:
        return max(SIDES, key=lambda side: found[side])
    busiest = streams == busy.argmax()
    gpu = (COMPUTE, COMMUNICATION, COPIES)
    return max(gpu, key=lambda side: float(work[busiest & activities_of(rank, model, side)].sum()))


def activities_of(rank: Rank, model: StepModel, side: str) -> Flags:
    """Which activities belong to a resource."""
    activity = rank.whole.activity[model.gpu.rows]
    kernel, talks = (activity["activity"] == KERNEL).to_numpy(), activity["communication"].to_numpy()
    which: dict[str, Flags] = {COMPUTE: kernel & ~talks, COMMUNICATION: kernel & talks, COPIES: ~kernel}
    return which[side]
