"""Kernels too short for the host to keep the GPU fed, by name, or by name and operator (see docs/tables/).

Short is a kernel of less than `SHORT_NS`. A kernel that shares its launch with other activity (a CUDA graph) cost no
call of its own and is compared with none.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.gpu.graph_replays import graph_calls
from stepscope.analyses.gpu.kernel_names import OTHER, name_traits
from stepscope.messages import Message
from stepscope.schema import KERNEL, TABLES
from stepscope.store.profile import Profile, Rank

SHORT_NS = 10_000
"""About what an operator and its launch cost the host in eager PyTorch; the threshold of TraceLens, too."""

_KEYS = {"": ["name"], "op": ["name", "op"]}


def short_kernels(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``short_kernels``, most kernels first.

    Args:
        by: "" for one row per name, ``op`` for one per name and operator, with the operator in a column of that name.
    """
    keys = _KEYS[by]
    kernels = pl.concat([launched_kernels(rank) for rank in profile.ranks])
    short = kernels.filter(pl.col("duration_ns") < SHORT_NS)
    rows = short.group_by(keys, maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("calls"),
        pl.col("duration_ns").sum().alias("total_ns"),
        pl.col("call_ns").sum().alias("launch_ns"),
        (pl.col("duration_ns") < pl.col("call_ns")).sum().cast(pl.Int64).alias("shorter_than_launch"),
        pl.col("in_graph").sum().cast(pl.Int64),
        _usual_kind().alias("kind"),
    )
    rows = rows.with_columns(
        (pl.col("total_ns") / pl.col("calls")).round(0, mode="half_to_even").cast(pl.Int64).alias("mean_ns"),
        (100.0 * pl.col("total_ns") / max(int(kernels["duration_ns"].sum()), 1)).alias("share_pct"),
        (100.0 * pl.col("calls") / max(len(kernels), 1)).alias("of_kernels_pct"),
    )
    schema = TABLES["short_kernels"].schema
    if by:
        schema = {"name": schema["name"], "op": pl.String, **schema}
    return rows.select(pl.col(name).cast(dtype) for name, dtype in schema.items()).sort(
        "calls", "total_ns", *keys, descending=[True, True] + [False] * len(keys)
    )


def _usual_kind() -> pl.Expr:
    """Kind of most kernels of a row, of as many the first by name: one name may be a collective in one place and not
    in another."""
    return pl.col("kind").mode().min()


def launched_kernels(rank: Rank) -> pl.DataFrame:
    """Selected kernels of a rank: name, op (texts), kind, duration_ns, call_ns, in_graph.

    ``call_ns`` is the host time of the call that launched this kernel alone; null where the call is not known,
    launched more than one activity, or is that of a graph, which ``in_graph`` says.
    """
    trace = rank.trace
    activity = rank.activity.with_columns(pl.len().over("launch").alias("siblings"))
    kernels = activity.filter(pl.col("activity") == KERNEL)
    graphs = graph_calls(rank)["launch"].implode()
    calls = trace.frame("runtime", ["duration_ns"])["duration_ns"]
    traits = name_traits(rank).with_columns(trace.text(name_traits(rank)["name"]).alias("text"))
    operators = trace.frame("operator", ["name"])["name"].gather(kernels["operator"])
    frame = kernels.select(
        "name",
        "communication",
        "duration_ns",
        pl.col("launch").is_in(graphs).fill_null(False).alias("in_graph"),
        (pl.col("siblings") == 1).alias("alone"),
        pl.lit(calls.gather(kernels["launch"])).alias("call_ns"),
        pl.lit(trace.text(operators)).alias("op"),
    ).join(traits, "name", "left", maintain_order="left")
    return frame.select(
        pl.col("text").alias("name"),
        "op",
        pl.when("communication").then(pl.lit("communication")).otherwise(pl.col("kind").fill_null(OTHER)).alias("kind"),
        "duration_ns",
        pl.when(pl.col("alone") & ~pl.col("in_graph")).then("call_ns").alias("call_ns"),
        "in_graph",
    )


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """The short kernels in one sentence."""
    if len(frame) == 0:
        return []
    calls, shorter, graphs = (int(frame[name].sum()) for name in ("calls", "shorter_than_launch", "in_graph"))
    share, time = (float(frame[name].sum()) for name in ("of_kernels_pct", "share_pct"))
    return [
        Message(
            "note-short-kernels",
            kernels=calls,
            kernels_pct=share,
            short_ns=SHORT_NS,
            time_pct=time,
            shorter=shorter,
            graphs=graphs,
        )
    ]
