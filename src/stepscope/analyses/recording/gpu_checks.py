"""Checks of GPU activity: is it there, is it linked to its launches, can it be attributed?"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.recording.check import ERROR, OK, WARNING, Check, percent
from stepscope.schema import KERNEL
from stepscope.store.profile import Rank

_LAUNCHING = r"(?i)launch|memcpy|memset"
_NOT_LAUNCHING = r"(?i)LaunchHostFunc|GetLaunch"


def gpu_activity(rank: Rank) -> Check:
    count = rank.trace.rows("activity")
    if count:
        return Check("gpu_activity", OK, f"{count:,}", "kernels, copies and fills")
    if gpu_cut_off(rank):
        return Check(
            "gpu_activity", ERROR, "none", "the file is cut off before any of it: nothing tells what the GPU did"
        )
    if rank.trace.rows("runtime"):
        return Check(
            "gpu_activity",
            ERROR,
            "none",
            "GPU calls were recorded but no GPU activity: another profiler held the GPU (CUPTI), "
            "or the window was too short",
        )
    return Check(
        "gpu_activity", WARNING, "none", "only the host was recorded; on a GPU add ProfilerActivity.CUDA to activities"
    )


def gpu_cut_off(rank: Rank) -> bool:
    """Whether a file was cut off before the GPU's events, which PyTorch writes last: only the host seems to work."""
    return rank.trace.meta["truncated"] is not None and rank.trace.rows("activity") == 0


def linked(rank: Rank) -> Check | None:
    activity = rank.activity
    if len(activity) == 0:
        return None
    unlinked = activity.filter(pl.col("launch").is_null())
    share = 100.0 * (1 - len(unlinked) / len(activity))
    value = f"{percent(share)}"
    if len(unlinked) == 0:
        by_flow = int(activity["by_flow"].sum())
        how = f", {by_flow:,} through flow arrows" if by_flow else ""
        return Check("linked_launches", OK, value, f"every activity has its launch{how}")
    first = rank.trace.frame("runtime", ["start_ns"])["start_ns"].min()
    before = len(unlinked) if first is None else int((unlinked["start_ns"] < _first_linked(activity)).sum())
    time = int(unlinked["duration_ns"].sum()) / max(1, int(activity["duration_ns"].sum()))
    detail = f"{len(unlinked):,} activities ({percent(100 * time)} of GPU time) have no launch in the trace"
    if before:
        detail += f"; {before:,} of them run before anything launched here does: work queued before the recording began"
    return Check("linked_launches", WARNING, value, detail)


def _first_linked(activity: pl.DataFrame) -> int:
    first = activity.filter(pl.col("launch").is_not_null())["start_ns"].min()
    return int(first) if isinstance(first, int) else 1 << 62


def lost_activity(rank: Rank) -> Check | None:
    """Launch calls without an activity: the profiler drops activity silently when its buffers run out."""
    if rank.trace.rows("activity") == 0 or rank.chosen is not None:
        return None
    names = rank.trace.codes(lambda text: text.str.contains(_LAUNCHING) & ~text.str.contains(_NOT_LAUNCHING)).implode()
    calls = rank.trace.frame("runtime", ["name", "correlation"]).with_row_index("launch")
    calls = calls.filter(pl.col("name").is_in(names) & (pl.col("correlation") != 0))
    if len(calls) == 0:
        return None
    lost = calls.join(rank.activity.select("launch").drop_nulls().unique(), "launch", "anti")
    if len(lost) == 0:
        return Check("launches_with_activity", OK, "100 %", "every launch call has its activity")
    share = 100.0 * (1 - len(lost) / len(calls))
    return Check(
        "launches_with_activity",
        WARNING if share < 99.0 else OK,
        percent(share),
        f"{len(lost):,} of {len(calls):,} launch calls have no activity: still queued when the recording ended, "
        "dropped by the profiler, captured into a graph, or copied by the host",
    )


def attributed(rank: Rank) -> Check | None:
    activity = rank.activity
    linked = activity.filter(pl.col("launch").is_not_null())
    whole = int(activity["duration_ns"].sum())
    if whole == 0:
        return None
    outside = linked.filter(pl.col("operator").is_null())
    share = 100.0 * int(activity.filter(pl.col("operator").is_not_null())["duration_ns"].sum()) / whole
    if share == 100.0:
        return Check("attributed_to_operators", OK, "100 %", "of GPU time was launched inside an operator")
    # What has no launch is the matter of another check.
    unlinked = len(activity) - len(linked)
    parts = [f"{len(outside):,} activities were launched outside any"] if len(outside) else []
    graphs = _graph_launches(rank, outside)
    if graphs:
        parts[0] += f", {graphs:,} of them by replaying a CUDA graph, which records no operators"
    if unlinked:
        parts.append(f"{unlinked:,} have no launch in the trace")
    known = max(int(linked["duration_ns"].sum()), 1)
    missed = 100.0 * int(outside["duration_ns"].sum()) / known
    detail = f"of GPU time was launched inside an operator; {'; '.join(parts)}"
    return Check("attributed_to_operators", WARNING if missed > 1.0 or share == 0.0 else OK, percent(share), detail)


def _graph_launches(rank: Rank, activity: pl.DataFrame) -> int:
    names = rank.trace.codes(lambda text: text.str.contains("(?i)^(?:cuda|hip|cu)GraphLaunch")).implode()
    calls = rank.trace.frame("runtime", ["name"])["name"].gather(activity["launch"])
    return int(calls.is_in(names).sum())


def communication(rank: Rank) -> Check | None:
    kernels = rank.activity.filter((pl.col("activity") == KERNEL) & pl.col("communication"))
    if len(kernels) == 0:
        return None
    collective = rank.trace.frame("activity", ["collective"])["collective"][kernels["row"]]
    named = len(kernels) - collective.null_count()
    detail = "communication kernels carry their collective's name and sizes"
    if named == len(kernels):
        return Check("communication_metadata", OK, "100 %", f"all {named:,} {detail}")
    return Check(
        "communication_metadata",
        WARNING,
        percent(100.0 * named / len(kernels)),
        f"{named:,} of {len(kernels):,} {detail}; the others are told by their operator or name",
    )
