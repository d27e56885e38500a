"""A GPU that waits because each of many short kernels is launched by the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from stepscope.analyses.critical_path.queue import gpu_queue
from stepscope.analyses.gpu.graph_replays import GRAPH_LAUNCH
from stepscope.analyses.host.initialization import initialization
from stepscope.analyses.simulation.bottleneck_sides import HOST
from stepscope.analyses.simulation.changes.launching import Outside, graphed, launched_alone
from stepscope.analyses.simulation.edits import Ranges, launched_inside
from stepscope.analyses.simulation.model import Edit
from stepscope.analyses.simulation.representative import recorded_rank
from stepscope.analyses.simulation.unprofiled import unprofiled, unprofiled_shares
from stepscope.findings.detector_context import NOWHERE, Case, Cause
from stepscope.messages import Message
from stepscope.numeric.intervals import distinct, length, union
from stepscope.numeric.nested import NOBODY
from stepscope.numeric.replay import WAIT, WAIT_ALL, WAIT_STREAM
from stepscope.store.autograd import backward_pass
from stepscope.store.serving import is_served

_ID = "launch-bound"
_LEAST_LAUNCHES = 10
_MOSTLY_SET_UP_PCT = 30.0
_SHORT_NS = 50_000
_MOST_BUSY = 0.9
"""Of the step: a GPU that is busier leaves little to gain."""

_INDUCTOR, _COMPILED = r"CompiledFxGraph", r"^Torch-Compiled Region|^CompiledFunction"
"""Ranges of Inductor's code; and those of what torch.compile captured, which any backend may run, also an eager one."""

_GENERATED = r"^triton_(?:_|(?:\w+_)?fused|(?:poi|red|per|tem)_)|^nvfuser_|^CudaCodeGen::|^fused_\w+$"
"""Kernels that Inductor, nvFuser or TorchScript's own fuser wrote."""

_MOST_COMPILED, _MANY_GENERATED, _LEAST_GENERATED = 0.5, 0.25, 0.05
"""Shares of the launches; what is compiled also calls libraries."""


def detect(case: Case) -> list[Cause]:
    """A cause where the host is the bottleneck and most kernels are short."""
    rows = case.model.gpu.rows
    launches = case.a_step(len(distinct(gpu_queue(case.rank.whole).call[rows])))
    duration = case.model.gpu.activities.duration
    if initialization(recorded_rank(case.rank)).share_pct >= _MOSTLY_SET_UP_PCT:
        return []  # what the GPU waits for is the loading of kernels
    if launches < _LEAST_LAUNCHES or _graphed(case) or np.median(duration) > _SHORT_NS:
        return []
    busy = _busy_ns(case) / max(1.0, unprofiled(case.rank, case.model).step_ns[0])
    if busy > _MOST_BUSY or unprofiled_shares(case.rank, case.model)[HOST] < 50:
        return []

    return [_cause(case, launches, busy, _remedy(case))]


@dataclass(frozen=True)
class _Remedy:
    advice: Message
    change: str
    link: str


_COMPILE = "https://docs.pytorch.org/docs/stable/generated/torch.compile.html"
_EAGER = _Remedy(
    Message("finding-launch-bound-advice"),
    'model = torch.compile(model, mode="reduce-overhead")  # was: model',
    _COMPILE,
)
_TRAINING = _Remedy(
    Message("finding-launch-bound-advice-training"),
    "with torch.cuda.graph(graph):  # once\n"
    "    train_step(static_batch)  # with optimizer.step()\n"
    "graph.replay()  # was: train_step(batch)",
    "https://docs.pytorch.org/docs/stable/notes/cuda.html#whole-network-capture",
)
"""What is compiled or captured is the model; the launches of the optimizer are as many again."""
_COMPILED_ALREADY = _Remedy(
    Message("finding-launch-bound-advice-compiled"),
    'model = torch.compile(model, mode="reduce-overhead")  # was: torch.compile(model)',
    _COMPILE,
)
_SERVED = _Remedy(
    Message("finding-launch-bound-advice-served"),
    "",
    "https://docs.vllm.ai/en/latest/design/cuda_graphs.html",
)
"""Servers capture graphs themselves, for batches of some sizes."""


def _remedy(case: Case) -> _Remedy:
    if is_served(case.rank.trace):
        return _SERVED
    if _compiled(case):
        return _COMPILED_ALREADY
    return _TRAINING if (backward_pass(case.rank).function != NOBODY).any() else _EAGER


def _busy_ns(case: Case) -> float:
    """How long the GPU is busy in a step, on any of its streams."""
    activity = case.rank.whole.activity[case.model.gpu.rows]
    return case.a_step(float(length(union(activity["start_ns"].to_numpy(), activity["end_ns"].to_numpy()))))


_NOT_LAUNCHING = frozenset({"checkpoint", "logging", "tensor-printing", "file-io", "garbage-collection", "cpu-tensors"})
"""Causes whose work no graph holds, however short its pieces: each has a recommendation of its own."""


def beside(case: Case, causes: Sequence[Cause]) -> list[Cause]:
    """The causes, where a graph leaves as it is what belongs to others of them and is no launching."""
    others = [cause.claims for cause in causes if cause.id in _NOT_LAUNCHING]
    if not others:
        return list(causes)
    ranges = reduce(Ranges.and_those, others)
    outside = Outside(ranges, case.items_inside(ranges))
    return [replace(one, fix=_fix(case, outside)) if one.id == _ID else one for one in causes]


def _fix(case: Case, outside: Outside | None = None) -> Callable[[Edit, int], Edit]:
    return lambda edit, effort: graphed(case.rank, case.model, edit, outside)


def _cause(case: Case, launches: float, busy: float, remedy: _Remedy) -> Cause:
    return Cause(
        id=_ID,
        category="launching",
        title=Message("finding-launch-bound-title", launches=round(launches), busy_pct=100 * busy),
        fix=_fix(case),
        claims=NOWHERE,
        spent_ns=case.model.recorded_ns,
        advice=remedy.advice,
        change=remedy.change,
        links=(
            remedy.link,
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
    """Whether a compiler made most of what is launched."""
    inductor, captured = (
        launched_inside(case.rank, case.model, case.named(pattern, "annotation", "operator")).mean()
        for pattern in (_INDUCTOR, f"{_INDUCTOR}|{_COMPILED}")
    )
    generated = case.kernels(lambda name: name.str.contains(_GENERATED)).mean()
    least = _LEAST_GENERATED if captured >= _MOST_COMPILED else _MANY_GENERATED
    return bool(inductor >= _MOST_COMPILED or generated >= least)
