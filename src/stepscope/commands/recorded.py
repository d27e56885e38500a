"""What ``stepscope record`` says of a run: what was recorded, of whom, where; and what was not, why, what to do."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from stepscope.capture.launcher import Done
from stepscope.capture.outcome import Process
from stepscope.capture.plan import OnDemand, Plan, Seconds
from stepscope.messages import Message

_WHOLE, _BUDGET, _FOREIGN = "end", "budget", "foreign"
_NAMED = 8
_LEAST_COST = 1.05
"""Slower than this after a window is worth a sentence."""


def sentences(plan: Plan, done: Done) -> list[Message]:
    """One line for each thing to know, the recordings first."""
    outcome = done.outcome
    said = [*_recorded(plan, outcome.recorded), *chain.from_iterable(_of_process(one) for one in outcome.processes)]
    said += [Message("record-salvaged", file=file) for file in outcome.salvaged]
    if not outcome.files:
        said += _nothing(plan, done)
    said += [Message("record-agent-failed", reason=reason) for reason in done.errors]
    if done.unsampled:
        said.append(Message("record-unsampled", reason=done.unsampled))
    return said


def _recorded(plan: Plan, processes: Sequence[Process]) -> Iterator[Message]:
    if not processes:
        return
    windows = [window for process in processes for window in process.windows if window.get("file")]
    ranks = sorted({process.rank for process in processes if process.rank is not None})
    yield Message(
        "record-done",
        files=len(windows),
        processes=len(processes),
        has_ranks=bool(ranks),
        ranks=[str(rank) for rank in ranks[:_NAMED]],
        more=max(0, len(ranks) - _NAMED),
        **_steps(windows),
        folder=plan.out,
    )
    yield from step_times(windows)


def step_times(windows: Sequence[dict[str, Any]]) -> Iterator[Message]:
    """What steps took without the profiler, where any were measured."""
    before, after = (_median(windows, name) for name in ("before_ns", "after_ns"))
    if before is not None or after is not None:
        yield Message(
            "record-times",
            before_ns=before or 0,
            after_ns=after or 0,
            has_before=before is not None,
            has_after=after is not None,
        )
    if before is not None and after is not None and after > _LEAST_COST * before:
        yield Message("record-slower-after", slower=after / before)


def _steps(windows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The steps that were recorded, where all recordings have the same ones."""
    found = {(one["first_step"], one["last_step"]) for one in windows if one["kind"] != "time"}
    first, last = found.pop() if len(found) == 1 else (None, None)
    return {"has_steps": last is not None, "first": str(first), "last": str(last), "single": first == last}


def _median(windows: Sequence[dict[str, Any]], name: str) -> int | None:
    """The median of the ranks' medians."""
    medians = [statistics.median(one[name]) for one in windows if one.get(name)]
    return round(statistics.median(medians)) if medians else None


def _of_process(process: Process) -> Iterator[Message]:
    """What is odd about the recordings of a process."""
    name = {"program": process.program, "pid": str(process.pid)}
    for window in process.windows:
        closed = window["closed"]
        if closed == _BUDGET:
            yield Message("record-budget", **name, step=window["last_step"] or 0, events=window["events_per_step"] or 0)
        elif closed not in (_WHOLE, _FOREIGN) and window.get("file"):
            yield Message("record-ended-within", **name, how=closed)
        if window.get("problem"):
            yield Message("record-not-written", **name, reason=window["problem"])
        if window.get("memory_snapshot"):
            yield Message("record-snapshot", **name, file=window["memory_snapshot"])
    if process.closed == _FOREIGN:
        yield Message("record-foreign", **name)
    for problem in process.problems:
        yield Message("record-problem", **name, reason=problem)


def _nothing(plan: Plan, done: Done) -> Iterator[Message]:
    """Why there is no recording."""
    yield Message("record-nothing")
    if done.too_old:
        yield Message("record-old-python", processes=done.too_old)
    if not done.pythons:
        if not done.too_old:
            yield Message("record-no-python")
        return
    taking_part = done.outcome.processes
    if not taking_part:
        yield Message("record-no-steps-taken", processes=done.pythons)
        return
    needed = plan.steps_needed
    for process in taking_part[:_NAMED]:
        name = {"program": process.program, "pid": str(process.pid)}
        if process.closed == _FOREIGN or process.problems:
            continue
        if isinstance(plan.when, OnDemand):
            yield Message("record-not-asked", **name)
        elif isinstance(plan.when, Seconds):
            yield Message("record-ended-before", **name)
        elif not process.steps:
            yield Message("record-no-steps-found", **name)
        else:
            yield Message("record-too-few-steps", **name, steps=process.steps, needed=needed or 0)
