"""Memory that is given back to the driver and asked for again in every step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, outermost
from stepscope.messages import Message

_DRIVER = r"^(?:cuda|hip)(?:Malloc|Free|MallocAsync|FreeAsync|HostAlloc|HostMalloc|FreeHost|HostFree)$"
_FREE = r"^(?:cuda|hip)Free$"
_EMPTIES = r"empty_cache"

_TEXTS = {
    "called": (
        Message("finding-allocator-advice-called"),
        "train_step(batch)  # was: followed by torch.cuda.empty_cache()",
        None,
    ),
    "likely": (
        Message("finding-allocator-advice-likely"),
        "train_step(batch)  # was: followed by torch.cuda.empty_cache()",
        Message("finding-allocator-unknown"),
    ),
    "unknown": (
        Message("finding-allocator-advice-unknown"),
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True python train.py  # was: python train.py",
        None,
    ),
}
"""Advice, change and what is unknown, by what frees the memory."""


def detect(case: Case) -> list[Cause]:
    """A cause where every step allocates from the driver; growth in the first steps is no cause."""
    calls, emptied = case.calls(_DRIVER), outermost(case.named(_EMPTIES, "python"))
    if len(calls.start) == 0 or not _in_every_step(case, calls):
        return []
    claims = calls.and_those(emptied)
    count = case.a_step(len(calls.start))

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, claims), 0.0)
        return replace(edit, freed=edit.freed | case.items_inside(claims))

    how = "called" if len(emptied.start) else "likely" if _in_every_step(case, case.calls(_FREE)) else "unknown"
    advice, change, unknown = _TEXTS[how]
    return [
        Cause(
            id="allocator",
            category="memory",
            title=_title(how, round(count)),
            fix=fix,
            claims=claims,
            spent_ns=case.a_step(float((calls.end - calls.start).sum())),
            advice=advice,
            change=change,
            unknown=unknown,
            links=("https://docs.pytorch.org/docs/stable/notes/cuda.html",),
            where=case.where(emptied if len(emptied.start) else calls),
            count=count,
        )
    ]


def _title(how: str, calls: int) -> Message:
    if how == "called":
        return Message("finding-allocator-title-called", calls=calls)
    return Message(
        "finding-allocator-title-likely" if how == "likely" else "finding-allocator-title-unknown", calls=calls
    )


def _in_every_step(case: Case, calls: Ranges) -> bool:
    ranges = case.rank.steps
    low, high = (np.searchsorted(np.sort(calls.start), ranges[edge].to_numpy()) for edge in ("start_ns", "end_ns"))
    return len(ranges) > 1 and bool((high > low).all())
