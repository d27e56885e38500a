"""Steps as MindSpore divides them itself: rows of the table ``step_trace`` from the points that it recorded."""

from __future__ import annotations

import polars as pl

from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Rank

UNEVEN = "note-trace-uneven"
"""What is said of ranks of which one waits longer."""

_UNEVEN = 0.2
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


def uneven_ranks(frame: pl.DataFrame) -> list[Message]:
    """Of several ranks the one that waits longest before its forward pass, if by `_UNEVEN` more than their mean.

    Args:
        frame: rows of the table ``step_trace``.

    The rule is MindInsight's for cards of a cluster.
    """
    steady = frame.filter("steady")
    means = steady.group_by("rank").agg(pl.col("interval_ns", "total_ns").mean()).sort("interval_ns", "rank")
    if len(means) < 2:
        return []
    worst, mean = means.row(-1, named=True), float(means["interval_ns"].mean())  # type: ignore[arg-type]  # of numbers
    more = worst["interval_ns"] / mean - 1 if mean else 0.0
    if more <= _UNEVEN:
        return []
    facts = {"interval_ns": round(worst["interval_ns"]), "mean_ns": round(mean), "more_pct": 100.0 * more}
    share = 100.0 * worst["interval_ns"] / max(1.0, worst["total_ns"])
    return [Message(UNEVEN, rank=worst["rank"], share_pct=share, ranks=len(means), limit_pct=100.0 * _UNEVEN, **facts)]


def _named(rank: Rank, codes: pl.Series) -> pl.Series:
    texts = rank.trace.text(codes)
    return texts.set(texts == "", None)
