"""How durations of one name are spread: quartiles, outliers, sums by step, a histogram (see docs/tables/)."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.durations.instances import said_of
from stepscope.analyses.durations.timed import timed
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_KEYS = {"": [], "step": ["step"], "bin": ["from_ns", "to_ns"]}
_BINS = 32
"""Bins of a name's histogram at most; each is as wide as the one before times a constant."""


def durations(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``durations``, most time first; steps and bins in order.

    Args:
        by: "" for a row per kind and name, ``step`` for one per step of it, ``bin`` for its histogram.
    """
    instances = timed(profile)
    rows = _with_bins(instances.rows) if by == "bin" else instances.rows
    keys = ["key", *_KEYS[by]]
    length = pl.col("duration_ns")
    quantiles = {"p25_ns": 0.25, "p75_ns": 0.75, "p90_ns": 0.9, "p99_ns": 0.99}
    marked = pl.col("outlier")
    found = rows.group_by(keys).agg(
        pl.len().alias("calls"),
        length.sum().alias("total_ns"),
        length.min().alias("min_ns"),
        *(length.quantile(at, "nearest").alias(name) for name, at in quantiles.items()),
        length.median().round().alias("median_ns"),
        length.max().alias("max_ns"),
        pl.when(marked.is_not_null().any()).then(marked.sum()).alias("outliers"),
    )
    found = found.join(_by_step(rows, keys), keys, "left", nulls_equal=True)
    whole = pl.col("total_ns").sum().over("key").alias("whole")
    found = found.sort(whole, *keys, descending=[True] + [False] * len(keys), nulls_last=True)
    described = TABLES["durations"].described(by)
    named = ["kind", "name", *_KEYS[by]]
    first = [name for name in _KEYS[by] if name not in TABLES["durations"].schema]
    order = ["kind", "name", *first, *(name for name in TABLES["durations"].schema if name not in named)]
    return instances.named(found).select(pl.col(name).cast(described[name].dtype) for name in order)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """As those of `instances`."""
    return said_of(profile, frame.group_by("kind", "name").agg(pl.col("calls").sum())["calls"])


def _by_step(rows: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """In how many steps a name is, and the least, median and most of its sums by step; null for what is in none."""
    inside = rows.filter(pl.col("step").is_not_null())
    sums = inside.group_by(list(dict.fromkeys([*keys, "step"]))).agg(pl.col("duration_ns").sum().alias("sum"))
    return (
        sums.with_columns(pl.col("step").alias("of"))
        .group_by(keys)
        .agg(
            pl.col("of").n_unique().alias("steps"),
            pl.col("sum").min().alias("step_min_ns"),
            pl.col("sum").median().round().alias("step_median_ns"),
            pl.col("sum").max().alias("step_max_ns"),
        )
    )


def _with_bins(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the bin of each row, ``[from_ns, to_ns)``."""
    rows = rows.sort("key")
    length, key = rows["duration_ns"].to_numpy(), rows["key"].to_numpy()
    first = np.flatnonzero(np.append(True, key[1:] != key[:-1])) if len(rows) else np.empty(0, np.int64)
    begin, end = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    for low, high in zip(first, np.append(first[1:], len(rows))[: len(first)], strict=True):
        edges = _edges(length[low:high])
        at = np.searchsorted(edges, length[low:high], side="right") - 1
        begin[low:high], end[low:high] = edges[at], edges[at + 1]
    return rows.with_columns(pl.Series("from_ns", begin), pl.Series("to_ns", end))


def _edges(lengths: Ints) -> Ints:
    """Ends of the bins of a name: from its shortest to behind its longest."""
    low, high = int(lengths.min()), int(lengths.max())
    inner = np.floor(np.geomspace(max(low, 1), high + 1, _BINS + 1)).astype(np.int64)[1:-1]
    edges: Ints = np.unique(np.concatenate([[low], inner[(inner > low) & (inner <= high)], [high + 1]]))
    return edges
