"""Streams and threads beyond the busiest share a track: all their events are there, and belong to what they did."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import kernel, opened, operator
from building.autograd import frame
from oracles.timeline import opened_timeline, shown_rows, timed_rows
from stepscope.messages.language import LANGUAGES
from stepscope.messages.rendering import render
from stepscope.numeric.depths import CALLS, find_depths
from stepscope.numeric.shared_rows import share_rows
from stepscope.timeline import Timeline, sharing
from stepscope.timeline.event_search import event_of
from stepscope.timeline.facts import event_facts
from timeline_checks import ask, check_timeline


def many_streams(streams: int) -> list[dict[str, Any]]:
    """A kernel on each stream, those of the first streams longest."""
    return [kernel("gemm", 10 * i, 10 * i + 5 + max(0, 9 - i), stream=i) for i in range(streams)]


def on_gpu(timeline: Timeline, packed: bool) -> list[dict[str, Any]]:
    answer = timeline.answer_tracks(packed=packed)
    assert answer["left_out"] == 0
    assert (
        sum(track["events"] for track in answer["tracks"] if track["kind"] in ("stream", "packed")) == answer["events"]
    )
    return [track for track in answer["tracks"] if track["kind"] in ("stream", "packed")]


@pytest.mark.long
def test_thousands_of_streams_have_a_thousand_tracks_and_one_for_all_others(tmp_path: Path) -> None:
    timeline = opened_timeline(opened(tmp_path, many_streams(3000)))
    check_timeline(timeline)
    assert shown_rows(timeline) == timed_rows(timeline.profile)
    alone = on_gpu(timeline, packed=False)
    assert len(alone) == 1001
    assert [render(track["title"]) for track in (alone[0], alone[-1])] == ["stream 0", "2,000 other streams"]
    assert alone[-1]["events"] == 2000
    packed = on_gpu(timeline, packed=True)
    assert [render(track["title"]) for track in packed] == ["3,000 streams: compute"]
    assert packed[0]["events"] == 3000
    (found,) = ask(timeline, "search", q="gemm", limit=5)["names"]
    assert found["count"] == 3000


def test_an_event_of_a_shared_track_says_its_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "MOST_TRACKS", 20)
    timeline = opened_timeline(opened(tmp_path, many_streams(30)))
    shared = on_gpu(timeline, packed=False)[-1]
    assert render(shared["title"]) == "10 other streams"
    rows = range(shared["events"])
    facts = [ask(timeline, "event", lane=shared["first_lane"], row=row, packed=0) for row in rows]
    assert [one["args"]["stream"] for one in facts] == list(range(20, 30))
    assert {one["thread"] for one in facts} == {None}


def test_the_timeline_says_that_threads_share_a_track(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "MOST_TRACKS", 2)
    events = [operator("a", 0, 100 - i, thread=i) for i in range(1, 6)]
    events += [frame("f.py(1): f", 0, 100, thread=i) for i in range(1, 6)]
    timeline = opened_timeline(opened(tmp_path, events))
    tracks = timeline.answer_tracks()["tracks"]
    assert [(track["kind"], render(track["title"]), track["events"]) for track in tracks] == [
        ("operators", "main thread", 1),
        ("python", "main thread", 1),
        ("operators", "thread 2", 1),
        ("python", "thread 2", 1),
        ("operators", "3 other threads", 3),
        ("python", "3 other threads", 3),
    ]
    assert {track["process"] for track in tracks} == {"1"}
    (note,) = timeline.answer_tracks()["notes"]
    english = (
        "only the 2 streams of a GPU and 2 threads of a rank with most time have tracks of their own; the others share "
        "one, and the details of an event name its stream or thread"
    )
    chinese = "每个 GPU 用时最多的 2 条流、每个 rank 用时最多的 2 个线程有自己的轨道，其余共用一条，所属见事件详情"
    assert [render(note, language) for language in LANGUAGES] == [english, chinese]


def test_few_threads_share_nothing(tmp_path: Path) -> None:
    answer = opened_timeline(opened(tmp_path, [operator("a", 0, 9, thread=i) for i in range(50)])).answer_tracks()
    assert (len(answer["tracks"]), answer["notes"]) == (50, [])


def nested_events(dice: random.Random, threads: int) -> list[dict[str, Any]]:
    """Operators and frames on some threads, nested at random, at times of all of them; each has a name of its own."""
    found: list[dict[str, Any]] = []

    def add(make: Any, thread: int, begin: int, end: int, depth: int) -> None:
        found.append(make(f"e{len(found)}", begin, end, thread=thread))
        inside = sorted(dice.sample(range(begin + 1, end), min(4, max(0, end - begin - 1))))
        for low, high in zip(inside[::2], inside[1::2], strict=False):
            if depth < 4 and dice.random() < 0.8:
                add(make, thread, low, high, depth + 1)

    for thread in range(1, threads + 1):
        for make in (operator, frame):
            at = dice.randrange(50)
            for _ in range(dice.randrange(1, 4)):
                length = dice.randrange(3, 120)
                add(make, thread, at, at + length, 0)
                at += length + dice.randrange(30)
    return found


def relations(timeline: Timeline) -> dict[str, Any]:
    """Thread, parent, number of children and length of each event, by its name."""
    found = {}
    for part in timeline.parts:
        for index in range(part.lanes.events):
            event = event_of(timeline, part, index)
            facts = event_facts(event)
            parent = facts["parent"] and facts["parent"]["name"]
            found[event.name] = (facts["thread"], parent, facts["children"], facts["duration_ns"], facts["self_ns"])
    return found


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 6))])
def test_events_belong_together_on_a_shared_track_as_on_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    events = nested_events(random.Random(seed), 9)
    alone = opened_timeline(opened(tmp_path, events))
    wanted = relations(alone)
    assert len(wanted) == len(events)
    monkeypatch.setattr(sharing, "MOST_TRACKS", 2)
    shared = opened_timeline(opened(tmp_path, events))
    assert any(track.shared == 7 for _, track in shared.tracks.values())
    assert relations(shared) == wanted
    check_timeline(shared)
    assert shown_rows(shared) == timed_rows(shared.profile) == shown_rows(alone)


_events = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 40), st.integers(0, 15)).map(lambda e: (e[0], e[1], e[1] + e[2])),
    min_size=1,
    max_size=40,
)


@settings(max_examples=80)
@given(_events)
def test_rows_of_shared_tracks_hold_no_two_events_at_once(events: list[tuple[int, int, int]]) -> None:
    """Lines 0 and 1 share track 0, lines 2 and 3 track 1; some events outlast those around them."""
    ordered = sorted(events, key=lambda event: (event[0], event[1], -event[2]))
    line = np.array([event[0] for event in ordered], np.int32)
    start, end = (np.array([event[i] for event in ordered], np.int64) for i in (1, 2))
    own = find_depths(line, start, end, np.full(4, CALLS, np.uint8))
    track = line // 2
    found = share_rows(track, line, start, end, own.depth, 2)
    assert sorted(found.order.tolist()) == list(range(len(ordered)))
    rows = defaultdict(list)
    for i in found.order.tolist():
        rows[int(track[i]), int(found.depth[i])].append((int(start[i]), int(end[i])))
    for row in rows.values():
        assert all(before[1] <= after[0] for before, after in pairwise(row))
    for number in (0, 1):
        mine = [event for event in ordered if event[0] // 2 == number]
        assert found.busy[number] == len({moment for _, begin, until in mine for moment in range(begin, until)})
        assert found.rows[number] == max((depth + 1 for one, depth in rows if one == number), default=0)


@pytest.mark.parametrize("order", [list(range(40)), list(reversed(range(40)))])
def test_busy_ones_do_not_depend_on_the_order_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: list[int]
) -> None:
    monkeypatch.setattr(sharing, "MOST_TRACKS", 30)
    events = [kernel("gemm", 100 * i, 100 * i + 50 - i, stream=i) for i in range(40)]
    timeline = opened_timeline(opened(tmp_path, [events[i] for i in order]))
    own = [track["stream"] for track in on_gpu(timeline, packed=False) if track["stream"] is not None]
    assert own == list(range(30))
    assert [track["events"] for track in on_gpu(timeline, packed=False) if track["stream"] is None] == [10]
