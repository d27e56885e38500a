"""Each time that memory ran out, and why (see docs/tables/)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from stepscope.analyses.memory.allocations import MemoryDevice
from stepscope.analyses.memory.block_categories import categorised
from stepscope.analyses.memory.lifetimes import LOST, is_alive
from stepscope.analyses.memory.reserved_then import Fit, best_fit, pool_class, segments_then
from stepscope.analyses.memory.snapshot import OOM, device_levels, has_snapshot, history
from stepscope.analyses.memory.snapshot_levels import snapshot_devices, snapshot_notes
from stepscope.analyses.memory.stack_facts import stack_facts
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank

FRAGMENTATION, LIMIT, OTHERS, CAPACITY = "fragmentation", "a set limit", "other processes", "capacity"

_MIB = 1 << 20
_SMALL, _MIDDLE, _STEP = _MIB, 10 * _MIB, 2 * _MIB
_LARGEST = 3


def memory_oom(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_oom``, by rank, device and time."""
    schema = TABLES["memory_oom"].schema
    ranks = [rank for rank in profile.ranks if has_snapshot(rank)]
    rows = [row for rank in ranks for device in snapshot_devices(rank) for row in _device_rows(rank, device)]
    return pl.DataFrame(rows, schema=schema)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """That none ran out, or what the snapshot lacks."""
    none = [Message("note-snapshot-no-oom")] if len(frame) == 0 else []
    return none + snapshot_notes(profile)


def segment_bytes(requested: int) -> int:
    """What the caching allocator takes from the device for a request (``get_allocation_size`` of PyTorch).

    >>> segment_bytes(1000) >> 20, segment_bytes(5 << 20) >> 20, segment_bytes((11 << 20) + 1) >> 20
    (2, 20, 12)
    """
    if requested <= _SMALL:
        return 2 * _MIB
    if requested < _MIDDLE:
        return 20 * _MIB
    return -(-requested // _STEP) * _STEP


@per_rank(unlimited=True)
def _device_rows(rank: Rank, device: MemoryDevice) -> list[dict[str, Any]]:
    entries = history(rank).filter((pl.col("device") == device.number) & (pl.col("action") == OOM))
    facts = {row["stack"]: row["source"] for row in stack_facts(rank).iter_rows(named=True)}
    return [_row(rank, device, entry, facts.get(entry["stack"])) for entry in entries.iter_rows(named=True)]


@dataclass(frozen=True)
class _Then:
    """What there was when memory ran out.

    Attributes:
        most_reserved: the most that was reserved up to then.
        fit: pieces that could have served the request; None where the snapshot cannot tell.
    """

    allocated: int
    reserved: int
    most_reserved: int
    fit: Fit | None


def _row(rank: Rank, device: MemoryDevice, entry: dict[str, Any], source: str | None) -> dict[str, Any]:
    levels = device_levels(rank, device.number).filter(pl.col("row") <= entry["row"])
    last = levels.row(-1, named=True)
    requested, free = int(entry["bytes"]), entry["free_bytes"]
    fit = _fit(rank, device.number, entry)
    most = int(levels["reserved_bytes"].max())  # type: ignore[arg-type]
    then = _Then(last["allocated_bytes"], last["reserved_bytes"], most, fit)
    reason = _reason(device, requested, free, then)
    limited = reason == LIMIT
    return {
        "rank": rank.number,
        "device": device.name,
        "at_ns": entry["at_ns"],
        "requested_bytes": requested,
        "free_bytes": free,
        "allocated_bytes": then.allocated,
        "reserved_bytes": then.reserved,
        "limit_bytes": then.most_reserved if limited else None,
        "limit_below_bytes": then.reserved + segment_bytes(requested) if limited else None,
        "hole_bytes": fit.free_bytes if fit else None,
        "largest_free_bytes": fit.largest_bytes if fit else None,
        "reason": reason,
        "evict_bytes": fit.evict_bytes if fit else None,
        "evict_blocks": fit.evict_blocks if fit else None,
        "source": source,
        "largest": _largest(rank, device.number, entry["row"]).encoded(),
        "event": entry["event"],
    }


def _reason(device: MemoryDevice, requested: int, free: int | None, then: _Then) -> str:
    """Why it did not fit.

    Enough was free in pieces: fragmentation. The device had enough left for a segment: what forbade it was a limit.
    Most of the device belonged to others: these. Else there was too little.
    """
    if then.fit is not None and then.fit.free_bytes >= requested:
        return FRAGMENTATION
    if free is not None and free >= segment_bytes(requested):
        return LIMIT
    if device.capacity_bytes is not None and free is not None:
        others = device.capacity_bytes - free - then.reserved
        if others > then.reserved:
            return OTHERS
    return CAPACITY


def _fit(rank: Rank, device: int, entry: dict[str, Any]) -> Fit | None:
    segments = segments_then(rank, device, entry["row"])
    if segments is None:
        return None
    wanted = pool_class(entry["bytes"], entry["pool"])
    fitting = (pl.col("pool") == wanted[0]) & (pl.col("size_class") == wanted[1])
    stream = pl.col("stream").eq_missing(pl.lit(entry["stream"], pl.Int64))
    born = pl.col("born").is_null() | (pl.col("born") <= entry["row"])
    in_use = born & (pl.col("freed").is_null() | (pl.col("freed") > entry["row"])) & (pl.col("fate") != LOST)
    used = categorised(rank).filter((pl.col("device") == device) & in_use)
    return best_fit(segments.filter(fitting & stream), used, int(entry["bytes"]))


def _largest(rank: Rank, device: int, row: int) -> Message:
    """The lines whose memory was largest."""
    alive = categorised(rank).filter((pl.col("device") == device) & is_alive(row))
    lines = alive.group_by("source", "category").agg(pl.col("bytes").sum(), pl.len().alias("blocks"))
    lines = lines.sort("bytes", "category", "source", descending=[True, False, False]).head(_LARGEST)
    named = [
        Message(
            "note-snapshot-holder",
            source=line["source"] or None,
            category=Message("note-snapshot-category", category=line["category"]),
            size_bytes=line["bytes"],
            blocks=line["blocks"],
        )
        for line in lines.iter_rows(named=True)
    ]
    return Message("note-snapshot-holders", holders=named)
