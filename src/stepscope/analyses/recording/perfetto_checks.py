"""Checks of Perfetto traces and of rocprofv3: what is lost, has no beginning or end, or is not read."""

from __future__ import annotations

from stepscope.analyses.recording.check import OK, WARNING, Check, counted
from stepscope.messages import Message
from stepscope.store.profile import Rank


def _count(rank: Rank, name: str) -> int:
    return int(rank.trace.meta.get(name) or 0)


def packets_lost(rank: Rank) -> Check | None:
    """Packets that a writer lost, that need what was lost, and compressed ones that are damaged."""
    gaps, lost, archives = (_count(rank, name) for name in ("gaps", "lost_packets", "bad_archives"))
    if not gaps + lost + archives:
        return None
    detail = Message("check-perfetto-lost", gaps=gaps, lost=lost, archives=archives)
    return Check("packets_lost", WARNING, counted(gaps + lost + archives), detail)


def slices_unpaired(rank: Rank) -> Check | None:
    """Slices whose beginning or end is not in the recording."""
    unfinished, alone = _count(rank, "unfinished"), _count(rank, "ends_alone")
    if not unfinished + alone:
        return None
    detail = Message("check-perfetto-unpaired", unfinished=unfinished, alone=alone)
    return Check("slices_unpaired", WARNING, counted(unfinished + alone), detail)


def packets_unread(rank: Rank) -> Check | None:
    """Packets of kinds that are not read here, and events that say nothing of their time or kind."""
    packets = _count(rank, "unread_packets")
    events = _count(rank, "old_events") + _count(rank, "untimed")
    if not packets + events:
        return None
    detail = Message("check-perfetto-unread", packets=packets, events=events)
    return Check("packets_unread", WARNING if events else OK, counted(packets + events), detail)


def clock_unknown(rank: Rank) -> Check | None:
    """Events on a clock that nothing relates to that of the trace: they may lie beside the others."""
    count = _count(rank, "foreign_clock")
    return Check("clock_unknown", WARNING, counted(count), Message("check-perfetto-clock")) if count else None


def records_unread(rank: Rank) -> Check | None:
    """Records of rocprofv3 of kinds that are not read here."""
    count = _count(rank, "unread_records")
    return Check("records_unread", OK, counted(count), Message("check-rocm-unread")) if count else None


PERFETTO = (packets_lost, slices_unpaired, packets_unread, clock_unknown, records_unread)
