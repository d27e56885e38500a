"""Why the GPU idles: gaps divided among causes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import (
    Event,
    annotation,
    call,
    kernel,
    launched,
    memcpy,
    opened,
    operator,
    rows,
    step,
    timed,
    write,
)
from oracles import general as oracle
from oracles import idle as idle_oracle
from stepscope.analyses.idle.gap_causes import gap_parts, gap_times
from stepscope.analyses.idle.gaps import find_gaps
from stepscope.api import OpenProfile

LOADER = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
US = 1000


def causes(profile: OpenProfile, **options: Any) -> list[tuple[Any, ...]]:
    return profile.show("idle", **options).select("cause", "duration_ns", "host_event").rows()


def frame(name: str, start: int, end: int, *, thread: Any = 1) -> Event:
    return timed("python_function", name, start, end, process=1, thread=thread)


def test_a_late_launch_names_what_the_host_was_in(tmp_path: Path) -> None:
    """The gap from 20 to 90 ends with a call at 80: host late for 60, launching for 10."""
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        operator("aten::mm", 25, 79),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert causes(profile) == [("host_late", 60, "aten::mm"), ("launch_latency", 10, "cudaLaunchKernel")]


def test_the_deepest_event_that_covers_half_of_the_time_is_named(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        frame("train.py(3): main", 0, 200),
        frame("data.py(9): tokenize", 25, 75),
        frame("<built-in function len>", 49, 51),
        launched(kernel("a", 10, 20, 1), 0),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert causes(profile)[0] == ("host_late", 60, "data.py(9): tokenize")
    assert rows(profile.show("idle"), "source") == ["data.py:9", "train.py:3"]


def test_a_gap_without_events_on_the_host(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("a", 10, 20, 1), 0), launched(kernel("b", 90, 100, 2), 80))
    assert causes(profile)[0] == ("host_late", 60, "(between operators)")


def test_many_small_operators_are_named_as_such(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        [operator(f"aten::op{number}", 20 + 6 * number, 24 + 6 * number) for number in range(10)],
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert causes(profile)[0] == ("host_late", 60, "(many small operators)")


def test_without_half_the_operator_that_covers_most_is_named(tmp_path: Path) -> None:
    """Of 60 an outer operator covers 28, of which 26 in an inner one; another covers 22."""
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        operator("aten::linear", 18, 48, external_id=1),
        operator("aten::addmm", 19, 46, external_id=2),
        operator("aten::relu", 58, 80, external_id=3),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert causes(profile)[0] == ("host_late", 60, "aten::addmm")


def test_where_an_object_lay_in_memory_is_no_part_of_a_name(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        frame("<built-in method run_backward of torch._C._EngineBase object at 0x7f1bfa700800>", 15, 85),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert causes(profile)[0][2] == "<built-in method run_backward of torch._C._EngineBase>"


def test_between_the_engines_operators_the_engine_is_named(tmp_path: Path) -> None:
    engine = "autograd::engine::evaluate_function: MmBackward0"
    profile = opened(
        tmp_path,
        launched(kernel("forward", 0, 5, 9), -5),
        operator(engine, 5, 15, thread=2),
        launched(kernel("a", 10, 20, 1), 8, thread=2),
        operator(engine, 78, 95, thread=2),
        launched(kernel("b", 90, 100, 2), 80, thread=2),
    )
    assert causes(profile)[0] == ("host_late", 63, "(autograd engine)")


def test_where_another_thread_launched_before_what_it_does_counts(tmp_path: Path) -> None:
    """Autograd's thread ends backward, the main thread launches the optimizer."""
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0, thread=2),
        operator("aten::sum", 22, 78, thread=2),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert causes(profile)[0] == ("host_late", 60, "aten::sum")


def test_a_wait_for_the_gpu_is_sync(tmp_path: Path) -> None:
    """From 20 to 30 the call has yet to return; from 12 to 20 it kept the host from queueing work: 18 in all."""
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        operator("aten::item", 8, 32),
        call(12, 30, 7, name="cudaStreamSynchronize"),
        operator("aten::mm", 32, 79),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert causes(profile) == [
        ("host_late", 42, "aten::mm"),
        ("sync", 18, "cudaStreamSynchronize in aten::item"),
        ("launch_latency", 10, "cudaLaunchKernel"),
    ]


def test_a_wait_costs_no_more_than_the_gap(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 1000, 1), 0),
        call(12, 1005, 7, name="cudaDeviceSynchronize"),
        launched(kernel("b", 1100, 1200, 2), 1080),
    )
    assert causes(profile) == [("sync", 80, "cudaDeviceSynchronize"), ("launch_latency", 20, "cudaLaunchKernel")]


@pytest.mark.parametrize("name", ["cudaMalloc", "cudaFree", "hipMalloc", "cuMemAlloc_v2", "cudaHostAlloc"])
def test_allocating_and_freeing_hold_the_thread(tmp_path: Path, name: str) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        call(30, 70, 7, name=name),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert ("sync", 40, name) in causes(profile)


@pytest.mark.parametrize("name", ["cudaMallocAsync", "cudaFreeAsync", "cudaEventQuery", "cudaStreamWaitEvent"])
def test_calls_that_return_at_once_do_not(tmp_path: Path, name: str) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        call(30, 70, 7, name=name),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert [cause for cause, *_ in causes(profile)] == ["host_late", "launch_latency"]


def test_a_wait_on_a_thread_that_launches_nothing_holds_nobody(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        call(12, 70, 7, name="cudaEventSynchronize", thread=5),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert [cause for cause, *_ in causes(profile)] == ["host_late", "launch_latency"]


def test_the_data_loader(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        annotation(LOADER, 15, 60),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert causes(profile)[0] == ("data_loading", 40, LOADER)


def test_a_collective_that_waits_on_the_host(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        operator("c10d::barrier", 20, 75),
        call(30, 70, 7, name="cudaStreamSynchronize"),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert causes(profile) == [
        ("communication_wait", 40, "cudaStreamSynchronize in c10d::barrier"),
        ("host_late", 20, "c10d::barrier"),
        ("launch_latency", 10, "cudaLaunchKernel"),
    ]


def test_a_collective_that_takes_a_millisecond_on_the_host_waits(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 0, 10, 1), -5),
        operator("c10d::allreduce_", 10, 1_500_010),
        launched(kernel("b", 1_500_030, 1_600_000, 2), 1_500_020),
    )
    assert causes(profile)[0] == ("communication_wait", 1_500_000, "c10d::allreduce_")


def test_a_copy_from_pageable_memory_is_the_hosts(tmp_path: Path) -> None:
    """The host fills a staging buffer before the copy begins."""
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        call(30, 200, 2, name="cudaMemcpyAsync"),
        memcpy(90, 190, 2, name="Memcpy HtoD (Pageable -> Device)"),
    )
    assert causes(profile) == [
        ("memory_copy", 60, "cudaMemcpyAsync"),
        ("host_late", 10, "(between operators)"),
    ]


def test_a_graph_with_a_copy_in_it_holds_nobody(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        call(30, 60, 2, name="cudaGraphLaunch"),
        kernel("b", 40, 50, 2),
        memcpy(50, 55, 2, name="Memcpy HtoD (Pageable -> Device)"),
        launched(kernel("c", 90, 100, 3), 80),
    )
    assert sorted(cause for cause, *_ in causes(profile)) == ["host_late", "launch_latency"]


def test_a_copy_to_pageable_memory_holds_the_host_until_it_is_done(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        call(0, 40, 1, name="cudaMemcpyAsync"),
        memcpy(10, 30, 1, name="Memcpy DtoH (Device -> Pageable)"),
        launched(kernel("b", 90, 100, 2), 80),
    )
    assert causes(profile)[0] == ("sync", 30, "cudaMemcpyAsync")


def test_work_that_was_queued_follows_after_a_moment(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("a", 10, 20, 1), 0), launched(kernel("b", 22, 30, 2), 5))
    assert causes(profile) == [("launch_latency", 2, "cudaLaunchKernel")]


def test_queued_work_behind_a_wait_for_an_event_depends_on_another_stream(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        call(3, 4, 8, name="cudaStreamWaitEvent"),
        launched(kernel("b", 26, 30, 2, stream=9), 5),
    )
    assert causes(profile) == [("dependency", 6, "cudaLaunchKernel")]


def test_a_gpu_that_begins_far_too_late_has_no_known_cause(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("a", 10, 20, 1), 0), launched(kernel("b", 20 + 50 * US, 60 * US, 2), 5))
    assert causes(profile) == [("unknown", 50 * US, "cudaLaunchKernel")]
    [note] = profile.notes("idle")
    assert note.startswith("100 % of the idle time: work was launched, but the GPU started late")


def test_a_lost_launch_has_no_known_cause(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("a", 10, 20, 1), kernel("b", 30, 40, 2))
    assert causes(profile) == [("unknown", 10, None)]
    assert "was not recorded" in profile.notes("idle")[0]


def test_unrecorded_launches_before_recorded_ones_of_the_same_stream_came_first(tmp_path: Path) -> None:
    """Work of a stream is done in order: b was queued before c, which was launched before the gap."""
    profile = opened(tmp_path, kernel("a", 10, 20, 7), kernel("b", 22, 30, 8), launched(kernel("c", 30, 40, 3), 5))
    assert causes(profile) == [("dependency", 2, None)]


def test_only_a_gpu(tmp_path: Path) -> None:
    assert causes(opened(tmp_path, kernel("a", 0, 10), kernel("b", 15, 20))) == [("unknown", 5, None)]


def test_no_gpu(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10))
    assert causes(profile) == []
    assert "no GPU activity" in profile.notes("idle")[0]


def test_one_activity_leaves_no_gap(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("a", 10, 20, 1), 0))
    assert causes(profile) == []
    assert profile.notes("idle") == ["no rows: nothing of this kind happened in the selection"]


def test_columns_of_a_cause(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 50 * US),
        step(2, 50 * US, 100 * US),
        launched(kernel("a", 10, 20, 1), 0),
        launched(kernel("b", 30, 40, 2), 25),
        launched(kernel("c", 40 + 30 * US, 60 * US, 3), 30 * US),
    )
    [late, launching] = profile.show("idle").to_dicts()
    assert late == {
        "rank": 0,
        "cause": "host_late",
        "duration_ns": 30 * US - 40 + 5,
        "share_pct": pytest.approx(100 * (30 * US - 35) / (30 * US + 10)),
        "gaps": 2,
        "host_event": "(between operators)",
        "source": None,
        "per_step_ns": 30 * US - 35,
        "longest_ns": 30 * US - 40,
        "micro_ns": 5,
        "macro_ns": 30 * US - 40,
        "start_ns": 40,
    }
    assert launching["duration_ns"] == 45


def test_a_row_per_gap(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        call(20, 45, 7, name="cudaStreamSynchronize"),
        launched(kernel("b", 90, 100, 2), 80),
        launched(kernel("c", 101, 110, 3), 85),
    )
    columns = ("start_ns", "duration_ns", "cause", "previous_activity", "next_activity", "sync_ns", "launch_latency_ns")
    assert rows(profile.show("idle", by="gap"), *columns) == [
        (20, 70, "host_late", "a", "b", 25, 10),
        (100, 1, "launch_latency", "b", "c", 0, 1),
    ]


def test_the_second_look_at_each_stream(tmp_path: Path) -> None:
    """Stream 9 waits while stream 7 works and launches late afterwards; the GPU as a whole idles less."""
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1, stream=9), 0),
        launched(kernel("long", 15, 60, 2), 3),
        call(5, 6, 8, name="cudaStreamWaitEvent"),
        launched(kernel("b", 70, 80, 3, stream=9), 8),
        launched(kernel("ncclDevKernel_AllReduce", 80, 95, 4), 12),
    )
    assert causes(profile) == [("dependency", 10, "cudaLaunchKernel")]
    table = profile.show("idle", by="stream")
    assert rows(table, "device", "stream", "cause", "duration_ns") == [
        (0, 7, "dependency", 10),
        (0, 7, "launch_latency", 10),
        (0, 9, "dependency", 50),
    ]
    assert rows(profile.show("idle", by="device"), "device", "duration_ns") == [(0, 10)]


def test_each_device_has_gaps_of_its_own(tmp_path: Path) -> None:
    """Together the devices idle from 20 to 30; each alone idles longer."""
    other = [launched(kernel("c", 30, 60, 3), 2), launched(kernel("d", 70, 80, 4), 4)]
    for work in other:
        work[1]["args"]["device"] = 1
    profile = opened(tmp_path, launched(kernel("a", 10, 20, 1), 0), launched(kernel("b", 50, 70, 2), 6), *other)
    assert rows(profile.show("idle"), "duration_ns") == [10]
    assert rows(profile.show("idle", by="device"), "device", "cause", "duration_ns") == [
        (0, "dependency", 20),
        (0, "launch_latency", 10),
        (1, "dependency", 10),
    ]
    assert rows(profile.show("summary"), "idle_ns") == [10]


def test_gaps_inside_a_selected_step(tmp_path: Path) -> None:
    """A gap is a stretch in which nothing runs at all, work of other steps included."""
    profile = opened(
        tmp_path,
        step(1, 0, 10),
        step(2, 10, 100),
        launched(kernel("a", 30, 50, 1), 2),
        launched(kernel("b", 20, 30, 2, stream=9), 12),
        launched(kernel("c", 55, 60, 3), 14),
    )
    assert causes(profile, step=2) == [("launch_latency", 5, "cudaLaunchKernel")]
    assert rows(profile.show("summary", step=2), "idle_ns") == [25]


def test_the_wait_that_opens_a_step_is_the_steps(tmp_path: Path) -> None:
    """From the end of step 1's work at 20 to the end of step 2's; both together have all there is."""
    profile = opened(
        tmp_path,
        step(1, 0, 30),
        annotation(LOADER, 32, 62),
        step(2, 30, 120),
        launched(kernel("a", 10, 20, 1), 5),
        launched(kernel("b", 70, 80, 2), 64),
        launched(kernel("c", 85, 90, 3), 82),
    )
    assert rows(profile.show("idle", step=2), "cause", "duration_ns", "per_step_ns") == [
        ("data_loading", 30, 30),
        ("host_late", 16, 16),
        ("launch_latency", 9, 9),
    ]
    assert profile.show("idle", step=1).rows() == []
    assert rows(profile.show("idle"), "duration_ns") == [30, 16, 9]


@pytest.mark.parametrize(("gap", "cause"), [(900_000, "dependency"), (2_000_000, "unknown")])
def test_an_event_that_nothing_recorded_sets_is_not_waited_for_long(tmp_path: Path, gap: int, cause: str) -> None:
    """A server's prefill ran for 463 ms in another file of the recording: it was an "inter-kernel gap" of this one."""
    profile = opened(
        tmp_path,
        launched(kernel("a", 1_000, 100_000, 1), 100),
        call(300, 400, 9, name="hipStreamWaitEvent"),
        launched(kernel("b", 100_000 + gap, 3_000_000, 2), 500),
    )
    assert rows(profile.show("idle"), "cause", "duration_ns") == [(cause, gap)]


def test_only_the_first_node_of_a_replay_waits_for_its_launch(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 0, 10, 1), 0),
        call(12, 40, 2, name="cudaGraphLaunch"),
        kernel("b", 20, 25, 2),
        kernel("c", 27, 30, 2),
    )
    assert causes(profile) == [
        ("launch_latency", 8, "cudaGraphLaunch"),
        ("dependency", 2, "cudaGraphLaunch"),
        ("host_late", 2, "(between operators)"),
    ]


def test_what_was_queued_long_ago_does_not_wait_for_its_launch(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, launched(kernel("a", 10, 50 * US, 1), 0), launched(kernel("b", 50 * US + 2, 60 * US, 2), 5)
    )
    assert causes(profile) == [("dependency", 2, "cudaLaunchKernel")]


def test_sources_are_rows_when_asked_for(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        frame("train.py(3): main", 0, 300),
        launched(kernel("a", 10, 20, 1), 0),
        frame("loss.py(7): loss", 22, 75),
        call(30, 70, 7, name="cudaStreamSynchronize"),
        launched(kernel("b", 90, 100, 2), 80),
        frame("loss.py(9): log", 102, 175),
        call(110, 170, 7, name="cudaStreamSynchronize"),
        launched(kernel("c", 190, 200, 3), 180),
    )
    assert rows(profile.show("idle", source=True), "cause", "source", "duration_ns")[:2] == [
        ("sync", "loss.py:9", 60),
        ("sync", "loss.py:7", 40),
    ]
    assert rows(profile.show("idle"), "cause", "source", "duration_ns")[0] == ("sync", "loss.py:9", 100)


def test_ranks_come_one_after_the_other(tmp_path: Path) -> None:
    write(tmp_path / "rank0.json", launched(kernel("a", 10, 20, 1), 0), launched(kernel("b", 22, 30, 2), 5))
    write(tmp_path / "rank1.json", launched(kernel("a", 10, 20, 1), 0), launched(kernel("b", 32, 40, 2), 5))
    profile = stepscope.open(str(tmp_path))
    assert rows(profile.show("idle"), "rank", "duration_ns") == [(0, 2), (1, 12)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traces")


moments = st.integers(0, 60).map(lambda at: at * US)
ranges = st.tuples(moments, moments).map(sorted)
threads = st.integers(1, 2)
CALLS = [
    *["cudaLaunchKernel"] * 3,
    "cudaStreamSynchronize",
    "cudaMalloc",
    "cudaStreamWaitEvent",
    "cudaMemcpyAsync",
]
COPIES = ["Memcpy HtoD (Pageable -> Device)", "Memcpy DtoH (Device -> Pinned)", "Memcpy DtoH (Device -> Host)"]


@st.composite
def traces(draw: st.DrawFn) -> list[Event]:
    calls = draw(st.lists(st.tuples(ranges, st.sampled_from(CALLS), threads), min_size=1, max_size=7))
    events = [call(*inside, number, name=name, thread=thread) for number, (inside, name, thread) in enumerate(calls, 1)]
    for number, name in enumerate(draw(st.lists(st.sampled_from(["aten::mm", "c10d::allreduce_"]), max_size=3))):
        events.append(operator(name, *draw(ranges), thread=draw(threads), external_id=number))
    if draw(st.booleans()):
        events.append(annotation(LOADER, *draw(ranges), thread=draw(threads)))
    for number in draw(st.lists(st.integers(1, 9), max_size=6)):
        stream = draw(st.sampled_from([7, 9]))
        name = draw(st.sampled_from(["gemm", "ncclDevKernel_AllReduce"]))
        events.append(kernel(name, *draw(ranges), number, stream=stream))
    copies = draw(st.lists(st.tuples(ranges, st.integers(1, 9), st.sampled_from(COPIES)), max_size=2))
    return [*events, *(memcpy(*inside, number, name=name) for inside, number, name in copies)]


def compared(profile: OpenProfile, events: oracle.Events) -> list[str]:
    """What the parts of the gaps are and what the oracle says, where they differ."""
    rank = profile.profile.ranks[0]
    without_events = gap_parts(rank).select("gap", "cause", "part_ns")
    differences = [] if gap_times(rank).equals(without_events) else ["gap_times differs from gap_parts"]
    for lane in ("", "stream"):

        def key(activity: oracle.Timed, lane: str = lane) -> Any:
            return (activity.args.get("device"), activity.args.get("stream")) if lane else None

        idle = idle_oracle.Idle(events, key)
        wanted = {(key(gap.following), gap.start, gap.end): idle.parts(gap) for gap in idle.gaps()}
        parts: dict[int, dict[str, int]] = {}
        for gap, cause, part in gap_parts(rank, lane).select("gap", "cause", "part_ns").iter_rows():
            parts.setdefault(gap, {}).setdefault(cause, 0)
            parts[gap][cause] += part
        got = {}
        for number, gap in enumerate(find_gaps(rank, lane).iter_rows(named=True)):
            place = (gap["device"], gap["stream"]) if lane else None
            got[place, gap["start_ns"], gap["end_ns"]] = parts[number]
        every = sorted(got.keys() | wanted.keys(), key=str)
        differences += [f"{k}: {got.get(k)}, not {wanted.get(k)}" for k in every if got.get(k) != wanted.get(k)]
    return differences


@pytest.mark.long
@settings(max_examples=25)
@given(events=traces())
def test_parts_sum_to_all_idle_time_and_equal_the_oracles(folder: Path, events: list[Event]) -> None:
    profile = opened(folder, *events)
    whole = profile.show("summary")["idle_ns"].sum()
    for table in (profile.show("idle"), profile.show("idle", by="gap"), profile.show("idle", source=True)):
        assert table["duration_ns"].sum() == whole
        assert (table["micro_ns"] + table["macro_ns"]).to_list() == table["duration_ns"].to_list()
    gaps = profile.show("idle", by="gap")
    columns = [name for name in gaps.columns if name.removesuffix("_ns") in idle_oracle.CAUSES]
    assert gaps.select(columns).sum_horizontal().to_list() == gaps["duration_ns"].to_list()
    assert compared(profile, oracle.Events(events)) == []


@pytest.mark.long
@settings(max_examples=8)
@given(data=st.data(), events=traces())
def test_the_order_of_events_changes_nothing(folder: Path, data: st.DataObject, events: list[Event]) -> None:
    shuffled = opened(folder, *data.draw(st.permutations(events)))
    profile = opened(folder, *events)
    columns = ["cause", "duration_ns", "gaps", "longest_ns", "start_ns"]
    for by in ("", "stream", "gap"):
        assert shuffled.show("idle", by=by).select(columns).rows() == profile.show("idle", by=by).select(columns).rows()


RECORDINGS = [
    "h200/train/cnn.step7.pt.trace.json.gz",
    "h200/diverse/streams_sync_events.pt.trace.json.gz",
    "h200/ranks/collectives4/rank0.json.gz",
    "public/hta/mi250-rocm6.2-minitoy.json.gz",
    "public/hta/two_rank/sampled-128world-rank0.json.gz",
]
LARGER = [
    "h200/pairs/sync_item.slow.pt.trace.json.gz",
    "h200/pairs/dataloader_workers.slow.pt.trace.json.gz",
    "h200/pairs/empty_cache.slow.pt.trace.json.gz",
    "h200/pairs/launch_bound_decode.mended.pt.trace.json.gz",
    "h200/ranks/ddp4/rank0.json.gz",
    "h200/ranks/fsdp4/rank1.json.gz",
    "public/hta/a100-8rank-old_schema-rank3.json.gz",
    "public/tracelens/b200__eager_trace.json.gz",
    "public/tracelens/mi300__resnet_act_checkpoint.json.gz",
    "public/tracelens/inference__vllm_prefilldecode_piecewise__graph_execution.json.gz",
]


@pytest.mark.real_trace
@pytest.mark.parametrize("name", [*RECORDINGS, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGER)])
def test_gaps_of_a_recording_divide_as_the_oracle_says(shared_data: Path, name: str) -> None:
    path = shared_data / name
    profile = stepscope.open(str(path))
    assert compared(profile, oracle.read(path)) == []
    assert profile.show("idle")["duration_ns"].sum() == profile.show("summary")["idle_ns"].sum()


PLANTED = {
    "sync_item": ("sync", "cudaStreamSynchronize in aten::_local_scalar_dense", "scenarios.py:101"),
    "empty_cache": ("sync", "cudaFree", "scenarios.py:105"),
    "dataloader_workers": ("data_loading", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", None),
}


@pytest.mark.real_trace
@pytest.mark.parametrize("pair", PLANTED)
def test_a_planted_bottleneck_is_found_and_gone_once_mended(shared_data: Path, pair: str) -> None:
    cause, event, line = PLANTED[pair]
    tables = {}
    for state in ("slow", "mended"):
        path = shared_data / "h200" / "pairs" / f"{pair}.{state}.pt.trace.json.gz"
        tables[state] = {row["cause"]: row for row in stepscope.open(str(path)).show("idle").to_dicts()}
    slow = tables["slow"][cause]
    assert slow["host_event"] == event
    assert line is None or slow["source"] == line
    assert tables["mended"].get(cause, {"duration_ns": 0})["duration_ns"] < 0.01 * slow["duration_ns"]


def test_times_per_step_say_of_how_many_steps_they_are_the_mean(tmp_path: Path) -> None:
    """Seen with a slow data loader: "56.2 ms a step" stood beside 166 ms of three steps, and nothing said that it is
    the mean of the two whose beginning on the GPU timeline is known."""
    work = [launched(kernel("k", at + 20, at + 60, at + 1), at + 10) for at in (0, 100, 200)]
    profile = opened(tmp_path, *(step(i, 100 * i, 100 * i + 100) for i in range(3)), *work)
    table = profile.show("idle")
    assert int(table["duration_ns"].sum()) == 120
    assert int(table["per_step_ns"].sum()) == 60
    [note] = profile.notes("idle")
    assert note.startswith("times per step are the mean of 2 whole steps on the GPU timeline; the other columns")
    unmarked = opened(tmp_path, *work)
    assert unmarked.notes("idle") == []
