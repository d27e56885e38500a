"""Each step's time, and its partition."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building import annotation, call, kernel, launched, memcpy, memset, opened, operator, rows, step, timed, write

NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"
LOADER = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
PARTS = (
    "compute_ns",
    "communication_ns",
    "memcpy_ns",
    "memset_ns",
    "runtime_ns",
    "data_loading_ns",
    "cpu_ns",
    "other_ns",
)
CLOCK = ("step", "duration_ns", "device_end_ns", "lag_ns", "period_ns")


def test_time_belongs_to_the_first_part_that_covers_it(tmp_path: Path) -> None:
    """Each event begins 10 ns after the one before and all end together, least important last: every part gets 10."""
    profile = opened(
        tmp_path,
        step(3, 1000, 1100),
        operator("aten::mm", 1010, 1100, thread=2),
        annotation(LOADER, 1020, 1100, thread=3),
        call(1030, 1100, 9, thread=4),
        memset(1040, 1100),
        memcpy(1050, 1100),
        kernel(NCCL, 1060, 1100, stream=20),
        kernel("gemm", 1070, 1100),
    )
    assert profile.show("steps").to_dicts() == [
        {
            "rank": 0,
            "step": 3,
            "start_ns": 1000,
            "duration_ns": 100,
            "device_end_ns": None,
            "lag_ns": None,
            "period_ns": None,
            "cut": False,
            "compute_ns": 30,
            "communication_ns": 10,
            "memcpy_ns": 10,
            "memset_ns": 10,
            "runtime_ns": 10,
            "data_loading_ns": 10,
            "cpu_ns": 10,
            "other_ns": 10,
        }
    ]


def test_parts_are_unions_clipped_to_the_step(tmp_path: Path) -> None:
    """The kernels overlap each other and stick out of the step on both sides."""
    profile = opened(
        tmp_path,
        step(0, 100, 200),
        kernel("a", 50, 120),
        kernel("b", 110, 130, stream=8),
        kernel("c", 190, 300),
        memset(125, 140),
        operator("aten::mm", 0, 150),
    )
    assert rows(profile.show("steps"), *PARTS) == [(40, 0, 0, 10, 0, 0, 10, 40)]


def test_a_fill_under_a_kernel_is_compute(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(0, 0, 100), memset(10, 40), kernel("gemm", 20, 30))
    assert rows(profile.show("steps"), "compute_ns", "memset_ns") == [(10, 20)]


def test_activity_counts_in_the_step_in_which_it_runs(tmp_path: Path) -> None:
    """Launched by step 1, it runs during step 2: the partition is one of the host range's time."""
    profile = opened(tmp_path, step(1, 0, 100), step(2, 100, 200), launched(kernel("gemm", 90, 150, 1), at=50))
    assert rows(profile.show("steps"), "step", "compute_ns") == [(1, 10), (2, 50)]


@pytest.mark.parametrize("category", ["user_annotation", "cpu_op", "python_function", "Operator", "a_new_one"])
def test_ranges_of_the_data_loader_count_in_any_category(tmp_path: Path, category: str) -> None:
    profile = opened(tmp_path, step(0, 0, 100), timed(category, LOADER, 20, 50, process=1, thread=1))
    assert rows(profile.show("steps"), "data_loading_ns") == [30]


def test_a_broken_range_of_the_data_loader_counts_nothing(tmp_path: Path) -> None:
    """Without a start it must neither count nor turn the other times into floats, which lose nanoseconds."""
    epoch = 1_600_000_000_000_000_001
    lost = annotation(LOADER, 0, 500)
    del lost["ts"]
    profile = opened(
        tmp_path,
        step(0, epoch, epoch + 1000),
        annotation(LOADER, epoch + 101, epoch + 202),
        operator("aten::mm", epoch + 301, epoch + 302),
        lost,
    )
    table = profile.show("steps")
    assert rows(table, *PARTS) == [(0, 0, 0, 0, 0, 101, 1, 898)]
    assert {table.schema[name] for name in PARTS} == {table.schema["duration_ns"]}


def test_where_the_host_runs_ahead_the_period_is_the_steps_time(tmp_path: Path) -> None:
    """The host queues a step in 100 ns, the GPU takes 1000 ns for it."""
    profile = opened(
        tmp_path,
        [step(number, 100 * number, 100 * number + 100) for number in (1, 2, 3)],
        [
            launched(kernel("gemm", 1000 * number, 1000 * number + 1000, number), at=100 * number + 50)
            for number in (1, 2, 3)
        ],
    )
    assert rows(profile.show("steps"), *CLOCK) == [
        (1, 100, 2000, 1800, None),
        (2, 100, 3000, 2700, 1000),
        (3, 100, 4000, 3600, 1000),
    ]


def test_the_last_activity_is_the_one_that_ends_last(tmp_path: Path) -> None:
    """Launched first, on another stream, it outlasts the one launched after it."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        launched(kernel("long", 20, 500, 1, stream=8), at=10),
        launched(kernel("short", 30, 40, 2), at=20),
    )
    assert rows(profile.show("steps"), *CLOCK) == [(1, 100, 500, 400, None)]


def test_a_launch_at_the_end_of_a_step_is_one_of_the_next(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 100), step(2, 100, 200), launched(kernel("a", 120, 130, 1), at=100))
    assert rows(profile.show("steps"), *CLOCK) == [(1, 100, None, None, None), (2, 100, 130, -70, None)]


def test_the_period_after_a_step_without_activity_is_unknown(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        step(2, 100, 200),
        step(3, 200, 300),
        step(4, 300, 400),
        launched(kernel("a", 50, 60, 1), at=10),
        launched(kernel("a", 250, 260, 3), at=210),
        launched(kernel("a", 350, 370, 4), at=310),
    )
    assert rows(profile.show("steps"), "step", "device_end_ns", "period_ns") == [
        (1, 60, None),
        (2, None, None),
        (3, 260, None),
        (4, 370, 110),
    ]


def test_unlinked_activity_ends_no_step(tmp_path: Path) -> None:
    """Queued before the window by who knows which step."""
    profile = opened(tmp_path, step(1, 0, 100), kernel("early", 10, 90, 7))
    assert rows(profile.show("steps"), "device_end_ns", "compute_ns") == [(None, 80)]


def test_a_selected_step_keeps_its_period_and_its_partition(tmp_path: Path) -> None:
    """What runs in step 2 was launched by step 1, and the period needs step 1's end."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        step(2, 100, 200),
        launched(kernel("a", 50, 150, 1), at=10),
        launched(kernel("b", 150, 260, 2), at=110),
    )
    whole = profile.show("steps").rows()
    assert profile.show("steps", step=2).rows() == whole[1:]
    assert rows(profile.show("steps", step=2), "compute_ns", "period_ns") == [(100, 110)]


def test_a_last_step_with_few_host_events_is_cut(tmp_path: Path) -> None:
    """The recording stopped inside it. Steps in the middle may differ as they like."""

    def work(number: int, count: int) -> list[object]:
        start = 1000 * number
        return [operator("aten::mm", start + 10 * i, start + 10 * i + 5) for i in range(count)]

    profile = opened(
        tmp_path,
        [step(number, 1000 * number, 1000 * number + 1000) for number in (1, 2, 3, 4)],
        [event for number, count in ((1, 10), (2, 2), (3, 10), (4, 3)) for event in work(number, count)],
    )
    assert rows(profile.show("steps"), "step", "cut") == [(1, False), (2, False), (3, False), (4, True)]


def test_ranks_are_rows_one_after_the_other(tmp_path: Path) -> None:
    write(tmp_path / "rank1.json", step(5, 0, 10))
    write(tmp_path / "rank0.json", step(5, 0, 20), step(6, 20, 50))
    profile = stepscope.open(str(tmp_path))
    assert rows(profile.show("steps"), "rank", "step", "duration_ns") == [(0, 5, 20), (0, 6, 30), (1, 5, 10)]
    assert rows(profile.show("steps", step=6), "rank", "step") == [(0, 6)]
    assert rows(profile.show("steps", rank=[1]), "rank", "step") == [(1, 5)]
