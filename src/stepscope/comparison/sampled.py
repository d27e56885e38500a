"""The rows of both sides next to each other: of each recording the mean over its steps, and how much these differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.comparison.recorded import compared_steps, step_parts
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
        within: variance of the logarithm of the mean, as the steps of the recording tell; NaN of one step.
        calls: a step; NaN for what is not called.
        steps: of each recording.
    """

    mean: Floats
    within: Floats
    calls: Floats
    steps: tuple[int, ...]

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
    return Sampled(columns("mean_ns", 0.0), columns("within", np.nan), columns("calls", np.nan), steps)


def _of_recording(rank: Rank) -> pl.DataFrame:
    """Columns `KEY`, mean_ns, within, calls."""
    steps = compared_steps(rank)
    length = pl.DataFrame({"place": np.arange(len(steps)), "ns": steps.length})
    nameless = pl.lit("").alias("of")
    whole = length.select(pl.lit(STEP).alias("level"), nameless, pl.lit(STEP).alias("key"), "place", "ns")
    parts = step_parts(rank).select("level", nameless, "key", "place", "ns")
    timed = pl.concat([whole, parts]).with_columns(pl.lit(None, pl.Int64).alias("calls"))
    return _summarized(pl.concat([timed, step_work(rank).select(timed.columns)]), len(steps))


def _summarized(rows: pl.DataFrame, steps: int) -> pl.DataFrame:
    """Means over steps, of which those that lack a name have 0 of it."""
    ns = pl.col("ns").cast(pl.Float64)
    mean = ns.sum() / steps
    # Around the mean, so that nothing of long times is lost.
    spread = ((ns - mean) ** 2).sum() + (steps - pl.len()) * mean**2
    within = spread / (steps - 1) / steps / mean**2 if steps > 1 else pl.lit(None, pl.Float64)
    calls = pl.when(pl.col("calls").is_not_null().any()).then(pl.col("calls").sum() / steps)
    return rows.group_by(KEY).agg(mean.alias("mean_ns"), within.alias("within"), calls.alias("calls"))
