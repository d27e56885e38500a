"""Which call launched an activity, and which operator that makes its owner."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import annotation, arrow, call, kernel, launched, memcpy, opened, operator, rows, timed
from stepscope.api import OpenProfile
from stepscope.schema import UNATTRIBUTED


def owners(profile: OpenProfile) -> dict[str, int]:
    """GPU time by the operator it belongs to."""
    return {name: own for name, own in rows(profile.show("operators"), "name", "device_self_ns") if own}


def test_an_activity_belongs_to_the_operator_around_its_launch(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        operator("aten::add", 100, 200),
        launched(kernel("gemm", 150, 180, 1), at=50),
        launched(kernel("add", 300, 305, 2), at=100),
    )
    assert owners(profile) == {"aten::mm": 30, "aten::add": 5}


def test_one_graph_launch_owns_all_kernels_of_the_graph(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("replay", 0, 100),
        call(10, 90, 7, name="cudaGraphLaunch"),
        kernel("a", 200, 210, 7),
        kernel("b", 210, 230, 7),
        memcpy(230, 260, 7),
    )
    assert owners(profile) == {"replay": 60}


def test_the_start_of_the_launch_decides_not_its_end(tmp_path: Path) -> None:
    """The call begins in the operator and outlasts it; another begins exactly where the operator ends."""
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        call(99, 120, 1),
        kernel("a", 200, 210, 1),
        call(100, 120, 2),
        kernel("b", 210, 230, 2),
    )
    assert owners(profile) == {"aten::mm": 10, UNATTRIBUTED: 20}


def test_work_queued_before_the_window_is_unattributed(tmp_path: Path) -> None:
    """Nothing but its correlation, which no call has, tells of the launch."""
    profile = opened(tmp_path, operator("aten::mm", 0, 100), kernel("early", 10, 50, 3))
    assert owners(profile) == {UNATTRIBUTED: 40}


@pytest.mark.parametrize("correlation", [0, None])
def test_correlation_zero_or_none_does_not_link(tmp_path: Path, correlation: int | None) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        call(10, 20, 0),
        timed("cuda_runtime", "cudaLaunchKernel", 30, 40, process=1, thread=1),
        kernel("a", 50, 60, correlation),
    )
    assert owners(profile) == {UNATTRIBUTED: 10}


def test_of_several_calls_the_last_to_start_is_the_launch(tmp_path: Path) -> None:
    """Correlation numbers start anew where a process profiles twice."""
    profile = opened(
        tmp_path,
        operator("second", 100, 200),
        operator("first", 0, 100),
        call(150, 155, 4),
        call(50, 55, 4),
        kernel("a", 300, 310, 4),
    )
    assert owners(profile) == {"second": 10}


def test_of_several_calls_the_one_where_a_flow_starts_is_the_launch(tmp_path: Path) -> None:
    right = call(50, 55, 4)
    activity = kernel("a", 300, 310, 4)
    profile = opened(
        tmp_path,
        operator("first", 0, 100),
        operator("second", 100, 200),
        right,
        call(150, 155, 4),
        activity,
        arrow(4, right, activity),
    )
    assert owners(profile) == {"first": 10}


@pytest.mark.parametrize("category", ["ac2g", "async_cpu_to_gpu"])
def test_without_correlation_the_flow_links(tmp_path: Path, category: str) -> None:
    """The category of these flows was renamed in 2022."""
    launch = timed("cuda_runtime", "cudaLaunchKernel", 50, 55, process=1, thread=1)
    activity = kernel("a", 300, 310)
    profile = opened(tmp_path, operator("aten::mm", 0, 100), launch, activity, arrow(9, launch, activity, category))
    assert owners(profile) == {"aten::mm": 10}


def test_a_flow_may_start_inside_the_call_and_the_innermost_call_counts(tmp_path: Path) -> None:
    activity = kernel("a", 300, 310)
    tail = timed("", "", 60, 60, process=1, thread=1)
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 55),
        operator("aten::add", 55, 100),
        timed("cuda_runtime", "cudaLaunchKernel", 50, 80, process=1, thread=1),
        timed("cuda_driver", "cuLaunchKernel", 56, 70, process=1, thread=1),
        activity,
        arrow(9, tail, activity),
    )
    assert owners(profile) == {"aten::add": 10}


def test_of_calls_at_one_moment_the_order_in_the_file_does_not_choose(tmp_path: Path) -> None:
    """Two calls that took no time, and a flow that starts at both: their names and numbers decide."""
    calls = [call(0, 0, 1), call(0, 0, 0)]
    work = kernel("gemm", 0, 0)
    tables = [
        opened(tmp_path, *order, work, *arrow(100, calls[0], work)).show("health") for order in (calls, calls[::-1])
    ]
    assert tables[0].equals(tables[1])


def test_flows_from_forward_to_backward_link_nothing(tmp_path: Path) -> None:
    launch = timed("cuda_runtime", "cudaLaunchKernel", 50, 55, process=1, thread=1)
    activity = kernel("a", 300, 310)
    profile = opened(tmp_path, operator("aten::mm", 0, 100), launch, activity, arrow(9, launch, activity, "fwdbwd"))
    assert owners(profile) == {UNATTRIBUTED: 10}


def test_correlation_comes_before_the_flow(tmp_path: Path) -> None:
    other = call(150, 155, 5)
    activity = kernel("a", 300, 310, 4)
    profile = opened(
        tmp_path,
        operator("first", 0, 100),
        operator("second", 100, 200),
        call(50, 55, 4),
        other,
        activity,
        arrow(9, other, activity),
    )
    assert owners(profile) == {"first": 10}


def test_hip_calls_and_kernels_on_stream_zero_link_like_others(tmp_path: Path) -> None:
    """All AMD work of the older profilers runs on stream 0."""
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        call(10, 20, 1, name="hipLaunchKernel"),
        kernel("Cijk_Alik_Bljk_SB_MT64x16x32", 30, 90, 1, stream=0),
        call(20, 30, 2, name="hipExtModuleLaunchKernel"),
        kernel("Cijk_Alik_Bljk_SB_MT64x16x32", 90, 100, 2, stream=0),
    )
    assert owners(profile) == {"aten::mm": 70}


def test_old_categories_link_like_new_ones(tmp_path: Path) -> None:
    """Before torch 1.13: Operator, Runtime, Kernel, Memcpy, Memset."""
    profile = opened(
        tmp_path,
        timed("Operator", "aten::mm", 0, 100, process=1, thread=1),
        timed("Runtime", "cudaLaunchKernel", 10, 20, process=1, thread=1, correlation=1),
        timed("Kernel", "gemm", 30, 50, process=0, thread=7, correlation=1),
        timed("Runtime", "cudaMemcpyAsync", 20, 30, process=1, thread=1, correlation=2),
        timed("Memcpy", "Memcpy HtoD (Pageable -> Device)", 50, 53, process=0, thread=7, correlation=2),
        timed("Runtime", "cudaMemsetAsync", 40, 41, process=1, thread=1, correlation=3),
        timed("Memset", "Memset (Device)", 53, 54, process=0, thread=7, correlation=3),
    )
    assert owners(profile) == {"aten::mm": 24}


def test_the_operator_is_one_of_the_launching_thread(tmp_path: Path) -> None:
    """Backward runs on a thread of its own, while the main thread waits inside an operator."""
    profile = opened(
        tmp_path,
        operator("main", 0, 100, thread=1),
        operator("MmBackward0", 20, 80, thread=2),
        launched(kernel("gemm", 100, 130, 1), at=50, thread=2),
        launched(kernel("other", 130, 140, 2), at=50, thread=3),
    )
    assert owners(profile) == {"MmBackward0": 30, UNATTRIBUTED: 10}


def test_threads_of_two_processes_with_one_number_are_two(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        timed("cpu_op", "here", 0, 100, process=1, thread=1),
        timed("cpu_op", "there", 40, 60, process=2, thread=1),
        launched(kernel("gemm", 100, 130, 1), at=50),
    )
    assert owners(profile) == {"here": 30}


def test_annotations_and_calls_own_nothing(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        annotation("forward", 10, 90),
        timed("python_function", "train.py(3): step", 20, 80, process=1, thread=1),
        launched(kernel("gemm", 100, 130, 1), at=50),
    )
    assert owners(profile) == {"aten::mm": 30}


def test_an_operator_without_length_owns_nothing(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        operator("aten::detach", 50, 50),
        launched(kernel("gemm", 100, 130, 1), at=50),
    )
    assert owners(profile) == {"aten::mm": 30}
