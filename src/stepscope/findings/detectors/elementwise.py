"""Chains of short elementwise kernels that could be fused into one."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import Flags, Queue, gpu_queue
from stepscope.analyses.gpu.fusion import fusible_runs
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed, stretched
from stepscope.analyses.simulation.lead_ups import lead_ups
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, outermost
from stepscope.findings.detectors.optimizer import STEP_PATTERN
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints

_LEAST_SHARE = 0.6
"""Of all launches, those in such chains: in most programs it is less."""

_LEFT = (0.5, 0.1, 0.0)
"""What is left of a kernel that is fused into another, by effort: for the host guards and wrappers, for the GPU the
inputs that no other kernel of the chain has."""

_LINKS = (
    "https://docs.pytorch.org/docs/stable/generated/torch.compile.html",
    "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
)


def detect(case: Case) -> list[Cause]:
    """A cause where much of the launching is of chains that could be fused."""
    rows, first = _of_several_kinds(case, *fusible_runs(case.rank.whole))
    number = case.model.gpu.number[rows]
    rows, first = rows[number >= 0], first[number >= 0]
    number = number[number >= 0]
    optimizer = outermost(case.named(STEP_PATTERN, "annotation", "operator", "python"))
    other = ~launched_inside(case.rank, case.model, optimizer)[number]
    rows, first = rows[other], first[other]
    which = np.zeros(len(case.model.gpu.rows), np.bool_)
    which[case.model.gpu.number[rows]] = True
    lost = np.zeros_like(which)
    lost[case.model.gpu.number[rows[~first]]] = True
    if which.mean() < _LEAST_SHARE if len(which) else True:
        return []
    return [_cause(case, which, lost)]


def _cause(case: Case, which: Flags, lost: Flags) -> Cause:
    calls = _operators(case, case.model.gpu.rows[lost], gpu_queue(case.rank.whole))
    leading = lead_ups(case.rank, case.model, lost)
    count, share = case.a_step(float(which.sum())), 100 * float(which.mean())

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, leading), _LEFT[effort])
        return stretched(edit, lost, _LEFT[effort])

    return Cause(
        id="unfused-elementwise",
        category="fusion",
        title=Message("finding-unfused-elementwise-title", kernels=round(count), share_pct=share),
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


def _of_several_kinds(case: Case, rows: Ints, first: Flags) -> tuple[Ints, Flags]:
    """Runs of more than one kernel: the same one again and again is a loop over tensors, each with its own."""
    run = np.cumsum(first)
    names = case.rank.whole.activity["name"].gather(rows).to_numpy()
    differs = np.append(False, (names[1:] != names[:-1]) & (run[1:] == run[:-1])) if len(rows) else first
    kept = np.isin(run, run[differs])
    return rows[kept], first[kept]


def _operators(case: Case, rows: Ints, queue: Queue) -> Ranges:
    """Ranges of the innermost operators that launched some activities."""
    operator = case.rank.whole.activity["operator"].gather(rows).drop_nulls().unique().cast(int)
    which = np.zeros(case.rank.trace.rows("operator"), np.bool_)
    which[operator.to_numpy()] = True
    return case.rows("operator", which)
