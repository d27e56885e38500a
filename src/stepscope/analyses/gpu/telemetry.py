"""What the counters of a recording say over time: power, clocks, how busy parts of the GPU are (see docs/tables/).

Means and percentiles are of the samples, each of which counts once. ``interval_ns`` is the median time between two
samples of the whole recording; ``coverage_pct`` the share of the time for which there is a sample no older than twice
that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.gpu.counter_facts import counter_facts
from stepscope.analyses.gpu.counter_samples import SampledCounter, sampled_counters
from stepscope.analyses.gpu.telemetry_slices import slice_rows
from stepscope.analyses.steps.steps import rank_steps, step_windows
from stepscope.messages import Message
from stepscope.numeric.intervals import Union, contains, covered_within, length, union
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

SLICE = "slice"
"""Of ``by``: small parts of the time, as a chart shows them."""


def telemetry(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``telemetry``, by rank, counters of GPUs first.

    Args:
        by: "" for a row per counter, ``step`` or ``slice`` for one per counter and step, or small part of the time, in
            a column of that name.
    """
    schema = dict(TABLES["telemetry"].schema)
    if by:
        schema = {"rank": schema["rank"], by: pl.Int64} | schema
    if by == SLICE:
        schema |= {"start_ns": pl.Int64, "reason": pl.String}
        return pl.concat([pl.DataFrame(schema=schema), *(slice_rows(rank, schema) for rank in profile.ranks)])
    rows = [row for rank in profile.ranks for row in (_step_rows(rank) if by else _rows(rank))]
    return pl.DataFrame(rows, schema=schema)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Counters of which the selection has no sample: their interval is longer than it."""
    empty = frame.filter(pl.col("samples") == 0)
    if SLICE in frame.columns or len(empty) == 0:
        return []
    return [Message("note-telemetry-no-sample", rows=len(empty), counters=sorted(set(empty["counter"]))[:3])]


def _rows(rank: Rank) -> Iterator[dict[str, Any]]:
    for counter in sampled_counters(rank):
        whole = np.array([rank.span[0]]), np.array([rank.span[1]])
        inside = np.full(len(counter.at), True)
        if rank.chosen is not None:
            whole = union(*_windows(rank, counter))
            inside = contains(whole, counter.at)
        yield counter_facts(rank, counter) | _statistics(counter.value[inside]) | _coverage(counter, whole)


def _step_rows(rank: Rank) -> Iterator[dict[str, Any]]:
    """Of each counter a row per step; steps of one number are one."""
    numbers = rank_steps(rank)["step"].to_numpy()
    for counter in sampled_counters(rank):
        start, end = _windows(rank, counter)
        for step in np.unique(numbers):
            window = union(start[numbers == step], end[numbers == step])
            values = counter.value[contains(window, counter.at)]
            yield counter_facts(rank, counter) | {"step": step} | _statistics(values) | _coverage(counter, window)


def _windows(rank: Rank, counter: SampledCounter) -> Union:
    """Where each selected step begins and ends: of a GPU's counter on the GPU, which the host may run far ahead of."""
    steps = rank_steps(rank)
    if counter.gpu is not None:
        return step_windows(steps)
    return steps["start_ns"].to_numpy(), (steps["start_ns"] + steps["duration_ns"]).to_numpy()


def _statistics(values: npt.NDArray[np.float64]) -> dict[str, Any]:
    """Of some samples: how many have a value and how many none, and what the values are."""
    known = pl.Series(values).drop_nans()
    found: dict[str, Any] = {"samples": len(known), "missing": len(values) - len(known)}
    if len(known) == 0:
        return found
    with np.errstate(over="ignore"):
        mean = float(np.mean(known.to_numpy()))
    return found | {
        "mean": mean if np.isfinite(mean) else None,
        "min": known.min(),
        "p50": known.median(),
        "p95": known.quantile(0.95, "nearest"),
        "max": known.max(),
    }


def _coverage(counter: SampledCounter, window: Union) -> dict[str, float | None]:
    """Share of some time that samples stand for; null where nothing says for how long one does."""
    time = length(window)
    if counter.interval_ns is None or time <= 0:
        return {"coverage_pct": None}
    return {"coverage_pct": 100.0 * int(covered_within(counter.covered, *window).sum()) / time}
