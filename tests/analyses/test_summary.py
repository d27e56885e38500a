"""GPU time of each rank."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building import kernel, launched, memcpy, memset, opened, operator, rows, step, timed, write

NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"


def test_time_is_divided_into_computing_communicating_copying_and_idling(tmp_path: Path) -> None:
    """The collective is half covered by the kernel; the copy is covered by it at first, then by nothing."""
    profile = opened(
        tmp_path,
        {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "python"}},
        kernel("gemm", 100, 200),
        kernel(NCCL, 150, 250, stream=20),
        memcpy(240, 300),
        memset(400, 410),
        deviceProperties=[{"id": 0, "name": "NVIDIA H200"}],
    )
    assert profile.show("summary").to_dicts() == [
        {
            "rank": 0,
            "device": "NVIDIA H200",
            "events": 5,
            "steps": 1,
            "span_ns": 310,
            "busy_ns": 210,
            "idle_ns": 100,
            "compute_ns": 100,
            "communication_ns": 100,
            "exposed_communication_ns": 50,
            "memory_ns": 70,
            "exposed_memory_ns": 60,
            "overlap_pct": 50.0,
            "kernels": 2,
            "memcpys": 1,
            "memsets": 1,
        }
    ]


def test_overlap_is_null_without_communication(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("gemm", 0, 10))
    assert rows(profile.show("summary"), "communication_ns", "overlap_pct") == [(0, None)]


def test_concurrent_kernels_count_once(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("a", 0, 60), kernel("b", 20, 100, stream=8), kernel("c", 30, 40, stream=9))
    assert rows(profile.show("summary"), "span_ns", "busy_ns", "compute_ns", "kernels") == [(100, 100, 100, 3)]


def test_the_span_includes_activities_of_no_length(tmp_path: Path) -> None:
    """Traces in whole microseconds hold many fills of length 0; one may be the first or last activity."""
    profile = opened(tmp_path, memset(10, 10), kernel("gemm", 20, 30), memset(50, 50))
    assert rows(profile.show("summary"), "span_ns", "busy_ns", "idle_ns") == [(40, 10, 30)]


def test_only_the_category_makes_an_activity(tmp_path: Path) -> None:
    """Synchronisation and annotations of the GPU have streams, and so may operators; none of them runs on the GPU."""
    profile = opened(
        tmp_path,
        kernel("gemm", 100, 200),
        timed("cuda_sync", "Stream Wait Event", 0, 90, process=0, thread=7, stream=7),
        timed("gpu_user_annotation", "ProfilerStep#1", 0, 500, process=0, thread=7, stream=7),
        operator("triton_poi_fused_add_0", 0, 700, stream=7),
    )
    assert rows(profile.show("summary"), "span_ns", "busy_ns", "kernels") == [(100, 100, 1)]


@pytest.mark.parametrize(("category", "counts"), [("Kernel", (1, 0, 0)), ("Memcpy", (0, 1, 0)), ("Memset", (0, 0, 1))])
def test_categories_of_old_traces_are_known(tmp_path: Path, category: str, counts: tuple[int, int, int]) -> None:
    profile = opened(tmp_path, timed(category, "something", 0, 10, process=0, thread=7))
    assert rows(profile.show("summary"), "kernels", "memcpys", "memsets", "busy_ns") == [(*counts, 10)]


def test_events_without_usable_times_are_rows_but_no_activity(tmp_path: Path) -> None:
    negative = kernel("gemm", 100, 200) | {"dur": -1}
    endless = kernel("gemm", 100, 200)
    del endless["dur"]
    profile = opened(tmp_path, kernel("gemm", 0, 10), negative, endless)
    assert rows(profile.show("summary"), "events", "kernels", "span_ns") == [(3, 1, 10)]


def test_a_trace_of_the_host_alone_has_no_gpu_time(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10))
    assert rows(profile.show("summary"), "device", "events", "span_ns", "idle_ns", "kernels") == [("", 1, 0, 0, 0)]


def test_times_with_an_absolute_epoch_stay_exact(tmp_path: Path) -> None:
    """As float these microseconds would keep only quarters."""
    epoch = 1_712_195_495_502_094_567
    profile = opened(tmp_path, kernel("a", epoch + 1, epoch + 2), kernel("b", epoch + 3, epoch + 1000))
    assert rows(profile.show("summary"), "span_ns", "busy_ns", "idle_ns") == [(999, 998, 1)]


def test_start_and_duration_are_each_rounded_half_to_even(tmp_path: Path) -> None:
    """0.0005 us is half a nanosecond: 0; 0.0015 us: 2; so the kernel runs from 0 to 2, the other from 2 to 2 + 4."""
    first = kernel("a", 0, 0) | {"ts": 0.0005, "dur": 0.0015}
    second = kernel("b", 0, 0) | {"ts": 0.0015, "dur": 0.0035}
    profile = opened(tmp_path, first, second)
    assert rows(profile.show("summary"), "span_ns", "busy_ns") == [(6, 6)]


def test_a_selected_step_shows_what_was_launched_in_it(tmp_path: Path) -> None:
    """The kernel of step 1 runs while the host is in step 2. What has no launch is of no step."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        step(2, 100, 200),
        launched(kernel("first", 120, 150, 1), at=90),
        launched(kernel("second", 160, 190, 2), at=110),
        kernel("unlinked", 190, 195),
    )
    columns = ("steps", "span_ns", "kernels")
    assert rows(profile.show("summary", step=1), *columns) == [(1, 30, 1)]
    assert rows(profile.show("summary", step=2), *columns) == [(1, 30, 1)]
    assert rows(profile.show("summary", step=(1, 2)), *columns) == [(2, 70, 2)]
    assert rows(profile.show("summary"), *columns) == [(2, 75, 3)]


def test_ranks_are_rows_by_number(tmp_path: Path) -> None:
    write(tmp_path / "rank10.json", kernel("a", 0, 10))
    write(tmp_path / "rank9.json", kernel("a", 0, 20))
    assert rows(stepscope.open(str(tmp_path)).show("summary"), "rank", "busy_ns") == [(9, 20), (10, 10)]


@pytest.mark.parametrize(
    ("devices", "name"),
    [((0,), "NVIDIA H200"), ((0, 1), "2 x NVIDIA H200"), ((0, 2), "NVIDIA H200, GPU"), ((5,), "")],
)
def test_the_device_is_named_as_recorded(tmp_path: Path, devices: tuple[int, ...], name: str) -> None:
    kernels = [kernel("a", 0, 10) for _ in devices]
    for event, number in zip(kernels, devices, strict=True):
        event["args"]["device"] = number
    known = [{"id": 0, "name": "NVIDIA H200"}, {"id": 1, "name": "NVIDIA H200"}, {"id": 2, "name": ""}]
    assert rows(opened(tmp_path, kernels, deviceProperties=known).show("summary"), "device") == [name]
