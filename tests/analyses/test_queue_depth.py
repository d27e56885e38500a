"""How many launches wait in each stream's queue."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import Event, call, kernel, launched, opened, operator, rows, step
from oracles import general as oracle
from stepscope.analyses.idle.queueing import _depths_before
from stepscope.api import OpenProfile


def test_depth_over_the_whole_time(tmp_path: Path) -> None:
    """One waits from 0 to 10, two more from 5 and 6 until the first ends at 30, then one until 40."""
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 30, 1), 0),
        launched(kernel("b", 30, 40, 2), 5),
        launched(kernel("c", 40, 50, 3), 6),
    )
    columns = ("stream", "start_ns", "duration_ns", "launches", "depth_min", "depth_mean", "depth_max", "empty_ns")
    assert rows(profile.show("queue_depth"), *columns) == [(7, 0, 40, 3, 1, (5 + 2 + 4 * 3 + 20 * 2 + 10) / 40, 3, 0)]


def test_depth_in_stretches_of_time(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("a", 100, 300, 1), 0), launched(kernel("b", 1000, 1100, 2), 500))
    table = profile.show("queue_depth", by="time")
    assert len(table) == 200
    assert table["start_ns"].to_list() == list(range(0, 1000, 5))
    assert table["depth_max"].to_list() == [1] * 20 + [0] * 80 + [1] * 100
    assert table["launches"].sum() == 2


def test_time_too_short_for_all_stretches(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("a", 3, 10, 1), 0))
    assert rows(profile.show("queue_depth", by="time"), "start_ns", "duration_ns") == [(0, 1), (1, 1), (2, 1)]


def test_every_stream_has_its_queue(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("a", 10, 30, 1), 0), launched(kernel("b", 20, 40, 2, stream=9), 5))
    assert rows(profile.show("queue_depth"), "stream", "depth_max", "empty_ns") == [(7, 1, 10), (9, 1, 5)]


def test_a_graph_is_one_launch(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, call(0, 5, 1, name="cudaGraphLaunch"), [kernel("k", 10 + i, 11 + i, 1) for i in range(9)]
    )
    assert rows(profile.show("queue_depth"), "launches", "depth_max") == [(1, 1)]


def test_work_from_before_the_recording_waits_from_the_start(tmp_path: Path) -> None:
    """Two kernels of one number came from one graph, the third has none."""
    profile = opened(
        tmp_path,
        kernel("a", 10, 20, 7),
        kernel("a", 20, 30, 7),
        kernel("b", 30, 40),
        launched(kernel("c", 50, 60, 1), 0),
        kernel("lost", 60, 70, 9),
    )
    assert rows(profile.show("queue_depth"), "launches", "depth_min", "depth_max") == [(1, 1, 3)]
    assert profile.notes("queue_depth") == [
        "2 launches were queued when the recording began: queue depths start above zero, perhaps higher than shown"
    ]


def test_a_full_queue(tmp_path: Path) -> None:
    events = [launched(kernel("k", 10_000 + number, 10_001 + number, number), 2 * number) for number in range(1, 1101)]
    [row] = opened(tmp_path, *events).show("queue_depth").to_dicts()
    assert row["depth_max"] == 1100
    assert row["full_ns"] == (10_001 + 100) - 2000


def test_selected_steps_count_what_was_queued_before(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 50),
        step(2, 50, 100),
        launched(kernel("a", 90, 95, 1), 0),
        launched(kernel("b", 95, 99, 2), 55),
    )
    columns = ("start_ns", "duration_ns", "launches", "depth_min", "depth_max")
    assert rows(profile.show("queue_depth", step=2), *columns) == [(55, 40, 1, 1, 2)]


@pytest.mark.parametrize("scale", [1, 1 << 58])
def test_times_far_apart_are_counted_as_near_ones(scale: int) -> None:
    """So far that a queue and a time in it do not fit into one number together."""
    begin, starts = [None, 1, 2, 1, 3], [4, 3, 5, 2, 6]
    frame = pl.DataFrame(
        {
            "call_start_ns": [None if at is None else at * scale for at in begin],
            "start_ns": [at * scale for at in starts],
            "device": [0] * 5,
            "stream": [7, 7, 7, 9, 9],
        }
    )
    assert _depths_before(frame).tolist() == [1, 1, 2, 0, 0]


def test_without_launches(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("a", 0, 10))
    assert profile.show("queue_depth").is_empty()
    assert "no CUDA or HIP calls" in profile.notes("queue_depth")[0]
    assert opened(tmp_path, operator("aten::mm", 0, 10)).show("queue_depth").is_empty()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traces")


moments = st.integers(0, 40)
ranges = st.tuples(moments, moments).map(sorted)


@st.composite
def traces(draw: st.DrawFn) -> list[Event]:
    calls = draw(st.lists(ranges, min_size=1, max_size=6))
    events = [call(*inside, number) for number, inside in enumerate(calls, 1)]
    work = draw(st.lists(st.tuples(ranges, st.integers(1, 8), st.sampled_from([7, 9])), max_size=8))
    return events + [kernel("k", *inside, number, stream=stream) for inside, number, stream in work]


def compared(profile: OpenProfile, events: oracle.Events) -> list[str]:
    """Depth of every nanosecond of each stream, counted one by one."""
    waiting: dict[int, list[tuple[int, int]]] = {}
    linked: dict[int, oracle.Timed] = {}
    for activity in sorted(events.activity, key=lambda a: a.order):
        launch = events.launches.get(activity.number)
        if launch is not None:
            linked.setdefault(launch.number, activity)
    by_number = {call.number: call for call in events.runtime}
    for number, activity in linked.items():
        call_ = by_number[number]
        waiting.setdefault(activity.args["stream"], []).append((call_.start, max(activity.start, call_.start)))
    if not waiting:
        return []
    begin = min(by_number[number].start for number in linked)
    end = max(left for spans in waiting.values() for _, left in spans)
    differences = []
    for row in profile.show("queue_depth").to_dicts():
        depths = [sum(a <= at < b for a, b in waiting[row["stream"]]) for at in range(begin, end)]
        carried = row["depth_max"] - max(depths)
        if carried == 0 and (row["depth_min"], row["empty_ns"]) != (min(depths), depths.count(0)):
            differences.append(f"{row['stream']}: {row}, not {depths}")
        if carried == 0 and abs(row["depth_mean"] - sum(depths) / len(depths)) > 1e-9:
            differences.append(f"{row['stream']}: mean {row['depth_mean']}")
    return differences


@pytest.mark.long
@settings(max_examples=25)
@given(events=traces())
def test_depths_equal_those_counted_one_by_one(folder: Path, events: list[Event]) -> None:
    profile = opened(folder, *events)
    linked = oracle.Events(events).launches
    if all(activity.number in linked for activity in oracle.Events(events).activity):
        assert compared(profile, oracle.Events(events)) == []
    whole, parts = profile.show("queue_depth"), profile.show("queue_depth", by="time")
    for column in ("duration_ns", "launches", "empty_ns", "full_ns", "blocked_calls", "blocked_ns"):
        by_stream = parts.group_by("device", "stream").agg(pl.col(column).sum())
        assert by_stream.sort("device", "stream")[column].to_list() == whole[column].to_list()


@pytest.mark.real_trace
def test_a_full_queue_in_a_recording(shared_data: Path) -> None:
    """The GPU is far behind: calls block while 1019 to 1022 launches wait."""
    path = shared_data / "h200" / "pairs" / "fp32_no_tensor_core.slow.pt.trace.json.gz"
    [row] = stepscope.open(str(path)).show("queue_depth").to_dicts()
    assert 1019 <= row["depth_max"] <= 1022
    assert row["full_ns"] > 0.2 * row["duration_ns"]
    assert row["blocked_calls"] > 50
