"""Counters over time as a chart shows them: least, mean and greatest value in small parts of the time."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.gpu.counter_facts import counter_facts
from stepscope.analyses.gpu.counter_samples import SampledCounter, sampled_counters
from stepscope.analyses.gpu.metrics import REASONS
from stepscope.analyses.gpu.throttling import reason_of
from stepscope.analyses.steps.steps import rank_steps, step_windows
from stepscope.numeric.intervals import Ints, covered_within
from stepscope.store.profile import Rank

_MOST = 200


def slice_rows(rank: Rank, schema: dict[str, Any]) -> pl.DataFrame:
    """A row per counter and part of the time from the first sample to the last one, or of the selected steps.

    A part in which a sample still stands for its time, but none is, has that sample's value; one of which nothing is
    known has none.
    """
    counters = [counter for counter in sampled_counters(rank) if len(counter.at)]
    edges = _edges(rank, counters)
    frames = [_of_counter(rank, counter, edges) for counter in counters] if len(edges) > 1 else []
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    return pl.concat([pl.DataFrame(schema=schema), *(frame.select(columns) for frame in frames)])


def _edges(rank: Rank, counters: list[SampledCounter]) -> Ints:
    """Where the parts begin, and the end of the last one; none is shorter than the usual time between samples.

    They are a power of two of ns long and begin at multiples of that since 1970, so that ranks have the same ones.
    """
    if not counters:
        return np.zeros(0, np.int64)
    begin, end = min(int(one.at[0]) for one in counters), max(int(one.at[-1]) for one in counters) + 1
    if rank.chosen is not None:
        start, ends = step_windows(rank_steps(rank))
        begin, end = int(start.min()), int(ends.max())
    intervals = sorted(one.interval_ns for one in counters if one.interval_ns is not None)
    usual = intervals[(len(intervals) - 1) // 2] if intervals else end - begin
    length = 1 << max(0, max(usual, -(-(end - begin) // _MOST)) - 1).bit_length()
    base = rank.trace.time_base_ns
    first, last = (base + begin) // length, -(-(base + end) // length)
    return np.arange(first, last + 1, dtype=np.int64) * length - base


def _of_counter(rank: Rank, counter: SampledCounter, edges: Ints) -> pl.DataFrame:
    facts = counter_facts(rank, counter)
    place = np.searchsorted(edges, counter.at, side="right") - 1
    samples = pl.DataFrame({"slice": place, "value": counter.value, "at": counter.at})
    inside = samples.filter(pl.col("slice").is_between(0, len(edges) - 2) & pl.col("value").is_not_nan())
    value = pl.col("value")
    found = inside.group_by("slice").agg(
        value.mean().alias("mean"), value.min().alias("min"), value.max().alias("max"), value.len().alias("samples")
    )
    every = pl.DataFrame({"slice": np.arange(len(edges) - 1), "start_ns": edges[:-1]}).join(
        found, on="slice", how="left", maintain_order="left"
    )
    held = pl.Series("held", _held(counter, edges)).fill_nan(None)
    values = [pl.coalesce(name, held).alias(name) for name in ("mean", "min", "max")]
    frame = every.with_columns(*values, pl.col("samples").fill_null(0))
    reasons = _reasons(frame) if facts["metric"] == REASONS else pl.Series("reason", [None] * len(frame), pl.String)
    absent = {"missing": 0, "p50": None, "p95": None, "coverage_pct": None}
    return frame.with_columns(reasons, *(pl.lit(value).alias(name) for name, value in (facts | absent).items()))


def _held(counter: SampledCounter, edges: Ints) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The value of the latest sample before each part that it still stands for; NaN of the others."""
    known = ~np.isnan(counter.value)
    at, value = counter.at[known], counter.value[known]
    if len(at) == 0:
        return np.full(len(edges) - 1, np.nan)
    before = np.searchsorted(at, edges[:-1], side="right") - 1
    stands = (covered_within(counter.covered, edges[:-1], edges[1:]) > 0) & (before >= 0)
    return np.where(stands, value[np.maximum(before, 0)], np.nan)


def _reasons(frame: pl.DataFrame) -> pl.Series:
    """What held the clock down, by the greatest of the bits that were sampled in each part."""
    bits = frame["max"].fill_null(0).clip(0, 2**62).cast(pl.Int64)
    return pl.Series("reason", [reason_of(int(one)) for one in bits], dtype=pl.String)
