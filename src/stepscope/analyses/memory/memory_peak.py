"""What was alive when most memory was allocated (see docs/tables/).

The peak of a device is the first moment at which its total is largest. Alive is what was allocated up to then and
released later or never. What was there before the recording is a row of its own, and what the events do not explain
another, so that the rows of a device sum to its total exactly.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.memory.allocations import (
    MemoryDevice,
    allocating_operators,
    memory_changes,
    sources,
)
from stepscope.analyses.memory.block_categories import UNKNOWN_CATEGORY, categorised
from stepscope.analyses.memory.lifetimes import is_alive
from stepscope.analyses.memory.memory_growth import Growth, growth
from stepscope.analyses.memory.memory_timeline import devices_of, levels_of, totals_notes
from stepscope.analyses.memory.snapshot import has_snapshot
from stepscope.analyses.memory.snapshot_levels import snapshot_notes
from stepscope.messages import Message
from stepscope.schema import TABLES, UNATTRIBUTED
from stepscope.store.profile import Profile, Rank

BEFORE = "(allocated before the recording)"
UNEXPLAINED = "(not in the recorded events)"


def memory_peak(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``memory_peak``, by rank and device, most bytes first.

    Args:
        by: "" for operators and lines, ``category`` for categories alone, ``stack`` for stacks.
    """
    schema = dict(TABLES["memory_peak"].schema)
    if by == "stack":
        schema |= {"lines": pl.String}
    frames = [_device_rows(rank, device, by) for rank in profile.ranks for device in devices_of(rank)]
    frames = [
        frame.with_columns(pl.lit(None).alias(name) for name in schema if name not in frame.columns) for frame in frames
    ]
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    return pl.concat([pl.DataFrame(schema=schema), *(frame.select(columns) for frame in frames)])


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """When each device's peak was, and how much of the device it took."""
    several = len(profile.ranks) > 1
    found = []
    for rank in profile.ranks:
        for device in devices_of(rank):
            of = Message("note-memory-device-of-rank", rank=rank.number, device=device.name) if several else device.name
            found.append(_peak_note(rank, device, of))
            grows = growth(rank, device) if not has_snapshot(rank) else None
            if grows is not None:
                found.append(_growth_note(of, grows))
    return found + totals_notes(profile) + snapshot_notes(profile)


def _peak_note(rank: Rank, device: MemoryDevice, of: str | Message) -> Message:
    levels = levels_of(rank, device)
    peak = levels.row(levels["allocated_bytes"].arg_max() or 0, named=True)
    reserved = levels["reserved_bytes"].max()
    at = pl.lit(peak["at_ns"], dtype=pl.Int64)
    step = rank.steps.filter((pl.col("start_ns") <= at) & (pl.col("end_ns") > at))["step"]
    capacity = device.capacity_bytes
    return Message(
        "note-memory-peak",
        device=of,
        peak=Message(
            "note-memory-peak-of-device",
            peak_bytes=peak["allocated_bytes"],
            capacity_pct=100 * peak["allocated_bytes"] / capacity,
            capacity_bytes=capacity,
        )
        if capacity
        else Message("note-memory-peak-bytes", peak_bytes=peak["allocated_bytes"]),
        step=step[0] if len(step) and len(rank.all_steps.ranges) > 1 else None,
        reserved=Message("note-memory-reserved", reserved_bytes=reserved)
        if isinstance(reserved, int) and reserved > 0
        else None,
    )


def _growth_note(of: str | Message, grows: Growth) -> Message:
    if grows.op is None:
        return Message("note-memory-grows", device=of, step_bytes=grows.per_step_bytes, steps=grows.steps)
    return Message(
        "note-memory-grows-by",
        device=of,
        step_bytes=grows.per_step_bytes,
        steps=grows.steps,
        kept_bytes=grows.kept_bytes,
        operator=grows.op,
        source=grows.source or None,
    )


def _device_rows(rank: Rank, device: MemoryDevice, by: str) -> pl.DataFrame:
    levels = levels_of(rank, device)
    peak = levels.row(levels["allocated_bytes"].arg_max() or 0, named=True)
    keys = {"category": ["category"], "stack": ["category", "op", "source", "lines"]}.get(
        by, ["category", "op", "source"]
    )
    rows = _snapshot_rows(rank, device, peak, keys) if has_snapshot(rank) else _trace_rows(rank, device, peak, keys)
    whole = pl.lit(peak["allocated_bytes"], dtype=pl.Int64)
    return rows.with_columns(
        pl.lit(rank.number, dtype=pl.Int64).alias("rank"),
        pl.lit(device.name).alias("device"),
        pl.when(whole != 0).then(100.0 * pl.col("alive_bytes") / whole).alias("share_pct"),
        (100.0 * pl.col("alive_bytes") / pl.lit(device.capacity_bytes, dtype=pl.Int64)).alias("capacity_pct"),
        pl.lit(peak["at_ns"], dtype=pl.Int64).alias("at_ns"),
    ).sort("alive_bytes", *keys, descending=[True] + [False] * len(keys))


def _snapshot_rows(rank: Rank, device: MemoryDevice, peak: dict[str, Any], keys: list[str]) -> pl.DataFrame:
    """What a snapshot says of the peak: its allocations, and what they do not explain."""
    alive = categorised(rank).filter((pl.col("device") == device.number) & is_alive(peak["row"]))
    nameless = pl.col("born").is_null() & pl.col("stack").is_null()
    alive = alive.with_columns(pl.when(nameless).then(pl.lit(BEFORE)).otherwise(pl.col("op")).alias("op"))
    rows = alive.group_by(keys).agg(
        pl.len().cast(pl.Int64).alias("blocks"),
        pl.col("bytes").sum().alias("alive_bytes"),
        pl.col("bytes").filter(pl.col("end").is_null()).sum().alias("kept_bytes"),
    )
    rest = peak["allocated_bytes"] - int(rows["alive_bytes"].sum())
    if rest == 0:
        return rows
    values = {"category": UNKNOWN_CATEGORY, "op": UNEXPLAINED, "alive_bytes": rest}
    unexplained = pl.DataFrame([{name: values.get(name) for name in rows.columns}], schema=rows.schema)
    rows = (
        pl.concat([rows, unexplained])
        .group_by(keys)
        .agg(*(pl.col(name).sum() for name in ("blocks", "alive_bytes", "kept_bytes")))
    )
    return rows


def _trace_rows(rank: Rank, device: MemoryDevice, peak: dict[str, Any], keys: list[str]) -> pl.DataFrame:
    """What the memory events of a trace say of the peak: operators, what was there before, what is not explained."""
    changes = memory_changes(rank).with_row_index("row").filter(pl.col("device") == device.number)
    alive = _alive(rank, changes, peak["row"])
    before, before_kept = _alive_before(device, changes, peak["row"])
    known = int(alive["alive_bytes"].sum()) + before
    rest = [(BEFORE, before, before_kept), (UNEXPLAINED, peak["allocated_bytes"] - known, None)]
    named = [{"op": op, "alive_bytes": size, "kept_bytes": kept} for op, size, kept in rest if size]
    rows = pl.concat([alive, pl.DataFrame(named, schema=alive.schema)])
    rows = rows.with_columns(pl.lit(None, pl.String).alias("category"), pl.col("source").alias("lines"))
    if "op" in keys:
        return rows
    return rows.group_by(keys).agg(pl.col("blocks", "alive_bytes", "kept_bytes").sum())


def _alive(rank: Rank, changes: pl.DataFrame, peak: int) -> pl.DataFrame:
    """Allocations alive after a row, by operator and source: op, source, blocks, alive_bytes, kept_bytes."""
    released = pl.coalesce("partner", "reused")
    alive = changes.filter(
        (pl.col("row") <= peak)
        & (pl.col("change_bytes") > 0)
        & pl.col("address").is_not_null()
        & (released.is_null() | (released > peak))
    )
    alive = alive.with_columns(allocating_operators(rank, alive).fill_null(UNATTRIBUTED), sources(rank, alive))
    return alive.group_by("op", "source").agg(
        pl.len().cast(pl.Int64).alias("blocks"),
        pl.col("change_bytes").sum().alias("alive_bytes"),
        pl.col("change_bytes").filter(released.is_null()).sum().alias("kept_bytes"),
    )


def _alive_before(device: MemoryDevice, changes: pl.DataFrame, peak: int) -> tuple[int, int]:
    """Bytes from before the first event that are not released up to a row, and of these those never released."""
    foreign = (pl.col("change_bytes") < 0) & pl.col("partner").is_null() & pl.col("address").is_not_null()
    releases = changes.filter(foreign)
    gone = -int(releases.filter(pl.col("row") <= peak)["change_bytes"].sum())
    later = -int(releases.filter(pl.col("row") > peak)["change_bytes"].sum())
    return device.before_bytes - gone, device.before_bytes - gone - later
