"""How many launches wait in each stream's queue, over time (see docs/tables/).

A launch waits from the start of its call to the start of its first activity. The depth changes only at these moments,
so minimum, mean and maximum of a stretch of time are exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.idle.queueing import FULL, LANE, Queue, queued_launches
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints, distinct
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

STRETCHES = 200
"""Stretches of equal length that ``--by time`` divides a rank's time into."""

MOST_STREAMS = 256
"""Streams of a rank with most launches that are shown."""


def queue_depth(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``queue_depth``.

    Args:
        by: "" for one row per stream, ``time`` for `STRETCHES` of each.
    """
    frames = [_rank_depth(rank, STRETCHES if by == "time" else 1) for rank in profile.ranks]
    schema = TABLES["queue_depth"].schema
    found = pl.concat(frames) if frames else pl.DataFrame(schema=schema)
    return found.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What was in the queues before the recording began."""
    if len(frame) == 0:
        return []
    queued = [queued_launches(rank) for rank in profile.ranks]
    carried = sum(int(launches["launch"].is_null().sum()) for launches in queued)
    left_out = sum(max(0, len(_lanes(launches)) - MOST_STREAMS) for launches in queued)
    return [
        *([Message("note-queue-before", launches=carried)] if carried else []),
        *([Message("note-queue-streams", streams=left_out, most=MOST_STREAMS)] if left_out else []),
    ]


def _rank_depth(rank: Rank, stretches: int) -> pl.DataFrame:
    launches = queued_launches(rank)
    edges = _edges(launches, stretches)
    if edges is None:
        return pl.DataFrame(schema=TABLES["queue_depth"].schema)
    frames = []
    shown = launches.join(_lanes(launches).head(MOST_STREAMS), LANE, "inner", nulls_equal=True, maintain_order="left")
    for here in shown.sort(LANE, nulls_last=True, maintain_order=True).partition_by(LANE, maintain_order=True):
        lane = here.select(LANE).row(0)
        columns = _depths(Queue.of(here), edges) | _blocked(here, edges)
        frames.append(
            pl.DataFrame(columns).with_columns(
                pl.lit(rank.number, pl.Int64).alias("rank"),
                *(pl.lit(value, pl.Int64).alias(name) for name, value in zip(LANE, lane, strict=True)),
            )
        )
    schema = TABLES["queue_depth"].schema
    return pl.concat(frames).select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _lanes(launches: pl.DataFrame) -> pl.DataFrame:
    """Streams with recorded launches, those with most of them first."""
    counts = launches.filter(pl.col("launch").is_not_null()).group_by(LANE).len("count")
    return counts.sort("count", *LANE, descending=[True, False, False], nulls_last=True).select(LANE)


def _edges(launches: pl.DataFrame, stretches: int) -> Ints | None:
    """Where the stretches of a rank begin and end: from its first selected call to the start of the last work."""
    mine = launches.filter("selected")
    begin, end = mine["call_start_ns"].min(), mine.select(pl.max_horizontal("start_ns", "call_start_ns")).max().item()
    if not isinstance(begin, int) or not isinstance(end, int) or end <= begin:
        return None
    return begin + (end - begin) * np.arange(stretches + 1) // stretches


def _depths(queue: Queue, edges: Ints) -> dict[str, Any]:
    """Depth in each stretch, from the pieces of time in which it does not change."""
    edges = distinct(edges)
    first, last = edges[0], edges[-1]
    changes = np.concatenate([queue.entered, queue.left])
    times = distinct(edges, changes[(changes > first) & (changes < last)])
    begin, length = times[:-1], np.diff(times)
    depth = queue.depth_at(begin)
    opens = np.searchsorted(begin, edges[:-1])
    entered = np.searchsorted(queue.entered, np.append(edges[:-1], last + 1), side="left")
    stretch = np.diff(edges)
    return {
        "start_ns": edges[:-1],
        "duration_ns": stretch,
        "launches": np.diff(entered),
        "depth_min": np.minimum.reduceat(depth, opens),
        "depth_mean": np.add.reduceat(depth * length, opens) / stretch,
        "depth_max": np.maximum.reduceat(depth, opens),
        "empty_ns": np.add.reduceat(np.where(depth == 0, length, 0), opens),
        "full_ns": np.add.reduceat(np.where(depth >= FULL, length, 0), opens),
    }


def _blocked(launches: pl.DataFrame, edges: Ints) -> dict[str, Any]:
    """Calls that a full queue held, by the stretch in which they began."""
    edges = distinct(edges)
    blocked = launches.filter(pl.col("blocked_ns") > 0)
    at = np.searchsorted(edges, blocked["call_start_ns"].to_numpy(), side="right") - 1
    at = np.where(at == len(edges) - 1, len(edges) - 2, at)
    inside = (at >= 0) & (blocked["call_start_ns"].to_numpy() <= edges[-1])
    counts = np.bincount(at[inside], minlength=len(edges) - 1)
    time = np.zeros(len(edges) - 1, np.int64)
    np.add.at(time, at[inside], blocked["blocked_ns"].to_numpy()[inside])
    return {"blocked_calls": counts.astype(np.int64), "blocked_ns": time}
