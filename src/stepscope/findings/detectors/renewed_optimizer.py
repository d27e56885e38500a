"""An optimizer that is made anew in every step: it also forgets its state, as momentum and the number of steps."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, inside, outermost
from stepscope.messages import Message

_MADE = r"torch[/\\]optim[/\\]optimizer\.py\(\d+\): __init__$"
"""The constructor that those of all optimizers call."""

_PREPARES = r"torch[/\\]optim[/\\]\w+\.py\(\d+\): _init_group$"
_ALLOCATES = r"<built-in method (?:(?:zeros|ones|empty|full)_like|zeros|tensor) of "
"""What makes the state of each parameter, in the first step of an optimizer."""

_LEFT = (0.2, 0.0, 0.0)
"""Share of these calls' time that is left, by effort. Other work of an optimizer's first step is not counted."""


def detect(case: Case) -> list[Cause]:
    """A cause where one is made in each of two steps or more; with stacks."""
    made = outermost(case.named(_MADE, "python"))
    if len(np.unique(case.step_of(made.start))) < max(2, case.model.steps):
        return []
    state = case.named(_ALLOCATES, "python")
    prepares = outermost(case.named(_PREPARES, "python"))
    state = state.chosen(inside(prepares, state.thread, state.start))
    return [_cause(case, made, outermost(made.and_those(state)))]


def _cause(case: Case, made: Ranges, ranges: Ranges) -> Cause:
    which = launched_inside(case.rank, case.model, ranges)
    spent, count = max(case.gpu_ns(which), case.host_ns(ranges)), case.a_step(float(len(made.start)))

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, ranges), _LEFT[effort])
        return case.removed(edit, ranges, which)

    return Cause(
        id="renewed-optimizer",
        category="optimizer",
        title=Message("finding-renewed-optimizer-title", times=count, spent_ns=round(spent)),
        fix=fix,
        claims=ranges,
        spent_ns=spent,
        advice=Message("finding-renewed-optimizer-advice"),
        change="optimizer = torch.optim.AdamW(model.parameters())  # was: inside the loop over steps",
        links=("https://docs.pytorch.org/docs/stable/optim.html",),
        varies=True,
        where=case.where(made),
        count=count,
    )
