"""GPU time by kernel, by launch configuration, or by kernel and operator.

Every kernel counts, communication included; durations are summed, so concurrent kernels count twice. ``op``,
``grid``, ``block``, ``registers`` and ``shared_bytes`` are those with most of the row's time. The shares of all rows
sum to 100 %.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.kernel_names import kernel_kind, uses_tensor_cores
from stepscope.schema import KERNEL, TABLES
from stepscope.store.profile import Profile, Rank

_LAUNCH = ["grid", "block", "registers", "shared_bytes"]
_FINE = ["name", "communication", "op", *_LAUNCH]
_KEYS = {"": ["name"], "launch": ["name", *_LAUNCH], "op": ["name", "op"]}


_SUMS = ["calls", "total_ns", "weighted_blocks", "weighed_blocks_ns", "weighted_occupancy", "weighed_occupancy_ns"]


def kernels(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``kernels``, most time first.

    Args:
        by: "" for one row per name, ``launch`` per name and launch configuration, ``op`` per name and operator.
    """
    fine = _summed(pl.concat([_fine(rank) for rank in profile.ranks]), _FINE)
    keys = _KEYS[by]
    rows = _summed(fine, keys)
    for parts in (["op"], _LAUNCH, ["communication"]):
        rows = _with_largest(rows, fine, keys, [part for part in parts if part not in keys])
    rows = rows.with_columns(
        (pl.col("total_ns") / pl.col("calls")).round(0, mode="half_to_even").cast(pl.Int64).alias("mean_ns"),
        (100.0 * pl.col("total_ns") / max(int(rows["total_ns"].sum()), 1)).alias("share_pct"),
        (pl.col("weighted_blocks") / pl.col("weighed_blocks_ns")).fill_nan(None).alias("blocks_per_sm"),
        (pl.col("weighted_occupancy") / pl.col("weighed_occupancy_ns")).fill_nan(None).alias("occupancy_pct"),
        *_by_name(rows["name"]),
    ).with_columns(pl.when("communication").then(pl.lit("communication")).otherwise("kind").alias("kind"))
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


def _by_name(names: pl.Series) -> list[pl.Expr]:
    distinct = names.unique().drop_nulls().to_list()
    kinds = {name: kernel_kind(name) for name in distinct}
    tensor = {name: uses_tensor_cores(name) for name in distinct}
    column = pl.col("name")
    return [
        column.replace_strict(kinds, default="other", return_dtype=pl.String).alias("kind"),
        column.replace_strict(tensor, default=False, return_dtype=pl.Boolean).alias("tensor_core"),
    ]


def _fine(rank: Rank) -> pl.DataFrame:
    """Kernels of one rank summed over equal name, operator and launch configuration, texts resolved."""
    trace = rank.trace
    activity = rank.activity.filter(pl.col("activity") == KERNEL)
    details = trace.frame("activity", [*_LAUNCH, "blocks_per_sm", "occupancy_pct"])[activity["row"]]
    operators = trace.frame("operator", ["name"])["name"]
    frame = pl.concat(
        [activity.select("name", "communication", "duration_ns"), details], how="horizontal"
    ).with_columns(operators.gather(activity["operator"]).alias("op"))
    duration = pl.col("duration_ns")
    summed = frame.group_by(_FINE, maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("calls"),
        duration.sum().alias("total_ns"),
        duration.min().alias("min_ns"),
        duration.max().alias("max_ns"),
        (pl.col("blocks_per_sm") * duration).sum().alias("weighted_blocks"),
        duration.filter(pl.col("blocks_per_sm").is_not_null()).sum().alias("weighed_blocks_ns"),
        (pl.col("occupancy_pct") * duration).sum().alias("weighted_occupancy"),
        duration.filter(pl.col("occupancy_pct").is_not_null()).sum().alias("weighed_occupancy_ns"),
    )
    return summed.with_columns(trace.text(summed[name]) for name in ("name", "op", "grid", "block"))
