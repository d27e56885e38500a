"""Hooks that modules run in the backward pass (`register_full_backward_hook`)."""

from __future__ import annotations

from math import ceil

import numpy as np

from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed
from stepscope.analyses.simulation.lead_ups import LONGEST, lead_ups
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, holding, inside, outermost
from stepscope.findings.detectors.small_parts import READS
from stepscope.findings.top_level_operators import runs, top_level_operators
from stepscope.messages import Message
from stepscope.store.autograd import EVALUATE

_HOOKS = rf"^(?:{EVALUATE})?BackwardHookFunction(?:Backward)?$"
"""PyTorch puts one around the inputs and one around the outputs of such a module; hooks run where the gradient comes to
the second one (torch/utils/hooks.py)."""

_CHANGES = r"^aten::(?:mul|div|clamp\w*|where|masked_fill|nan_to_num|sign)_?$"
"""What makes another gradient of one. The engine itself adds gradients up."""

_LEAST = 8
"""Calls of modules a step."""

_MARGIN = 10.0
"""Points: hooks go with what they call, as of checks for NaN."""


def detect(case: Case) -> list[Cause]:
    """A cause where many modules have one."""
    engine = case.named(f"^{EVALUATE}BackwardHookFunctionBackward$", "operator")
    # Two for each call of a module; one where its inputs need no gradient, as of the first module.
    modules = ceil(case.a_step(len(engine.start)) / 2)
    if modules < _LEAST:
        return []
    hooks = _with_python_around(case, outermost(case.named(_HOOKS, "operator")))
    read, computed = (case.named(pattern, "operator") for pattern in (READS, _CHANGES))
    reads, changes = (holding(engine, found.thread, found.start) for found in (read, computed))
    # Other hooks may change gradients.
    only_looks = bool(reads.any() and not changes.any())
    gone = launched_inside(case.rank, case.model, hooks)
    leading = outermost(hooks.and_those(lead_ups(case.rank, case.model, gone)))

    def fix(edit: Edit, effort: int) -> Edit:
        if effort == 0 and not only_looks:
            return edit
        return case.removed(slowed(edit, shares(case.model, leading), 0.0), hooks, gone)

    spent = case.host_ns(hooks)
    return [
        Cause(
            id="backward-hooks",
            category="python",
            title=Message("finding-backward-hooks-title", calls=modules, spent_ns=round(spent)),
            fix=fix,
            claims=hooks,
            spent_ns=spent,
            advice=Message("finding-backward-hooks-advice"),
            change="handle = module.register_full_backward_hook(look); ...; handle.remove()  # was: left in place",
            links=("https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html",),
            unknown=Message("finding-backward-hooks-unknown"),
            margin=_MARGIN,
            where=case.where(engine),
            count=float(modules),
        )
    ]


def _with_python_around(case: Case, hooks: Ranges) -> Ranges:
    """The same, neighbours joined, from the end of the operator before to the start of the one behind.

    `Module.__call__` gets the hooks ready and puts them away there, which takes most of that time.
    """
    every = outermost(hooks.and_those(top_level_operators(case).ranges))
    another = np.append(True, every.thread[1:] != every.thread[:-1])
    first, last = runs(inside(hooks, every.thread, every.start), another)
    idle = np.where(another, 0, every.start - np.append(0, every.end[:-1]))
    before, behind = idle[first], np.append(idle[1:], 0)[last]
    before, behind = (
        np.minimum(gap, round(LONGEST * float(np.median(gap)))) if len(gap) else gap for gap in (before, behind)
    )
    return Ranges(every.thread[first], every.start[first] - before, every.end[last] + behind)
