"""Everything about one event, and about the events of one cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.idle.gap_parts import source_lines
from stepscope.analyses.idle.gaps import find_gaps
from stepscope.messages import Message
from stepscope.numeric.nested import NOBODY
from stepscope.store.nesting import PLACE, nested_rows
from stepscope.store.profile import Rank
from stepscope.timeline.collective_peers import collective_of, lone_collective
from stepscope.timeline.event_search import Event, event_at, event_of, part_of
from stepscope.timeline.idle_before import idle_before
from stepscope.timeline.idle_lanes import idle_parts
from stepscope.timeline.kinds import KINDS
from stepscope.timeline.name_search import same_name
from stepscope.timeline.record_facts import said_of
from stepscope.timeline.recorded_peers import ranks_said, recorded_peers
from stepscope.timeline.related_events import Links, activities_of, kernel_of, links_of, stored
from stepscope.timeline.stacks import module_of, stack_of
from stepscope.timeline.stored_rows import arguments, stored_row
from stepscope.timeline.timeline import Timeline
from stepscope.timeline.tracks import HOST
from stepscope.timeline.whereabouts import whereabouts

_TOP_NAMES = 10


def event_facts(event: Event) -> dict[str, Any]:
    """What is known about an event; see the description of the API for its members."""
    table, row = event.source
    found = links_of(event)
    common = {
        "kind": KINDS[event.kind],
        "rank": event.rank.number,
        "track": event.track_number,
        **event.place(),
        "parent": _placed(parent_of(event)),
        "children": children_of(event),
        "same_name": same_name(event),
    }
    if table == "idle":
        return common | whereabouts(event, None) | _idle_facts(event, row) | {"said": []}
    stored_values = stored_row(event.rank, table, row)
    operator = found.operator if table != "operator" else NOBODY
    kernel = kernel_of(event, found)
    launch = stored(event, "runtime", found.launch)
    return common | {
        **whereabouts(event, launch),
        "category": stored_values.get("category") or "",
        "thread": _thread(event) if event.track.section == HOST else None,
        "self_ns": _self_time(event.rank, table, row),
        "args": arguments(event.rank, table, stored_values),
        "operator": _operator_name(event.rank, operator),
        "module": module_of(event, found),
        "stack": stack_of(event, found),
        "links": _link_places(event, found, launch),
        "collective": collective_of(kernel) if kernel is not None else None,
        "unmatched": lone_collective(kernel) if kernel is not None else None,
        "idle_before": idle_before(event),
        "recorded": recorded_peers(event),
        "said": _said(event),
    }


def _said(event: Event) -> list[Message]:
    """What became of a collective that a flight recorder holds; nothing of other events."""
    table, row = event.source
    job = event.timeline.job
    if table != "collective_record" or job is None:
        return []
    return [*said_of(event.rank, job, row), *ranks_said(event)]


def _placed(event: Event | None) -> dict[str, Any] | None:
    return event.place() if event is not None else None


def _link_places(event: Event, found: Links, launch: Event | None) -> dict[str, Any]:
    return {
        "launch": _placed(launch),
        "activities": [activity.place() for activity in activities_of(event, found)],
        "forward": _placed(stored(event, "operator", found.forward)),
        "backward": _placed(stored(event, "operator", found.backward)),
    }


def _operator_name(rank: Rank, row: int) -> str | None:
    if row < 0:
        return None
    code = rank.trace.frame("operator", ["name"])["name"][row]
    return None if code is None else str(rank.trace.texts[code])


def _self_time(rank: Rank, table: str, row: int) -> int | None:
    """Time in which an operator or frame is the innermost one of its thread; as in the table ``operators``."""
    if table not in ("operator", "python"):
        return None
    try:
        # One row, where millions are stored.
        path = nested_rows.file(rank.trace, table)
        return int(pl.scan_parquet(path).select("self_ns").slice(row, 1).collect().item())
    except (pl.exceptions.PolarsError, OSError):
        return int(rank.nesting(table).nesting.self_ns[row])


def _idle_facts(event: Event, row: int) -> dict[str, Any]:
    """What is known about a part of a gap of a GPU."""
    rank = event.rank
    frame = idle_parts(rank)[row]
    part = frame.row(0, named=True)
    source = source_lines(rank, frame)[0]
    file, _, line = (source or "").rpartition(":")
    known = source is not None and line.isdigit()
    function = part["event"] or ""
    return {
        "category": "idle",
        "thread": None,
        "self_ns": None,
        "args": {"event": part["event"]} if part["event"] is not None else {},
        "operator": _operator_name(rank, -1 if part["operator"] is None else part["operator"]),
        "module": None,
        "stack": [{"function": function, "file": file, "line": int(line)}] if known else [],
        "links": _gap_links(event, part["gap"]),
        "collective": None,
        "unmatched": None,
        "idle_before": None,
        "recorded": None,
    }


def _gap_links(event: Event, gap: int) -> dict[str, Any]:
    """The activity that ended a gap, and its launch."""
    ended = find_gaps(event.rank, "device").row(gap, named=True)
    following = stored(event, "activity", ended["next"])
    launch = stored(event, "runtime", -1 if ended["launch"] is None else ended["launch"])
    activities = [following.place()] if following is not None else []
    return {"launch": _placed(launch), "activities": activities, "forward": None, "backward": None}


def parent_of(event: Event) -> Event | None:
    """The event of the nearest row above that runs where this one starts; on the host what it lies in.

    On a track that threads share the rows of one stand side by side while anything runs on it.
    """
    track = event.track
    if track.section != HOST:
        return None
    bounds, start = event.part.lanes["lane_first"], event.part.lanes["start"]
    for lane in range(event.lane - 1, track.first_lane - 1, -1):
        first, last = bounds[lane - event.part.first_lane :][:2].tolist()
        at = first + int(np.searchsorted(start[first:last], event.start, side="right")) - 1
        if at >= first and int(event.part.lanes["end"][at]) > event.start:
            found = event_of(event.timeline, event.part, at, event.packed)
            return found if _on_one_thread(event, found) else None
    return None


def children_of(event: Event) -> int:
    """How many events of the row below start while this one runs."""
    track = event.track
    if track.section != HOST or event.lane + 1 == track.first_lane + track.depths:
        return 0
    first, last = event.part.lanes["lane_first"][event.lane - event.part.first_lane + 1 :][:2].tolist()
    start = event.part.lanes["start"][first:last]
    low, high = np.searchsorted(start, [event.start, event.end], side="left")
    # Rows below that belong to another thread do so for as long as this event runs.
    one = event_of(event.timeline, event.part, first + int(low), event.packed) if high > low else event
    return int(high - low) if _on_one_thread(event, one) else 0


def _on_one_thread(event: Event, other: Event) -> bool:
    """Whether two events of a track run on one thread."""
    return not event.track.shared or _thread(event) == _thread(other)


def _thread(event: Event) -> str:
    """Process and thread of an event of the host, as the trace names them."""
    values = stored_row(event.rank, *event.source)
    return " / ".join(str(values.get(name) or "–") for name in PLACE)


def cell_facts(timeline: Timeline, lane: int, first: int, count: int, limit: int) -> dict[str, Any]:
    """What is in a cell: all of its names and the first events; its step where all of it is in one.

    Args:
        lane, first, count: as a window says them.
        limit: how many events to list.

    Raises:
        BadRequest: the lane has no such events.
    """
    begin = event_at(timeline, lane, first)
    last = event_at(timeline, lane, first + max(count, 1) - 1)
    lanes = part_of(timeline, lane).lanes
    mine = slice(begin.index, last.index + 1)
    start, end, name = lanes["start"][mine], lanes["end"][mine], lanes["name"][mine]
    length = end - start
    busy = int(length.sum())
    span = int(end[-1]) - int(start[0])
    origin = begin.part.origin(timeline.origin_ns)
    shown = range(min(max(limit, 0), len(start)))
    return _where(begin, last) | {
        "count": len(start),
        "start": int(start[0]) - origin,
        "end": int(end[-1]) - origin,
        "busy_ns": busy,
        "busy_pct": 100.0 * busy / span if span else 100.0,
        "names": _top_names(lanes.texts, name, length, busy),
        "events": [
            {
                "row": first + i,
                "name": lanes.texts[int(name[i])],
                "start": int(start[i]) - origin,
                "duration_ns": int(length[i]),
            }
            for i in shown
        ],
        "total": len(start),
    }


def _where(first: Event, last: Event) -> dict[str, Any]:
    """Rank and track of some events in a row, and their step where all of them are in one."""
    begin, end = (whereabouts(one, stored(one, "runtime", links_of(one).launch)) for one in (first, last))
    return begin | {"rank": first.rank.number, "step": begin["step"] if begin["step"] == end["step"] else None}


def _top_names(texts: list[str], name: np.ndarray, length: np.ndarray, busy: int) -> list[dict[str, Any]]:
    """Names with most time, and the rest as one row."""
    used, inverse = np.unique(name, return_inverse=True)
    count = np.bincount(inverse)
    total = np.zeros(len(used), np.int64)
    np.add.at(total, inverse, length)
    order = np.lexsort((used, -count, -total))
    rows = [(texts[int(used[i])], int(count[i]), int(total[i])) for i in order[:_TOP_NAMES].tolist()]
    if len(used) > _TOP_NAMES:
        rest = order[_TOP_NAMES:]
        rows.append(("others", int(count[rest].sum()), int(total[rest].sum())))
    return [
        {"name": text, "count": calls, "total_ns": time, "share_pct": 100.0 * time / busy if busy else 0.0}
        for text, calls, time in rows
    ]
