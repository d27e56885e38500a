"""Checks of steps: how they were found, which are cut, what lies outside them."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.snapshot import snapshot_of
from stepscope.analyses.needs import is_kineto
from stepscope.analyses.recording.check import OK, WARNING, Check, counted, share
from stepscope.analyses.recording.recorded import is_foreign
from stepscope.analyses.steps.steps import rank_steps
from stepscope.messages import Message
from stepscope.readers.ascend.format import TORCH_NPU
from stepscope.readers.ascend.names import VIEW
from stepscope.readers.formats import MEMORY_SNAPSHOT, TRACE
from stepscope.readers.mindspore.format import MINDSPORE
from stepscope.store.profile import Rank
from stepscope.store.profile import inside_steps as in_ranges
from stepscope.store.serving import is_served
from stepscope.store.step_detection import ANNOTATION, OPTIMIZER, POINTS, PROFILER, SERVING, WHOLE


def steps_found(rank: Rank) -> Check:
    found = rank.all_steps
    count = len(found.ranges)
    how = {
        POINTS: Message("check-steps-points"),
        PROFILER: Message("check-steps-profiler"),
        OPTIMIZER: Message("check-steps-optimizer", name=found.name),
        ANNOTATION: Message("check-steps-annotation", name=found.name),
        SERVING: Message("check-steps-serving", name=found.name[:40]),
        WHOLE: _whole(rank),
    }[found.source]
    if found.source == PROFILER and found.name:
        how = Message("check-steps-unreadable", name=found.name[:40])
    plain = found.source == PROFILER and not found.name
    plain = plain or found.source in (POINTS, SERVING)
    return Check("steps", OK if plain else WARNING, counted(count), how)


def _whole(rank: Rank) -> Message:
    """Why the whole recording is one step."""
    snapshot = snapshot_of(rank) if rank.trace.kind == MEMORY_SNAPSHOT else None
    if snapshot is not None and snapshot.recorded_history:
        return Message("check-steps-snapshot")
    if is_foreign(rank) and rank.trace.rows("other") == 0 and rank.recorder in (TORCH_NPU, MINDSPORE):
        return Message("check-steps-no-timeline", file=VIEW if rank.recorder == TORCH_NPU else None)
    if rank.recorder == TORCH_NPU:
        return Message("check-steps-whole")  # torch_npu's profiler has the same step()
    if is_foreign(rank) and _repeats_elsewhere(rank):
        return Message("check-steps-unknown-category")
    if rank.recorder == MINDSPORE:
        return Message("check-steps-whole-mindspore")
    if rank.trace.kind == TRACE and not is_kineto(rank):
        return Message("check-steps-whole-recorder")
    if is_foreign(rank):
        return Message("check-steps-foreign")
    return Message("check-steps-whole-served" if is_served(rank.trace) else "check-steps-whole")


def _repeats_elsewhere(rank: Rank) -> bool:
    """Whether ranges repeat that are of no known category: what a range around a step would be is not looked for."""
    frame = rank.trace.frame("other", ["name", "duration_ns", "broken"])
    timed = frame.filter((pl.col("broken") == 0) & pl.col("duration_ns").is_not_null())
    return bool(timed["name"].is_duplicated().any())


def steps_repeated(rank: Rank) -> Check | None:
    """Steps that share a number: several runs in one file, or several profilers."""
    numbers = rank.all_steps.ranges["step"]
    twice = numbers.filter(numbers.is_duplicated()).unique().sort().to_list()
    if not twice:
        return None
    named = f"{', '.join(map(str, twice[:5]))}{', ...' if len(twice) > 5 else ''}"
    detail = Message("check-steps-repeated-detail", steps=named)
    return Check("step_numbers", WARNING, Message("check-steps-repeated", count=len(twice)), detail)


def steps_cut(rank: Rank) -> Check:
    table = rank_steps(rank)
    cut = table.filter(pl.col("cut"))["step"].to_list()
    if not cut:
        return Check("steps_cut", OK, counted(0), Message("check-steps-whole-all"))
    detail = Message("check-steps-cut", steps=", ".join(map(str, cut)), count=len(cut), every=len(cut) == len(table))
    return Check("steps_cut", WARNING, counted(len(cut)), detail)


def inside_steps(rank: Rank) -> Check | None:
    activity = rank.activity
    whole = int(activity["duration_ns"].sum())
    if whole == 0:
        return None
    outside = activity.filter(~in_ranges(rank.all_steps.ranges, activity["launch_start_ns"]))
    inside = 100.0 * (1 - int(outside["duration_ns"].sum()) / whole)
    if len(outside) == 0:
        return Check("inside_steps", OK, share(100.0), Message("check-inside-steps-all"))
    detail = Message("check-inside-steps", outside=len(outside))
    return Check("inside_steps", WARNING if inside < 95.0 else OK, share(inside), detail)


def host_ahead(rank: Rank) -> Check | None:
    table = rank_steps(rank).filter(pl.col("lag_ns").is_not_null())
    late = table.filter(pl.col("lag_ns") > 0.1 * pl.col("duration_ns"))
    if len(table) == 0:
        return None
    if len(late) == 0:
        return Check("host_ahead", OK, Message("check-no"), Message("check-host-ahead-not"))
    worst = late.sort(pl.col("lag_ns") / pl.col("duration_ns")).row(-1, named=True)
    return Check(
        "host_ahead",
        WARNING,
        Message("check-host-ahead-steps", late=len(late), steps=len(table)),
        Message("check-host-ahead", step=worst["step"], lag_ns=worst["lag_ns"], range_ns=worst["duration_ns"]),
    )
