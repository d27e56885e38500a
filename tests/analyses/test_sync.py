"""Calls that hold the host."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import Event, call, kernel, launched, memcpy, opened, operator, rows, step, timed


def test_time_with_a_busy_and_with_an_idle_gpu(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        launched(kernel("a", 10, 20, 1), 0),
        operator("aten::_local_scalar_dense", 12, 40),
        call(15, 35, 7, name="cudaStreamSynchronize"),
    )
    assert profile.show("sync").to_dicts() == [
        {
            "name": "cudaStreamSynchronize",
            "waits_for": "stream",
            "operator": "aten::_local_scalar_dense",
            "calls": 1,
            "host_ns": 20,
            "busy_ns": 5,
            "idle_ns": 15,
            "mean_ns": 20,
            "max_ns": 20,
        }
    ]


@pytest.mark.parametrize(
    ("name", "waits_for"),
    [
        ("cudaDeviceSynchronize", "device"),
        ("hipDeviceSynchronize", "device"),
        ("cuCtxSynchronize", "device"),
        ("cudaStreamSynchronize", "stream"),
        ("cuStreamSynchronize_ptsz", "stream"),
        ("hipEventSynchronize", "event"),
        ("cudaMemcpy", "copy"),
        ("cuMemcpyDtoH_v2", "copy"),
        ("hipMemcpyWithStream", "copy"),
        ("cudaMalloc", "memory"),
        ("cudaFreeHost", "memory"),
        ("cuMemAlloc_v2", "memory"),
    ],
)
def test_what_a_call_waits_for(tmp_path: Path, name: str, waits_for: str) -> None:
    assert rows(opened(tmp_path, call(0, 10, 1, name=name)).show("sync"), "waits_for") == [waits_for]


@pytest.mark.parametrize(
    "name", ["cudaLaunchKernel", "cudaMemsetAsync", "cudaEventQuery", "cudaStreamWaitEvent", "cudaMallocAsync"]
)
def test_what_holds_nobody(tmp_path: Path, name: str) -> None:
    profile = opened(tmp_path, call(0, 10, 1, name=name))
    assert profile.show("sync").is_empty()
    assert profile.notes("sync") == ["no rows: no call blocked the CPU, as it should be"]


@pytest.mark.parametrize(
    ("kind", "ended", "held"),
    [
        ("Memcpy DtoH (Device -> Pageable)", 15, True),
        ("Memcpy HtoD (Pageable -> Device)", 15, True),
        ("Memcpy DtoH (Device -> Pinned)", 9, False),
        ("Memcpy DtoD (Device -> Device)", 9, False),
        ("Memcpy DtoH (Device -> Host)", 9, True),
        ("CopyDeviceToHost", 9, True),
        ("CopyDeviceToHost", 15, False),
    ],
)
def test_asynchronous_copies_that_hold_the_host(tmp_path: Path, kind: str, ended: int, held: bool) -> None:
    profile = opened(tmp_path, call(0, 10, 1, name="cudaMemcpyAsync"), memcpy(5, ended, 1, name=kind))
    assert rows(profile.show("sync"), "waits_for") == (["copy"] if held else [])


def test_recorded_events_name_the_stream(tmp_path: Path) -> None:
    def waited(name: str, correlation: int, **args: object) -> Event:
        return timed("cuda_sync", name, 0, 10, process=0, thread=7, correlation=correlation, **args)

    profile = opened(
        tmp_path,
        call(0, 10, 1, name="cudaStreamSynchronize"),
        waited("Stream Sync", 1, stream=7, cuda_sync_kind="Stream Sync"),
        call(20, 30, 2, name="cudaEventSynchronize"),
        waited("Event Sync", 2, stream=7, wait_on_stream=20, cuda_sync_kind="Event Sync"),
        call(40, 50, 3, name="cudaDeviceSynchronize"),
        waited("Context Sync", 3, cuda_sync_kind="Context Sync"),
    )
    assert sorted(rows(profile.show("sync"), "waits_for")) == ["device", "event of stream 20", "stream 7"]


def test_by_operator_and_by_line(tmp_path: Path) -> None:
    def frame(name: str, start: int, end: int) -> Event:
        return timed("python_function", name, start, end, process=1, thread=1)

    profile = opened(
        tmp_path,
        frame("train.py(7): step", 0, 100),
        operator("aten::item", 0, 20),
        call(5, 15, 1, name="cudaStreamSynchronize"),
        operator("aten::nonzero", 30, 70),
        call(35, 65, 2, name="cudaStreamSynchronize"),
        call(80, 81, 3, name="cudaStreamSynchronize"),
    )
    assert rows(profile.show("sync"), "operator", "calls") == [("aten::nonzero", 3)]
    assert rows(profile.show("sync", by="operator"), "operator", "calls", "host_ns") == [
        ("aten::nonzero", 1, 30),
        ("aten::item", 1, 10),
        (None, 1, 1),
    ]
    assert rows(profile.show("sync", source=True), "source", "calls") == [("train.py:7", 3)]


def test_the_profilers_own_wait_is_told(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 50),
        call(10, 20, 1, name="cudaDeviceSynchronize"),
        call(60, 90, 2, name="cudaDeviceSynchronize"),
    )
    assert profile.notes("sync") == [
        "1 call (75 % of the time) came after the last step: the profiler's own, when it stops"
    ]
    assert rows(profile.show("sync", step=1), "calls") == [1]


def test_without_calls(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10))
    assert profile.show("sync").is_empty()
    assert "no CUDA or HIP calls" in profile.notes("sync")[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traces")


ranges = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(sorted)
NAMES = ["cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaMalloc", "cudaLaunchKernel"]


@pytest.mark.long
@settings(max_examples=20)
@given(
    calls=st.lists(st.tuples(ranges, st.sampled_from(NAMES)), min_size=1, max_size=5),
    work=st.lists(ranges, max_size=4),
)
def test_busy_and_idle_time_sum_to_the_calls(
    folder: Path, calls: list[tuple[list[int], str]], work: list[list[int]]
) -> None:
    events = [call(*inside, number, name=name) for number, (inside, name) in enumerate(calls, 1)]
    profile = opened(folder, *events, *(kernel("k", *inside) for inside in work))
    holding = [inside for inside, name in calls if name != "cudaLaunchKernel"]
    worked = {at for begin, end in work for at in range(begin, end)}
    table = profile.show("sync")
    assert table["host_ns"].sum() == sum(end - begin for begin, end in holding)
    assert table["busy_ns"].sum() == sum(at in worked for begin, end in holding for at in range(begin, end))
    assert (table["busy_ns"] + table["idle_ns"]).to_list() == table["host_ns"].to_list()
    assert profile.show("sync", by="operator")["host_ns"].sum() == table["host_ns"].sum()


@pytest.mark.real_trace
def test_waits_of_a_recording_have_their_line(shared_data: Path) -> None:
    path = shared_data / "h200" / "pairs" / "sync_item.slow.pt.trace.json.gz"
    first = stepscope.open(str(path)).show("sync", source=True).row(0, named=True)
    assert (first["operator"], first["source"], first["calls"]) == (
        "aten::_local_scalar_dense",
        "scenarios.py:101",
        72,
    )
