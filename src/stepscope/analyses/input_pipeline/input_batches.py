"""What each batch of the input pipeline took (see docs/tables/)."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.input_pipeline.advice import notes_on
from stepscope.analyses.input_pipeline.recorded import recorded_pipeline
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


def input_batches(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``input_batches``: the queue of the host first, each in the order of its batches."""
    schema = TABLES["input_batches"].schema
    parts = [pl.DataFrame(schema=schema)]
    for rank in profile.ranks:
        recorded = recorded_pipeline(rank)
        if recorded is None:
            continue
        since = (pl.col("time_ns") - pl.col("time_ns").min().over("queue")).alias("since_ns")
        frame = recorded.batches().with_columns(
            pl.lit(rank.number, pl.Int64).alias("rank"),
            since,
            pl.col("size").alias("queued"),
            pl.col("batch").alias("number"),
        )
        frame = frame.unique(["queue", "batch"], keep="first", maintain_order=True)
        parts.append(frame.select(pl.col(name).cast(kind) for name, kind in schema.items()))
    return pl.concat(parts)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """Whether training waits for the pipeline."""
    return notes_on(profile) if len(frame) else []
