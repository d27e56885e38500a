"""How what another recorder wrote belongs to a rank's trace: on one clock, how surely, or not at all and why.

Two recordings are joined where both count from 1970 and have time in common. Logs without a time zone are taken to be
of that zone, of all that are in use, which alone makes them cover the trace. Of a snapshot and a trace that hold the
same annotations, these measure how far the clocks are apart.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from stepscope.messages import Message
from stepscope.readers.facts import EPOCH
from stepscope.readers.formats import MEMORY_SNAPSHOT, TELEMETRY, TRACE
from stepscope.store.recording import Recording

CLOCK, ZONE, ANNOTATIONS = "clock", "zone", "annotations"
"""Values of `Recording.joined`: both count from 1970; the same in an assumed zone; by annotations that both hold."""

_QUARTER_NS = 15 * 60 * 10**9
_ODD_QUARTERS = (-38, -14, -10, 14, 18, 22, 23, 26, 35, 38, 42, 51)
_ZONES = sorted([4 * hour for hour in range(-12, 15)] + list(_ODD_QUARTERS))
"""Every zone in use (IANA, 2025), standard and summer time, in quarters of an hour east of UTC."""

_COVERED = 0.5
"""A log of the same run covers this share of the trace, at least."""


def joined(shown: Recording, one: Recording) -> Recording:
    """A recording beside the one that the tables show, with how it is joined and a note that says so."""
    own, theirs = _span(shown), _span(one)
    if own is not None and theirs is not None and _are_logs_of_one_zone(shown, one):
        return _by_clock(shown, one, own, theirs)
    if own is None or theirs is None or shown.clock != EPOCH:
        return replace(one, note=_no_clock(shown, one))
    if one.kind == TELEMETRY and one.facts.get("zone") == "local":
        return _in_a_zone(shown, one, own, theirs)
    if one.clock != EPOCH:
        return replace(one, note=_no_clock(shown, one))
    return _by_clock(shown, one, own, theirs)


def _are_logs_of_one_zone(shown: Recording, one: Recording) -> bool:
    """Whether both are logs of local time: one machine writes it for all of them."""
    return all(log.kind == TELEMETRY and log.facts.get("zone") == "local" for log in (shown, one))


def _by_clock(shown: Recording, one: Recording, own: tuple[int, int], theirs: tuple[int, int]) -> Recording:
    """A recording that counts from where the other one does, if they have time in common."""
    shift = one.trace.time_base_ns - shown.trace.time_base_ns
    gap = max(own[0] - theirs[1], theirs[0] - own[1])
    if gap >= 0:
        side = "before" if theirs[1] <= own[0] else "after"
        note = Message(f"recording-{side}", kind=one.kind, gap_ns=gap, recorder=shown.recorder)
        return replace(one, shift_ns=shift, note=note)
    if one.kind == TRACE:
        shared = min(own[1], theirs[1]) - max(own[0], theirs[0])
        note = Message("recording-same-time", shared_ns=shared, recorder=shown.recorder)
        return replace(one, joined=CLOCK, shift_ns=shift, note=note)
    if one.kind == MEMORY_SNAPSHOT:
        return _by_annotations(shown, one, shift)
    found = replace(one, joined=CLOCK, shift_ns=shift, uncertainty_ns=_resolution(one), used=True)
    return replace(found, note=Message("recording-one-clock", recorder=shown.recorder, **_sure(found)))


def _span(one: Recording) -> tuple[int, int] | None:
    """First and last time of a recording in ns since 1970, as far as it says what its times count from."""
    if one.span_ns is None:
        return None
    base = one.trace.time_base_ns
    return one.span_ns[0] + base, one.span_ns[1] + base


def _no_clock(shown: Recording, one: Recording) -> Message:
    """Why it is not joined; of snapshots, which have tables of their own, what these show."""
    if one.kind == MEMORY_SNAPSHOT:
        return Message("recording-memory-beside", recorder=shown.recorder, rank=str(one.rank))
    return Message("recording-no-clock", recorder=shown.recorder)


def _in_a_zone(shown: Recording, one: Recording, own: tuple[int, int], theirs: tuple[int, int]) -> Recording:
    """A log of local time; times with zone are its times less what the zone is ahead of UTC."""
    fitting = zones_that_fit(own, theirs)
    if len(fitting) != 1:
        which = "recording-no-zone-fits" if not fitting else "recording-several-zones"
        note = Message(which, recorder=shown.recorder, zones=[zone_name(zone) for zone in fitting[:6]])
        return replace(one, note=note)
    shift = one.trace.time_base_ns - shown.trace.time_base_ns - fitting[0] * _QUARTER_NS
    found = replace(one, joined=ZONE, shift_ns=shift, uncertainty_ns=_resolution(one), used=True)
    note = Message("recording-assumed-zone", zone=zone_name(fitting[0]), recorder=shown.recorder, **_sure(found))
    return replace(found, note=note)


def zones_that_fit(own: tuple[int, int], theirs: tuple[int, int]) -> list[int]:
    """Zones, in quarters of an hour, of which local times would cover half of a span of UTC at least.

    >>> minute = 60 * 10**9
    >>> zones_that_fit((0, minute), (8 * 60 * minute, 8 * 60 * minute + 2 * minute))
    [32]
    """
    length = max(1, own[1] - own[0])
    found = []
    for zone in _ZONES:
        start, end = theirs[0] - zone * _QUARTER_NS, theirs[1] - zone * _QUARTER_NS
        if min(end, own[1]) - max(start, own[0]) >= _COVERED * length:
            found.append(zone)
    return found


def zone_name(quarters: int) -> str:
    """A zone as people write it.

    >>> zone_name(32), zone_name(-14), zone_name(0)
    ('UTC+8', 'UTC-3:30', 'UTC')
    """
    hours, rest = divmod(abs(quarters), 4)
    minutes = f":{15 * rest:02}" if rest else ""
    return f"UTC{'-' if quarters < 0 else '+'}{hours}{minutes}" if quarters else "UTC"


def _resolution(one: Recording) -> int | None:
    """To what its times are rounded, in ns; null where it does not say."""
    said = one.facts.get("resolution_ns")
    return said if isinstance(said, int) else None


def _sure(one: Recording) -> dict[str, int]:
    return {"uncertainty_ns": one.uncertainty_ns or 0}


def _by_annotations(shown: Recording, one: Recording, shift: int) -> Recording:
    """A snapshot of the trace's time; annotations of both say how far its times are off, and how surely."""
    apart = _apart(shown, one, shift)
    if len(apart) == 0:
        note = Message("recording-snapshot-one-clock", recorder=shown.recorder)
        return replace(one, joined=CLOCK, shift_ns=shift, note=note)
    middle = int(np.sort(apart)[(len(apart) - 1) // 2])
    unsure = int(np.abs(apart - middle).max())
    note = Message("recording-by-annotations", recorder=shown.recorder, count=len(apart), uncertainty_ns=unsure)
    return replace(one, joined=ANNOTATIONS, shift_ns=shift + middle, uncertainty_ns=unsure, note=note)


def _apart(shown: Recording, one: Recording, shift: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How much later annotations of a trace start than the nearest of the same name in a recording beside it."""
    frames = []
    for trace, moved in ((shown.trace, 0), (one.trace, shift)):
        frame = trace.frame("annotation", ["name", "start_ns"])
        named = frame.select(trace.text(frame["name"]).alias("name"), pl.col("start_ns") + moved)
        frames.append(named.drop_nulls().sort("start_ns"))
    mine, theirs = frames
    if len(mine) == 0 or len(theirs) == 0:
        return np.zeros(0, np.int64)
    inside = theirs.filter(pl.col("start_ns").is_between(*(shown.span_ns or (0, 0))))
    marks = mine.with_columns(pl.col("start_ns").alias("mark_ns"))
    pairs = inside.join_asof(marks, on="start_ns", by="name", strategy="nearest", check_sortedness=False)
    pairs = pairs.drop_nulls("mark_ns")
    return (pairs["mark_ns"] - pairs["start_ns"]).to_numpy()
