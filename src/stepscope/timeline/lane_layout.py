"""From events on tracks to lanes with their coarser levels."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from stepscope.analyses.hangs.record_times import RecordedJob
from stepscope.messages import Message
from stepscope.messages.message import Param
from stepscope.numeric.depths import Laid, find_depths, lay_out
from stepscope.numeric.nested import Ints, Rows
from stepscope.numeric.nesting import nesting_order
from stepscope.numeric.pyramid import build_levels, name_totals, shades
from stepscope.numeric.shared_rows import share_rows
from stepscope.store.profile import Rank
from stepscope.timeline import kinds
from stepscope.timeline.events import Group, all_groups
from stepscope.timeline.lane_file import Arrays, save
from stepscope.timeline.lanes import LEVEL_BITS, NOWHERE, LaneSet
from stepscope.timeline.names import Names, encoded
from stepscope.timeline.operating_system import sampled_names, system_groups
from stepscope.timeline.packing import mark_communication, packed_group
from stepscope.timeline.recorded_collectives import collective_groups
from stepscope.timeline.stored_events import NAMED, offsets
from stepscope.timeline.titles import mark_profiler, name_threads, role
from stepscope.timeline.tracks import COMMUNICATION, GPU, PACKED, SCHEDULING, SINGLE, SYSTEM, Track


def make_event_lanes(
    rank: Rank, path: Path, step: Callable[[], None] = lambda: None, job: RecordedJob | None = None
) -> LaneSet:
    """Lanes of all timed events of a rank, kept in a file; ``step`` is called after each of `kept.EVENT_STEPS`."""
    trace = rank.trace
    names = Names(trace, NAMED, sampled_names(trace))
    groups = all_groups(rank, names) + system_groups(rank, names) + collective_groups(rank, names, job)
    step()
    name_threads(trace, groups, names.texts)
    mark_profiler(groups, names.texts)
    packed = None
    for group in groups:
        if any(track.kind == "stream" for track in group.tracks):
            mark_communication(group)
            packed = packed_group(group)
    groups += [packed] if packed else []
    sources = offsets(trace)
    lanes = laid_lanes(path, groups, names.texts, sources[""], trace.rows("activity"), step)
    step()
    return lanes


def laid_lanes(
    path: Path,
    groups: list[Group],
    texts: list[str],
    sources: int,
    activities: int,
    laid_out: Callable[[], None] = lambda: None,
) -> LaneSet:
    """Lay groups of events out, make the coarser levels, and keep all of it.

    Args:
        path: where it is kept.
        texts: the names.
        sources: how many events the store has, timed or not.
        activities: how many of them, the first ones, may also lie on packed tracks.
        laid_out: called when all events lie on their lanes.
    """
    ordered = [_Ordered(group) for group in groups]
    groups.clear()
    overlaps = sum(one.overlaps for one in ordered)
    tracks = _in_order([track for one in ordered for track in one.group.tracks])
    first, laid = _laid(ordered, tracks)
    laid_out()
    return LaneSet.of(save(path, tracks, overlaps, _pieces(tracks, first, laid, texts, (sources, activities))))


def _pieces(tracks: list[Track], first: Ints, laid: Laid, texts: list[str], sizes: tuple[int, int]) -> Arrays:
    """The columns of a `LaneSet`."""
    levels, cells = build_levels(first, laid.start, laid.end, laid.name, laid.kind)
    totals = _totals(tracks, first, laid, len(texts))
    text, bounds = encoded(texts)
    position, single = _positions(tracks, first, laid.source, *sizes)
    for name in ("first", "longest"):
        known = totals[name] >= 0
        totals[name][known] = position[laid.source[totals[name][known]]]
    return {
        "lane_first": [first],
        "start": [laid.start, cells.start],
        "end": [laid.end, cells.end],
        "name": [laid.name, cells.name],
        "kind": [laid.kind, cells.kind],
        "first": [cells.first],
        "count": [cells.events],
        "busy": [cells.busy],
        "entry_key": [(levels.lane << LEVEL_BITS) | levels.level],
        "entry_bounds": [levels.bounds + len(laid.start)],
        "source": [laid.source],
        "position": [position],
        "single": [single],
        **{f"name_{name}": [column] for name, column in totals.items()},
        "text": [text],
        "text_bounds": [bounds],
        "shade": [shades(text, bounds)],
    }


def _laid(ordered: list[_Ordered], tracks: list[Track]) -> tuple[Ints, Laid]:
    """Give tracks their lanes, and put all events on them; empties the list, whose events are many."""
    lanes = 0
    for track in tracks:
        track.first_lane = lanes
        lanes += track.depths
    size = sum((np.bincount(one.lane(), minlength=lanes) for one in ordered), np.zeros(lanes, np.int64))
    first = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
    laid = Laid.room(int(first[-1]))
    free = first.copy()
    while ordered:
        one = ordered.pop()
        lay_out(one.order, one.lane(), free, one.group.events, laid)
    return first, laid


class _Ordered:
    """A group whose events are sorted by track and start, with their depths."""

    def __init__(self, group: Group) -> None:
        events = group.events
        line = group.track if group.line is None else group.line
        self.group = group
        self.order = nesting_order(line, events.start, events.end, group.tie)
        self.track: Rows = group.track[self.order]
        lines = int(line.max()) + 1 if len(line) else 0
        way = np.full(lines, group.way, np.uint8)
        found = find_depths(line[self.order], events.start[self.order], events.end[self.order], way)
        self.overlaps, self.depth = found.overlaps, found.depth
        rows, busy = (np.zeros(len(group.tracks), np.int64) for _ in range(2))
        for of_track, of_line in ((rows, found.rows), (busy, found.busy)):
            of_track[group.track] = of_line[line]  # those that are shared get theirs below
        if any(track.kind == SCHEDULING for track in group.tracks):
            # Time off the CPU is drawn, and is no work.
            works = (events.end - events.start) * (events.kind == kinds.ON_CPU)
            busy = np.zeros_like(busy)
            np.add.at(busy, group.track, works)
        if group.line is not None:
            self._share(group.line, rows, busy)
        counts = np.bincount(group.track, minlength=len(group.tracks))
        for number, track in enumerate(group.tracks):
            track.depths, track.events, track.busy_ns = int(rows[number]), int(counts[number]), int(busy[number])

    def _share(self, line: Rows, rows: Ints, busy: Ints) -> None:
        """Lay out the tracks that several lines share."""
        shared = np.array([track.shared > 0 for track in self.group.tracks])
        at = shared[self.track]
        order, start, end = self.order[at], self.group.events.start, self.group.events.end
        made = share_rows(self.track[at], line[order], start[order], end[order], self.depth[at], len(shared))
        rows[shared], busy[shared] = made.rows[shared], made.busy[shared]
        self.order = np.concatenate([self.order[~at], order[made.order]])
        self.depth = np.concatenate([self.depth[~at], made.depth[made.order]])
        self.track = self.group.track[self.order]

    def lane(self) -> Rows:
        """Lane of each event, in order."""
        base = np.array([track.first_lane for track in self.group.tracks], np.int32)
        lane: Rows = base[self.track] + self.depth
        return lane


_ON_GPU = ("idle", "stream", "packed", "sync", "other", "annotations")
_ON_HOST = ("operators", "python", *SYSTEM, "other")


def _in_order(tracks: list[Track]) -> list[Track]:
    """Tracks as they are shown: process groups, GPUs by number, then processes and their threads.

    Of a process the main thread comes first, then those of the backward pass and of the data loader, then those with
    most time; what several share comes last. Time in Python frames alone counts less: a thread that waits all the time
    is in some.
    """
    busy: dict[Any, int] = {}
    for track in tracks:
        for key in (track.process, (track.process, track.place)):
            busy[key] = busy.get(key, 0) + (track.busy_ns if track.kind == "operators" else 0)

    def order(track: Track) -> tuple[Any, ...]:
        if track.section == COMMUNICATION:
            return -1, _natural(_sort_text(track.title))
        if track.section == GPU:
            place = track.device is None, track.device or 0, _ON_GPU.index(track.kind)
            return 0, *place, track.shared > 0, -track.busy_ns, _natural(_sort_text(track.title))
        whole, thread = busy[track.process], busy[track.process, track.place]
        title = _sort_text(track.title)
        kind = _ON_HOST.index(track.kind)
        other = kind == _ON_HOST.index("other")
        last = other, track.shared > 0
        return (
            1,
            *last,
            -whole,
            str(track.process),
            role(track.title),
            -thread,
            title,
            str(track.place),
            kind,
            -track.busy_ns,
        )

    return sorted(tracks, key=order)


def _sort_text(title: Param) -> str:
    """A title without its language: the ids and values that it is made of, but what it only surrounds others with."""
    if not isinstance(title, Message):
        return str(title)
    parts = [_sort_text(value) for _, value in title.params]
    return " ".join(parts if any(isinstance(value, Message) for _, value in title.params) else [title.id, *parts])


def _natural(title: str) -> list[tuple[int, str]]:
    """A title in the order in which people count: stream 7 before stream 10."""
    return [(int(number or 0), text) for number, text in re.findall(r"(\d{1,18})|(\D+|\d)", title)]


def _totals(tracks: list[Track], first: Ints, laid: Laid, names: int) -> dict[str, Ints]:
    """What there is of each name, without the packed tracks, which hold events a second time."""
    packed = [track for track in tracks if track.listed == PACKED]
    found = name_totals(laid.start, laid.end, laid.name, names)._asdict()
    for track in packed:
        begin, end = first[track.first_lane], first[track.first_lane + track.depths]
        twice = name_totals(laid.start[begin:end], laid.end[begin:end], laid.name[begin:end], names)
        found["events"] -= twice.events
        found["total"] -= twice.total
    return found


def _positions(
    tracks: list[Track], first: Ints, source: npt.NDArray[np.uint32], sources: int, activities: int
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Where each event of the store lies: as tracks are listed by default, and outside packed tracks."""
    position = np.full(sources, NOWHERE, np.uint32)
    single = np.empty(0, np.uint32)
    ranges = {
        listed: [
            (int(first[track.first_lane]), int(first[track.first_lane + track.depths]))
            for track in tracks
            if track.listed == listed
        ]
        for listed in (PACKED, SINGLE)
    }
    place = np.arange(len(source), dtype=np.uint32)
    position[source] = place
    if ranges[PACKED]:
        for begin, end in ranges[SINGLE]:
            position[source[begin:end]] = place[begin:end]
        single = position[:activities].copy()
        for begin, end in ranges[PACKED]:
            position[source[begin:end]] = place[begin:end]
    return position, single
