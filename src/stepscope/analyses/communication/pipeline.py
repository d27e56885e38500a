"""What each rank of a pipeline does in a step, and how long it has nothing to compute (see docs/tables/pipeline.md).

Exact: compute + message_wait + message_transfer + communication + memory + idle + other_idle = duration.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.communication.collectives import unmatched_notes
from stepscope.analyses.communication.stages import forward_pairs, messages_of, stages_of
from stepscope.analyses.ranks.calls import rank_calls
from stepscope.analyses.ranks.exposure import both, parts_of, rank_uncovered, rank_windows, told_calls
from stepscope.analyses.steps.unions import activity_unions
from stepscope.messages import Message
from stepscope.numeric.intervals import covered_within, merge
from stepscope.schema import TABLES
from stepscope.store.memo import per_rank_on_disk
from stepscope.store.profile import Profile, Rank


def pipeline(profile: Profile) -> pl.DataFrame:
    """One row per step of each rank that exchanges messages, columns of `schema.TABLES` ``pipeline``."""
    schema = TABLES["pipeline"].schema
    messages = messages_of(told_calls(profile))
    pairs = forward_pairs(messages)
    stages = stages_of(pairs)
    rows = [pl.DataFrame(schema=schema)]
    for rank in profile.ranks:
        mine = messages.filter(pl.col("rank") == rank.number)
        if len(mine):
            stage, count = stages.get(rank.number, (None, None))
            rows.append(_rank_rows(rank, mine, stage, count, _forward(mine, pairs, rank.number)))
    return pl.concat([frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items()) for frame in rows])


def _forward(messages: pl.DataFrame, pairs: set[tuple[int, int]], rank: int) -> pl.DataFrame:
    """Microbatches by step: messages from the stage before, of the first stage those to the one behind."""
    before = [a for a, b in pairs if b == rank]
    behind = [b for a, b in pairs if a == rank]
    forward = pl.col("sender").is_in(before) if before else pl.col("receiver").is_in(behind)
    return messages.filter(forward).group_by("step").agg(pl.len().alias("microbatches"))


def _rank_rows(
    rank: Rank, messages: pl.DataFrame, stage: int | None, stages: int | None, forward: pl.DataFrame
) -> pl.DataFrame:
    windows = rank_windows(rank)
    start, end = windows["start_ns"].to_numpy(), windows["end_ns"].to_numpy()
    waiting, transferring = parts_of(messages.filter(pl.col("collective").is_not_null()))
    uncovered = rank_uncovered(rank)
    windows = windows.join(idle_between(rank), on="step", how="left", maintain_order="left").with_columns(
        pl.lit(rank.number, pl.Int64).alias("rank"),
        pl.lit(stage, pl.Int64).alias("stage"),
        pl.lit(stages, pl.Int64).alias("stages"),
        (pl.col("end_ns") - pl.col("start_ns")).alias("duration_ns"),
        pl.Series("message_wait_ns", both(uncovered, waiting, start, end), dtype=pl.Int64),
        pl.Series("message_transfer_ns", both(uncovered, transferring, start, end), dtype=pl.Int64),
        pl.col("exposed_memory_ns").alias("memory_ns"),
        (pl.col("idle_ns") - pl.col("between_ns")).alias("other_idle_ns"),
        pl.col("between_ns").alias("idle_ns"),
    )
    windows = windows.join(forward, on="step", how="left", maintain_order="left")
    told = pl.col("message_wait_ns") + pl.col("message_transfer_ns")
    bubble = pl.col("message_wait_ns") + pl.col("idle_ns")
    ideal = pl.col("stages") - 1
    return windows.with_columns(
        (pl.col("exposed_communication_ns") - told).alias("communication_ns"),
        bubble.alias("bubble_ns"),
        pl.when(pl.col("duration_ns") > 0).then(100.0 * bubble / pl.col("duration_ns")).alias("bubble_pct"),
        (100.0 * ideal / (pl.col("microbatches") + ideal)).alias("ideal_pct"),
    )


@per_rank_on_disk
def idle_between(rank: Rank) -> pl.DataFrame:
    """Step and between_ns: time in which nothing runs between the step's first message and its last."""
    windows, messages = rank_windows(rank), messages_of(rank_calls(rank))
    start, end = windows["start_ns"].to_numpy(), windows["end_ns"].to_numpy()
    began, ended = messages["start_ns"].to_numpy(), np.sort(messages["end_ns"].to_numpy())
    first, last = np.searchsorted(began, start, "left"), np.searchsorted(ended, end, "right") - 1
    some = (first < len(began)) & (last >= 0)
    left = np.where(some, began[np.minimum(first, len(began) - 1)], end) if len(began) else end
    right = np.where(some, ended[np.maximum(last, 0)], end) if len(ended) else end
    left, right = np.minimum(left, end), np.maximum(right, start)
    right = np.maximum(left, right)
    busy = merge(*activity_unions(rank.activity))
    idle = right - left - covered_within(busy, left, right)
    return windows.select("step", pl.Series("between_ns", idle, dtype=pl.Int64))


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Why there are no rows, and what could not be told."""
    if len(frame) == 0:
        if not len(messages_of(told_calls(profile))):
            return [Message("note-pipeline-no-messages")]
        return [Message("note-pipeline-no-steps")]
    messages, found = messages_of(told_calls(profile)), []
    ways = {(int(a), int(b)) for a, b in messages.select("sender", "receiver").unique().iter_rows()}
    if not any((b, a) in ways for a, b in ways):
        found.append(Message("note-pipeline-one-way"))
    unknown = frame.filter(pl.col("stage").is_null())["rank"].n_unique()
    if unknown:
        found.append(Message("note-pipeline-no-stage", unknown=unknown, ranks=frame["rank"].n_unique()))
    cut = int(frame["cut"].sum())
    if cut:
        found.append(Message("note-steps-cut", cut=cut, steps=len(frame)))
    return [*found, *unmatched_notes(profile)]
