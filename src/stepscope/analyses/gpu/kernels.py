"""GPU time by kernel, by launch configuration, or by kernel and operator.

Every kernel counts, communication included; durations are summed, so concurrent kernels count twice. ``op``,
``grid``, ``block``, ``registers``, ``shared_bytes``, ``occupancy_limit`` and ``source`` are those with most of the
row's time. The shares of all rows sum to 100 %.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.gpu.cut_activity import cut_notes
from stepscope.analyses.gpu.eager import Carried, carried, carried_notes
from stepscope.analyses.gpu.graph_replays import is_graph_launch
from stepscope.analyses.gpu.kernel_names import OTHER, kernel_kind, uses_tensor_cores
from stepscope.analyses.gpu.kernel_sources import kernel_sources
from stepscope.analyses.gpu.occupancy import kernel_occupancy
from stepscope.messages import Message
from stepscope.schema import KERNEL, TABLES
from stepscope.store.profile import Profile, Rank

_LAUNCH = ["grid", "block", "registers", "shared_bytes"]
_FINE = ["name", "communication", "op", *_LAUNCH, "occupancy_limit", "source"]
_KEYS = {"": ["name"], "launch": ["name", *_LAUNCH], "op": ["name", "op"]}


_MEANS = ("blocks_per_sm", "occupancy_pct", "estimated_occupancy_pct")
"""Means weighted by duration, over the kernels that have the value."""

_SUMS = ["calls", "total_ns", *(f"{part} {name}" for name in _MEANS for part in ("weighted", "weight of"))]


def kernels(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernels``, most time first.

    Args:
        by: "" for one row per name, ``launch`` per name and launch configuration, ``op`` per name and operator.
    """
    fine = _summed(pl.concat([_fine(rank, carried(profile, rank)) for rank in profile.ranks]), _FINE)
    keys = _KEYS[by]
    rows = _summed(fine, keys)
    for parts in (["op"], _LAUNCH, ["communication"], ["occupancy_limit"], ["source"]):
        rows = _with_largest(rows, fine, keys, [part for part in parts if part not in keys])
    rows = rows.with_columns(
        (pl.col("total_ns") / pl.col("calls")).round(0, mode="half_to_even").cast(pl.Int64).alias("mean_ns"),
        (100.0 * pl.col("total_ns") / max(int(rows["total_ns"].sum()), 1)).alias("share_pct"),
        *((pl.col(f"weighted {name}") / pl.col(f"weight of {name}")).fill_nan(None).alias(name) for name in _MEANS),
    )
    rows = _with_traits(rows, fine).with_columns(
        pl.when("communication").then(pl.lit("communication")).otherwise("kind").alias("kind")
    )
    schema = TABLES["kernels"].schema
    return rows.select(pl.col(name).cast(dtype) for name, dtype in schema.items()).sort(
        "total_ns", "name", "grid", "block", "op", descending=[True, False, False, False, False]
    )


def _summed(rows: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Rows of equal keys as one."""
    # In file order, so that sums of floats are the same every time.
    return rows.group_by(keys, maintain_order=True).agg(
        pl.col(_SUMS).sum(), pl.col("min_ns").min(), pl.col("max_ns").max()
    )


def _with_largest(rows: pl.DataFrame, fine: pl.DataFrame, keys: list[str], parts: list[str]) -> pl.DataFrame:
    """Add the values of some columns that have most of each row's time, of equals the first in order."""
    if not parts:
        return rows
    times = fine.group_by(*keys, *parts, maintain_order=True).agg(pl.col("total_ns").sum())
    times = times.sort("total_ns", *parts, descending=[True] + [False] * len(parts), nulls_last=True)
    largest = times.unique(keys, keep="first", maintain_order=True).drop("total_ns")
    return rows.join(largest, keys, "left", nulls_equal=True)


def _with_traits(rows: pl.DataFrame, fine: pl.DataFrame) -> pl.DataFrame:
    """Add kind and tensor_core of each name; the same for all rows of a name, however they are grouped."""
    names = _with_largest(fine.select("name").unique(maintain_order=True), fine, ["name"], ["op"])
    kinds = [kernel_kind(name or "", op or "") for name, op in names.select("name", "op").iter_rows()]
    tensor = [uses_tensor_cores(name or "") for name in names["name"]]
    traits = names.select("name").with_columns(
        pl.Series("kind", kinds, dtype=pl.String), pl.Series("tensor_core", tensor, dtype=pl.Boolean)
    )
    return rows.join(traits, "name", "left", nulls_equal=True, maintain_order="left")


def _fine(rank: Rank, over: Carried | None) -> pl.DataFrame:
    """Kernels of one rank summed over equal name, operator and launch configuration, texts resolved."""
    trace = rank.trace
    activity = rank.activity.filter(pl.col("activity") == KERNEL)
    details = trace.frame("activity", [*_LAUNCH, "blocks_per_sm", "occupancy_pct"])[activity["row"]]
    possible = pl.col("occupancy_pct").is_between(0.0, 100.0)
    details = details.with_columns(pl.when(possible).then("occupancy_pct").alias("occupancy_pct"))
    occupancy = kernel_occupancy(rank, activity["row"]).rename(
        {"estimate_pct": "estimated_occupancy_pct", "limit": "occupancy_limit"}
    )
    frame = pl.concat(
        [activity.select("name", "communication", "duration_ns"), details, occupancy], how="horizontal"
    ).with_columns(_operators(rank, activity), _eager_operators(activity, over), kernel_sources(rank, activity))
    duration = pl.col("duration_ns")
    summed = frame.group_by([*_FINE, "eager"], maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("calls"),
        duration.sum().alias("total_ns"),
        duration.min().alias("min_ns"),
        duration.max().alias("max_ns"),
        *((pl.col(name) * duration).sum().alias(f"weighted {name}") for name in _MEANS),
        *(duration.filter(pl.col(name).is_not_null()).sum().alias(f"weight of {name}") for name in _MEANS),
    )
    summed = summed.with_columns(trace.text(summed[name]) for name in ("name", "op", "grid", "block"))
    if over is None:
        return summed.drop("eager")
    return summed.with_columns(pl.coalesce(over.rank.trace.text(summed["eager"]), "op").alias("op")).drop("eager")


def _operators(rank: Rank, kernels: pl.DataFrame) -> pl.Series:
    """Code of the operator that launched each kernel; where there is none, of the call that launched it in a graph."""
    operators = rank.trace.frame("operator", ["name"])["name"].gather(kernels["operator"])
    calls = rank.trace.frame("runtime", ["name"])["name"]
    graphs = pl.Series(rank.trace.codes(is_graph_launch)).implode()
    launched = calls.gather(kernels["launch"])
    return pl.select(pl.coalesce(operators, pl.when(launched.is_in(graphs)).then(launched)).alias("op")).to_series()


def _eager_operators(kernels: pl.DataFrame, over: Carried | None) -> pl.Series:
    """Code, in the eager recording, of the operator that launched each kernel there; null where none is known."""
    if over is None:
        return pl.Series("eager", [None] * len(kernels), dtype=pl.UInt32)
    matched = over.matched
    names = over.rank.trace.frame("operator", ["name"])["name"].gather(matched["operator"])
    found = matched.select("row").with_columns(names.alias("eager"))
    return kernels.select("row").join(found, "row", "left", maintain_order="left")["eager"]


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How much time is of kernels whose name says nothing."""
    found = [*cut_notes(profile), *carried_notes(profile)]
    unknown = frame.filter(pl.col("kind") == OTHER)
    share = float(unknown["share_pct"].sum())
    if share >= 0.05:
        found.append(Message("note-kernels-other", share_pct=share, names=unknown["name"].n_unique()))
    return found
