"""Memory that is given back to the driver and asked for again in every step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.analyses.retiming.edits import Ranges, shares, slowed
from stepscope.analyses.retiming.model import Edit
from stepscope.findings.case import Case, Cause, outermost

_DRIVER = r"^(?:cuda|hip)(?:Malloc|Free|MallocAsync|FreeAsync|HostAlloc|HostMalloc|FreeHost|HostFree)$"
_EMPTIES = r"empty_cache"


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

    culprit = "torch.cuda.empty_cache() is called" if len(emptied.start) else "The allocator cannot keep its blocks"
    return [
        Cause(
            id="allocator",
            category="memory",
            title=f"{culprit}: {count:,.0f} calls a step take memory from the driver or give it back",
            mend=mend,
            claims=claims,
            spent_ns=case.a_step(float((calls.end - calls.start).sum())),
            advice="Leave empty_cache() out of the loop; with little memory left try expandable_segments:True."
            if len(emptied.start)
            else "Free some memory, or set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.",
            change="train_step(batch)  # was: followed by torch.cuda.empty_cache()"
            if len(emptied.start)
            else "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True python train.py  # was: python train.py",
            links=("https://docs.pytorch.org/docs/stable/notes/cuda.html",),
            where=case.where(emptied if len(emptied.start) else calls),
            count=count,
        )
    ]


def _in_every_step(case: Case, calls: Ranges) -> bool:
    ranges = case.rank.steps
    low, high = (np.searchsorted(np.sort(calls.start), ranges[edge].to_numpy()) for edge in ("start_ns", "end_ns"))
    return len(ranges) > 1 and bool((high > low).all())
