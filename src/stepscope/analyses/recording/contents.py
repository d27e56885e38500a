"""What a recording holds: which events, and with which options of its recorder.

All of it follows from what the store says about itself, so no table of a recording is read for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stepscope.messages import Message
from stepscope.store.profile import Rank
from stepscope.store.recording import Recording
from stepscope.store.trace import Trace


def _rows(*tables: str) -> Callable[[Trace, dict[str, Any]], bool]:
    return lambda trace, _: any(trace.rows(table) for table in tables)


def _option(name: str) -> Callable[[Trace, dict[str, Any]], bool]:
    return lambda _, head: bool(head.get(name))


_HELD: dict[str, Callable[[Trace, dict[str, Any]], bool]] = {
    "activity": _rows("activity"),
    "runtime": _rows("runtime"),
    "operators": _rows("operator"),
    "shapes": _option("record_shapes"),
    "stacks": lambda trace, head: bool(head.get("with_stack")) or trace.rows("python") > 0,
    "modules": _option("with_modules"),
    "flops": _option("with_flops"),
    "memory": _rows("memory"),
    "snapshot": _rows("memory_block", "memory_segment"),
    "history": _rows("memory_trace"),
    "annotations": _rows("annotation"),
    "os-calls": _rows("os_call"),
    "samples": _rows("cpu_sample", "stack_sample"),
    "switches": _rows("thread_switch"),
    "page-faults": _rows("page_fault"),
    "cuda-memory": _rows("cuda_memory"),
    "counters": _rows("counter"),
    "kernel-reports": _rows("kernel_report"),
    "bandwidths": _rows("collective_time"),
    "collectives": _rows("collective_record"),
    "compilations": _rows("compilation", "compiled_kernel"),
    "input-pipeline": _rows("pipeline_operator", "pipeline_batch"),
    "cpu-usage": _rows("cpu_usage"),
}
"""By the end of the message that names it."""


_SLOWING = {"stacks": "with_stack", "shapes": "record_shapes", "memory": "profile_memory"}
"""Options of the profiler that slow the recorded program down, as traces name them."""


def slowing_options(rank: Rank) -> dict[str, bool | None]:
    """Whether options were on that slow the recorded program down; None where the recording does not say.

    What was asked for counts: a program without operators has no shapes even with `record_shapes`.
    """
    head = rank.trace.head
    return {option: bool(head[key]) if key in head else None for option, key in _SLOWING.items()}


def contents(one: Recording) -> Message | None:
    """What a recording holds, in one list; None where it was not read, or holds nothing of this."""
    if one.stored is None:
        return None
    head = one.facts.get("head") or {}
    held = [Message(f"recorded-{name}") for name, holds in _HELD.items() if holds(one.stored, head)]
    return Message("recorded", held=held) if held else None
