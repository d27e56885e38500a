"""Which steps are recorded, and with what: the plan that the launcher wrote into ``config.json``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_WARMUP = 2
_ACTIVE = 6
_MOST_CYCLES = 50


class Window:
    """Steps to record.

    Attributes:
        first, last: numbers of the first and the last one.
        start: the step with which the profiler starts: one to count events, one or more of warmup.
        kind: ``full``, or in two passes ``light`` and ``deep``.
        records: what is recorded beside operators and GPU activity.
    """

    def __init__(self, first: int, last: int, kind: str, records: list[str]) -> None:
        self.first, self.last, self.kind, self.records = first, last, kind, records
        self.start = max(1, first - _WARMUP)

    @property
    def has_probe(self) -> bool:
        """Whether a step is there to count its events, which bound how many steps fit into the budget."""
        return self.first - self.start >= _WARMUP


def planned(config: dict[str, Any]) -> Iterator[Window]:
    """Windows in order of their steps, without end where the plan repeats."""
    plan = config.get("plan") or {}
    if plan.get("kind") != "steps":
        return
    every = plan.get("every") or 0
    for cycle in range(_MOST_CYCLES if every else 1):
        first, last = plan["first"] + cycle * every, plan["last"] + cycle * every
        yield from passes(first, last, config)


def passes(first: int, last: int, config: dict[str, Any]) -> Iterator[Window]:
    """One window of these steps, or a light one and a deep one behind it."""
    records = list(config.get("with") or [])
    if not config.get("two_pass"):
        yield Window(first, last, "full", records)
        return
    yield Window(first, last, "light", [])
    behind = last + config["pass_gap"]
    yield Window(behind, behind + config["deep_steps"] - 1, "deep", records)


def asked_now(step: int, config: dict[str, Any]) -> Iterator[Window]:
    """Windows of a request that came in a running job, of which this step begins."""
    first = step + _WARMUP
    yield from passes(first, first + wanted_steps(config) - 1, config)


def wanted_steps(config: dict[str, Any]) -> int:
    """How many steps a request has recorded."""
    return int(config.get("active", _ACTIVE))
