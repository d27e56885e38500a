"""Memory that is given back to the driver and asked for again in every step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, outermost

_DRIVER = r"^(?:cuda|hip)(?:Malloc|Free|MallocAsync|FreeAsync|HostAlloc|HostMalloc|FreeHost|HostFree)$"
_FREE = r"^(?:cuda|hip)Free$"
_EMPTIES = r"empty_cache"

_WORDS = {
    "called": (
        "torch.cuda.empty_cache() is called:",
        "Leave empty_cache() out of the loop; with little memory left try expandable_segments:True.",
        "train_step(batch)  # was: followed by torch.cuda.empty_cache()",
        "",
    ),
    "likely": (
        "Something like torch.cuda.empty_cache() gives memory back in every step:",
        "Leave torch.cuda.empty_cache() out of the loop; if it is not called, free some memory.",
        "train_step(batch)  # was: followed by torch.cuda.empty_cache()",
        "whether empty_cache() is called (with_stack=True tells), or the memory does not suffice",
    ),
    "unknown": (
        "The allocator cannot keep its blocks:",
        "Free some memory, or set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.",
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True python train.py  # was: python train.py",
        "",
    ),
}
"""Beginning of the title, advice, change and what is unknown, by what gives the memory back."""


def detect(case: Case) -> list[Cause]:
    """A cause where every step allocates from the driver; growth in the first steps is no cause."""
    calls, emptied = case.calls(_DRIVER), outermost(case.named(_EMPTIES, "python"))
    if len(calls.start) == 0 or not _in_every_step(case, calls):
        return []
    claims = calls.and_those(emptied)
    count = case.a_step(len(calls.start))

    def mend(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, claims), 0.0)
        return replace(edit, freed=edit.freed | case.items_inside(claims))

    how = "called" if len(emptied.start) else "likely" if _in_every_step(case, case.calls(_FREE)) else "unknown"
    culprit, advice, change, unknown = _WORDS[how]
    return [
        Cause(
            id="allocator",
            category="memory",
            title=f"{culprit} {count:,.0f} calls a step take memory from the driver or give it back",
            mend=mend,
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


def _in_every_step(case: Case, calls: Ranges) -> bool:
    ranges = case.rank.steps
    low, high = (np.searchsorted(np.sort(calls.start), ranges[edge].to_numpy()) for edge in ("start_ns", "end_ns"))
    return len(ranges) > 1 and bool((high > low).all())
