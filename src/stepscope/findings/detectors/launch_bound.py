"""A GPU that waits because each of many short kernels is launched by the host."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import gpu_queue
from stepscope.analyses.gpu.graph_replays import GRAPH_LAUNCH
from stepscope.analyses.simulation.bottleneck_sides import HOST
from stepscope.analyses.simulation.changes.launching import graphed, launched_alone
from stepscope.analyses.simulation.model import Edit
from stepscope.analyses.simulation.unprofiled import unprofiled, unprofiled_shares
from stepscope.findings.detector_context import NOWHERE, Case, Cause
from stepscope.messages import Message
from stepscope.numeric.replay import WAIT, WAIT_ALL, WAIT_STREAM

_LEAST_LAUNCHES = 100
_SHORT_NS = 20_000
_MOST_BUSY = 0.8
"""Of the step: a GPU that is busier leaves little to gain."""

_COMPILED = r"^Torch-Compiled Region|CompiledFxGraph"
_GENERATED = r"^triton_(?:poi|red|per|tem)_"


def detect(case: Case) -> list[Cause]:
    """A cause where the host is the bottleneck and most kernels are short."""
    rows = case.model.gpu.rows
    launches = case.a_step(len(np.unique(gpu_queue(case.rank.whole).call[rows])))
    duration = case.model.gpu.activities.duration
    if launches < _LEAST_LAUNCHES or _graphed(case) or np.median(duration) > _SHORT_NS:
        return []
    busy = float(duration.sum()) / max(1.0, unprofiled(case.rank, case.model).step_ns[0] * case.model.steps)
    if busy > _MOST_BUSY or unprofiled_shares(case.rank, case.model)[HOST] < 50:
        return []

    compiled = _compiled(case)
    advice = Message("finding-launch-bound-advice")
    if compiled:
        advice = Message("finding-launch-bound-advice-compiled")
    before = "torch.compile(model)" if compiled else "model"
    return [_cause(case, launches, busy, advice, before)]


def _cause(case: Case, launches: float, busy: float, advice: Message, before: str) -> Cause:
    def fix(edit: Edit, effort: int) -> Edit:
        return graphed(case.rank, case.model, edit)

    return Cause(
        id="launch-bound",
        category="launching",
        title=Message("finding-launch-bound-title", launches=round(launches), busy_pct=100 * busy),
        fix=fix,
        claims=NOWHERE,
        spent_ns=case.model.recorded_ns,
        advice=advice,
        change=f'model = torch.compile(model, mode="reduce-overhead")  # was: {before}',
        links=(
            "https://docs.pytorch.org/docs/stable/generated/torch.compile.html",
            "https://docs.pytorch.org/docs/stable/notes/cuda.html",
        ),
        unknown=_unknown(case),
        general=True,
        count=launches,
    )


def _unknown(case: Case) -> Message:
    """What the recording does not show; a graph cannot hold a wait of the host, such as that for a value."""
    kinds = case.model.host.items["kind"].to_numpy()
    waits = round(case.a_step(float(np.isin(kinds, (WAIT, WAIT_STREAM, WAIT_ALL)).sum())))
    return Message("finding-launch-bound-unknown-waits", waits=waits) if waits else Message("change-cuda-graph-unknown")


def _graphed(case: Case) -> bool:
    """Whether most of the work is launched as graphs already."""
    return len(case.calls(GRAPH_LAUNCH).start) > 0 and 2 * launched_alone(case.rank, case.model).mean() < 1


def _compiled(case: Case) -> bool:
    """Whether every step runs what torch.compile made."""
    ranges = case.named(_COMPILED, "annotation", "operator")
    kernels = case.kernel_names().str.contains(_GENERATED).fill_null(False)
    return max(len(ranges.start), int(kernels.sum())) >= case.model.steps
