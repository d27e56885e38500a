"""The rows of both sides next to each other: of each recording the mean over its steps, and how much these differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.comparison.recorded import AS_DEVIATION, LEAST_FOR_MEDIAN, compared_steps, step_parts
from stepscope.comparison.work import step_work
from stepscope.store.profile import Rank

Floats = npt.NDArray[np.float64]

STEP = "step"
"""Level of the one row of the step itself."""

KEY = ["level", "of", "key"]


@dataclass(frozen=True)
class Sampled:
    """Some rows as the recordings of one side have them; arrays of rows by recordings.

    Attributes:
        mean: over the steps, in ns; 0 of what a recording lacks.
        within: variance of the logarithm of `typical`, as the steps of the recording tell; NaN of one step.
        calls: a step; NaN for what is not called.
        steps: of each recording.
        median: over the steps, see `typical`.
    """

    mean: Floats
    within: Floats
    calls: Floats
    steps: tuple[int, ...]
    median: Floats | None = None

    @property
    def typical(self) -> Floats:
        """What rows are judged by: the median over the steps, so that a step in which the machine did something else
        is no difference; the mean where there are too few steps, or some lack the row."""
        return self.mean if self.median is None else self.median

    @property
    def recordings(self) -> int:
        return len(self.steps)


def sampled(base: Sequence[Rank], new: Sequence[Rank]) -> tuple[pl.DataFrame, Sampled, Sampled]:
    """Columns `KEY` of every row that any recording has, in order, and what both sides have of each."""
    found = [[_of_recording(rank) for rank in side] for side in (base, new)]
    every = pl.concat([frame.select(KEY) for side in found for frame in side]).unique().sort(KEY)
    sides = [_side(every, frames, side) for frames, side in zip(found, (base, new), strict=True)]
    return every, sides[0], sides[1]


def _side(every: pl.DataFrame, frames: Sequence[pl.DataFrame], ranks: Sequence[Rank]) -> Sampled:
    aligned = [every.join(frame, KEY, "left", maintain_order="left") for frame in frames]

    def columns(name: str, missing: float) -> Floats:
        return np.column_stack([one[name].cast(pl.Float64).fill_null(missing).to_numpy() for one in aligned])

    steps = tuple(len(compared_steps(rank)) for rank in ranks)
    means = columns("mean_ns", 0.0)
    return Sampled(means, columns("within", np.nan), columns("calls", np.nan), steps, columns("median_ns", 0.0))


def _of_recording(rank: Rank) -> pl.DataFrame:
    """Columns `KEY`, mean_ns, median_ns, within, calls."""
    steps = compared_steps(rank)
    length = pl.DataFrame({"place": np.arange(len(steps)), "ns": steps.length})
    nameless = pl.lit("").alias("of")
    whole = length.select(pl.lit(STEP).alias("level"), nameless, pl.lit(STEP).alias("key"), "place", "ns")
    parts = step_parts(rank).select("level", nameless, "key", "place", "ns")
    timed = pl.concat([whole, parts]).with_columns(pl.lit(None, pl.Int64).alias("calls"))
    every = pl.concat([timed, step_work(rank).select(timed.columns)])
    is_part = pl.col("calls").is_null() & (pl.col("level") != STEP)
    return _summarized(every.with_columns(is_part.alias("part")), len(steps))


def _summarized(rows: pl.DataFrame, steps: int) -> pl.DataFrame:
    """Means and medians over steps, of which those that lack a name have 0 of it."""
    ns = pl.col("ns").cast(pl.Float64)
    mean = ns.sum() / steps
    # Around the mean, so that nothing of long times is lost.
    spread = ((ns - mean) ** 2).sum() + (steps - pl.len()) * mean**2
    within = spread / (steps - 1) / steps / mean**2 if steps > 1 else pl.lit(None, pl.Float64)
    median, deviation = ns.median(), AS_DEVIATION * (ns - ns.median()).abs().median()
    # Of a normal distribution the median of a sample varies by pi / 2 more than its mean.
    of_median = np.pi / 2 * (deviation / median) ** 2 / steps
    robust = (pl.len() == steps) & (pl.lit(steps >= LEAST_FOR_MEDIAN)) & (median > 0) & ~pl.col("part").any()
    # Time moves between the parts of a step: steps that differ are what tells by how much.
    calls = pl.when(pl.col("calls").is_not_null().any()).then(pl.col("calls").sum() / steps)
    return rows.group_by(KEY).agg(
        mean.alias("mean_ns"),
        pl.when(robust).then(median).otherwise(mean).alias("median_ns"),
        pl.when(robust).then(of_median).otherwise(within).alias("within"),
        calls.alias("calls"),
    )
