"""What a step waits for: tiny traces whose path is obvious, and what holds for every path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import stepscope
from building import (
    Event,
    Events,
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
from stepscope.api import OpenProfile

ENGINE = "autograd::engine::evaluate_function: MmBackward0"
LOADER = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
PAGEABLE = "Memcpy HtoD (Pageable -> Device)"
DTOH = "Memcpy DtoH (Device -> Pinned)"


def path(profile: OpenProfile, **selection: Any) -> list[tuple[str, str, int, int]]:
    """The path in order of time: kind, name, start and end."""
    table = profile.show("critical_path", by="event", **selection)
    return [
        (kind, name, start, start + duration)
        for kind, name, start, duration in rows(table, "kind", "name", "start_ns", "duration_ns")
    ]


def wait_event(at: int, stream: int, wait_stream: int, correlation: int) -> list[Event]:
    """A call that makes a stream wait for another, and its CUDA sync event."""
    args = {"stream": stream, "wait_on_stream": wait_stream, "correlation": correlation, "device": 0}
    return [
        call(at, at + 1, correlation, name="cudaStreamWaitEvent"),
        timed("cuda_sync", "Stream Wait Event", at, at + 1, process=0, thread=stream, **args),
    ]


def test_a_gpu_with_work_in_its_queue_is_the_path(tmp_path: Path) -> None:
    """The host queues three kernels in 30 ns; what it does afterwards does not matter."""
    profile = opened(
        tmp_path,
        step(1, 0, 60),
        operator("aten::mm", 0, 10),
        operator("aten::add", 35, 55),
        launched(kernel("a", 10, 40, 1), 2),
        launched(kernel("b", 41, 80, 2), 12),
        launched(kernel("c", 81, 120, 3), 22),
    )
    assert path(profile) == [
        ("operator", "aten::mm", 0, 2),
        ("runtime", "cudaLaunchKernel", 2, 4),
        ("launch_latency", "cudaLaunchKernel", 4, 10),
        ("compute", "a", 10, 40),
        ("gpu_gap", "between queued activities", 40, 41),
        ("compute", "b", 41, 80),
        ("gpu_gap", "between queued activities", 80, 81),
        ("compute", "c", 81, 120),
    ]


def test_a_gpu_that_waits_for_the_host_is_not(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        operator("aten::mm", 0, 40),
        operator("aten::add", 50, 90),
        launched(kernel("a", 15, 20, 1), 10),
        launched(kernel("b", 65, 70, 2), 60),
    )
    assert path(profile) == [
        ("operator", "aten::mm", 0, 10),
        ("runtime", "cudaLaunchKernel", 10, 12),
        ("operator", "aten::mm", 12, 40),
        ("other", "nothing recorded", 40, 50),
        ("operator", "aten::add", 50, 60),
        ("runtime", "cudaLaunchKernel", 60, 62),
        ("operator", "aten::add", 62, 90),
        ("other", "nothing recorded", 90, 100),
    ]


def test_names_are_summed_by_kind(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 40),
        launched(kernel("a", 10, 40, 1), 2),
        launched(kernel("ncclDevKernel_AllReduce", 40, 80, 2), 12),
        launched(kernel("a", 80, 100, 3), 22),
    )
    columns = ("rank", "side", "kind", "name", "count", "duration_ns", "share_pct")
    assert rows(profile.show("critical_path"), *columns) == [
        (0, "gpu", "compute", "a", 2, 50, 50.0),
        (0, "gpu", "communication", "ncclDevKernel_AllReduce", 1, 40, 40.0),
        (0, "between", "launch_latency", "cudaLaunchKernel", 1, 6, 6.0),
        (0, "host", "other", "nothing recorded", 1, 2, 2.0),
        (0, "host", "runtime", "cudaLaunchKernel", 1, 2, 2.0),
    ]
    assert rows(profile.show("critical_path", by="kind"), "kind", "name", "duration_ns") == [
        ("compute", None, 50),
        ("communication", None, 40),
        ("launch_latency", None, 6),
        ("other", None, 2),
        ("runtime", None, 2),
    ]


@pytest.mark.parametrize("name", ["cudaStreamSynchronize", "cudaDeviceSynchronize", "hipStreamSynchronize", "cudaFree"])
def test_a_call_that_waits_for_the_gpu_leads_to_what_it_waited_for(tmp_path: Path, name: str) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 120),
        operator("aten::mm", 0, 10),
        launched(kernel("a", 10, 90, 1), 4),
        operator("aten::item", 20, 110),
        call(30, 95, 2, name=name),
    )
    assert path(profile) == [
        ("operator", "aten::mm", 0, 4),
        ("runtime", "cudaLaunchKernel", 4, 6),
        ("launch_latency", "cudaLaunchKernel", 6, 10),
        ("compute", "a", 10, 90),
        ("sync_return", name, 90, 95),
        ("operator", "aten::item", 95, 110),
        ("other", "nothing recorded", 110, 120),
    ]


def test_a_synchronisation_that_finds_the_gpu_done_is_a_call_like_others(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 60),
        launched(kernel("a", 10, 20, 1), 4),
        call(30, 50, 2, name="cudaStreamSynchronize"),
    )
    assert path(profile) == [
        ("other", "nothing recorded", 0, 4),
        ("runtime", "cudaLaunchKernel", 4, 6),
        ("other", "nothing recorded", 6, 30),
        ("runtime", "cudaStreamSynchronize", 30, 50),
        ("other", "nothing recorded", 50, 60),
    ]


@pytest.mark.parametrize(("stream", "waited"), [(7, "a"), (8, "b")])
def test_a_recorded_synchronisation_waits_for_its_own_stream(tmp_path: Path, stream: int, waited: str) -> None:
    """Both kernels end while the call runs, the one of stream 8 last."""
    end = {"a": 60, "b": 80}[waited]
    args = {"stream": stream, "correlation": 3, "device": 0}
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        launched(kernel("a", 10, 60, 1), 2),
        launched(kernel("b", 14, 80, 2, stream=8), 8),
        call(30, 90, 3, name="cudaStreamSynchronize"),
        timed("cuda_sync", "Stream Sync", 30, 90, process=0, thread=stream, **args),
    )
    assert ("sync_return", "cudaStreamSynchronize", end, 90) in path(profile)
    assert [name for kind, name, *_ in path(profile) if kind == "compute"] == [waited]


def test_an_event_of_another_stream_binds_the_later_activity(tmp_path: Path) -> None:
    """Stream 8 is told to wait for stream 7 before it gets its kernel."""
    profile = opened(
        tmp_path,
        step(1, 0, 40),
        launched(kernel("long", 10, 80, 1), 2),
        launched(kernel("early", 12, 20, 2, stream=8), 6),
        wait_event(12, 8, 7, 50),
        launched(kernel("late", 82, 100, 3, stream=8), 20),
    )
    assert path(profile)[-3:] == [
        ("compute", "long", 10, 80),
        ("gpu_gap", "after an event of another stream", 80, 82),
        ("compute", "late", 82, 100),
    ]
    assert profile.notes("critical_path") == []


def test_without_sync_events_the_other_stream_is_told_from_times(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 40),
        launched(kernel("long", 10, 80, 1), 2),
        launched(kernel("other", 10, 50, 4, stream=9), 4),
        launched(kernel("early", 12, 20, 2, stream=8), 6),
        call(12, 13, 50, name="cudaStreamWaitEvent"),
        launched(kernel("late", 82, 100, 3, stream=8), 20),
    )
    assert [piece[:2] for piece in path(profile)[-3:]] == [
        ("compute", "long"),
        ("gpu_gap", "after an event of another stream"),
        ("compute", "late"),
    ]
    [note] = profile.notes("critical_path")
    assert note.startswith("1 of 1 waits for events of other streams on the path are inferred from timestamps")


def test_what_was_launched_after_the_wait_is_not_waited_for(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 40),
        launched(kernel("early", 12, 20, 2, stream=8), 6),
        call(12, 13, 50, name="cudaStreamWaitEvent"),
        launched(kernel("long", 16, 80, 1), 14),
        launched(kernel("late", 82, 100, 3, stream=8), 20),
    )
    assert [name for kind, name, *_ in path(profile) if kind == "compute"] == ["late"]


def test_the_backward_pass_runs_on_a_thread_of_its_own(tmp_path: Path) -> None:
    """The main thread calls backward at 30 and goes on at 80; the engine's thread starts at 35."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        operator("aten::mm", 0, 30),
        timed("python_function", "<built-in method run_backward>", 30, 75, process=1, thread=1),
        operator(ENGINE, 35, 50, thread=2),
        operator("aten::mul", 40, 45, thread=2),
        operator(ENGINE, 55, 70, thread=2),
        operator("aten::add", 80, 100),
    )
    assert path(profile) == [
        ("operator", "aten::mm", 0, 30),
        ("python", "<built-in method run_backward>", 30, 35),
        ("operator", ENGINE, 35, 40),
        ("operator", "aten::mul", 40, 45),
        ("operator", ENGINE, 45, 50),
        ("other", "nothing recorded", 50, 55),
        ("operator", ENGINE, 55, 70),
        ("python", "<built-in method run_backward>", 70, 75),
        ("other", "nothing recorded", 75, 80),
        ("operator", "aten::add", 80, 100),
    ]
    table = profile.show("critical_path", by="event")
    assert table["thread"].to_list() == ["1", "1", "2", "2", "2", "2", "2", "1", "1", "1"]


def test_the_backward_pass_of_an_old_trace_has_no_events_of_the_engine(tmp_path: Path) -> None:
    """Traces of 2021: the wait for backward was "nothing recorded" on the critical path, 51 % of it."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        operator("aten::mm", 0, 30),
        operator("MmBackward", 35, 70, thread=2),
        operator("aten::add", 80, 100),
    )
    assert ("operator", "MmBackward", 35, 70) in path(profile)


def test_the_host_reads_counts_until_the_gpu_has_written_them(tmp_path: Path) -> None:
    """As DeepEP does, 25 to 67 us before the end of the kernel that exchanges the counts; no call was recorded."""
    counts = "void deep_ep::internode::notify_dispatch<false, 8>(int)"
    profile = opened(
        tmp_path,
        step(1, 0, 1_000_000),
        launched(kernel("expert", 20_000, 700_000, 1), 1_000),
        launched(kernel(counts, 700_000, 900_000, 2), 3_000),
        operator("aten::mm", 850_000, 1_000_000),
    )
    assert [(kind, name[:6]) for kind, name, *_ in path(profile) if kind in ("compute", "communication")] == [
        ("compute", "expert"),
        ("communication", counts[:6]),
    ]
    assert path(profile)[-1] == ("operator", "aten::mm", 850_000, 1_000_000)


@pytest.mark.parametrize(
    ("name", "resumes"), [("notify_dispatch", 650_000), ("notify_dispatch", 920_000), ("combine", 850_000)]
)
def test_a_host_that_pauses_for_its_own_reasons_reads_no_counts(tmp_path: Path, name: str, resumes: int) -> None:
    """Before the kernel began, after it ended, or with no counts to read."""
    profile = opened(
        tmp_path,
        step(1, 0, 1_000_000),
        launched(kernel(f"void deep_ep::internode::{name}<8>(int)", 700_000, 900_000, 2), 3_000),
        operator("aten::mm", resumes, 1_000_000),
    )
    assert [kind for kind, *_ in path(profile) if kind == "communication"] == []


def test_another_thread_that_works_meanwhile_is_not_the_path(tmp_path: Path) -> None:
    """The thread that pins memory has operators in the main thread's pause; only the engine's are waited for."""
    profile = opened(tmp_path, step(1, 0, 100), operator("aten::mm", 0, 30), operator("aten::copy_", 40, 70, thread=3))
    assert path(profile) == [("operator", "aten::mm", 0, 30), ("other", "nothing recorded", 30, 100)]


def test_a_graph_is_launched_once_and_its_kernels_follow_one_another(tmp_path: Path) -> None:
    """The second stream's kernel waited inside the graph for the one that ended just before it."""
    profile = opened(
        tmp_path,
        step(1, 0, 20),
        call(2, 10, 5, name="cudaGraphLaunch"),
        kernel("a", 15, 40, 5),
        kernel("b", 41, 50, 5),
        kernel("c", 51, 90, 5, stream=8),
    )
    assert path(profile) == [
        ("other", "nothing recorded", 0, 2),
        ("runtime", "cudaGraphLaunch", 2, 10),
        ("launch_latency", "cudaGraphLaunch", 10, 15),
        ("compute", "a", 15, 40),
        ("gpu_gap", "between queued activities", 40, 41),
        ("compute", "b", 41, 50),
        ("gpu_gap", "after an event of another stream", 50, 51),
        ("compute", "c", 51, 90),
    ]


def test_time_in_the_loader_belongs_to_the_loader(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 60),
        annotation(LOADER, 10, 50),
        operator("aten::stack", 20, 30),
        operator("aten::mm", 50, 60),
    )
    assert path(profile) == [
        ("other", "nothing recorded", 0, 10),
        ("data_loading", LOADER, 10, 50),
        ("operator", "aten::mm", 50, 60),
    ]


def test_a_mark_of_the_loader_without_a_moment_counts_nothing(tmp_path: Path) -> None:
    """Seen in a made trace: its missing time turned all others into floats."""
    mark = annotation(LOADER, 0, 500) | {"ph": "i", "cat": "loader"}
    del mark["ts"]
    profile = opened(tmp_path, step(1, 0, 60), annotation(LOADER, 10, 50), mark)
    assert [piece[0] for piece in path(profile)] == ["other", "data_loading", "other"]


def test_a_named_range_says_what_python_did_where_no_frames_were_recorded(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 40), annotation("Optimizer.step#SGD.step", 10, 30), operator("x", 20, 25))
    assert [piece[1] for piece in path(profile)] == [
        "nothing recorded",
        "Optimizer.step#SGD.step",
        "x",
        "Optimizer.step#SGD.step",
        "nothing recorded",
    ]


def test_a_copy_from_pageable_memory_waits_for_itself(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        call(10, 80, 1, name="cudaMemcpyAsync"),
        memcpy(20, 75, 1, name=PAGEABLE),
        operator("aten::mm", 80, 100),
    )
    assert path(profile) == [
        ("other", "nothing recorded", 0, 10),
        ("runtime", "cudaMemcpyAsync", 10, 20),
        ("memcpy", PAGEABLE, 20, 75),
        ("sync_return", "cudaMemcpyAsync", 75, 80),
        ("operator", "aten::mm", 80, 100),
    ]


def test_a_copy_to_pinned_memory_does_not(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 100), call(10, 80, 1, name="cudaMemcpyAsync"), memcpy(20, 75, 1, name=DTOH))
    assert path(profile)[1] == ("runtime", "cudaMemcpyAsync", 10, 80)


def test_a_launch_into_a_full_queue_waits_for_the_gpu(tmp_path: Path) -> None:
    """1,000 kernels of 1,000 ns are queued in 10,000 ns; the next launch hangs until some of them are done."""
    queued = [launched(kernel("k", 20_000 + 1000 * i, 21_000 + 1000 * i, i + 1), 10 * i) for i in range(1000)]
    profile = opened(
        tmp_path,
        step(1, 0, 200_000),
        queued,
        call(15_000, 115_000, 5000),
        kernel("last", 1_020_000, 1_021_000, 5000),
        operator("aten::mm", 115_000, 200_000, thread=1),
        launched(kernel("elsewhere", 1_199_990, 1_300_000, 6000, stream=8), 199_980),
    )
    table = profile.show("critical_path", by="event", step=1)
    assert rows(table, "kind", "start_ns")[-1] == ("compute", 1_199_990)
    kinds = dict(rows(profile.show("critical_path", by="kind"), "kind", "duration_ns"))
    assert kinds["operator"] == 199_980 - 115_000
    assert kinds["compute"] == 100_010 + 95_000
    assert kinds["runtime"] < 100


def test_steps_share_no_time(tmp_path: Path) -> None:
    """The GPU lags: each step's path is the time from the end of the previous step's work to the end of its own."""
    profile = opened(
        tmp_path,
        [step(number, 100 * number, 100 * number + 100) for number in (1, 2, 3)],
        [launched(kernel("k", 1000 * n, 1000 * n + 1000, n), at=100 * n + 50) for n in (1, 2, 3)],
    )
    table = profile.show("critical_path", by="step")
    totals = {number: table.filter(step=number)["duration_ns"].sum() for number in (1, 2, 3)}
    assert totals == {1: 1900, 2: 1000, 3: 1000}
    assert path(profile, step=2) == [("compute", "k", 2000, 3000)]
    assert profile.show("critical_path", by="step", step=2).rows() == table.filter(step=2).rows()


def test_work_queued_before_the_recording_is_no_step_s_own(tmp_path: Path) -> None:
    """Its correlation is lower than that of any recorded call."""
    profile = opened(tmp_path, step(1, 0, 100), kernel("old", 0, 500, 3), launched(kernel("own", 501, 700, 9), at=50))
    assert path(profile) == [("gpu_gap", "between queued activities", 500, 501), ("compute", "own", 501, 700)]


def test_work_without_launches_is_followed_along_its_stream(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("a", 0, 10), kernel("b", 11, 50), kernel("c", 50_000, 50_010))
    assert path(profile) == [
        ("compute", "a", 0, 10),
        ("gpu_gap", "between queued activities", 10, 11),
        ("compute", "b", 11, 50),
        ("unknown", "launch not recorded", 50, 50_000),
        ("compute", "c", 50_000, 50_010),
    ]
    [note] = profile.notes("critical_path")
    assert note.startswith("99.9 % of the path is unknown")


def test_a_late_start_on_an_idle_gpu_is_the_gpu_s(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 50), launched(kernel("a", 300_000, 300_100, 1), 10))
    assert path(profile)[-2:] == [
        ("gpu_gap", "launched, but not started", 12, 300_000),
        ("compute", "a", 300_000, 300_100),
    ]


def test_a_host_that_does_something_unrecorded_calls_for_stacks(tmp_path: Path) -> None:
    events = [step(1, 0, 100), operator("aten::mm", 0, 80)]
    [note] = opened(tmp_path, *events).notes("critical_path")
    assert note.startswith("20 % of the path is CPU time outside any operator or call: record with with_stack")
    frame = timed("python_function", "train.py(1): f", 85, 90, process=1, thread=1)
    assert opened(tmp_path, *events, frame).notes("critical_path") == []


def test_ranks_have_rows_of_their_own(tmp_path: Path) -> None:
    for rank in (0, 1):
        write(tmp_path / f"rank{rank}.json", step(1, 0, 10 + rank), operator("aten::mm", 0, 10))
    table = stepscope.open(str(tmp_path)).show("critical_path")
    assert rows(table, "rank", "name", "duration_ns") == [
        (0, "aten::mm", 10),
        (1, "aten::mm", 10),
        (1, "nothing recorded", 1),
    ]


def test_steps_without_time_say_so(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 5, 5), operator("aten::mm", 5, 5))
    assert len(profile.show("critical_path")) == 0
    assert profile.notes("critical_path") == ["no rows: the selected steps take no time"]


APIS = ["cudaLaunchKernel", "cudaStreamSynchronize", "cudaStreamWaitEvent", "cudaMemcpy", "cudaGraphLaunch"]
moments = st.integers(0, 60)
ranges = st.tuples(moments, moments).map(sorted)


@st.composite
def traces(draw: st.DrawFn) -> list[Events]:
    """Everything at once, in any order and overlapping in any way."""
    found: list[Events] = []
    for number, (start, end) in enumerate(draw(st.lists(ranges, max_size=3))):
        found.append(step(number, start, end))
    names = st.sampled_from(["aten::mm", ENGINE])
    for start, end in draw(st.lists(ranges, max_size=5)):
        found.append(operator(draw(names), start, end, thread=draw(st.integers(1, 2))))
    for start, end in draw(st.lists(ranges, max_size=6)):
        where = {"name": draw(st.sampled_from(APIS)), "thread": draw(st.integers(1, 3))}
        found.append(call(start, end, draw(st.integers(0, 4)), **where))
    for start, end in draw(st.lists(ranges, max_size=6)):
        correlation = draw(st.none() | st.integers(0, 4))
        if draw(st.booleans()):
            found.append(kernel("k", start, end, correlation, stream=draw(st.sampled_from([7, 8]))))
        else:
            found.append(memcpy(start, end, correlation, name=draw(st.sampled_from([PAGEABLE, DTOH]))))
    found.extend(wait_event(at, *draw(st.permutations([7, 8])), 90 + at) for at in draw(st.lists(moments, max_size=2)))
    return found or [step(0, 0, 1)]


@pytest.mark.long
@settings(max_examples=20, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(data=st.data(), events=traces())
def test_a_path_covers_its_steps_exactly(tmp_path_factory: pytest.TempPathFactory, data: Any, events: Any) -> None:
    """No gap, no overlap, and every grouping adds up to the same; the order of events in the file changes nothing."""
    folder = tmp_path_factory.mktemp("path")
    profile = opened(folder, *events)
    table = profile.show("critical_path", by="event")
    for number in table["step"].unique():
        mine = rows(table.filter(step=number), "start_ns", "duration_ns")
        assert [start + length for start, length in mine[:-1]] == [start for start, _ in mine[1:]]
    total = table["duration_ns"].sum()
    for by in ("", "kind", "step"):
        grouped = profile.show("critical_path", by=by)
        assert grouped["duration_ns"].sum() == total
        assert (grouped["duration_ns"] > 0).all()
    shuffled = opened(folder, *data.draw(st.permutations(events)))
    assert shuffled.show("critical_path", by="step").rows() == profile.show("critical_path", by="step").rows()
