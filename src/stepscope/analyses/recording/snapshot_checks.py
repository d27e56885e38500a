"""Checks of memory snapshots: how much of the history is there, and does it agree with the end?"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.memory.lifetimes import LOST, lifetimes
from stepscope.analyses.memory.snapshot import ALLOC, history, repeated, snapshot_of
from stepscope.analyses.memory.snapshot_levels import part_message, snapshot_devices
from stepscope.analyses.recording.check import NOT_RECORDED, OK, WARNING, Check, counted, share
from stepscope.messages import Message
from stepscope.store.profile import Rank


def recorded_history(rank: Rank) -> Check | None:
    """Whether what the allocator did was recorded, and how much was there before."""
    snapshot = snapshot_of(rank)
    if snapshot is None:
        return None
    if not snapshot.recorded_history:
        return Check("memory_history", WARNING, NOT_RECORDED, Message("check-snapshot-no-history"))
    if snapshot.part is not None:
        detail = part_message("check-snapshot-part", snapshot.part)
        return Check("memory_history", WARNING, Message("check-snapshot-in-part"), detail)
    before = sum(device.before_bytes for device in snapshot_devices(rank))
    if before < 0:
        detail = Message("check-snapshot-negative", before_bytes=-before)
        return Check("memory_history", WARNING, Message("check-snapshot-contradicts"), detail)
    if before > 0:
        value = Message("check-snapshot-late", before_bytes=before)
        return Check("memory_history", OK, value, Message("check-snapshot-before"))
    return Check("memory_history", OK, Message("check-yes"), Message("check-snapshot-whole"))


def stacks(rank: Rank) -> Check | None:
    """How many allocations have a stack."""
    snapshot = snapshot_of(rank)
    if snapshot is None or not snapshot.recorded_history:
        return None
    made = history(rank).filter(pl.col("action") == ALLOC)["stack"]
    if len(made) == 0:
        return None
    if made.null_count() == len(made):
        return Check("memory_stacks", WARNING, NOT_RECORDED, Message("check-snapshot-no-stacks"))
    known = 100 * (len(made) - made.null_count()) / len(made)
    return Check("memory_stacks", OK, share(known), Message("check-snapshot-stacks"))


def releases(rank: Rank) -> Check | None:
    """Allocations whose release is missing in the middle of the history."""
    snapshot = snapshot_of(rank)
    if snapshot is None or not snapshot.recorded_history:
        return None
    lost = int((lifetimes(rank)["fate"] == LOST).sum())
    if lost:
        return Check("memory_releases", WARNING, counted(lost), Message("check-snapshot-lost"))
    return Check("memory_releases", OK, counted(0), Message("check-snapshot-paired"))


def unread(rank: Rank) -> Check | None:
    """Keys that are not read, values of other kinds, and what follows the pickle."""
    snapshot = snapshot_of(rank)
    if snapshot is None:
        return None
    meta = snapshot.trace.meta
    unknown, odd = meta.get("unknown_keys") or {}, meta.get("odd_values") or {}
    said = []
    if unknown:
        said.append(Message("check-snapshot-keys", keys=list(unknown)))
    if odd:
        said.append(Message("check-snapshot-odd", values=sum(odd.values()), keys=list(odd)))
    if meta.get("stray"):
        said.append(Message("check-snapshot-stray"))
    if not said:
        return Check("memory_snapshot", OK, Message("check-yes"), Message("check-snapshot-read"))
    status = WARNING if odd or meta.get("stray") else OK
    value = counted(len(unknown) + sum(odd.values()))
    return Check("memory_snapshot", status, value, Message("check-sentences", sentences=said))


def repeats(rank: Rank) -> Check | None:
    """Segments and blocks that a damaged file lists twice."""
    if snapshot_of(rank) is None:
        return None
    segments, blocks = repeated(rank)
    if not segments and not blocks:
        return None
    listed = (("check-snapshot-segments-twice", segments), ("check-snapshot-blocks-twice", blocks))
    said = [Message(name, count=count) for name, count in listed if count]
    return Check("memory_repeats", WARNING, counted(segments + blocks), Message("check-sentences", sentences=said))


SNAPSHOT = [recorded_history, stacks, releases, unread, repeats]
