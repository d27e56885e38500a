"""Training steps whose kernels are too small to fill the GPU."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.retiming.binding import HOST
from stepscope.analyses.retiming.edits import stretched
from stepscope.analyses.retiming.model import Edit
from stepscope.analyses.retiming.unprofiled import unprofiled_shares
from stepscope.findings.case import NOWHERE, Case, Cause
from stepscope.schema import KERNEL

_LEAST_SHARE = 0.4
"""Of kernel time, that of kernels with less than one block for each multiprocessor."""

_TIMES = 8
_GROWTH = (1.0, 0.8, 0.6)
"""How the time of a kernel grows with the batch beyond what leaves multiprocessors empty, by effort."""


def detect(case: Case) -> list[Cause]:
    """A cause where the host binds, and most kernels leave multiprocessors without work."""
    activity = case.rank.trace.frame("activity", ["activity", "blocks_per_sm"])[case.model.gpu.rows]
    kernel = (activity["activity"] == KERNEL).to_numpy()
    blocks = activity["blocks_per_sm"].fill_null(0.0).to_numpy()
    duration = case.model.gpu.activities.duration
    small = kernel & (blocks > 0) & (blocks < 1)
    share = float(duration[small].sum()) / max(1.0, float(duration[kernel].sum()))
    trains = len(case.named(r"^autograd::engine::evaluate_function", "operator").start) > 0
    if not trains or share < _LEAST_SHARE or unprofiled_shares(case.rank, case.model)[HOST] < 50:
        return []
    # A kernel of few blocks takes no longer while there is room for more of them.
    room = np.where(kernel & (blocks > 0), np.clip(1 / np.maximum(blocks, 1e-3), 1, _TIMES), 1.0)

    def mend(edit: Edit, effort: int) -> Edit:
        grown = np.maximum(1.0, _GROWTH[effort] * _TIMES / room)
        edit = stretched(edit, np.ones(len(duration), np.bool_), grown / _TIMES)
        return Edit(tuple(pace / _TIMES for pace in edit.pace), edit.own, edit.activities, edit.gone, edit.freed)

    return [
        Cause(
            id="small-batch",
            category="shapes",
            title=f"{100 * share:.0f} % of kernel time is in kernels with less than a block for each multiprocessor",
            mend=mend,
            claims=NOWHERE,
            spent_ns=case.gpu_ns(small),
            advice=f"A larger batch: the saving is for each sample, at {_TIMES} times the batch.",
            change="loader = DataLoader(data, batch_size=8 * size)  # was: batch_size=size",
            links=(
                "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
                "https://docs.nvidia.com/deeplearning/performance/dl-performance-getting-started/index.html",
            ),
            unknown="whether memory and the optimization allow a larger batch",
            general=True,
            count=case.a_step(float(small.sum())),
        )
    ]
