"""CUDA graphs: what their replays run, how long it takes, and what their launches cost (see docs/tables/).

The profiler records a replay as one call that owns hundreds of kernels, and no operators. Replays are of one graph if
the recording gives them one number, where it gives any, and if they run the same kernels, memcpys and memsets in the
same order on each stream.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.gpu.graph_replays import graph_calls, replayed_activity, replays
from stepscope.messages import Message
from stepscope.schema import KERNEL, TABLES
from stepscope.store.profile import Profile, Rank

_KEYS = ["api", "graph_id", "sequence"]
_ADDED: dict[str, dict[str, Any]] = {
    "": {},
    "replay": {"rank": pl.Int64, "start_ns": pl.Int64, "latency_ns": pl.Int64},
    "kernel": {"kernel": pl.String},
}


def graphs(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``graphs``, most GPU time first.

    Args:
        by: "" for one row per graph; ``replay`` for one per replay, by time, with columns rank, start_ns (of its first
            activity) and latency_ns (from the call's start to that); ``kernel`` for one per graph and kernel, with
            the kernel in a column of that name.
    """
    each = [_numbered(rank) for rank in profile.ranks]
    rows = pl.concat(each)
    numbers = _graph_numbers(rows)
    rows = rows.join(numbers, _KEYS, "left", nulls_equal=True, maintain_order="left")
    whole = sum(int(rank.activity["duration_ns"].sum()) for rank in profile.ranks)
    if by == "kernel":
        made = _by_kernel(profile, rows)
    elif by == "replay":
        made = _with_heaviest(profile, rows.with_columns(pl.lit(1, pl.Int64).alias("calls")), rows)
    else:
        made = _with_heaviest(profile, _by_graph(rows), rows)
    return _finished(made, whole, by)


def _numbered(rank: Rank) -> pl.DataFrame:
    return replays(rank).with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        (pl.col("end_ns") - pl.col("start_ns")).alias("span_ns"),
        (pl.col("start_ns") - pl.col("call_start_ns")).alias("latency_ns"),
    )


def _graph_numbers(rows: pl.DataFrame) -> pl.DataFrame:
    """Number of each graph: 1 for the one with most GPU time, of equals the one launched first."""
    sums = rows.group_by(_KEYS).agg(pl.col("total_ns").sum(), pl.col("call_start_ns", "start_ns", "rank").min())
    order = ["call_start_ns", "rank", "start_ns", "sequence"]
    sums = sums.sort("total_ns", *order, descending=[True] + [False] * len(order))
    return sums.select(*_KEYS).with_row_index("graph", offset=1)


def _by_graph(rows: pl.DataFrame) -> pl.DataFrame:
    sums = pl.col("total_ns", "span_ns", "busy_ns", "call_ns").sum()
    firsts = pl.col("api", "graph_id", "kernels", "copies").first()
    return rows.group_by("graph").agg(pl.len().cast(pl.Int64).alias("calls"), firsts, sums)


def _kernels_of(profile: Profile, rows: pl.DataFrame) -> pl.DataFrame:
    """Kernels of the graphs by name: columns graph, kernel (text), calls, total_ns."""
    found = []
    for rank in profile.ranks:
        activity = replayed_activity(rank).filter(pl.col("activity") == KERNEL)
        graph = rows.filter(pl.col("rank") == rank.number).select("launch", "graph")
        sums = activity.join(graph, "launch").group_by("graph", "name", maintain_order=True)
        table = sums.agg(pl.len().cast(pl.Int64).alias("calls"), pl.col("duration_ns").sum().alias("total_ns"))
        found.append(table.with_columns(rank.trace.text(table["name"]).alias("kernel")).drop("name"))
    return pl.concat(found).group_by("graph", "kernel").agg(pl.col("calls", "total_ns").sum())


def _with_heaviest(profile: Profile, made: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    kernels = _kernels_of(profile, rows).sort("total_ns", "kernel", descending=[True, False])
    heaviest = kernels.unique("graph", keep="first", maintain_order=True).select(
        "graph", pl.col("kernel").alias("heaviest")
    )
    return made.join(heaviest, "graph", "left", maintain_order="left")


def _by_kernel(profile: Profile, rows: pl.DataFrame) -> pl.DataFrame:
    replayed = rows.group_by("graph").agg(pl.len().alias("replays"), pl.col("api", "graph_id").first())
    kernels = _kernels_of(profile, rows).join(replayed, "graph", "left")
    nothing = [pl.lit(None, pl.Int64).alias(name) for name in ("copies", "span_ns", "busy_ns", "call_ns")]
    return kernels.with_columns(
        (pl.col("calls") // pl.col("replays")).alias("kernels"), pl.col("kernel").alias("heaviest"), *nothing
    )


def _finished(made: pl.DataFrame, whole: int, by: str) -> pl.DataFrame:
    schema = TABLES["graphs"].schema
    schema = {"graph": schema["graph"], **_ADDED[by], **schema}
    made = made.with_columns(
        pl.col("api").alias("name"),
        (pl.col("total_ns") / pl.col("calls")).round(0, mode="half_to_even").alias("mean_ns"),
        (100.0 * pl.col("total_ns") / max(whole, 1)).alias("share_pct"),
        (pl.col("span_ns") - pl.col("busy_ns")).alias("gap_ns"),
        pl.col("call_ns").alias("launch_ns"),
    )
    order = {"": ["graph"], "replay": ["start_ns", "rank", "graph"], "kernel": ["graph"]}[by]
    made = made.sort("total_ns", "heaviest", descending=[True, False]) if by == "kernel" else made
    return made.sort(*order, maintain_order=True).select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How much of the GPU time graphs run, and which launches ran nothing that was recorded."""
    calls = lost = 0
    whole = time = 0
    for rank in profile.ranks:
        selected = rank.selected_rows("runtime")
        launches = graph_calls(rank).filter(pl.Series(selected).gather(graph_calls(rank)["launch"]))
        activity = replayed_activity(rank)
        calls += len(launches)
        lost += len(launches.join(activity, "launch", "anti"))
        time += int(activity["duration_ns"].sum())
        whole += int(rank.activity["duration_ns"].sum())
    if calls == 0:
        return [Message("note-graphs-none")]
    found = [Message("note-graphs-share", share_pct=100 * time / max(whole, 1))] if time else []
    if lost:
        found.append(Message("note-graphs-lost", lost=lost, launches=calls))
    if len(frame) == 0:
        found = [Message("note-no-rows-because", reason=found[-1])]
    elif "graph_id" in frame.columns and frame["graph_id"].null_count() == len(frame):
        found.append(Message("note-graphs-unnumbered"))
    return found
