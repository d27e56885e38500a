"""Every recording of the run: what wrote it, of which rank, when, on which clock, and whether tables show it.

Moments are on the run's clock, that of the table ``steps``: a rank's own times without what its clock is off
(`analyses.ranks.job_clock`). A recording that is not joined with the one beside it (`store.joining`) has no start.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.hangs.record_times import dump_spans
from stepscope.analyses.ranks.alignment import rank_clocks
from stepscope.analyses.ranks.job_clock import job_clock
from stepscope.analyses.recording.contents import contents
from stepscope.messages import Message, readable
from stepscope.readers.formats import FLIGHT_RECORDER
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank
from stepscope.store.recording import Recording


def recordings(profile: Profile) -> pl.DataFrame:
    """One row per recording, columns of `schema.TABLES` ``recordings``: those of ranks first, by rank."""
    rows: list[dict[str, Any]] = []
    shared: set[str] = set()
    for rank in profile.ranks:
        for one in rank.recordings:
            if one.gpus is None:
                rows.append({**_facts(one), "rank": rank.number, **_times(profile, rank, one)})
            elif one.path not in shared:  # the log of a machine, which stands beside several ranks
                shared.add(one.path)
                rows.append({**_facts(one), "rank": None, **_times(profile, rank, one)})
    for one in profile.others:
        length = one.span_ns[1] - one.span_ns[0] if one.span_ns else None
        rows.append({**_facts(one), "rank": one.rank, "duration_ns": length})
    return pl.DataFrame([{"id": at, **row} for at, row in enumerate(rows)], schema=TABLES["recordings"].schema)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How many recordings are not shown."""
    left = len(frame) - int(frame["used"].sum())
    return [Message("recording-left", left=left, count=len(frame))] if left else []


def _encoded(note: Message | str | None) -> str | None:
    if note is None:
        return None
    return (note if isinstance(note, Message) else Message("text-plain", text=note)).encoded()


def _facts(one: Recording) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "recorder": one.recorder,
        "recorder_version": one.version or None,
        "path": readable(one.path),
        "clock": one.clock or None,
        "joined": one.joined or None,
        "events": one.stored.events if one.stored is not None else None,
        "size_bytes": one.facts.get("size_bytes"),
        "recorded": _encoded(contents(one)),
        "span": one.span,
        "spans": one.spans,
        "used": one.used,
        "note": _encoded(one.note),
    }


def _times(profile: Profile, rank: Rank, one: Recording) -> dict[str, int | None]:
    """Start, length and how far the start may be off, in ns."""
    own = dump_spans(profile).get(rank.number) if one.kind == FLIGHT_RECORDER else one.span_ns
    if own is None:
        return {"start_ns": None, "duration_ns": None, "uncertainty_ns": None}
    shown = rank.recordings[0]
    moved = one.shift_ns
    if one is shown or one.span is not None:
        moved = one.trace.time_base_ns - shown.trace.time_base_ns if one.clock == shown.clock else None
    start = None if moved is None else own[0] + moved - job_clock(profile).shifts.get(rank.number, 0)
    return {
        "start_ns": start,
        "duration_ns": own[1] - own[0],
        "uncertainty_ns": _uncertainty(profile, rank, one),
    }


def _uncertainty(profile: Profile, rank: Rank, one: Recording) -> int | None:
    """Of what tables show, that of its rank's clock: the only rank's is the run's. Else of how it is joined, or what
    the recorder says."""
    if one.joined:
        return one.uncertainty_ns
    if one is not rank.recordings[0]:
        said = one.facts.get("uncertainty_ns")
        return said if isinstance(said, int) else None
    return rank_clocks(profile)[rank.number].uncertainty_ns if len(profile.everyone.ranks) > 1 else 0
