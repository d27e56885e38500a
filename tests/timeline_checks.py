"""What has to hold for the timeline of any trace."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np

from stepscope.answers.timeline_answers import in_words, tracks_in_words
from stepscope.timeline import Timeline, excerpt
from stepscope.timeline.answers import ANSWERS
from stepscope.timeline.binary_format import unframe
from stepscope.timeline.kinds import KINDS

EVER = (1 << 63) - 1
"""Offset that no event lies beyond."""


def ask(timeline: Timeline, question: str, /, **parameters: object) -> Any:
    """An answer as a client gets it: what JSON holds of it, or header and columns."""
    answer = ANSWERS[question](timeline, {name: str(value) for name, value in parameters.items()})
    if isinstance(answer, dict):
        answer = tracks_in_words(answer) if question == "tracks" else in_words(answer)
        return json.loads(json.dumps(answer, allow_nan=False))
    return unframe(bytes(answer))


def check_timeline(timeline: Timeline, seed: int = 0) -> None:
    """Ask everything about a timeline, and about some of its events, and see that the answers fit together."""
    tracks = ask(timeline, "tracks")
    assert tracks["left_out"] == 0
    check_window(timeline, tracks)
    check_counters(timeline, tracks)
    check_area(timeline, tracks)
    source = random.Random(seed)
    lanes = [track for track in tracks["tracks"] if track["section"] != "counters"]
    for track in source.sample(lanes, min(len(lanes), 12)):
        check_events(timeline, track, source)
    ask(timeline, "search", q="", limit=3)
    held = excerpt(timeline.profile, 5000)
    assert held["cells"] <= 5000 or held["cell_ns"] == 1 << 62


def check_window(timeline: Timeline, tracks: dict[str, Any]) -> None:
    """Cells of everything count every event, and all of a track's lanes together its events."""
    window = {"t0": -EVER, "t1": EVER}
    for pixels in (1, 1000):
        header, columns = ask(timeline, "window", t0=0, t1=timeline.end + 1, px=pixels)
        assert (columns["end"] >= columns["start"]).all()
        assert (columns["kind"] < len(KINDS)).all()
        for entry in header["lanes"]:
            mine = slice(entry["offset"], entry["offset"] + entry["count"])
            assert (columns["start"][mine][1:] >= columns["end"][mine][:-1]).all()
            first = columns["first"][mine].astype(np.int64)
            assert (np.diff(first) == columns["count"][mine][:-1]).all()
    header, columns = ask(timeline, "window", **window, px=1)
    counts = {one["lane"]: int(columns["count"][one["offset"] :][: one["count"]].sum()) for one in header["lanes"]}
    for track in tracks["tracks"]:
        if track["section"] != "counters":
            lanes = range(track["first_lane"], track["first_lane"] + track["depths"])
            assert sum(counts[lane] for lane in lanes) == track["events"]


def check_counters(timeline: Timeline, tracks: dict[str, Any]) -> None:
    """No counter leaves its bounds, and its mean lies between least and most."""
    header, columns = ask(timeline, "counters", t0=0, t1=timeline.end, px=50)
    most = {track["id"]: track["max"] for track in tracks["tracks"] if track["section"] == "counters"}
    assert {one["track"] for one in header["tracks"]} == set(most)
    for one in header["tracks"]:
        least, highest, mean = (columns[name][one["offset"] :][:50].astype(np.float64) for name in columns)
        known = ~np.isnan(mean)
        slack = 1e-6 * max(abs(most[one["track"]]), 1.0)
        assert (least[known] <= mean[known] + slack).all()
        assert (mean[known] <= highest[known] + slack).all()
        assert (highest[known] <= most[one["track"]] + slack).all()


def check_area(timeline: Timeline, tracks: dict[str, Any]) -> None:
    """The GPU's time adds up, in any stretch, and that of its parts to that of the whole."""
    end = timeline.end
    areas = [ask(timeline, "area", t0=a, t1=b) for a, b in ((0, end), (0, end // 3), (end // 3, end))]
    for area in areas:
        for rank in area["ranks"]:
            parts = ("compute_ns", "exposed_communication_ns", "exposed_memory_ns", "idle_ns")
            assert sum(rank[part] for part in parts) == rank["span_ns"] == area["t1"] - area["t0"]
    for whole, *pieces in zip(*(area["ranks"] for area in areas), strict=True):
        for name in whole:
            assert name == "rank" or whole[name] == sum(piece[name] for piece in pieces)
    whole_time = ask(timeline, "area", t0=-EVER, t1=EVER)
    assert whole_time["events"] == tracks["events"]


def check_events(timeline: Timeline, track: dict[str, Any], source: random.Random) -> None:
    """Some events of a track, and everything they point to."""
    lane = track["first_lane"] + source.randrange(track["depths"])
    total = ask(timeline, "cell", lane=lane, first=0, count=1)["total"]
    assert total == 1
    _, columns = ask(timeline, "window", t0=-EVER, t1=EVER, px=1, lanes=lane)
    row = source.randrange(int(columns["count"].sum()))
    event = ask(timeline, "event", lane=lane, row=row)
    assert (event["lane"], event["row"], event["track"]) == (lane, row, track["id"])
    links = event["links"]
    for place in [event["parent"], links["launch"], links["forward"], links["backward"], *links["activities"][:3]]:
        if place is not None:
            again = ask(timeline, "event", lane=place["lane"], row=place["row"])
            assert {name: again[name] for name in place} == place
    assert 0 <= event["same_name"]["index"] < event["same_name"]["calls"]
    flows = ask(timeline, "flows", lane=lane, row=row, limit=5)
    assert len(flows["flows"]) == min(flows["total"], 5)
    cell = ask(timeline, "cell", lane=lane, first=0, count=int(columns["count"].sum()), limit=2)
    assert sum(name["count"] for name in cell["names"]) == cell["count"] == cell["total"]
    assert sum(name["total_ns"] for name in cell["names"]) == cell["busy_ns"]
    check_next(timeline, event)


def check_next(timeline: Timeline, event: dict[str, Any]) -> None:
    """From an event to the next of its name and back."""
    code = timeline.names.index(event["name"])
    following = ask(timeline, "next", code=code, lane=event["lane"], row=event["row"], direction=1)["place"]
    if following is not None:
        assert following["name"] == event["name"]
        back = ask(timeline, "next", code=code, lane=following["lane"], row=following["row"], direction=-1)["place"]
        assert (back["lane"], back["row"]) == (event["lane"], event["row"])
