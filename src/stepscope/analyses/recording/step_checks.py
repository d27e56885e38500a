"""Checks of steps: how they were found, which are cut, what lies outside them."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.recording.check import OK, WARNING, Check, percent
from stepscope.analyses.steps.steps import rank_steps
from stepscope.store.profile import Rank
from stepscope.store.profile import inside_steps as in_ranges
from stepscope.store.step_detection import ANNOTATION, OPTIMIZER, PROFILER, WHOLE


def steps_found(rank: Rank) -> Check:
    found = rank.all_steps
    count = len(found.ranges)
    how = {
        PROFILER: "ProfilerStep ranges",
        OPTIMIZER: f"no ProfilerStep ranges; cut at the ends of {found.name}",
        ANNOTATION: f'no ProfilerStep ranges; each "{found.name}" taken as a step',
        WHOLE: "no ProfilerStep ranges, optimizer steps or repeated ranges: the whole trace is taken as one step; "
        "call profiler.step() in the loop",
    }[found.source]
    if found.source == PROFILER and found.name:
        how = (
            f'ProfilerStep ranges whose numbers cannot be read ("{found.name[:40]}"): numbered in order of time, from 0'
        )
    plain = found.source == PROFILER and not found.name
    return Check("steps", OK if plain else WARNING, str(count), how)


def steps_repeated(rank: Rank) -> Check | None:
    """Steps that share a number: several runs in one file, or several profilers."""
    numbers = rank.all_steps.ranges["step"]
    twice = numbers.filter(numbers.is_duplicated()).unique().sort().to_list()
    if not twice:
        return None
    named = f"{', '.join(map(str, twice[:5]))}{', ...' if len(twice) > 5 else ''}"
    return Check(
        "step_numbers", WARNING, f"{len(twice)} repeated", f"step {named} is there more than once: a choice takes all"
    )


def steps_cut(rank: Rank) -> Check:
    table = rank_steps(rank)
    cut = table.filter(pl.col("cut"))["step"].to_list()
    if not cut:
        return Check("steps_cut", OK, "0", "no step is cut by the recording's window")
    return Check(
        "steps_cut", WARNING, str(len(cut)), f"step {', '.join(map(str, cut))} is not complete; means leave it out"
    )


def inside_steps(rank: Rank) -> Check | None:
    activity = rank.activity
    whole = int(activity["duration_ns"].sum())
    if whole == 0:
        return None
    outside = activity.filter(~in_ranges(rank.all_steps.ranges, activity["launch_start_ns"]))
    share = 100.0 * (1 - int(outside["duration_ns"].sum()) / whole)
    if len(outside) == 0:
        return Check("inside_steps", OK, "100 %", "of GPU time was launched inside a step")
    return Check(
        "inside_steps",
        WARNING if share < 95.0 else OK,
        percent(share),
        f"of GPU time was launched inside a step; {len(outside):,} activities were not, or their launch is unknown",
    )


def host_ahead(rank: Rank) -> Check | None:
    table = rank_steps(rank).filter(pl.col("lag_ns").is_not_null())
    late = table.filter(pl.col("lag_ns") > 0.1 * pl.col("duration_ns"))
    if len(table) == 0:
        return None
    if len(late) == 0:
        return Check("host_ahead", OK, "no", "the GPU ends its work within the step that launched it")
    worst = late.sort(pl.col("lag_ns") / pl.col("duration_ns")).row(-1, named=True)
    return Check(
        "host_ahead",
        WARNING,
        f"{len(late)} of {len(table)} steps",
        f"in step {worst['step']} the GPU ends {worst['lag_ns'] / 1e6:.1f} ms after the host's range of "
        f"{worst['duration_ns'] / 1e6:.1f} ms: read period_ns, the step's time on the GPU, not duration_ns",
    )
