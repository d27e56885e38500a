"""What bounds a recorded step, by the times that were measured without the profiler: the truth that tools are held to.

The GPU's own times are taken from the recording, which hardly changes them; the host's are not, since the profiler
makes them longer.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

HOST, GPU, COPIES = "host", "gpu", "copies"

LEAST_SHARE = 2 / 3
"""Of the step: where no part takes as much, there is no one bound to be right about."""

Interval = tuple[float, float]


def bound(path: Path, step_ms: float) -> str:
    """The largest of three parts of a step: kernels, copies under no kernel, and the rest.

    It is "" where none of them takes `LEAST_SHARE`, and where the recording has no GPU.

    Args:
        step_ms: time of a step without the profiler.
    """
    with gzip.open(path) as file:
        events = json.load(file)["traceEvents"]
    steps = {e["name"] for e in events if e.get("cat") == "user_annotation" and e["name"].startswith("ProfilerStep")}
    kernels = _intervals(events, ("kernel",))
    if not kernels or not steps:
        return ""
    compute = union(kernels)
    copies = union([*kernels, *_intervals(events, ("gpu_memcpy", "gpu_memset"))]) - compute
    parts = {GPU: compute / 1e3 / len(steps), COPIES: copies / 1e3 / len(steps)}
    parts[HOST] = step_ms - sum(parts.values())
    largest = max(parts, key=lambda part: parts[part])
    return largest if parts[largest] >= LEAST_SHARE * step_ms else ""


def _intervals(events: list[dict], categories: tuple[str, ...]) -> list[Interval]:
    return [(e["ts"], e["ts"] + e["dur"]) for e in events if e.get("ph") == "X" and e.get("cat") in categories]


def union(intervals: Iterable[Interval]) -> float:
    """Length of what the intervals cover, in their unit."""
    covered, last = 0.0, float("-inf")
    for start, end in sorted(intervals):
        covered += max(0.0, end - max(start, last))
        last = max(last, end)
    return covered
