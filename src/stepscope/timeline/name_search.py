"""All events of a name: how many, which is next, which are longest, and which names hold a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.numeric.nested import Ints
from stepscope.timeline.event_search import Event, event_of
from stepscope.timeline.kinds import KINDS
from stepscope.timeline.lanes import LaneSet
from stepscope.timeline.stored_events import offsets
from stepscope.timeline.timeline import Timeline, per_timeline
from stepscope.timeline.tracks import PACKED, SINGLE
from stepscope.timeline.windows import Part


@dataclass(frozen=True)
class Named:
    """Events of one name on one part, by start.

    Attributes:
        part: the part.
        index: places among its events.
    """

    part: Part
    index: Ints


@dataclass(frozen=True)
class Group:
    """What is alike: a range of the host and its twin on the GPU have one name, but are two things.

    Attributes:
        section: of the track, see `tracks`.
        table: of the store; "idle" for idle time.
    """

    section: str
    table: str

    @classmethod
    def of(cls, event: Event) -> Group:
        """The group that an event belongs to."""
        return cls(event.track.section, event.source[0])


def named_events(timeline: Timeline, code: int, packed: bool = True, group: Group | None = None) -> Iterator[Named]:
    """All events of a name, part by part; those of a group alone, where one is given."""
    text = timeline.names[code] if 0 <= code < len(timeline.names) else None
    for part in timeline.parts:
        number = part.lanes.name_of.get(text) if text is not None else None
        if number is not None and part.lanes["name_events"][number]:
            yield Named(part, events_of_name(timeline, part, number, packed, group))


@per_timeline
def events_of_name(
    timeline: Timeline, part: Part, number: int, packed: bool = True, group: Group | None = None
) -> Ints:
    """Places of the events of a name, by start.

    Args:
        number: of the name within the part.
        group: the one that they have to belong to; any without.
    """
    lanes = part.lanes
    index = np.flatnonzero(lanes["name"][: lanes.events] == number)
    index = index[listed(lanes, index, packed)]
    if group is not None:
        index = index[_in_group(timeline, part, index, group)]
    order: Ints = index[np.argsort(lanes["start"][index], kind="stable")]
    return order


def _in_group(timeline: Timeline, part: Part, index: Ints, group: Group) -> np.ndarray:
    """Which of some events of a part belong to a group."""
    lanes = part.lanes
    idle = bool(lanes.lanes_of_tracks("kind", "idle").any())
    if idle or group.table == "idle":
        return np.full(len(index), idle and group.table == "idle")
    lane = np.searchsorted(lanes["lane_first"], index, side="right") - 1
    # Tables are numbered one behind the other, and a dictionary keeps its order.
    bounds = offsets(timeline.profile.ranks[part.rank].trace)
    order = list(bounds)
    begin, end = bounds[group.table], bounds[order[order.index(group.table) + 1]]
    source, inside = lanes["source"][index], lanes.lanes_of_tracks("section", group.section)
    found: np.ndarray = inside[lane] & (source >= begin) & (source < end)
    return found


def listed(lanes: LaneSet, index: Ints, packed: bool = True) -> np.ndarray:
    """Which of some events lie on tracks that are listed: what is packed lies on two."""
    hidden = lanes.lanes_of_tracks("listed", SINGLE if packed else PACKED)
    lane = np.searchsorted(lanes["lane_first"], index, side="right") - 1
    kept: np.ndarray = ~hidden[lane]
    return kept


def same_name(event: Event) -> dict[str, Any]:
    """Calls and time of an event's name in its rank and `Group`, and the how-manieth of them it is."""
    lanes = event.part.lanes
    number = int(lanes["name"][event.index])
    index = events_of_name(event.timeline, event.part, number, event.packed, Group.of(event))
    start = lanes["start"][index]
    calls, total = len(index), int((lanes["end"][index] - start).sum())
    first = int(np.searchsorted(start, event.start, side="left"))
    at = np.flatnonzero(index[first:] == event.index)
    return {
        "calls": calls,
        "total_ns": total,
        "mean_ns": round(total / calls),
        "index": first + int(at[0]) if len(at) else first,
    }


def next_event(
    event: Event, code: int, direction: int, tracks: Ints | None = None, every: bool = False
) -> Event | None:
    """The next event of a name, or the one before; by start, then by lane.

    From an event of that name on, those of its `Group`: whoever steps through calls on the host stays there.

    Args:
        code: number of the name; it need not be the event's.
        direction: 1 or -1.
        tracks: numbers of the tracks to look on; all that are listed without.
        every: those of other groups too, as `search_names` counts them.
    """
    timeline = event.timeline
    here = _key(event)
    best: Event | None = None
    alike = not every and 0 <= code < len(timeline.names) and timeline.names[code] == event.name
    for named in named_events(timeline, code, event.packed, Group.of(event) if alike else None):
        index = named.index if tracks is None else named.index[_on_tracks(named, tracks)]
        start = named.part.lanes["start"][index]
        own = event.moment + named.part.shift
        low, high = np.searchsorted(start, own, side="left"), np.searchsorted(start, own, side="right")
        # Those that start together are few; the one before them and the one behind them count too.
        for at in range(max(int(low) - 1, 0), min(int(high) + 1, len(index))):
            found = event_of(timeline, named.part, int(index[at]), event.packed)
            key = _key(found)
            beyond = key > here if direction > 0 else key < here
            nearer = best is None or (key < _key(best) if direction > 0 else key > _key(best))
            if beyond and nearer:
                best = found
    return best


def _key(event: Event) -> tuple[int, int, int]:
    return event.moment, event.lane, event.row


def _on_tracks(named: Named, tracks: Ints) -> np.ndarray:
    lanes = named.part.lanes
    lane = np.searchsorted(lanes["lane_first"], named.index, side="right") - 1
    found: np.ndarray = np.isin(lanes.track_of_lane[lane] + named.part.first_track, tracks)
    return found


def search_names(timeline: Timeline, text: str, limit: int, packed: bool = True) -> dict[str, Any]:
    """Names that hold a text, whatever the case, or match a pattern between slashes; most time first.

    Raises:
        BadRequest: the pattern is none.
    """
    names = pl.Series("name", timeline.names, dtype=pl.String)
    if len(text) > 2 and text.startswith("/") and text.endswith("/"):
        try:
            hit = names.str.contains(f"(?i){text[1:-1]}")
        except pl.exceptions.ComputeError as error:
            found, advice = Message("error-not-a-pattern"), Message("error-pattern-example")
            raise BadRequest(Message("error-cannot-search"), found, advice) from error
    else:
        hit = names.str.to_lowercase().str.contains(text.lower(), literal=True)
    codes = np.flatnonzero(hit.to_numpy())
    count, total = timeline.name_totals
    codes = codes[count[codes] > 0]
    codes = codes[np.lexsort((codes, -total[codes]))]
    shown = [_found(timeline, code, packed) for code in codes[: max(limit, 0)].tolist()]
    return {"names": shown, "total": len(codes)}


def _placed(timeline: Timeline, part: Part, index: int, packed: bool) -> Event:
    """An event that may lie on a packed track, or the same on the track of its stream."""
    event = event_of(timeline, part, index, packed)
    if packed or event.track.listed != PACKED:
        return event
    return event_of(timeline, part, int(part.lanes["single"][event.source[1]]), packed)


def _found(timeline: Timeline, code: int, packed: bool) -> dict[str, Any]:
    count, total = timeline.name_totals
    firsts, longests = [], []
    for part in timeline.parts:
        number = part.lanes.name_of.get(timeline.names[code])
        if number is not None and part.lanes["name_events"][number]:
            firsts.append(_placed(timeline, part, int(part.lanes["name_first"][number]), packed))
            longests.append(_placed(timeline, part, int(part.lanes["name_longest"][number]), packed))
    first = min(firsts, key=_key)
    longest = max(longests, key=lambda event: (event.end - event.start, -event.moment))
    return {
        "code": code,
        "name": timeline.names[code],
        "kind": KINDS[first.kind],
        "count": int(count[code]),
        "total_ns": int(total[code]),
        "first": first.place(),
        "longest": longest.place(),
    }
