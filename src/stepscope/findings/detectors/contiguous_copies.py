"""Copies that only put a tensor's elements in another order: `.contiguous()`, and `.reshape()` of a transposed one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, outermost, time_inside
from stepscope.findings.top_level_operators import top_level_operators
from stepscope.messages import Message

_REORDERS = r"^aten::(?:contiguous|reshape|flatten)$"
"""Called by the program; inside other operators the library needs them."""

_COPIES = r"^aten::(?:clone|copy_)$"

_MOSTLY = 2

_KEPT = (0.5, 0.0, 0.0)
"""Share of them that is needed, by effort."""


def detect(case: Case) -> list[Cause]:
    """A cause where the program's own calls for another order copy."""
    ranges = _copying(case)
    return [_cause(case, ranges)] if len(ranges.start) else []


def _copying(case: Case) -> Ranges:
    """Calls for another order that launch something, or on a CPU mostly copy: a first call may take long for others."""
    found = top_level_operators(case)
    ranges = found.ranges.chosen(found.named(case, _REORDERS) & (found.launches > 0))
    if case.on_gpu:
        return ranges
    copies = outermost(case.named(_COPIES, "operator"))
    return ranges.chosen(_MOSTLY * time_inside(ranges, copies) >= np.maximum(ranges.end - ranges.start, 1))


def _cause(case: Case, ranges: Ranges) -> Cause:
    which = launched_inside(case.rank, case.model, ranges)
    total = case.gpu_ns(which) if case.on_gpu else case.host_ns(ranges)
    title = "finding-contiguous-copies-title" if case.on_gpu else "finding-contiguous-copies-title-cpu"

    def fix(edit: Edit, effort: int) -> Edit:
        kept = _KEPT[effort]
        edit = slowed(edit, shares(case.model, ranges), kept)
        duration = np.where(which, np.rint(edit.activities.duration * kept), edit.activities.duration).astype(np.int64)
        gone = edit.gone | which if kept == 0 else edit.gone
        return replace(edit, activities=edit.activities._replace(duration=duration), gone=gone)

    count = case.a_step(len(ranges.start))
    return Cause(
        id="contiguous-copies",
        category="layout",
        title=Message(title, spent_ns=round(total)),
        fix=fix,
        claims=ranges,
        spent_ns=max(total, case.host_ns(ranges)),
        advice=Message("finding-contiguous-copies-advice"),
        change="y = x.transpose(1, 2)  # was: x.transpose(1, 2).contiguous(), where what follows takes any order",
        links=(
            "https://docs.pytorch.org/docs/stable/tensor_view.html",
            "https://docs.pytorch.org/docs/stable/generated/torch.Tensor.contiguous.html",
        ),
        unknown=Message("finding-contiguous-copies-unknown"),
        where=case.where(ranges),
        count=count,
        general=True,
    )
