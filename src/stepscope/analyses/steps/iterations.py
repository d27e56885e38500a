"""Iterations of an inference server: phase, batch and tokens, and the time for a token (see docs/tables/).

A server writes a range around each iteration (`store.serving`); these are the steps. An iteration takes what its step
takes on the GPU timeline: from the end of the iteration before to the end of its own work; of the first one that is not
known, unless it is the only one. Nor is it known where the GPU waited for work that is in another file.
"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.idle.gap_causes import gap_parts
from stepscope.analyses.idle.gap_parts import UNKNOWN
from stepscope.analyses.idle.gaps import find_gaps
from stepscope.analyses.steps.steps import UNSEEN_NS, gpu_windows, rank_steps, step_windows
from stepscope.analyses.steps.unions import rank_unions
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints, covered_within, merge, union
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank
from stepscope.store.serving import iterations as said
from stepscope.store.step_detection import SERVING, served_ranges

_LEAST_SEEN = 0.1
"""Of an iteration, the share in which the GPU may wait for what is not in the recording while its time is known."""

_SUMS = ("steps", "requests", "tokens", "duration_ns", "busy_ns", "timed_tokens")


def iterations(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``iterations``: a row per rank and phase, most time first.

    Args:
        by: ``step`` for a row per iteration, with the column step.
    """
    rows = pl.concat([_rank_iterations(rank) for rank in profile.ranks])
    if by == "":
        rows = rows.group_by("rank", "phase", maintain_order=True).agg(pl.col(_SUMS).sum())
    known = pl.col("duration_ns") > 0
    rows = rows.with_columns(
        (pl.col("requests") / pl.col("steps")).alias("batch"),
        pl.when(known & (pl.col("timed_tokens") > 0))
        .then(pl.col("duration_ns") / pl.col("timed_tokens"))
        .round(0, mode="half_to_even")
        .alias("per_token_ns"),
        pl.when(known).then(100.0 * pl.col("busy_ns") / pl.col("duration_ns")).alias("busy_pct"),
        pl.when(known).then("duration_ns").alias("duration_ns"),
    )
    schema = {"rank": pl.Int64, **({"step": pl.Int64} if by else {}), **TABLES["iterations"].schema}
    rows = rows if by else rows.sort("rank", "duration_ns", "phase", descending=[False, True, False])
    return rows.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _rank_iterations(rank: Rank) -> pl.DataFrame:
    """A row per iteration: columns unseen (its time is unknown), rank, step, phase, and `_SUMS`."""
    table = rank_steps(rank)
    if rank.all_steps.source != SERVING:
        table = table.clear()
    table = table.join(served_ranges(rank.trace), "start_ns", "left", maintain_order="left")
    of_each = said(table["text"])
    start, end = gpu_windows(table) if len(table) == 1 else step_windows(table)
    compute, communication, memory = rank_unions(rank)
    busy = covered_within(merge(compute, communication, memory), start, end)
    seen = pl.Series(_unseen_ns(rank, start, end) <= _LEAST_SEEN * (end - start))
    timed = (pl.lit(len(table) == 1) | (pl.col("period_ns") > 0)) & seen
    return table.select(
        (~seen).alias("unseen"),
        pl.lit(rank.number, pl.Int64).alias("rank"),
        "step",
        of_each["phase"],
        pl.lit(1, pl.Int64).alias("steps"),
        of_each["requests"],
        of_each["tokens"],
        pl.when(timed).then(pl.Series(end - start)).alias("duration_ns"),
        pl.when(timed).then(pl.Series(busy)).alias("busy_ns"),
        pl.when(timed).then(of_each["tokens"]).alias("timed_tokens"),
    )


def _unseen_ns(rank: Rank, start: Ints, end: Ints) -> Ints:
    """Of some windows, the time in which the GPU waits for what is not in the recording."""
    if len(start) == 0:
        return start
    gaps, parts = find_gaps(rank.whole), gap_parts(rank.whole)
    unknown = parts.filter((pl.col("cause") == UNKNOWN) & (pl.col("part_ns") > UNSEEN_NS))
    gaps = gaps[unknown["gap"]].sort("start_ns")
    return covered_within(union(gaps["start_ns"].to_numpy(), gaps["end_ns"].to_numpy()), start, end)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Why there are no rows, or no times."""
    if len(frame) == 0:
        return [Message("note-iterations-none")]
    unseen = sum(int(_rank_iterations(rank)["unseen"].sum()) for rank in profile.ranks)
    return [Message("note-iterations-unseen", count=unseen)] if unseen else []
