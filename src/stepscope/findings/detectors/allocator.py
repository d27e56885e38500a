"""Memory that is given back to the driver and asked for again in every step."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, outermost
from stepscope.messages import Message

_DRIVER = r"^(?:cuda|hip)(?:Malloc|Free|MallocAsync|FreeAsync|HostAlloc|HostMalloc|FreeHost|HostFree)$"
_FREE = r"^(?:cuda|hip)Free$"
_EMPTIES = r"empty_cache"

_MALLOC = r"^(?:cuda|hip)Malloc(?:Async)?$"
_LAUNCH = r"^(?:cuda|hip|cu)(?:ExtModule|Module|Ext)?LaunchKernel"

_EACH_TENSOR = 0.2
"""Calls for memory, per kernel launch: hundreds a step where each tensor asks the driver, a few dozen where the cache
is emptied in each step."""
_MANY = 50
"""And at least so many a step: a small program may need a new block for each of its few tensors."""

_TEXTS = {
    "off": (
        Message("finding-allocator-advice-off"),
        "python train.py  # was: PYTORCH_NO_CUDA_MEMORY_CACHING=1 python train.py",
        None,
    ),
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
        return case.freed(edit, claims)

    how = _what_frees(case, emptied)
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


def caching_is_off(case: Case) -> bool:
    """Whether there is no caching allocator: tensors ask the driver for memory, one by one."""
    asked, launched = (len(case.calls(pattern).start) for pattern in (_MALLOC, _LAUNCH))
    return launched > 0 and asked >= _EACH_TENSOR * launched and asked >= _MANY * case.model.steps


def _what_frees(case: Case, emptied: Ranges) -> str:
    if len(emptied.start):
        return "called"
    if caching_is_off(case):
        return "off"
    return "likely" if _in_every_step(case, case.calls(_FREE)) else "unknown"


def _title(how: str, calls: int) -> Message:
    names = {one: f"finding-allocator-title-{one}" for one in _TEXTS}
    return Message(names[how], calls=calls)


def _in_every_step(case: Case, calls: Ranges) -> bool:
    ranges = case.rank.steps
    low, high = (np.searchsorted(np.sort(calls.start), ranges[edge].to_numpy()) for edge in ("start_ns", "end_ns"))
    return len(ranges) > 1 and bool((high > low).all())
