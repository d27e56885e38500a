"""Events of a timeline, found by lane and row or by their row in the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.numeric.nested import Ints
from stepscope.store.profile import Rank
from stepscope.timeline.lanes import NOWHERE
from stepscope.timeline.stored_events import TABLES, offsets
from stepscope.timeline.timeline import Timeline
from stepscope.timeline.tracks import SINGLE, Track
from stepscope.timeline.windows import Part


@dataclass(frozen=True)
class Event:
    """One event of a timeline.

    Attributes:
        timeline, part: where it lies.
        index: its place among the events of the part.
        lane, row: numbers in the timeline, and within its lane.
        packed: whether what belongs to it is looked for on packed tracks.
    """

    timeline: Timeline
    part: Part
    index: int
    lane: int
    row: int
    packed: bool = True

    @property
    def start(self) -> int:
        """In ns, as the trace has it."""
        return int(self.part.lanes["start"][self.index])

    @property
    def end(self) -> int:
        """In ns, as the trace has it."""
        return int(self.part.lanes["end"][self.index])

    @property
    def moment(self) -> int:
        """Its start in ns on the job's clock."""
        return self.start - self.part.shift

    @property
    def name(self) -> str:
        """Its name."""
        return self.part.lanes.texts[int(self.part.lanes["name"][self.index])]

    @property
    def kind(self) -> int:
        """A number of `kinds.KINDS`."""
        return int(self.part.lanes["kind"][self.index])

    @property
    def rank(self) -> Rank:
        """The rank it belongs to."""
        return self.timeline.profile.ranks[self.part.rank]

    @property
    def track_number(self) -> int:
        """Number of its track."""
        return self.part.first_track + int(self.part.lanes.track_of_lane[self.lane - self.part.first_lane])

    @property
    def track(self) -> Track:
        """Its track."""
        return self.timeline.tracks[self.track_number][1]

    @property
    def source(self) -> tuple[str, int]:
        """Table and row of the store; "idle" and a row of `idle_parts` for idle time."""
        number = int(self.part.lanes["source"][self.index])
        if self.track.kind == "idle":
            return "idle", number
        first = offsets(self.rank.trace)
        table = next(table for table in reversed(TABLES) if first[table] <= number)
        return table, number - first[table]

    def place(self) -> dict[str, Any]:
        """Where it is, as answers say it."""
        return {
            "lane": self.lane,
            "row": self.row,
            "start": self.moment - self.timeline.origin_ns,
            "duration_ns": self.end - self.start,
            "name": self.name,
        }


def event_at(timeline: Timeline, lane: int, row: int, packed: bool = True) -> Event:
    """The event of a lane and row.

    Raises:
        BadRequest: there is none.
    """
    part = part_of(timeline, lane)
    own = lane - part.first_lane
    first, last = part.lanes["lane_first"][own : own + 2].tolist()
    if not 0 <= row < last - first:
        found = Message("error-rows-of-lane", lane=lane, rows=last - first, last=last - first - 1)
        raise BadRequest(Message("error-cannot-show-event"), found, Message("error-name-one"))
    return event_of(timeline, part, first + row, packed)


def part_of(timeline: Timeline, lane: int) -> Part:
    """The part that holds a lane.

    Raises:
        BadRequest: there is none.
    """
    for part in timeline.parts:
        if part.first_lane <= lane < part.first_lane + part.lanes.lanes:
            return part
    found = Message("error-lanes", lanes=timeline.lanes, last=timeline.lanes - 1)
    raise BadRequest(Message("error-cannot-show-lane"), found, Message("error-name-one"))


def event_of(timeline: Timeline, part: Part, index: int, packed: bool = True) -> Event:
    """The event at a place among the events of a part."""
    own = part.lanes.lane_at(index)
    row = index - int(part.lanes["lane_first"][own])
    alone = part.lanes.tracks[int(part.lanes.track_of_lane[own])].listed == SINGLE
    return Event(timeline, part, index, part.first_lane + own, row, packed and not alone)


def stored_event(timeline: Timeline, rank: int, table: str, row: int, packed: bool = True) -> Event | None:
    """Where a row of a stored table lies; None where it has no time.

    Args:
        rank: index of the rank.
        packed: whether to look on packed tracks, for what lies on them.
    """
    found = stored_indices(timeline, rank, table, np.array([row]), packed)
    part = next(part for part in timeline.parts if part.rank == rank)
    return event_of(timeline, part, int(found[0]), packed) if len(found) else None


def stored_indices(timeline: Timeline, rank: int, table: str, rows: Ints, packed: bool = True) -> Ints:
    """Places among the events of a rank of some rows of a stored table; those without a time are left out."""
    part = next(part for part in timeline.parts if part.rank == rank)
    lanes = part.lanes
    column = "single" if table == "activity" and not packed and len(lanes["single"]) else "position"
    first = offsets(timeline.profile.ranks[rank].trace)[table]
    found = lanes[column][rows + (0 if column == "single" else first)]
    known: Ints = found[found != NOWHERE].astype(np.int64)
    return known
