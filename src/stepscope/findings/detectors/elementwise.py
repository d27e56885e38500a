"""Chains of short elementwise kernels that could be fused into one."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import Flags, Queue, gpu_queue
from stepscope.analyses.gpu.fusion import FusibleRuns, fusible_runs
from stepscope.analyses.simulation.bottleneck_sides import COMPUTE
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed, stretched
from stepscope.analyses.simulation.lead_ups import lead_ups
from stepscope.analyses.simulation.model import Edit
from stepscope.analyses.simulation.unprofiled import unprofiled_shares
from stepscope.findings.detector_context import Case, Cause, outermost
from stepscope.findings.detectors.attention import attended
from stepscope.findings.detectors.optimizer import STEP_PATTERN
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints

_LEAST_SHARE = 0.6
"""Of all launches, those in such chains: in most programs it is less."""

_LEAST_TIME = 0.16
"""Of the GPU's time, what fusing them would take away, where it is the GPU that the steps wait for: of less, the half
that may stay is no more than what savings differ by anyway."""

_LEAST_BOUND_PCT = 50

_LEFT = (0.5, 0.1, 0.0)
"""What is left of a kernel that is fused into another, by effort: for the host guards and wrappers, for the GPU the
inputs that no other kernel of the chain has."""

_LINKS = (
    "https://docs.pytorch.org/docs/stable/generated/torch.compile.html",
    "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
)


def detect(case: Case) -> list[Cause]:
    """A cause where much of the launching, or of the time of a GPU that is waited for, is of chains to be fused."""
    runs = _of_several_kinds(case, fusible_runs(case.rank.whole))
    runs = runs.chosen(case.model.gpu.number[runs.rows] >= 0)
    optimizer = outermost(case.named(STEP_PATTERN, "annotation", "operator", "python"))
    # What attention has of them goes with its score matrix.
    elsewhere = launched_inside(case.rank, case.model, optimizer) | attended(case)
    runs = runs.chosen(~elsewhere[case.model.gpu.number[runs.rows]])
    which, lost, joined = (_marked(case, runs, kind) for kind in (runs.elementwise, runs.lost, runs.joined))
    if not which.any():
        return []
    if which.mean() >= _LEAST_SHARE:
        share, title = float(which.mean()), "finding-unfused-elementwise-title"
    elif _time_counts(case, lost):
        share, title = _of_time(case, which), "finding-unfused-elementwise-title-time"
    else:
        return []
    kernels = round(case.a_step(float(which.sum())))
    return [_cause(case, Message(title, kernels=kernels, share_pct=100 * share), which, lost, joined)]


def _marked(case: Case, runs: FusibleRuns, kind: Flags) -> Flags:
    """Activities of the model that are of one kind in the runs."""
    found = np.zeros(len(case.model.gpu.rows), np.bool_)
    found[case.model.gpu.number[runs.rows[kind]]] = True
    return found


def _of_time(case: Case, which: Flags) -> float:
    """Share of some activities in the time of all."""
    duration = case.model.gpu.activities.duration
    return float(duration[which].sum()) / max(1.0, float(duration.sum()))


def _time_counts(case: Case, lost: Flags) -> bool:
    """Whether the steps wait for the GPU, and fusing takes away enough of its time."""
    if _of_time(case, lost) < _LEAST_TIME:
        return False
    return unprofiled_shares(case.rank, case.model)[COMPUTE] >= _LEAST_BOUND_PCT


def _cause(case: Case, title: Message, which: Flags, lost: Flags, joined: Flags) -> Cause:
    calls = _operators(case, case.model.gpu.rows[joined], gpu_queue(case.rank.whole))
    leading = lead_ups(case.rank, case.model, joined)
    count = case.a_step(float(which.sum()))

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, leading), _LEFT[effort])
        return stretched(edit, lost, _LEFT[effort])

    return Cause(
        id="unfused-elementwise",
        category="fusion",
        title=title,
        fix=fix,
        claims=calls,
        spent_ns=case.gpu_ns(which),
        advice=Message("finding-unfused-elementwise-advice"),
        change="model = torch.compile(model)  # was: model",
        links=_LINKS,
        unknown=Message("finding-unfused-elementwise-unknown"),
        where=case.where(calls),
        varies=True,
        count=count,
    )


def _of_several_kinds(case: Case, runs: FusibleRuns) -> FusibleRuns:
    """Runs of more than one kernel: the same one again and again is a loop over tensors, each with its own."""
    names = case.rank.whole.activity["name"].gather(runs.rows).to_numpy()
    same = runs.group[1:] == runs.group[:-1]
    return runs.chosen(np.isin(runs.group, runs.group[1:][same & (names[1:] != names[:-1])]))


def _operators(case: Case, rows: Ints, queue: Queue) -> Ranges:
    """Ranges of the innermost operators that launched some activities."""
    operator = case.rank.whole.activity["operator"].gather(rows).drop_nulls().unique().cast(int)
    which = np.zeros(case.rank.trace.rows("operator"), np.bool_)
    which[operator.to_numpy()] = True
    return case.rows("operator", which)
