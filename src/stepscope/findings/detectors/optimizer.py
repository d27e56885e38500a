"""Optimizers that go through the parameters one after another."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.simulation.edits import Ranges, gathered, launched_inside, shares, slowed
from stepscope.analyses.simulation.estimates import SAVING_POINTS
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, inside, outermost
from stepscope.findings.top_level_operators import top_level_operators
from stepscope.messages import Message

STEP_PATTERN = r"^Optimizer\.step#|torch[/\\]optim[/\\]\w+\.py\(\d+\): step$"
ACCUMULATES = r"^(?:autograd::engine::evaluate_function: )?torch::autograd::AccumulateGrad$"
_PER_PARAMETER = 3.0
"""Launches per parameter above which it is a loop: fused optimizers make one launch for dozens of parameters."""

_HOST_NS = (1_500_000, 800_000, 500_000)
"""What a fused optimizer takes the host, by effort."""

_CPU = (0.6, 0.3, 0.15)
"""What is left of the time of an optimizer that runs on the CPU, by effort."""

_MARGIN = 12.0
"""Points, on a CPU: how much faster the other form is differs by the sizes of the parameters."""

_WORKS = r"^aten::(?:\w+_|_foreach_\w+|_fused_\w+|sqrt|div|mul|add|sub|pow|maximum|norm)$"
"""What changes something in place, or computes; not what makes a tensor, looks at one or reads from it."""

_GPU = (0.8, 0.4, 0.25)
"""What is left of the GPU's time: one pass over memory instead of one per kernel of the formula."""

_KERNELS = 4
"""What a fused optimizer launches a step."""

_LONGEST_NS = 200_000
"""Of the host's work for each launch: where it is more, something else than launching takes the time."""

_FUSED = ("Adam", "AdamW", "SGD", "Adagrad")
_FOREACH = ("Adadelta", "Adamax", "ASGD", "NAdam", "RAdam", "RMSprop", "Rprop")

_TEXTS = {
    _FUSED: (
        Message("finding-optimizer-loop-advice-fused"),
        "optimizer = torch.optim.CLASS(params, lr=lr, fused=True)  # was: without fused=True",
        None,
    ),
    _FOREACH: (
        Message("finding-optimizer-loop-advice-foreach"),
        "optimizer = torch.optim.CLASS(params, lr=lr, foreach=True)  # was: foreach=False",
        None,
    ),
    (): (
        Message("finding-optimizer-loop-advice-own"),
        "torch._foreach_add_(params, updates, alpha=-lr)\n# was: for p, update in ...: p.add_(update, alpha=-lr)",
        Message("finding-optimizer-loop-unknown"),
    ),
}
"""Advice, change and what is unknown, by the classes of torch.optim; the last for all others."""


def detect(case: Case) -> list[Cause]:
    """A cause where an optimizer makes several launches for each parameter."""
    ranges = outermost(case.named(STEP_PATTERN, "annotation", "operator", "python"))
    if len(ranges.start) == 0:
        return []
    which = launched_inside(case.rank, case.model, ranges)
    launches = _launches(case, ranges, which)
    parameters = parameters_of(case)
    if parameters < 8 or launches < _PER_PARAMETER * parameters:
        return []
    if case.host_ns(ranges) > _LONGEST_NS * launches:
        return []
    title = "finding-optimizer-loop-title" if case.on_gpu else "finding-optimizer-loop-title-cpu"
    said = Message(title, launches=round(launches), parameters=round(parameters))
    return [_cause(case, ranges, which, said, launches)]


def _launches(case: Case, ranges: Ranges, which: Flags) -> float:
    """What the optimizer launches a step; on a CPU, the operators that it calls, those that only read a value aside."""
    if case.on_gpu:
        return case.a_step(len(np.unique(gpu_queue(case.rank.whole).call[case.model.gpu.rows][which])))
    calls = top_level_operators(case)
    mine = inside(ranges, calls.ranges.thread, calls.ranges.start)
    return case.a_step(float((mine & calls.named(case, _WORKS)).sum()))


def _cause(case: Case, ranges: Ranges, which: Flags, title: Message, launches: float) -> Cause:
    name = _class_of(case, ranges)
    advice, change, unknown = next(texts for names, texts in _TEXTS.items() if name in names or not names)
    spent = float((ranges.end - ranges.start).sum()) / len(ranges.start)

    def fix(edit: Edit, effort: int) -> Edit:
        left = _HOST_NS[effort] / spent if case.on_gpu else _CPU[effort]
        edit = slowed(edit, shares(case.model, ranges), min(1.0, left))
        return gathered(edit, which, _KERNELS * case.model.steps, _GPU[effort])

    return Cause(
        id="optimizer-loop",
        category="optimizer",
        title=title,
        fix=fix,
        claims=ranges,
        spent_ns=case.host_ns(ranges),
        advice=advice,
        change=change.replace("CLASS", name),
        unknown=unknown,
        unsure=bool(unknown) or not case.on_gpu,
        margin=SAVING_POINTS if case.on_gpu else _MARGIN,
        links=(
            "https://docs.pytorch.org/docs/stable/optim.html",
            "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
        ),
        where=case.where(ranges),
        count=launches,
    )


def _class_of(case: Case, ranges: Ranges) -> str:
    """The class of torch.optim that most of the ranges' time goes to, "" where that is another."""
    total = int((ranges.end - ranges.start).sum())
    for pattern in (r"^Optimizer\.step#{}\.step$", r"(?i)torch[/\\]optim[/\\]{}\.py\(\d+\): step$"):
        spent = {}
        for name in (*_FUSED, *_FOREACH):
            found = outermost(case.named(pattern.format(name), "annotation", "operator", "python"))
            spent[name] = int((found.end - found.start).sum())
        most = max(spent, key=lambda name: spent[name])
        if 2 * spent[most] >= total:
            return most
    return ""


def parameters_of(case: Case) -> float:
    """Parameters that get a gradient in a step."""
    return case.a_step(len(outermost(case.named(ACCUMULATES, "operator")).start))
