"""Which side holds the steps back: whose work, if it were done a little faster, would make the step shorter.

Each side's work is made a little faster and the steps are timed again. A side that binds saves all of that, one
that is covered by others saves nothing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from stepscope.analyses.dependencies.threads import host_threads
from stepscope.analyses.retiming.model import Edit, StepModel
from stepscope.analyses.unions import loader_ranges
from stepscope.schema import KERNEL
from stepscope.store.profile import Rank

HOST, DATA_LOADING, COMPUTE, COMMUNICATION, COPIES = "host", "data_loading", "compute", "communication", "copies"
SIDES = (HOST, DATA_LOADING, COMPUTE, COMMUNICATION, COPIES)

_FASTER = 0.97


def binding_shares(rank: Rank, model: StepModel, edit: Edit) -> dict[str, float]:
    """By side, how many per cent of the step its work holds back: what going 3 % faster saves, over 3 %.

    The shares add up to about 100; less where delays that nobody's work explains (latencies, other ranks) bind.
    """
    before = model.step_ns(edit)
    if before <= 0:
        return dict.fromkeys(SIDES, 0.0)
    loading = _loading(rank, model)
    own = {HOST: tuple(1 - share for share in loading), DATA_LOADING: loading}
    found = {}
    for side in SIDES:
        faster = _paced(edit, own[side]) if side in own else _quicker(rank, model, edit, side)
        saved = before - model.step_ns(faster)
        found[side] = max(0.0, 100.0 * saved / before / (1 - _FASTER))
    return found


def _loading(rank: Rank, model: StepModel) -> tuple[npt.NDArray[np.float64], ...]:
    """Share of each stretch that is the data loader's."""
    frame = loader_ranges(rank.trace)
    thread = host_threads(rank).numbers(frame)
    start, end = frame["start_ns"].to_numpy(), frame["end_ns"].to_numpy()
    return tuple(
        clock.inside(start[thread == clock.thread], end[thread == clock.thread]) for clock in model.host.clocks
    )


def _paced(edit: Edit, shares: tuple[npt.NDArray[np.float64], ...]) -> Edit:
    pace = tuple(pace * (1 - share * (1 - _FASTER)) for pace, share in zip(edit.pace, shares, strict=True))
    return replace(edit, pace=pace)


def _quicker(rank: Rank, model: StepModel, edit: Edit, side: str) -> Edit:
    activity = rank.whole.activity[model.gpu.rows]
    kernel, talks = (activity["activity"] == KERNEL).to_numpy(), activity["communication"].to_numpy()
    which = {COMPUTE: kernel & ~talks, COMMUNICATION: kernel & talks, COPIES: ~kernel}[side]
    duration = np.where(which, np.rint(edit.activities.duration * _FASTER), edit.activities.duration).astype(np.int64)
    return replace(edit, activities=edit.activities._replace(duration=duration))
