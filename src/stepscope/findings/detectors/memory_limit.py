"""Memory that is nearly full: how near, and whether the allocator had to give blocks back to go on."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.memory.allocations import MemoryDevice, memory_devices
from stepscope.analyses.memory.memory_timeline import device_timeline
from stepscope.analyses.simulation.edits import Ranges
from stepscope.findings.detector_context import NOWHERE, Case, Note, inside
from stepscope.findings.detectors.allocator import caching_is_off
from stepscope.messages import Message
from stepscope.store.serving import is_served

_NEAR = 0.9
_FREE, _MALLOC = r"^(?:cuda|hip)Free$", r"^(?:cuda|hip)Malloc$"
_SEARCHES = r"^aten::(?:cudnn_|miopen_)?convolution"
"""Convolutions give memory back when they have tried out algorithms."""

_LINKS = (
    "https://docs.pytorch.org/docs/stable/notes/cuda.html",
    "https://docs.pytorch.org/docs/stable/torch_cuda_memory.html",
)
_ROOM = "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True python train.py  # was: python train.py"


def detect(case: Case) -> list[Note]:
    """Notes on a device whose memory is reserved almost wholly, on blocks given back to get others, on late growth."""
    if is_served(case.rank.trace):
        return []  # a server reserves most of the GPU when it starts, and keeps it
    if caching_is_off(case):
        return _near_the_limit(case)  # what each tensor asks for and gives back is no block of a cache
    retries = _given_back(case)
    return [*_near_the_limit(case), *retries, *([] if retries else _still_asked(case))]


def _near_the_limit(case: Case) -> list[Note]:
    found = []
    for device in memory_devices(case.rank):
        share, reserved = _reserved(case, device)
        if share >= _NEAR:
            title = Message(
                "finding-memory-near-limit-title",
                device=device.name,
                reserved_bytes=reserved,
                capacity_bytes=device.capacity_bytes,
                share_pct=100 * share,
            )
            found.append(
                Note(
                    id="memory-near-limit",
                    category="memory",
                    title=title,
                    claims=NOWHERE,
                    spent_ns=0.0,
                    advice=Message("finding-memory-near-limit-advice"),
                    change=_ROOM,
                    links=_LINKS,
                    unknown=Message("finding-memory-near-limit-unknown"),
                )
            )
    return found[:1]


def _reserved(case: Case, device: MemoryDevice) -> tuple[float, int]:
    """Share of the device's memory that was reserved at most, and how many bytes."""
    most = device_timeline(case.rank, device)["reserved_bytes"].max()
    if not device.capacity_bytes or not isinstance(most, int):
        return 0.0, 0
    return most / device.capacity_bytes, most


def _given_back(case: Case) -> list[Note]:
    """Memory given back and asked for again inside an operator: ``empty_cache()`` is called outside of them."""
    calls = case.calls(_FREE)
    if len(calls.start) == 0:
        return []
    searches = case.named(_SEARCHES, "operator")
    operators = case.named(r"^aten::", "operator")
    calls = calls.chosen(inside(operators, calls.thread, calls.start) & ~inside(searches, calls.thread, calls.start))
    calls = calls.chosen(_then_asked(calls, case.calls(_MALLOC)))
    held = _steps_with(case, calls)
    several = int(held.sum())
    if several < 2:
        return []
    return [
        Note(
            id="allocator-retries",
            category="memory",
            title=Message("finding-allocator-retries-title", retried=several, steps=len(held)),
            claims=calls,
            spent_ns=case.a_step(float((calls.end - calls.start).sum())),
            advice=Message("finding-allocator-retries-advice"),
            change=_ROOM,
            links=_LINKS,
            where=case.where(calls),
            count=case.a_step(len(calls.start)),
        )
    ]


def _still_asked(case: Case) -> list[Note]:
    """Memory asked for in some of the later steps: in all it is a cause of its own, in the first it is usual."""
    calls = case.calls(_MALLOC)
    held = _steps_with(case, calls)
    several = int(held[1:].sum())
    if several < 2 or held.all():
        return []
    return [
        Note(
            id="allocator-growth",
            category="memory",
            title=Message("finding-allocator-growth-title", grown=several, steps=len(held) - 1),
            claims=calls,
            spent_ns=case.a_step(float((calls.end - calls.start).sum())),
            advice=Message("finding-allocator-growth-advice"),
            change=_ROOM,
            links=_LINKS,
            unknown=Message("finding-allocator-growth-unknown"),
            where=case.where(calls),
            count=case.a_step(len(calls.start)),
        )
    ]


def _steps_with(case: Case, calls: Ranges) -> Flags:
    """Which of the examined steps some calls begin in."""
    first, last = case.model.window
    steps = case.rank.steps.filter((pl.col("end_ns") > first) & (pl.col("start_ns") < last))
    starts = np.sort(calls.start)
    low, high = (np.searchsorted(starts, steps[edge].to_numpy()) for edge in ("start_ns", "end_ns"))
    found: Flags = high > low
    return found


def _then_asked(calls: Ranges, asked: Ranges) -> Flags:
    """Which calls are followed by one that asks for memory, on their thread, within a millisecond of their end."""
    found = np.zeros(len(calls.start), np.bool_)
    for number in np.unique(calls.thread).tolist():
        starts = np.sort(asked.start[asked.thread == number])
        mine = calls.thread == number
        next_one = np.searchsorted(starts, calls.end[mine])
        known = np.append(starts, np.iinfo(np.int64).max)[next_one]
        found[mine] = known - calls.end[mine] < 1_000_000
    return found
