"""Operators that compute on tensors in the host's memory, in steps whose other work a GPU does."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, holding, inside
from stepscope.findings.detectors.optimizer import STEP_PATTERN
from stepscope.findings.top_level_operators import TopLevelOperators, top_level_operators
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints

_LEAST_NS = 100_000
"""An operator that launches nothing and takes this long computes; views and bookkeeping take a tenth of it."""

_COPIES = r"HtoD|DtoH|HostToDevice|DeviceToHost"

_NO_WORK = (
    r"^aten::(?:empty\w*|new_empty\w*|resize_|set_|record_stream|pin_memory|_pin_memory"
    r"|unbind|split|split_with_sizes|chunk|tensor_split|select|slice|view|reshape|transpose|permute|expand)$"
)
"""Memory and views, which may take long where there are hundreds."""

_LEFT = (0.4, 0.1, 0.0)
"""What is left of their time where the GPU computes the same, by effort."""

_MARGIN = 9.0
"""Points: what is computed there and copied then becomes larger or smaller."""


def detect(case: Case) -> list[Cause]:
    """A cause for such operators, outside the data loader and the optimizer."""
    calls = top_level_operators(case)
    which = _computing(case, calls)
    if len(which) == 0:
        return []
    ranges = calls.ranges.chosen(which)
    spent, count = case.host_ns(ranges), case.a_step(len(which))

    def fix(edit: Edit, effort: int) -> Edit:
        return slowed(edit, shares(case.model, ranges), _LEFT[effort])

    return [
        Cause(
            id="cpu-tensors",
            category="copies",
            title=Message(
                "finding-cpu-tensors-title",
                times=max(round(count), 1),
                operators=_longest(case, calls, which, ranges),
                spent_ns=round(spent),
            ),
            fix=fix,
            claims=ranges,
            spent_ns=spent,
            advice=Message("finding-cpu-tensors-advice"),
            change=(
                "mask = torch.ones(n, n, device=x.device).tril()  # was: torch.ones(n, n).tril().to(x.device)\n"
                "x = images.to(device).float() / 255  # was: (images.float() / 255).to(device)"
            ),
            links=("https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",),
            unknown=Message("finding-cpu-tensors-unknown"),
            margin=_MARGIN,
            where=case.where(ranges),
            count=count,
        )
    ]


def computing_on_host(case: Case) -> Ranges:
    """Ranges of such operators."""
    calls = top_level_operators(case)
    return calls.ranges.chosen(_computing(case, calls))


def _computing(case: Case, calls: TopLevelOperators) -> Ints:
    """Places of such operators among the top-level ones."""
    if not case.kernels(lambda name: name.str.contains(_COPIES)).any():
        return np.empty(0, np.int64)  # what the host computes on reaches no GPU, and comes from none
    return np.flatnonzero(_compute(case, calls))


def _compute(case: Case, calls: TopLevelOperators) -> Flags:
    ranges = calls.ranges
    long: Flags = (ranges.end - ranges.start >= _LEAST_NS) & (calls.launches == 0) & ~calls.waits
    long &= ~calls.named(case, _NO_WORK)
    runtime = case.rows("runtime")
    long &= ~holding(ranges, runtime.thread, runtime.start)
    elsewhere = case.named(STEP_PATTERN, "annotation", "operator", "python").and_those(case.loading())
    return long & ~inside(elsewhere, ranges.thread, ranges.start)


def _longest(case: Case, calls: TopLevelOperators, which: Ints, ranges: Ranges) -> list[str]:
    """Names of the operators that take most of the time, longest first."""
    names = np.array(calls.texts(case, which))
    length = ranges.end - ranges.start
    kinds, of = np.unique(names, return_inverse=True)
    total = np.bincount(of, weights=length)
    return [str(kinds[place]) for place in np.argsort(-total, kind="stable")[:3]]
