"""The devices of a memory snapshot and their levels in the selected steps, and what is to be known of them."""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.allocations import MemoryDevice, capacity_of
from stepscope.analyses.memory.snapshot import (
    Part,
    Snapshot,
    beginning_with,
    device_levels,
    device_name,
    devices,
    last_level,
    segments,
    snapshot_of,
)
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank

_CUDA = 1


def snapshot_devices(rank: Rank) -> list[MemoryDevice]:
    """Devices of a rank's snapshot, as those of a trace."""
    found = []
    for number in devices(rank):
        before = int(device_levels(rank, number)["allocated_bytes"][0])
        known = last_level(rank, number) is not None
        capacity = capacity_of(rank, _CUDA, number)
        found.append(MemoryDevice(number, device_name(number), capacity, known, True, before))
    return found


def selected_levels(rank: Rank, device: int) -> pl.DataFrame:
    """`device_levels` in the selected steps, after the level that they begin with."""
    levels, snapshot = device_levels(rank, device), snapshot_of(rank)
    untimed = levels["at_ns"].null_count() == len(levels)
    if rank.chosen is None or untimed or snapshot is None or snapshot.shift_ns is None or len(rank.steps) == 0:
        return levels
    begin, end = int(rank.steps["start_ns"].min()), int(rank.steps["end_ns"].max())  # type: ignore[arg-type]
    return beginning_with(levels, begin, end)


def snapshot_notes(profile: Profile) -> list[Message]:
    """Which ranks a snapshot tells of, and what it cannot tell."""
    found = []
    for rank in profile.ranks:
        snapshot = snapshot_of(rank)
        if snapshot is None:
            continue
        if not snapshot.recorded_history:
            found.append(Message("note-snapshot-no-history", file=snapshot.name))
        else:
            found.extend(_history_notes(rank, snapshot))
        if rank.trace is not snapshot.trace:
            found.append(Message("note-snapshot-beside", file=snapshot.name, rank=str(rank.number)))
            if snapshot.shift_ns is None:
                found.append(Message("note-snapshot-clock", file=snapshot.name))
    return found


def part_message(message: str, part: Part, **others: str) -> Message:
    """Which part of a history was read, from its first entry on."""
    begin, end = part.begin_ns - part.first_ns, part.end_ns - part.first_ns
    return Message(message, begin_ns=begin, end_ns=end, entries=part.left_out, **others)


def _history_notes(rank: Rank, snapshot: Snapshot) -> list[Message]:
    found = []
    before = sum(max(0, device.before_bytes) for device in snapshot_devices(rank))
    if snapshot.part is not None:
        found.append(part_message("note-snapshot-part", snapshot.part, file=snapshot.name))
    elif before:
        found.append(Message("note-snapshot-before", file=snapshot.name, before_bytes=before))
    if len(segments(rank)) == 0:
        found.append(Message("note-snapshot-no-segments", file=snapshot.name))
    return found
