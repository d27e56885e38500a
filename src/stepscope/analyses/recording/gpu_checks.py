"""Checks of GPU activity: is it there, is it linked to its launches, can it be attributed?"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.graph_edges import graph_edges
from stepscope.analyses.needs import is_kineto, recording_facts
from stepscope.analyses.recording.check import ERROR, NONE, OK, WARNING, Check, counted, share
from stepscope.analyses.recording.recorded import is_foreign
from stepscope.messages import Message
from stepscope.readers.mindspore.format import MINDSPORE
from stepscope.schema import ENQUEUE, KERNEL
from stepscope.store.profile import Rank

_LAUNCHING = r"(?i)launch|memcpy|memset"
_CAPTURING = r"(?i)Stream(?:Begin|End)Capture|GraphInstantiate"
"""Whether a stream is being captured is asked in eager mode, too."""
_FEWEST_CAPTURED, _MUCH = 50, 0.3

_NOT_LAUNCHING = r"(?i)LaunchHostFunc|GetLaunch"


def gpu_activity(rank: Rank) -> Check:
    count = rank.trace.rows("activity")
    if count:
        return Check("gpu_activity", OK, counted(count), Message("check-gpu-activity"))
    if gpu_cut_off(rank):
        return Check("gpu_activity", ERROR, NONE, Message("check-gpu-cut-off"))
    launches = len(launching_calls(rank))
    if launches:
        return Check(
            "gpu_activity", ERROR, NONE, Message("check-gpu-calls-only", launches=launches, recorder=rank.recorder)
        )
    if is_foreign(rank) and rank.recorder == MINDSPORE:
        return Check("gpu_activity", WARNING, NONE, Message("check-gpu-mindspore"))
    if is_foreign(rank):
        return Check("gpu_activity", WARNING, NONE, Message("check-gpu-foreign"))
    return _host_only(rank)


def _host_only(rank: Rank) -> Check:
    """``stepscope record`` records every device that the program uses: there is no option to add."""
    said = recording_facts(rank)
    if has_no_gpu(rank):
        return Check("gpu_activity", OK, NONE, Message("check-host-only-no-gpu"))
    if "gpus" not in said:
        return Check("gpu_activity", WARNING, NONE, Message("check-host-only", kineto=is_kineto(rank) and not said))
    used = "CUDA" in str(said.get("activities", "")).split()
    return Check(
        "gpu_activity", WARNING, NONE, Message("check-host-only-unused", gpus=int(said["gpus"]), recorded=used)
    )


def has_no_gpu(rank: Rank) -> bool:
    """Whether the recorder saw no GPU: what ran on the CPU is all that there was to record."""
    said = recording_facts(rank)
    return not said["gpus"] if "gpus" in said else rank.trace.head.get("deviceProperties") == []


def launching_calls(rank: Rank) -> pl.DataFrame:
    """Calls that give the GPU work: columns launch (row of the table runtime), name, correlation."""
    names = rank.trace.codes(lambda text: text.str.contains(_LAUNCHING) & ~text.str.contains(_NOT_LAUNCHING)).implode()
    calls = rank.trace.frame("runtime", ["category", "name", "correlation"]).with_row_index("launch")
    # With a task queue what is put into it launches, be it work or an event to record, and CANN's calls are none.
    queued = rank.trace.codes(lambda text: text == ENQUEUE)
    if calls["category"].is_in(queued.implode()).any():
        calls = calls.clear()
    return calls.filter(pl.col("name").is_in(names)).drop("category")


def captured(rank: Rank) -> tuple[int, int] | None:
    """How many launches were captured into CUDA graphs instead of being run, and of how many; None where few were."""
    codes = rank.trace.codes(lambda text: text.str.contains(_CAPTURING)).implode()
    if not rank.trace.frame("runtime", ["name"])["name"].is_in(codes).fill_null(False).any():
        return None
    calls = launching_calls(rank)["correlation"]
    ran = rank.trace.frame("activity", ["correlation"])["correlation"].drop_nulls().unique()
    idle = int((~calls.is_in(ran.implode()).fill_null(False)).sum())
    return (idle, len(calls)) if idle >= max(_FEWEST_CAPTURED, _MUCH * len(calls)) else None


def gpu_cut_off(rank: Rank) -> bool:
    """Whether a file was cut off before the GPU's events, which PyTorch writes last: only the host seems to work."""
    return rank.trace.truncated is not None and rank.trace.rows("activity") == 0


def linked(rank: Rank) -> Check | None:
    activity = rank.activity
    if len(activity) == 0:
        return None
    unlinked = activity.filter(pl.col("launch").is_null())
    value = share(100.0 * (1 - len(unlinked) / len(activity)))
    if len(unlinked) == 0:
        return Check("linked_launches", OK, value, Message("check-linked-all", by_flow=int(activity["by_flow"].sum())))
    first = rank.trace.frame("runtime", ["start_ns"])["start_ns"].min()
    before = len(unlinked) if first is None else int((unlinked["start_ns"] < _first_linked(activity)).sum())
    time = int(unlinked["duration_ns"].sum()) / max(1, int(activity["duration_ns"].sum()))
    lost = rank.trace.truncated is not None and bool(rank.whole.activity["launch"].is_null().all())
    detail = Message("check-unlinked", activities=len(unlinked), time_pct=100 * time, before=before, cut=lost)
    return Check("linked_launches", WARNING, value, detail)


def _first_linked(activity: pl.DataFrame) -> int:
    first = activity.filter(pl.col("launch").is_not_null())["start_ns"].min()
    return int(first) if isinstance(first, int) else 1 << 62


def lost_activity(rank: Rank) -> Check | None:
    """Launch calls without an activity: the profiler drops activity silently when its buffers run out."""
    if rank.trace.rows("activity") == 0 or rank.chosen is not None:
        return None
    calls = launching_calls(rank).filter(pl.col("correlation") != 0)
    if len(calls) == 0:
        return None
    launched = np.zeros(rank.trace.rows("runtime"), np.bool_)
    launched[rank.activity["launch"].drop_nulls().to_numpy()] = True
    lost = calls.filter(~pl.Series(launched[calls["launch"].to_numpy()]))
    if len(lost) == 0:
        return Check("launches_with_activity", OK, share(100.0), Message("check-launches-all"))
    kept = 100.0 * (1 - len(lost) / len(calls))
    detail = Message("check-launches-lost", lost=len(lost), calls=len(calls))
    return Check("launches_with_activity", WARNING if kept < 99.0 else OK, share(kept), detail)


def attributed(rank: Rank) -> Check | None:
    activity = rank.activity
    linked = activity.filter(pl.col("launch").is_not_null())
    whole = int(activity["duration_ns"].sum())
    if whole == 0:
        return None
    outside = linked.filter(pl.col("operator").is_null())
    inside = 100.0 * int(activity.filter(pl.col("operator").is_not_null())["duration_ns"].sum()) / whole
    if inside == 100.0:
        return Check("attributed_to_operators", OK, share(100.0), Message("check-attributed-all"))
    # What has no launch is the matter of another check.
    detail = Message(
        "check-attributed",
        outside=len(outside),
        graphs=_graph_launches(rank, outside),
        unlinked=len(activity) - len(linked),
    )
    known = max(int(linked["duration_ns"].sum()), 1)
    missed = 100.0 * int(outside["duration_ns"].sum()) / known
    return Check("attributed_to_operators", WARNING if missed > 1.0 or inside == 0.0 else OK, share(inside), detail)


def _graph_launches(rank: Rank, activity: pl.DataFrame) -> int:
    names = rank.trace.codes(lambda text: text.str.contains("(?i)^(?:cuda|hip|cu)GraphLaunch")).implode()
    calls = rank.trace.frame("runtime", ["name"])["name"].gather(activity["launch"])
    return int(calls.is_in(names).sum())


def graph_dependencies(rank: Rank) -> Check | None:
    """Edges of CUDA graphs, and how many of them join activities."""
    edges = graph_edges(rank)
    if len(edges) == 0:
        return None
    rest = len(edges) - len(edges.drop_nulls())
    status = WARNING if rest == len(edges) else OK
    return Check("graph_dependencies", status, counted(len(edges)), Message("check-graph-edges", rest=rest))


def communication(rank: Rank) -> Check | None:
    kernels = rank.activity.filter((pl.col("activity") == KERNEL) & pl.col("communication"))
    if len(kernels) == 0:
        return None
    collective = rank.trace.frame("activity", ["collective"])["collective"][kernels["row"]]
    named = len(kernels) - collective.null_count()
    if named == len(kernels):
        return Check("communication_metadata", OK, share(100.0), Message("check-communication-all", kernels=named))
    detail = Message("check-communication", named=named, kernels=len(kernels))
    return Check("communication_metadata", WARNING, share(100.0 * named / len(kernels)), detail)
