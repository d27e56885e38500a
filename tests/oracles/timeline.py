"""What a timeline has to show, found event by event in plain Python."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from stepscope.store.profile import Profile
from stepscope.timeline import Timeline, open_timeline
from stepscope.timeline.binary_format import unframe


@dataclass(frozen=True)
class Cell:
    """A cell of a window, as a client reads it."""

    lane: int
    start: int
    end: int
    first: int
    count: int
    name: str
    busy: int
    kind: int


def cells(timeline: Timeline, t0: int, t1: int, pixels: int, lanes: Any = None) -> tuple[int, list[Cell]]:
    """Length of a cell, and the cells of a window."""
    header, columns = unframe(timeline.window(t0, t1, pixels, lanes))
    found = []
    for entry in header["lanes"]:
        for i in range(entry["offset"], entry["offset"] + entry["count"]):
            row = {name: column[i].item() for name, column in columns.items()}
            name = timeline.names[row["name"]]
            start, end = int(row["start"]), int(row["end"])
            found.append(Cell(entry["lane"], start, end, row["first"], row["count"], name, row["busy"], row["kind"]))
    return header["cell_ns"], found


def all_events(timeline: Timeline) -> dict[int, list[tuple[int, int, str]]]:
    """Start, end and name of every event by lane, as the finest window shows them."""
    length, found = cells(timeline, -(1 << 63), 1 << 63, 1 << 70)
    assert length == 1
    lanes: dict[int, list[tuple[int, int, str]]] = {lane: [] for lane in range(timeline.lanes)}
    for cell in found:
        assert cell.count == 1
        assert cell.first == len(lanes[cell.lane])
        lanes[cell.lane].append((cell.start, cell.end, cell.name))
    return lanes


def merged(events: list[tuple[int, int, str]], cell_ns: int, origin: int) -> list[tuple[int, int, int, int, int]]:
    """Cells of a lane on one level: start, end, first, count and busy time, merged one event after the other."""
    found: list[list[int]] = []
    open_cell = None
    for row, (start, end, _) in enumerate(events):
        cell = (start + origin) // cell_ns
        short = 1 < cell_ns > end - start
        if short and open_cell == cell:
            found[-1][1] = end
            found[-1][3] += 1
            found[-1][4] += end - start
        else:
            found.append([start, end, row, 1, end - start])
        open_cell = cell if short else None
    return [tuple(cell) for cell in found]  # type: ignore[misc]


def depths(events: list[tuple[int, int]]) -> list[int]:
    """Depth of each event of a track, sorted by start and length: one more than the deepest that still runs."""
    found: list[int] = []
    for i, (start, _) in enumerate(events):
        running = [found[k] for k in range(i) if events[k][1] > start]
        found.append(max(running, default=-1) + 1)
    return found


def timed_rows(profile: Profile) -> Counter[tuple[str, int, int]]:
    """Name, start and end of every timed event of the store, counted."""
    found: Counter[tuple[str, int, int]] = Counter()
    for rank in profile.ranks:
        trace = rank.trace
        for table in ("activity", "operator", "runtime", "annotation", "python", "sync", "other", "os_call"):
            frame = trace.frame(table, ["name", "start_ns", "duration_ns"])
            broken = trace.frame(table, ["broken"])["broken"].to_list() if table == "other" else [0] * len(frame)
            names = trace.text(frame["name"]).to_list()
            for name, start, length, bad in zip(names, frame["start_ns"], frame["duration_ns"], broken, strict=True):
                if start is not None and length is not None and not bad:
                    found[name or "", start, start + length] += 1
    return found


def shown_rows(timeline: Timeline) -> Counter[tuple[str, int, int]]:
    """The same of what a timeline shows by default, without idle time."""
    listed = timeline.answer_tracks()["tracks"]
    lanes = all_events(timeline)
    found: Counter[tuple[str, int, int]] = Counter()
    for track in listed:
        if track["kind"] in ("idle", "counter"):
            continue
        for lane in range(track["first_lane"], track["first_lane"] + track["depths"]):
            for start, end, name in lanes[lane]:
                found[name, start + timeline.origin_ns, end + timeline.origin_ns] += 1
    return found


def opened_timeline(opened: Any) -> Timeline:
    """The timeline of an opened profile."""
    return open_timeline(opened.profile)
