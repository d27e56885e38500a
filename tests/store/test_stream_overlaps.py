"""Activities that run on over later ones of their stream are cut, counted and said."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import call, check, kernel, launched, memcpy, opened, rows, step
from oracles import general as oracle
from stepscope.store.stream_overlaps import cut_short

US = 1_000


KERNELS = st.lists(
    st.tuples(st.integers(0, 300), st.integers(0, 200), st.integers(7, 8), st.integers(1, 4)), min_size=1, max_size=12
)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(KERNELS)
def test_times_are_those_of_a_loop_over_each_stream(tmp_path_factory: Any, drawn: list[tuple[int, ...]]) -> None:
    made = [
        kernel(f"k{i}", start * US, (start + length) * US, launch, stream=stream)
        for i, (start, length, stream, launch) in enumerate(drawn)
    ]
    profile = opened(tmp_path_factory.mktemp("overlaps"), made)
    activity = profile.profile.ranks[0].activity
    assert activity.select("start_ns", "end_ns").rows() == [
        (one.start, one.end) for one in oracle.Events(made).activity
    ]


def test_a_kernel_of_seconds_over_others_is_an_error_and_not_busy(tmp_path: Path) -> None:
    """TraceLens#669, a kernel of attention on ROCm of 1.6 s over all that followed it: the GPU was busy for 1.6 s."""
    profile = opened(
        tmp_path,
        step(1, 0, 400 * US),
        launched(kernel("fmha", 100 * US, 1_600_000 * US, 1), 10 * US),
        launched(kernel("mm", 150 * US, 200 * US, 2), 20 * US),
        launched(memcpy(250 * US, 300 * US, 3), 30 * US),
    )
    detail = (
        "1 activity runs on over later activities of the same stream by more than 20.0 us: the recorded end is "
        "damaged. 1.60 s of recorded duration is not counted; each ends where the next activity of its stream starts. "
        "Longest: fmha, recorded 1.60 s, counted 50.0 us"
    )
    assert check(profile, "stream_overlaps") == ("error", "1", detail)
    assert rows(profile.show("summary"), "busy_ns", "idle_ns") == [(150 * US, 50 * US)]
    assert rows(profile.show("kernels").sort("name"), "name", "total_ns") == [("fmha", 50 * US), ("mm", 50 * US)]
    for table in ("summary", "kernels", "utilization"):
        assert any("1.60 s of recorded duration is not counted" in note for note in profile.notes(table))


def test_the_whole_trace_as_a_step_ends_with_what_is_believed(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, launched(kernel("a", 100 * US, 9_000_000 * US, 1), 0), launched(kernel("b", 150 * US, 200 * US, 2), 5)
    )
    assert rows(profile.show("steps"), "start_ns", "duration_ns") == [(0, 200 * US)]


def test_a_dependent_launch_may_begin_some_microseconds_early(tmp_path: Path) -> None:
    early = [launched(kernel("a", 100 * US, 200 * US, 1), 0), launched(kernel("b", 180 * US, 300 * US, 2), 10)]
    profile = opened(tmp_path, early)
    assert check(profile, "stream_overlaps") is None
    assert rows(profile.show("kernels").sort("name"), "total_ns") == [100 * US, 120 * US]


def test_branches_of_a_graph_and_other_streams_may_run_side_by_side(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        call(0, 10, 1, name="cudaGraphLaunch"),
        kernel("branch", 100 * US, 300 * US, 1),
        kernel("other branch", 120 * US, 300 * US, 1),
        launched(kernel("elsewhere", 150 * US, 250 * US, 2, stream=9), 20),
    )
    assert check(profile, "stream_overlaps") is None


def test_of_kernels_on_lanes_the_hardware_stream_counts(tmp_path: Path) -> None:
    """Lanes of graph annotations put work of two streams on one lane, and work of one stream on two."""
    lane = {"stream": 60}
    apart = [
        kernel("a", 0, 200 * US, 1, original_stream=7, **{"graph node id": 5}),
        kernel("b", 50 * US, 100 * US, 2, original_stream=8, **{"graph node id": 6}),
    ]
    for event in apart:
        event["args"] |= lane
        event["tid"] = 60
    assert check(opened(tmp_path, apart), "stream_overlaps") is None
    apart[1]["args"] |= {"original_stream": 7, "stream": 61}
    assert check(opened(tmp_path, apart), "stream_overlaps") is not None


def test_the_order_of_events_in_the_file_does_not_matter(tmp_path: Path) -> None:
    events = [kernel(f"k{i}", i // 3 * 50 * US, (i // 3 * 50 + 90) * US, i + 1) for i in range(9)]
    tables = []
    for seed in range(4):
        random.Random(seed).shuffle(events)
        tables.append(opened(tmp_path, events).show("kernels"))
    assert all(table.equals(tables[0]) for table in tables)


def test_an_event_of_another_stream_cuts_nothing(tmp_path: Path) -> None:
    """Told quickly, without an order of all that is known: as with it, streams and not times alone decide."""
    beside = [kernel("a", 0, 900 * US, 1), kernel("b", 100 * US, 200 * US, 2, stream=8)]
    assert len(cut_short(opened(tmp_path, *beside).profile.ranks[0].trace)) == 0
