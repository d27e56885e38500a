"""Steps as MindSpore divides them itself: rows of the table ``step_trace`` from the points that it recorded."""

from __future__ import annotations

import polars as pl

from stepscope.schema import TABLES
from stepscope.store.profile import Rank

RECORDER = "recorder"
"""Clock of a step that its recorder divided."""


def recorded_step_trace(rank: Rank) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``step_trace``, a row for each step; forward and backward are not told apart.

    The first step begins with its forward pass, so its interval is 0 and it counts in no average.
    """
    names = ["step", "start_ns", "forward_ns", "backward_ns", "end_ns", "first", "last"]
    frame = rank.trace.frame("step_point", names).unique("step", keep="first", maintain_order=True).sort("step")
    start, forward, backward, end = (pl.col(name) for name in names[1:5])
    made = frame.select(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        "step",
        pl.lit(RECORDER).alias("clock"),
        (pl.int_range(pl.len()) > 0).alias("steady"),
        pl.lit(1, pl.Int64).alias("passes"),
        "start_ns",
        (forward - start).alias("interval_ns"),
        (backward - forward).alias("forward_backward_ns"),
        (end - backward).alias("tail_ns"),
        (end - start).alias("total_ns"),
        _named(rank, frame["first"]).alias("first_forward"),
        _named(rank, frame["last"]).alias("last_backward"),
    )
    schema = TABLES["step_trace"].schema
    missing = [pl.lit(None, kind).alias(name) for name, kind in schema.items() if name not in made.columns]
    whole = made.with_columns(missing).select(pl.col(name).cast(kind) for name, kind in schema.items())
    return whole if rank.chosen is None else whole.filter(pl.col("step").is_between(*rank.chosen))


def _named(rank: Rank, codes: pl.Series) -> pl.Series:
    texts = rank.trace.text(codes)
    return texts.set(texts == "", None)
