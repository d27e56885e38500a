"""Health of the GPU activity: is it there, is it linked, can it be attributed?"""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building import Event, arrow, call, check, kernel, launched, opened, operator, timed, write

NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"


def test_gpu_calls_without_gpu_activity_are_an_error(tmp_path: Path) -> None:
    found = check(opened(tmp_path, operator("aten::mm", 0, 100), call(10, 20, 1)), "gpu_activity")
    assert found is not None
    assert found[:2] == ("error", "none")


def test_a_trace_of_the_host_alone_names_the_option_that_records_the_gpu(tmp_path: Path) -> None:
    assert check(opened(tmp_path, operator("aten::mm", 0, 100)), "gpu_activity") == (
        "warning",
        "none",
        "only the CPU was recorded; on a GPU add ProfilerActivity.CUDA to activities",
    )


def test_a_trace_of_a_machine_without_a_gpu_lacks_nothing(tmp_path: Path) -> None:
    """It was a warning, as if something had been forgotten."""
    said = ("ok", "none", "only the CPU was recorded: the program saw no GPU")
    assert check(opened(tmp_path, operator("aten::mm", 0, 100), deviceProperties=[]), "gpu_activity") == said


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({"gpus": 0, "activities": "CPU"}, ("ok", "only the CPU was recorded: the program saw no GPU")),
        (
            {"gpus": 8, "activities": "CPU"},
            (
                "warning",
                "only the CPU was recorded: when the window began, the program had not used the 8 GPUs that it sees",
            ),
        ),
        (
            {"gpus": 1, "activities": "CPU CUDA"},
            ("warning", "the GPU was recorded, and did nothing in these steps"),
        ),
        ({"program": "train.py"}, ("warning", "only the CPU was recorded")),  # by a stepscope that did not say
    ],
)
def test_what_stepscope_recorded_needs_no_activities(tmp_path: Path, facts: Event, found: tuple[str, str]) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 100), stepscopeRecording=facts)
    status, said = found
    assert check(profile, "gpu_activity") == (status, "none", said)


def test_what_stepscope_recorded_is_recorded_again_with_its_own_options(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 100), stepscopeRecording={"program": "train.py"})
    found = check(profile, "shapes")
    assert found is not None
    assert found[2].endswith("; record with --with shapes")


def test_activity_without_a_launch_is_counted_and_explained(tmp_path: Path) -> None:
    """One ran before anything that was launched in the window, one later: only the first was queued before."""
    profile = opened(
        tmp_path,
        kernel("early", 0, 10, 7),
        launched(kernel("a", 100, 120, 1), at=50),
        launched(kernel("a", 120, 130, 2), at=60),
        kernel("late", 200, 210, 8),
    )
    assert check(profile, "linked_launches") == (
        "warning",
        "50.0 %",
        (
            "2 activities (40.0 % of GPU time) without a launch in the trace; 1 of them run before anything "
            "launched here: work queued before the recording began"
        ),
    )


def test_activity_whose_launch_calls_are_cut_off_was_not_queued_before(tmp_path: Path) -> None:
    """It was explained as work queued before the recording began."""
    path = write(tmp_path / "trace.json", operator("aten::mm", 0, 10), kernel("a", 20, 30, 1), kernel("b", 30, 40, 2))
    path.write_text(path.read_text().rstrip().removesuffix("}").rstrip().removesuffix("]"))
    found = check(stepscope.open(path), "linked_launches")
    said = (
        "2 activities (100 % of GPU time) without a launch in the trace: the file is cut off before their launch calls"
    )
    assert found == ("warning", "0 %", said)


def test_links_through_flows_are_told(tmp_path: Path) -> None:
    launch = timed("cuda_runtime", "cudaLaunchKernel", 50, 55, process=1, thread=1)
    activity = kernel("a", 300, 310)
    profile = opened(tmp_path, launch, activity, arrow(9, launch, activity))
    assert check(profile, "linked_launches") == ("ok", "100 %", "every activity has its launch, 1 through flow arrows")


def test_launches_without_activity_are_counted(tmp_path: Path) -> None:
    """Other calls of the runtime have no activity and need none."""
    profile = opened(
        tmp_path,
        launched(kernel("a", 100, 120, 1), at=50),
        call(60, 62, 2),
        call(70, 72, 3, name="cudaMemcpyAsync"),
        call(80, 82, 4, name="cudaEventRecord"),
    )
    found = check(profile, "launches_with_activity")
    assert found is not None
    assert found[:2] == ("warning", "33.3 %")
    assert found[2].startswith("2 of 3 launch calls have no activity: ")


def test_time_launched_outside_operators_is_told_with_replayed_graphs(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        launched(kernel("a", 200, 220, 1), at=50),
        launched(kernel("b", 220, 230, 2), at=110),
        call(120, 130, 3, name="cudaGraphLaunch"),
        kernel("c", 230, 260, 3),
        kernel("d", 260, 280, 3),
    )
    assert check(profile, "attributed_to_operators") == (
        "warning",
        "25.0 %",
        (
            "GPU time launched inside operators; 3 activities were launched outside of any, 2 of them by "
            "replaying a CUDA graph, which records no operators"
        ),
    )


def test_activity_without_a_launch_is_no_fault_of_the_operators(tmp_path: Path) -> None:
    """It was reported as "0 activities were launched outside any" operator, with a warning."""
    profile = opened(
        tmp_path, operator("aten::mm", 0, 100), launched(kernel("a", 200, 230, 1), at=50), kernel("b", 230, 240, 2)
    )
    assert check(profile, "attributed_to_operators") == (
        "ok",
        "75.0 %",
        "GPU time launched inside operators; 1 activity has no launch in the trace",
    )


def test_communication_told_by_name_alone_is_counted(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel(NCCL, 0, 10, **{"Collective name": "allreduce"}), kernel(NCCL, 10, 20))
    assert check(profile, "communication_metadata") == (
        "warning",
        "50.0 %",
        (
            "1 of 2 communication kernels carry their collective's name and sizes; the others are recognized by "
            "their operator or name"
        ),
    )
