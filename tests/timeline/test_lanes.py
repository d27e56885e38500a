"""Every timed event is on the timeline, on a row where nothing overlaps it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import (
    annotation,
    call,
    kernel,
    launched,
    memcpy,
    memset,
    opened,
    operator,
    step,
    timed,
)
from oracles.timeline import all_events, cells, depths, opened_timeline, shown_rows, timed_rows
from stepscope.messages import Message
from stepscope.messages.language import LANGUAGES
from stepscope.messages.rendering import render
from stepscope.numeric.depths import CALLS, NESTED, PACKED, find_depths
from stepscope.timeline.event_search import event_at
from stepscope.timeline.facts import event_facts
from stepscope.timeline.kinds import KINDS


def frame(name: str, start: int, end: int, **args: object) -> dict[str, object]:
    return timed("python_function", name, start, end, process=1, thread=1, **args)


def titles(timeline: object, section: str) -> list[tuple[str, str, int]]:
    tracks = timeline.answer_tracks()["tracks"]  # type: ignore[attr-defined]
    return [(one["kind"], render(one["title"]), one["depths"]) for one in tracks if one["section"] == section]


def test_tracks_of_a_step(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        operator("aten::mm", 10, 40),
        launched(kernel("gemm", 30, 60, 1), 20),
        launched(memcpy(70, 80, 2), 50),
        kernel("ncclDevKernel_AllReduce", 65, 90, stream=20),
        frame("train.py(1): step", 5, 95),
        timed("cuda_sync", "Stream Sync", 60, 90, process=0, thread=7, device=0, stream=7),
        timed("gpu_user_annotation", "ProfilerStep#1", 30, 80, process=0, thread=7),
        timed("Trace", "PyTorch Profiler (0)", 0, 200, process="Spans", thread="PyTorch Profiler"),
    )
    timeline = opened_timeline(profile)
    assert titles(timeline, "gpu") == [
        ("idle", "idle, by cause", 1),
        ("stream", "stream 7", 1),
        ("stream", "stream 20 · communication", 1),
        ("sync", "sync events", 1),
        ("annotations", "annotations", 1),
    ]
    assert titles(timeline, "host") == [
        ("operators", "main thread", 3),
        ("python", "main thread", 1),
        ("other", "PyTorch Profiler", 1),
    ]
    tracks = timeline.answer_tracks()["tracks"]
    assert [one["kind"] for one in tracks if one["collapsed"]] == ["annotations", "python"]
    assert [render(one["title"]) for one in tracks if one["profiler"]] == ["PyTorch Profiler"]


def test_answer_tells_what_is_on_the_timeline(tmp_path: Path) -> None:
    timeline = opened_timeline(opened(tmp_path, operator("a", 1000, 4000), operator("b", 2000, 5000)))
    answer = timeline.answer_tracks()
    track = answer.pop("tracks")[0]
    (note,) = answer.pop("notes")
    assert render(note) == ("1 event overlaps another one of its track without lying inside it; such have rows below")
    assert answer == {
        "origin_ns": "1000",
        "end": 4000,
        "lanes": 2,
        "events": 2,
        "left_out": 0,
        "overlapping": 1,
    }
    assert [render(track["title"], language) for language in LANGUAGES] == ["main thread", "主线程"]
    assert track == {
        "id": 0,
        "rank": 0,
        "section": "host",
        "kind": "operators",
        "title": Message("lane-main"),
        "process": "1",
        "device": None,
        "stream": None,
        "thread": "1",
        "first_lane": 0,
        "depths": 2,
        "events": 2,
        "busy_ns": 4000,
        "collapsed": False,
        "profiler": False,
        "unit": None,
        "max": None,
    }


def test_equal_times_nest_by_what_they_are(tmp_path: Path) -> None:
    """A call inside an operator inside an annotation, all with the same begin and end."""
    profile = opened(
        tmp_path,
        call(0, 10, 1),
        operator("inner", 0, 10, external_id=3),
        operator("outer", 0, 10, external_id=2),
        annotation("range", 0, 10),
    )
    lanes = all_events(opened_timeline(profile))
    assert [lanes[lane][0][2] for lane in range(4)] == ["range", "outer", "inner", "cudaLaunchKernel"]


def test_kernels_that_overlap_on_one_stream_all_show(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("first", 0, 10), kernel("second", 5, 15), kernel("third", 12, 20))
    lanes = all_events(opened_timeline(profile))
    assert lanes[0] == [(0, 10, "first")]
    assert lanes[1] == [(5, 15, "second")]
    # Deeper than all that run, not in the row that is free: rows say what began inside what.
    assert lanes[2] == [(12, 20, "third")]


def test_names_are_text_whatever_they_are(tmp_path: Path) -> None:
    strange = ["<img src=x onerror=alert(1)>", "", "\u0000", "名前", "x" * 4000, None]
    events = [operator(name, 10 * i, 10 * i + 5) for i, name in enumerate(strange)]  # type: ignore[arg-type]
    lanes = all_events(opened_timeline(opened(tmp_path, events)))
    assert [name for _, _, name in lanes[0]] == [name or "" for name in strange]


def test_a_trace_without_timed_events_has_no_lanes(tmp_path: Path) -> None:
    timeline = opened_timeline(opened(tmp_path, {"ph": "i", "name": "x", "ts": 1, "pid": 1, "tid": 1}))
    answer = timeline.answer_tracks()
    assert (answer["tracks"], answer["lanes"], answer["events"], answer["left_out"]) == ([], 0, 0, 0)
    assert all_events(timeline) == {}


def test_broken_events_are_not_counted_as_left_out(tmp_path: Path) -> None:
    events = [{"ph": "X", "name": "no length", "cat": "cpu_op", "ts": 5, "pid": 1, "tid": 1}, operator("a", 0, 10)]
    answer = opened_timeline(opened(tmp_path, events)).answer_tracks()
    assert (answer["events"], answer["left_out"]) == (1, 0)


def test_times_of_the_epoch_stay_exact(tmp_path: Path) -> None:
    epoch = 1_790_000_000_123_456_789
    timeline = opened_timeline(opened(tmp_path, operator("a", epoch, epoch + 7), operator("b", epoch + 8, epoch + 9)))
    assert timeline.answer_tracks()["origin_ns"] == str(epoch)
    assert all_events(timeline)[0] == [(0, 7, "a"), (8, 9, "b")]


def test_hundreds_of_streams_are_packed_unless_asked(tmp_path: Path) -> None:
    events = [kernel("busy", 0, 10_000)]
    events += [kernel("small", 10 * i, 10 * i + 12, stream=100 + i) for i in range(300)]
    events += [kernel("ncclKernel", 10 * i, 10 * i + 2, stream=500 + i) for i in range(20)]
    timeline = opened_timeline(opened(tmp_path, events))
    assert titles(timeline, "gpu")[:3] == [
        ("stream", "stream 7", 1),
        ("packed", "300 streams: compute", 2),
        ("packed", "20 streams: communication", 1),
    ]
    alone = timeline.answer_tracks(packed=False)
    assert sum(track["kind"] == "stream" for track in alone["tracks"]) == 321
    assert alone["left_out"] == timeline.answer_tracks()["left_out"] == 0
    assert shown_rows(timeline) == timed_rows(timeline.profile)


events_of_a_track = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 20)).map(lambda pair: (pair[0], pair[0] + pair[1])), max_size=25
)


@settings(max_examples=60)
@given(events_of_a_track)
def test_depth_is_one_more_than_the_deepest_that_runs(events: list[tuple[int, int]]) -> None:
    ordered = sorted(events, key=lambda pair: (pair[0], -pair[1]))
    start, end = (np.array([pair[i] for pair in ordered], np.int64) for i in (0, 1))
    found = find_depths(np.zeros(len(ordered), np.int32), start, end, np.array([NESTED], np.uint8))
    assert found.depth.tolist() == depths(ordered)
    covered = {moment for begin, until in ordered for moment in range(begin, until)}
    assert found.busy[0] == len(covered)


@settings(max_examples=60)
@given(events_of_a_track)
def test_packed_rows_hold_no_two_events_at_once(events: list[tuple[int, int]]) -> None:
    ordered = sorted(events, key=lambda pair: (pair[0], -pair[1]))
    start, end = (np.array([pair[i] for pair in ordered], np.int64) for i in (0, 1))
    found = find_depths(np.zeros(len(ordered), np.int32), start, end, np.array([PACKED], np.uint8))
    moments = [(int(row), moment) for row, (a, b) in zip(found.depth, ordered, strict=True) for moment in range(a, b)]
    assert len(set(moments)) == len(moments)
    most = max((sum(a <= moment < b for a, b in ordered) for moment in range(80)), default=0)
    lengthless = any(a == b for a, b in ordered)
    assert found.rows[0] == most or lengthless


@pytest.mark.long
def test_every_event_of_the_examples_is_shown_once(examples: Path) -> None:
    profile = stepscope.open(str(examples / "ddp4_straggler"))
    timeline = opened_timeline(profile)
    assert timeline.answer_tracks()["left_out"] == 0
    assert shown_rows(timeline) == timed_rows(profile.profile)


def test_threads_are_called_what_people_call_them(tmp_path: Path) -> None:
    def named(number: int, name: str) -> dict[str, object]:
        return {"ph": "M", "name": "thread_name", "pid": 9, "tid": number, "ts": 0, "args": {"name": name}}

    def on(thread: int, event: dict[str, object]) -> dict[str, object]:
        return event | {"pid": 9, "tid": thread}

    profile = opened(
        tmp_path,
        {"ph": "M", "name": "process_name", "pid": 9, "ts": 0, "args": {"name": "python"}},
        on(9, operator("aten::mm", 0, 100)),
        on(10, operator("autograd::engine::evaluate_function: MmBackward0", 0, 90)),
        on(11, operator("autograd::engine::evaluate_function: MmBackward0", 0, 80)),
        on(12, call(0, 5, 1, name="cudaEventQuery")),
        on(13, operator("ProfilerStep#1", 0, 60)),
        on(14, operator("a", 0, 50)),
        named(14, "pt_data_pin"),
        on(15, operator("a", 0, 40)),
        named(15, "decoder"),
        on(16, operator("a", 0, 30)),
        named(16, "thread 16 (python)"),
        on(17, frame("torch/utils/data/_utils/pin_memory.py(30): _pin_memory_loop", 0, 20)),
        on(0, frame("threading.py(1010): run", 0, 100)),
    )
    tracks = opened_timeline(profile).answer_tracks()["tracks"]
    assert [render(track["title"]) for track in tracks] == [
        "main thread",
        "autograd thread 10",
        "autograd thread 11",
        "data loader pinning 14",
        "data loader pinning 17",
        "thread 13",
        "decoder",
        "thread 16",
        "watchdog of collectives",
        "threads without a number",
    ]
    assert {track["process"] for track in tracks} == {"python 9"}


def test_events_say_what_they_are(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 10),
        annotation("train", 10, 90),
        operator("aten::mm", 20, 40),
        call(25, 30, 1),
        frame("train.py(1): main", 0, 90),
        kernel("gemm", 40, 50, 1),
        kernel("ncclDevKernel_AllReduce", 50, 60, stream=20),
        memcpy(60, 70),
        memset(70, 75),
        timed("cuda_sync", "Stream Sync", 60, 90, process=0, thread=7, device=0, stream=7),
        timed("Trace", "PyTorch Profiler (0)", 0, 200, process="Spans", thread="PyTorch Profiler"),
    )
    _, found = cells(opened_timeline(profile), 0, 1000, 1 << 40)
    kinds = {cell.name: KINDS[cell.kind] for cell in found}
    assert kinds == {
        "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__": "data_loading",
        "train": "annotation",
        "aten::mm": "operator",
        "cudaLaunchKernel": "runtime",
        "train.py(1): main": "python",
        "gemm": "compute",
        "ncclDevKernel_AllReduce": "communication",
        "Memcpy HtoD (Pinned -> Device)": "memcpy",
        "Memset (Device)": "memset",
        "Stream Sync": "sync",
        "PyTorch Profiler (0)": "other",
    }


@settings(max_examples=60)
@given(events_of_a_track)
def test_calls_that_outlast_others_push_nothing_down(events: list[tuple[int, int]]) -> None:
    ordered = sorted(events, key=lambda pair: (pair[0], -pair[1]))
    start, end = (np.array([pair[i] for pair in ordered], np.int64) for i in (0, 1))
    found = find_depths(np.zeros(len(ordered), np.int32), start, end, np.array([CALLS], np.uint8))
    stack: list[int] = []
    wanted: list[int | None] = []
    for begin, until in ordered:
        while stack and stack[-1] <= begin:
            stack.pop()
        late = bool(stack) and stack[-1] < until
        wanted.append(None if late else len(stack))
        stack += [] if late else [until]
    below = 1 + max((depth for depth in wanted if depth is not None), default=-1)
    for got, depth in zip(found.depth.tolist(), wanted, strict=True):
        assert got == depth if depth is not None else got >= below
    moments = [(int(row), moment) for row, (a, b) in zip(found.depth, ordered, strict=True) for moment in range(a, b)]
    assert len(set(moments)) == len(moments)
    assert found.rows[0] == (found.depth.max() + 1 if len(ordered) else 0)
    assert found.overlaps == wanted.count(None)


def test_a_frame_whose_return_was_missed_stands_below(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        frame("train.py(1): main", 0, 100),
        frame("train.py(5): step", 10, 40),
        frame("<built-in method __exit__>", 30, 95),
        frame("train.py(5): step", 50, 80),
        frame("model.py(9): forward", 55, 70),
    )
    timeline = opened_timeline(profile)
    lanes = all_events(timeline)
    assert [[name for _, _, name in lanes[lane]] for lane in range(4)] == [
        ["train.py(1): main"],
        ["train.py(5): step", "train.py(5): step"],
        ["model.py(9): forward"],
        ["<built-in method __exit__>"],
    ]
    assert timeline.answer_tracks()["overlapping"] == 1
    late = event_facts(event_at(timeline, 3, 0))
    assert late["parent"]["name"] == "train.py(5): step"
    assert (late["start"], late["duration_ns"]) == (30, 65)


def test_streams_of_equal_load_stand_in_the_order_in_which_people_count(tmp_path: Path) -> None:
    events = [kernel("k", 100 * n, 100 * n + 10, stream=n) for n in (10, 7, 21, 8)]
    shown = opened_timeline(opened(tmp_path, *events))
    titles = [render(track.title) for _, track in shown.tracks.values() if track.kind == "stream"]
    assert titles == ["stream 7", "stream 8", "stream 10", "stream 21"]
