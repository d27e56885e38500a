"""Replays of CUDA graphs: which calls launched them, and what each of them ran."""

from __future__ import annotations

import polars as pl

from stepscope.schema import KERNEL
from stepscope.store.further_arguments import further_argument
from stepscope.store.profile import Rank
from stepscope.store.ties import with_places
from stepscope.store.trace import Trace

GRAPH_LAUNCH = r"(?i)^(?:cuda|hip|cu|musa)GraphLaunch"


def is_graph_launch(name: pl.Expr) -> pl.Expr:
    """Whether a runtime call's name is that of a graph's launch."""
    return name.str.contains(GRAPH_LAUNCH)


def graph_calls(rank: Rank) -> pl.DataFrame:
    """Calls that launch graphs: columns launch (row of table ``runtime``), api (text), call_start_ns, call_ns."""
    trace = rank.trace
    names = trace.codes(is_graph_launch).implode()
    calls = trace.frame("runtime", ["name", "start_ns", "duration_ns"]).with_row_index("launch")
    calls = calls.filter(pl.col("name").is_in(names))
    return calls.select(
        pl.col("launch").cast(pl.UInt32),
        trace.text(calls["name"]).alias("api"),
        pl.col("start_ns").alias("call_start_ns"),
        pl.col("duration_ns").alias("call_ns"),
    )


def replayed_activity(rank: Rank) -> pl.DataFrame:
    """Selected activity that graphs launched: that of `Rank.activity`, the columns of `graph_calls`, and graph_id.

    In the order of the GPU: by start. ``graph_id`` is null where none was recorded.
    """
    calls = graph_calls(rank)
    activity = rank.activity.filter(pl.col("launch").is_in(calls["launch"].implode()))
    activity = activity.join(calls, "launch", "left", maintain_order="left")
    activity = with_places(rank.trace, "activity", activity).sort("start_ns", "end_ns", "place").drop("place")
    return activity.with_columns(_graph_ids(rank.trace, activity["row"]))


def _graph_ids(trace: Trace, rows: pl.Series) -> pl.Series:
    """The graph's number where the profiler recorded it, for some rows of the table ``activity``.

    A node's number is ``graph << 32 | node`` in full, or its lower 32 bits beside the graph's number (torch 2.14's
    CUPTI monitor). 0 stands for no graph.
    """
    events = trace.frame("activity", ["event"])["event"].gather(rows)
    numbers = (
        further_argument(trace, events, key).cast(pl.Int64, strict=False) for key in ("graph id", "graph node id")
    )
    graph, node = (pl.when(number > 0).then(number) for number in numbers)
    return pl.select(pl.coalesce(graph, pl.when(node >= 1 << 32).then(node // (1 << 32))).alias("graph_id")).to_series()


def replays(rank: Rank) -> pl.DataFrame:
    """One row per launch of a graph that ran anything, by the time of the launch.

    Columns: launch, api, graph_id, call_start_ns, call_ns; start_ns, end_ns (first start and last end on the GPU),
    busy_ns (length of the union of its activity), total_ns (sum of durations), kernels, copies (and fills), and
    ``sequence``: a number of what ran, name by name, stream by stream, the same for two replays of one graph however
    its branches were interleaved.
    """
    activity = replayed_activity(rank)
    codes = activity["name"].unique()
    named = pl.DataFrame({"name": codes, "number": rank.trace.text(codes).hash()})
    activity = activity.join(named, "name", "left", nulls_equal=True, maintain_order="left")
    streams = activity.group_by("launch", "device", "stream", maintain_order=True).agg(
        pl.col("number").cast(pl.String).str.join(" ").alias("sequence")
    )
    sequences = streams.group_by("launch").agg(pl.col("sequence").sort().str.join("|").hash())
    reach = pl.col("end_ns").cum_max().shift(1).over("launch")
    # What an activity adds to the union of those before it: its part behind the latest end so far.
    added = (pl.col("end_ns") - pl.max_horizontal("start_ns", reach)).clip(0)
    kernel = pl.col("activity") == KERNEL
    rows = (
        activity.with_columns(added.alias("added"))
        .group_by("launch", maintain_order=True)
        .agg(
            pl.col("api", "graph_id", "call_start_ns", "call_ns").first(),
            pl.col("start_ns").min(),
            pl.col("end_ns").max(),
            pl.col("added").sum().alias("busy_ns"),
            pl.col("duration_ns").sum().alias("total_ns"),
            kernel.sum().cast(pl.Int64).alias("kernels"),
            (~kernel).sum().cast(pl.Int64).alias("copies"),
        )
    )
    rows = rows.join(sequences, "launch", "left", maintain_order="left")
    return rows.sort("call_start_ns", "start_ns", "end_ns", "sequence")
