"""What a read learned beside the tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Facts:
    """Top-level facts of a trace, and what was wrong with it.

    Attributes:
        head: allowed top-level values.
        head_damaged: the JSON before the events is damaged; ``head`` may lack values.
        events: rows of ``traceEvents``, damaged and odd ones included.
        damaged: events that are no JSON and were skipped.
        not_objects: rows that are no objects.
        without_phase: events without ``ph``, which no table but ``other`` holds.
        rounded_times: times finer than 1 ns, rounded half to even.
        truncated: None, or why the file's end is missing or was not read.
        json_bytes: length of the JSON, inflated.
        lost_bytes: JSON behind the last complete event, or behind the end, that could not be read.
    """

    head: dict[str, Any] = field(default_factory=dict)
    head_damaged: bool = False
    events: int = 0
    damaged: int = 0
    not_objects: int = 0
    without_phase: int = 0
    rounded_times: int = 0
    truncated: str | None = None
    json_bytes: int = 0
    lost_bytes: int = 0
