"""The blocks of each segment at an earlier point of the history: the end, with what happened since undone.

Segments are those of the end, without later ones, with those given back since; blocks are the allocations that were
alive, each at its address. What lies between them was free.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.memory.block_categories import categorised
from stepscope.analyses.memory.lifetimes import LOST
from stepscope.analyses.memory.memory_blocks import laid_out
from stepscope.analyses.memory.reserved_then import segments_then
from stepscope.analyses.memory.snapshot import ALLOCATED, INACTIVE, PENDING, history, snapshot_of
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank


def blocks_then(profile: Profile, event: int) -> tuple[pl.DataFrame, list[Message]]:
    """Columns of `schema.TABLES` ``memory_blocks`` behind an entry of the history, of the entry's device, and notes.

    Args:
        event: number of the entry, as in ``memory_timeline`` and ``memory_events``.

    Raises:
        BadRequest: there are several ranks, no such entry, or the segments of that time are unknown.
    """
    rank = profile.ranks[0]
    if len(profile.ranks) > 1:
        raise _refused(event, "error-part-of-one-rank", "error-part-name-rank")
    entry = history(rank).filter(pl.col("event") == event) if snapshot_of(rank) is not None else pl.DataFrame()
    if len(entry) == 0:
        raise _refused(event, "error-no-entry", "error-entry-of-timeline")
    device, row = int(entry["device"][0]), int(entry["row"][0])
    where = segments_then(rank, device, row)
    if where is None:
        raise _refused(event, "error-segments-then", "error-segments-end")
    owner = where.with_row_index("segment").select(
        pl.lit(device, pl.Int64).alias("device"),
        *("segment", "pool", "stream"),
        pl.col("address").alias("begin"),
        pl.col("bytes").alias("whole_bytes"),
    )
    used = _used(rank, device, row)
    placed = _placed(owner, used)
    frame = laid_out(rank, owner, placed, INACTIVE)
    columns = [pl.col(name).cast(dtype) for name, dtype in TABLES["memory_blocks"].schema.items()]
    return frame.select(columns), _notes(event, len(used) - len(placed))


def _used(rank: Rank, device: int, row: int) -> pl.DataFrame:
    """Allocations in use behind a row, those included that were released and that a stream still uses."""
    born = pl.col("born").is_null() | (pl.col("born") <= row)
    there = (pl.col("freed").is_null() | (pl.col("freed") > row)) & (pl.col("fate") != LOST)
    # What was never released ends where its address was allocated anew: then nothing says when.
    over = pl.col("freed").is_null() & pl.col("asked").is_null() & pl.col("end").is_not_null() & (pl.col("end") >= 0)
    used = categorised(rank).filter((pl.col("device") == device) & born & there & ~over.fill_null(False))
    asked = (pl.col("end").is_not_null() & (pl.col("end") <= row)).fill_null(False)
    return used.select(
        *("address", "category", "op", "source", "lines"),
        pl.col("born_ns").alias("start_ns"),
        pl.col("block_bytes").alias("bytes"),
        pl.col("bytes").alias("requested_bytes"),
        pl.when(asked).then(pl.lit(PENDING)).otherwise(pl.lit(ALLOCATED)).alias("state"),
        pl.lit(True).alias("is_active"),
    ).drop_nulls("address")


def _placed(owner: pl.DataFrame, used: pl.DataFrame) -> pl.DataFrame:
    """The allocations with the segment that each begins in; without those that lie in none."""
    begins = owner["begin"].to_numpy()
    if len(begins) == 0:
        return used.head(0).join(owner, how="cross")
    place = np.searchsorted(begins, used["address"].to_numpy(), side="right") - 1
    found = used.with_columns(pl.Series("segment", np.maximum(place, 0)).cast(pl.UInt32)).join(owner, "segment", "left")
    inside = (pl.col("address") >= pl.col("begin")) & (pl.col("address") < pl.col("begin") + pl.col("whole_bytes"))
    return found.filter(inside)


def _notes(event: int, astray: int) -> list[Message]:
    found = [Message("note-blocks-then", event=event)]
    return [*found, Message("note-blocks-astray", blocks=astray)] if astray else found


def _refused(event: int, found: str, advice: str) -> BadRequest:
    return BadRequest(Message("error-cannot-show-entry", event=event), Message(found), Message(advice))
