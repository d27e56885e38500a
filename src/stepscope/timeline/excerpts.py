"""As much of a timeline as fits into a report: everything coarsely, and some stretches of time event by event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stepscope.numeric.nested import Ints
from stepscope.store.profile import Profile, Rank
from stepscope.timeline.binary_format import unframe
from stepscope.timeline.name_search import search_names
from stepscope.timeline.timeline import Timeline, open_timeline
from stepscope.timeline.windows import HIGHEST_LEVEL, answer_level, count_cells

_COLLAPSED_SHARE = 0.25
"""Of the cells of everything, for tracks that are shown folded at first."""

_WINDOWS_SHARE = 0.5
"""Of all cells, for the stretches that are shown event by event."""

_BINS = 2000
_NAMES = 500
_MOST_WINDOWS = 8

Windows = Sequence[tuple[int, int]]


def excerpt(profile: Profile, budget_cells: int, windows: Windows | None = None) -> dict[str, Any]:
    """What a report holds of a profile's timeline.

    Args:
        budget_cells: how many cells there may be in all; a cell takes 32 bytes.
        windows: stretches that matter, offsets from the origin in ns, the most important first; a step in the middle
            of each rank without.

    Returns:
        ``tracks`` as the server answers it; ``pieces``, binary answers like those for windows, each with ``t0``,
        ``t1``, ``cell_ns`` (events of at least this length are exact; 1 where all are) and ``data``: first those of the
        whole time, which hold each lane once, then those of the windows; ``counters`` (one binary answer over the
        whole time); ``names`` by their numbers, those that the pieces use; ``found``, the names with most time, as
        a search answers them; ``cells``, how many there are; ``cell_ns``, of the coarsest piece over the whole time.
    """
    timeline = open_timeline(profile)
    listed = timeline.answer_tracks()
    shown = [_lanes_of(listed["tracks"], collapsed) for collapsed in (False, True)]
    whole = (_begin(timeline), timeline.end + 1)
    every = np.sort(np.concatenate(shown))
    if _cells(timeline, whole, 0, every) <= budget_cells:
        pieces = [_piece(timeline, whole, 0, every)]
    else:
        chosen = list(windows if windows is not None else typical_steps(timeline))[:_MOST_WINDOWS]
        stretches = _stretches(timeline, every, chosen, int(budget_cells * _WINDOWS_SHARE))
        pieces = _whole_time(timeline, shown, whole, budget_cells - sum(piece["cells"] for piece in stretches))
        finest = min(piece["cell_ns"] for piece in pieces)
        pieces += [piece for piece in stretches if piece["cell_ns"] < finest]
    codes: set[int] = set()
    for piece in pieces:
        codes.update(np.unique(unframe(piece["data"])[1]["name"]).tolist())
    return {
        "tracks": listed,
        "pieces": pieces,
        "counters": {"t0": 0, "t1": timeline.end, "data": bytes(timeline.counter_bins(0, timeline.end, _BINS))},
        "names": timeline.texts(sorted(codes)),
        "found": search_names(timeline, "", _NAMES),
        "cells": sum(piece["cells"] for piece in pieces),
        "cell_ns": max((piece["cell_ns"] for piece in pieces if (piece["t0"], piece["t1"]) == whole), default=1),
    }


def _begin(timeline: Timeline) -> int:
    """Offset of the first event of all: what the profiler says of itself begins before the origin."""
    known = [part for part in timeline.parts if part.lanes.events]
    starts = [part.lanes["start"][part.lanes["lane_first"][:-1]].min() - part.shift for part in known]
    return min(0, int(min(starts, default=timeline.origin_ns)) - timeline.origin_ns)


def _lanes_of(tracks: list[dict[str, Any]], collapsed: bool) -> Ints:
    """Lanes of the tracks that are shown folded, or of the others."""
    mine = [track for track in tracks if track["section"] != "counters" and track["collapsed"] == collapsed]
    ranges = [np.arange(track["first_lane"], track["first_lane"] + track["depths"]) for track in mine]
    return np.sort(np.concatenate([np.empty(0, np.int64), *ranges]))


def _whole_time(timeline: Timeline, shown: list[Ints], window: tuple[int, int], room: int) -> list[dict[str, Any]]:
    """A piece with the lanes shown at first and one with those folded, as fine as there is room."""
    pieces = []
    if len(shown[1]):
        folded = _finest(timeline, window, shown[1], int(room * _COLLAPSED_SHARE))
        pieces = [_piece(timeline, window, folded, shown[1])]
        room -= pieces[0]["cells"]
    return [_piece(timeline, window, _finest(timeline, window, shown[0], room), shown[0]), *pieces]


def _stretches(timeline: Timeline, lanes: Ints, windows: Windows, room: int) -> list[dict[str, Any]]:
    """A piece for each window, as fine as its share of the room allows; what one leaves goes to those behind it."""
    pieces: list[dict[str, Any]] = []
    for i, window in enumerate(windows):
        level = _finest(timeline, window, lanes, room // (len(windows) - i))
        piece = _piece(timeline, window, level, lanes)
        if piece["cells"] > room:
            break
        pieces.append(piece)
        room -= piece["cells"]
    return pieces


def _finest(timeline: Timeline, window: tuple[int, int], lanes: Ints, room: int) -> int:
    """The finest level of which some lanes have no more cells than there is room for; else the coarsest."""
    low, high = 0, HIGHEST_LEVEL
    while low < high:
        middle = (low + high) // 2
        if _cells(timeline, window, middle, lanes) <= room:
            high = middle
        else:
            low = middle + 1
    return low


def _cells(timeline: Timeline, window: tuple[int, int], level: int, lanes: Ints) -> int:
    return count_cells(timeline.parts, timeline.origin_ns, window, level, lanes)


def _piece(timeline: Timeline, window: tuple[int, int], level: int, lanes: Ints) -> dict[str, Any]:
    data = answer_level(timeline.parts, timeline.origin_ns, window, level, lanes)
    cells = _cells(timeline, window, level, lanes)
    return {"t0": window[0], "t1": window[1], "cell_ns": 1 << level, "cells": cells, "data": bytes(data)}


def typical_steps(timeline: Timeline) -> list[tuple[int, int]]:
    """The step of median length of each rank, from its begin to the end of its work on the GPU, as offsets."""
    own = {part.rank: part.origin(timeline.origin_ns) for part in timeline.parts}
    steps = [(own[index], typical_step(rank)) for index, rank in enumerate(timeline.profile.ranks)]
    return [(step[1] - origin, step[2] - origin) for origin, step in steps if step is not None]


def typical_step(rank: Rank) -> tuple[int, int, int] | None:
    """Number, begin and end in ns of a rank's step of median length; None without steps."""
    from stepscope.analyses.steps.steps import rank_steps

    steps = rank_steps(rank)
    whole = steps.filter(~steps["cut"])
    steps = (whole if len(whole) else steps).sort("duration_ns", "start_ns")
    if len(steps) == 0:
        return None
    facts = steps.select("step", "start_ns", "duration_ns", "device_end_ns")
    number, start, length, device_end = facts.row((len(steps) - 1) // 2)
    return number, start, max(start + length, device_end or 0)
