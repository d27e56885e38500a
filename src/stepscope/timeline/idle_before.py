"""The idle time of a GPU that an event ended: of a kernel that before it, of a launch that before its work."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.idle.gaps import find_gaps
from stepscope.timeline.event_search import Event, event_of
from stepscope.timeline.idle_lanes import idle_parts
from stepscope.timeline.lanes import NOWHERE

_ENDS = {"activity": "next", "runtime": "launch"}
"""Columns of `find_gaps` that name what ended a gap, by the table that they number."""


def idle_before(event: Event) -> dict[str, Any] | None:
    """The gap that an event ended, or its launch's work: ``total_ns`` and the place of its longest part.

    None for what ended none.
    """
    table, row = event.source
    if table not in _ENDS or event.rank.trace.rows("activity") == 0:
        return None
    gaps = find_gaps(event.rank, "device").with_row_index("gap").filter(pl.col(_ENDS[table]) == row)
    if len(gaps) == 0:
        return None
    parts = idle_parts(event.rank).with_row_index("part").filter(pl.col("gap") == gaps["gap"][0])
    longest = _idle_event(event, int(parts.sort("part_ns", "part", descending=[True, False])["part"][0]))
    return None if longest is None else {"total_ns": int(parts["part_ns"].sum()), **longest.place()}


def _idle_event(event: Event, part: int) -> Event | None:
    """A row of `idle_parts` on the timeline."""
    for one in event.timeline.parts:
        if one.rank == event.part.rank and any(track.kind == "idle" for track in one.lanes.tracks):
            at = int(one.lanes["position"][part])
            return None if at == NOWHERE else event_of(event.timeline, one, at, event.packed)
    return None
