"""What a report holds of a timeline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stepscope
from building import kernel, opened, operator
from oracles.timeline import all_events
from stepscope.timeline import excerpt, open_timeline
from stepscope.timeline.binary_format import unframe


def lanes_of(piece: dict[str, Any]) -> dict[int, list[tuple[int, int, int]]]:
    """Start, end and count of the cells of each lane."""
    header, columns = unframe(piece["data"])
    assert (header["t0"], header["t1"], header["cell_ns"]) == (piece["t0"], piece["t1"], piece["cell_ns"])
    found = {}
    for one in header["lanes"]:
        mine = slice(one["offset"], one["offset"] + one["count"])
        rows = zip(*(columns[name][mine].tolist() for name in ("start", "end", "count")), strict=True)
        found[one["lane"]] = [(int(start), int(end), count) for start, end, count in rows]
    return found


def test_a_short_recording_is_held_whole(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("a", 0, 10), kernel("b", 20, 50)).profile
    held = excerpt(profile, 100)
    assert [(piece["t0"], piece["t1"], piece["cell_ns"], piece["cells"]) for piece in held["pieces"]] == [(0, 51, 1, 2)]
    assert sorted(held["names"].values()) == ["a", "b"]
    assert held["cell_ns"] == 1
    assert held["tracks"]["events"] == 2
    assert [one["name"] for one in held["found"]["names"]] == ["b", "a"]


@pytest.mark.long
@pytest.mark.parametrize("budget", [2000, 10_000, 40_000])
def test_a_long_recording_is_held_coarsely_with_a_step_event_by_event(examples: Path, budget: int) -> None:
    profile = stepscope.open(str(examples / "batch_size.slow.pt.trace.json.gz")).profile
    timeline = open_timeline(profile)
    held = excerpt(profile, budget)
    assert 0 < held["cells"] <= budget
    events = all_events(timeline)
    shown = {
        lane
        for track in held["tracks"]["tracks"]
        if track["section"] != "counters"
        for lane in range(track["first_lane"], track["first_lane"] + track["depths"])
    }
    whole = [piece for piece in held["pieces"] if piece["t1"] == timeline.end + 1]
    found = [lane for piece in whole for lane in lanes_of(piece)]
    assert sorted(found) == sorted(shown)
    for piece in held["pieces"]:
        for lane, cells in lanes_of(piece).items():
            inside = [event for event in events[lane] if event[0] < piece["t1"] and event[1] > piece["t0"]]
            long = {(start, end) for start, end, _ in inside if end - start >= piece["cell_ns"]}
            assert long <= {(start, end) for start, end, count in cells if count == 1}
    codes = {int(code) for piece in held["pieces"] for code in np.unique(unframe(piece["data"])[1]["name"])}
    assert {int(code) for code in held["names"]} == codes


def test_windows_that_matter_are_exact_where_there_is_room(examples: Path) -> None:
    profile = stepscope.open(str(examples / "batch_size.slow.pt.trace.json.gz")).profile
    end = open_timeline(profile).end
    windows = [(end // 2, end // 2 + 100_000), (0, 50_000)]
    pieces = excerpt(profile, 5000, windows)["pieces"]
    assert [(piece["t0"], piece["t1"], piece["cell_ns"]) for piece in pieces if piece["cell_ns"] == 1] == [
        (*window, 1) for window in windows
    ]
