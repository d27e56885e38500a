"""Steps that take much longer than the others, the first one among them, and what they spend more time in."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.simulation.edits import Ranges
from stepscope.analyses.steps.lengths import step_lengths
from stepscope.analyses.steps.steps import host_starts, step_times, step_work
from stepscope.findings.detector_context import Case, Note
from stepscope.messages import Message, Param
from stepscope.numeric.intervals import Ints, covered_within, union
from stepscope.store.step_detection import WHOLE

_LONGER = 1.5
_LEAST_STEPS = 4
_LEAST_PART = 0.3
"""Of what the longer steps take more, that what explains it takes more."""

_SAME = 0.02
"""How much the number of the host's events differs from step to step of the same work."""

_ENOUGH_EVENTS = 100
_SLOWER = 1.2
_ONE_PAUSE = 0.6
"""Of what the longer steps take more, that one pause of the host explains it."""

_MOST_NAMED = 5
"""Of longer steps the first ones are named."""

_HOST = {
    "compiling": r"^_compile\.compile_inner|^compile_fx|[/\\]torch[/\\]_(?:dynamo|inductor)[/\\].*: _?compile",
    "garbage collection": r"<built-in (?:function|method) collect\b|^gc(?: |\.)collect",
    "saving a checkpoint": r"torch[/\\]serialization\.py\(\d+\): save$|\b(?:save_)?(?:checkpoint|pretrained)$",
    "evaluation": r"(?i)\b(?:evaluate|evaluation|validate|validation|validation_step|eval_step)$",
    "taking memory from the driver": r"^(?:cuda|hip)(?:Malloc|Free|MallocAsync|HostAlloc|MallocHost)$",
    "loading kernels": r"^(?:cu|cuda|hip)(?:Module|Library)(?:Load|Unload)",
}
"""What may make a step longer, by the names of its host events."""

_ACTIVITIES = {
    "compiling": Message("finding-activity-compiling"),
    "garbage collection": Message("finding-activity-garbage-collection"),
    "saving a checkpoint": Message("finding-activity-checkpoint"),
    "evaluation": Message("finding-activity-evaluation"),
    "taking memory from the driver": Message("finding-activity-driver-memory"),
    "loading kernels": Message("finding-activity-loading-kernels"),
    "data loading": Message("finding-activity-data-loading"),
    "communication": Message("finding-activity-communication"),
    "computing on the GPU": Message("finding-activity-compute"),
}
"""What the longer steps may have more of, in words."""

_TABLES = ("annotation", "python", "operator", "runtime")


def detect(case: Case) -> list[Note]:
    """Notes on the first step and on others that are much longer than the median of the rest."""
    table = step_times(case.rank)
    table = table.filter(~pl.col("cut"))
    if len(table) < _LEAST_STEPS or case.rank.all_steps.source == WHOLE:
        return []
    lengths = step_lengths(table)
    usual = float(np.median(lengths[1:]))
    long = lengths > _LONGER * usual
    found = []
    if long[0]:
        found.append(_note(case, table, lengths, np.arange(len(lengths)) == 0, ~long))
    later = long & (np.arange(len(lengths)) > 0)
    if later.any() and later.sum() * 2 < len(lengths):
        found.append(_note(case, table, lengths, later, ~long))
    return found


def _note(case: Case, table: pl.DataFrame, lengths: Ints, long: Flags, others: Flags) -> Note:
    usual, longest = float(np.median(lengths[others])), float(np.median(lengths[long]))
    reason = _reason(case, table, long, others, longest - usual)
    first = bool(long[0])
    known = table["step"].to_numpy()[long].tolist()
    numbers = [*map(str, known[:_MOST_NAMED]), *(["…"] if len(known) > _MOST_NAMED else [])]
    takes: dict[str, Param] = {"longer_ns": round(longest), "usual_ns": round(usual), "reason": reason}
    title = Message("finding-uneven-steps-title", count=int(long.sum()), steps=len(long), numbers=numbers, **takes)
    advice = Message("finding-uneven-steps-advice")
    if first:
        title = Message("finding-first-step-title", step=numbers[0], **takes)
        advice = Message("finding-first-step-advice")
    start = table["start_ns"].to_numpy()[long]
    claims = Ranges(np.full(len(start), -1), start, start + table["duration_ns"].to_numpy()[long])
    return Note(
        id="first-step" if first else "uneven-steps",
        category="steps",
        title=title,
        claims=claims,
        spent_ns=float((lengths[long] - usual).sum()) / len(lengths),
        advice=advice,
        links=("https://docs.pytorch.org/docs/stable/profiler.html",),
        change="schedule(wait=1, warmup=3, active=5)  # was: a shorter warmup" if first else "",
        unknown=Message("finding-uneven-steps-unknown"),
    )


def _reason(case: Case, table: pl.DataFrame, long: Flags, others: Flags, more: float) -> Message:
    """What takes most of the additional time of the longer steps."""
    start, end = table["start_ns"].to_numpy(), (table["start_ns"] + table["duration_ns"]).to_numpy()
    spent = {kind: _inside(case.named(pattern, *_TABLES), start, end) for kind, pattern in _HOST.items()}
    spent["data loading"] = _inside(case.loading(), start, end)
    work = step_work(case.rank, table)
    spent["communication"] = work["communication_ns"].to_numpy()
    spent["computing on the GPU"] = work["compute_ns"].to_numpy()
    extra = {kind: float(np.median(time[long]) - np.median(time[others])) for kind, time in spent.items()}
    kind = max(extra, key=lambda one: extra[one])
    if extra[kind] >= _LEAST_PART * more:
        return Message("finding-uneven-steps-more", more_ns=round(extra[kind]), activity=_ACTIVITIES[kind])
    events, pause = _host_events(case, start, end)
    paused = float(np.median(pause[long]) - np.median(pause[others]))
    if paused >= _ONE_PAUSE * more:
        return Message("finding-uneven-steps-pause", pause_ns=round(float(np.median(pause[long]))))
    usual = float(np.median(events[others]))
    same = usual >= _ENOUGH_EVENTS and abs(float(np.median(events[long])) - usual) < _SAME * usual
    if same and _slower(case, start, end, long, others):
        return Message("finding-uneven-steps-slower-host")
    return Message("finding-uneven-steps-unexplained")


def _slower(case: Case, start: Ints, end: Ints, long: Flags, others: Flags) -> bool:
    """Whether the operators of every long step take longer than those of the others."""
    frame = case.rank.trace.frame("operator", ["start_ns", "duration_ns"])
    at, duration = frame["start_ns"].to_numpy(), frame["duration_ns"].to_numpy()
    if not frame["start_ns"].is_sorted():
        order = np.argsort(at, kind="stable")
        at, duration = at[order], duration[order]
    bounds = zip(np.searchsorted(at, start).tolist(), np.searchsorted(at, end).tolist(), strict=True)
    median = np.array([np.median(duration[low:high]) if high > low else 0.0 for low, high in bounds])
    return bool((median[long] >= _SLOWER * np.median(median[others])).all())


def _host_events(case: Case, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """How many operators and calls of the host begin in each step, and the longest time in which none does."""
    starts = host_starts(case.rank)
    first, last = np.searchsorted(starts, start), np.searchsorted(starts, end)
    bounds = zip(start, first.tolist(), last.tolist(), end, strict=True)
    longest = [np.diff(starts[low:high], prepend=begin, append=ended).max() for begin, low, high, ended in bounds]
    return last - first, np.array(longest, np.int64)


def _inside(ranges: Ranges, start: Ints, end: Ints) -> Ints:
    """Time of each step that some ranges cover."""
    return covered_within(union(ranges.start, ranges.end), start, end)
