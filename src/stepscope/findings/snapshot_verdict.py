"""What a memory snapshot says, in sentences: why memory ran out, the peak and what made it up, what grows."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.memory.block_categories import UNKNOWN_CATEGORY
from stepscope.analyses.memory.memory_fragmentation import memory_fragmentation
from stepscope.analyses.memory.memory_leaks import memory_leaks
from stepscope.analyses.memory.memory_oom import CAPACITY, FRAGMENTATION, LIMIT, memory_oom
from stepscope.analyses.memory.memory_peak import BEFORE, memory_peak
from stepscope.analyses.memory.snapshot import has_snapshot, snapshot_of
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank

_NAMED, _WORTH_PCT = 3, 5.0
_HOLES_PCT = 10.0
_OLDER = "before"


def snapshot_sentences(rank: Rank) -> tuple[Message, ...]:
    """The sentences on a rank's snapshot, most important first; none without one."""
    if not has_snapshot(rank):
        return ()
    profile = Profile((rank.source,), (rank,))
    return (*_out_of_memory(profile), *_growing(profile), *_peak(rank, profile), *_holes(profile))


def trouble_sentences(rank: Rank) -> tuple[Message, ...]:
    """Those of them that say what is wrong, to stand behind the verdict on a trace."""
    if not has_snapshot(rank):
        return ()
    profile = Profile((rank.source,), (rank,))
    return (*_out_of_memory(profile), *_growing(profile))


def _out_of_memory(profile: Profile) -> list[Message]:
    """Of the last time that memory ran out."""
    rows = memory_oom(profile)
    if len(rows) == 0:
        return []
    row = rows.row(-1, named=True)
    asked = Message("verdict-oom", requested_bytes=row["requested_bytes"], reason=_reason(row), source=row["source"])
    largest = Message.decoded(row["largest"])
    evicted = row["evict_bytes"]
    cheapest = [] if not evicted else [_eviction(row)]
    return [asked, Message("verdict-oom-largest", largest=largest), *cheapest]


def _eviction(row: dict[str, Any]) -> Message:
    return Message("verdict-oom-evict", evict_bytes=row["evict_bytes"], blocks=row["evict_blocks"])


def _reason(row: dict[str, Any]) -> Message:
    reason, free = row["reason"], row["free_bytes"]
    if reason == FRAGMENTATION:
        return Message(
            "verdict-oom-fragmentation", hole_bytes=row["hole_bytes"], largest_bytes=row["largest_free_bytes"]
        )
    if reason == LIMIT:
        return Message(
            "verdict-oom-limit",
            low_bytes=row["limit_bytes"],
            high_bytes=row["limit_below_bytes"],
            free_bytes=free,
            reserved_bytes=row["reserved_bytes"],
        )
    if reason == CAPACITY:
        return Message("verdict-oom-capacity", free_bytes=free, reserved_bytes=row["reserved_bytes"])
    return Message("verdict-oom-others", free_bytes=free, reserved_bytes=row["reserved_bytes"])


def _peak(rank: Rank, profile: Profile) -> list[Message]:
    """The device with the highest peak, and what most of it was for."""
    rows = memory_peak(profile)
    if len(rows) == 0:
        return []
    sums = rows.group_by("device", maintain_order=True).agg(pl.col("alive_bytes").sum())
    device, peak = sums.sort("alive_bytes", descending=True, maintain_order=True).row(0)
    snapshot = snapshot_of(rank)
    has_history = snapshot is not None and snapshot.recorded_history
    own = _by_category(rows.filter(device=device), has_history)
    own = own.filter(pl.col("share_pct") >= _WORTH_PCT).head(_NAMED)
    parts = [
        Message(
            "verdict-memory-part",
            category=Message("note-snapshot-category", category=row["category"]),
            share_pct=row["share_pct"],
        )
        for row in own.iter_rows(named=True)
    ]
    which = "verdict-memory-peak" if has_history else "verdict-memory-end"
    return [Message(which, device=device, peak_bytes=peak, parts=parts)]


def _by_category(rows: pl.DataFrame, has_history: bool) -> pl.DataFrame:
    """Share of each category of a device's peak; what was there before a history apart from what else is unknown."""
    older = (pl.col("category") == UNKNOWN_CATEGORY) & (pl.col("op") == BEFORE) & pl.lit(has_history)
    category = pl.when(older).then(pl.lit(_OLDER)).otherwise("category").alias("category")
    shares = rows.group_by(category).agg(pl.col("alive_bytes", "share_pct").sum())
    return shares.sort("alive_bytes", "category", descending=[True, False])


def _growing(profile: Profile) -> list[Message]:
    rows = memory_leaks(profile)
    if len(rows) == 0:
        return []
    row = rows.row(0, named=True)
    return [
        Message(
            "verdict-memory-grows",
            step_bytes=row["bytes_per_step"],
            alive_bytes=row["alive_bytes"],
            blocks=row["blocks"],
            source=row["source"],
            more=len(rows) - 1,
        )
    ]


def _holes(profile: Profile) -> list[Message]:
    """Where much of what is reserved lies between blocks in use."""
    rows = memory_fragmentation(profile)
    reserved, holes = int(rows["reserved_bytes"].sum()), int(rows["hole_bytes"].sum())
    if reserved == 0 or 100 * holes < _HOLES_PCT * reserved:
        return []
    return [Message("verdict-memory-holes", hole_bytes=holes, share_pct=100 * holes / reserved)]
