"""Where the steps of a trace are: range, number and the rule that found them."""

from __future__ import annotations

from pathlib import Path

from building import Event, annotation, kernel, opened, operator, rows, step, timed
from building.autograd import frame
from stepscope.api import OpenProfile

RANGE = ("step", "start_ns", "duration_ns")


def source(profile: OpenProfile) -> tuple[str, str]:
    """The rule by which steps were found, and the name it went by."""
    found = profile.profile.ranks[0].all_steps
    return found.source, found.name


def test_profiler_steps_come_in_order_of_time_with_their_own_numbers(tmp_path: Path) -> None:
    """As text #10 sorts before #9."""
    profile = opened(tmp_path, step(10, 100, 250), step(9, 0, 100), step(11, 250, 300))
    assert rows(profile.show("steps"), *RANGE) == [(9, 0, 100), (10, 100, 150), (11, 250, 50)]
    assert source(profile) == ("ProfilerStep", "")


def test_gpu_twins_are_no_steps(tmp_path: Path) -> None:
    twin = timed("gpu_user_annotation", "ProfilerStep#3", 50, 180, process=0, thread=7)
    profile = opened(tmp_path, step(3, 0, 100), twin)
    assert rows(profile.show("steps"), *RANGE) == [(3, 0, 100)]


def test_old_traces_have_steps_in_the_category_of_operators(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("ProfilerStep#2", 0, 100), operator("aten::mm", 10, 20))
    assert rows(profile.show("steps"), *RANGE) == [(2, 0, 100)]


def test_a_step_that_two_threads_recorded_is_one_step(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(3, 0, 100), annotation("ProfilerStep#3", 0, 100, thread=2))
    assert rows(profile.show("steps"), *RANGE) == [(3, 0, 100)]


def test_names_that_only_begin_like_a_step_are_none(tmp_path: Path) -> None:
    profile = opened(tmp_path, annotation("ProfilerStep#3 warm-up", 0, 100), annotation("ProfilerStep#", 0, 100))
    assert source(profile) == ("whole trace", "")


def test_numbers_in_other_scripts_are_no_step_numbers(tmp_path: Path) -> None:
    """They match "a digit" and are no integer to the table's library."""
    profile = opened(tmp_path, annotation("ProfilerStep#\u0661\u0662", 0, 100))
    assert source(profile) == ("whole trace", "")


def test_without_profiler_steps_a_step_ends_where_the_optimizers_does(tmp_path: Path) -> None:
    """The first step began before the recording, the last one is not finished: both are cut."""
    profile = opened(
        tmp_path,
        operator("aten::mm", 10, 20),
        annotation("Optimizer.step#AdamW.step", 80, 100),
        annotation("Optimizer.step#AdamW.step", 180, 200),
        operator("aten::mm", 210, 220),
    )
    table = profile.show("steps")
    assert rows(table, *RANGE, "cut") == [(0, 10, 90, True), (1, 100, 100, False), (2, 200, 20, True)]
    assert source(profile) == ("optimizer", "Optimizer.step#AdamW.step")


def test_of_two_optimizers_the_one_that_steps_less_often_ends_the_step(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        [annotation("Optimizer.step#SGD.step", at, at + 5) for at in (0, 10, 20, 30)],
        [annotation("Optimizer.step#AdamW.step", at, at + 5) for at in (15, 35)],
    )
    assert rows(profile.show("steps"), *RANGE) == [(0, 0, 20), (1, 20, 20)]


def test_one_optimizer_step_alone_makes_no_steps(tmp_path: Path) -> None:
    profile = opened(tmp_path, annotation("Optimizer.step#AdamW.step", 80, 100), kernel("gemm", 0, 300))
    assert rows(profile.show("steps"), *RANGE) == [(0, 0, 300)]
    assert source(profile) == ("whole trace", "")


def test_else_an_annotation_that_repeats_makes_the_steps(tmp_path: Path) -> None:
    """Numbers in its name do not matter; ranges inside it are no steps."""
    ranges: list[Event] = []
    for number, start in enumerate((0, 100, 250)):
        ranges += [annotation(f"iteration {number}", start, start + 90), annotation("forward", start + 5, start + 50)]
    profile = opened(tmp_path, ranges)
    assert rows(profile.show("steps"), *RANGE) == [(0, 0, 90), (1, 100, 90), (2, 250, 90)]
    assert source(profile) == ("annotation", "iteration #")


def test_annotations_beside_most_of_the_time_make_no_steps(tmp_path: Path) -> None:
    profile = opened(tmp_path, annotation("log", 0, 5), annotation("log", 100, 105), operator("aten::mm", 0, 200))
    assert rows(profile.show("steps"), *RANGE) == [(0, 0, 200)]
    assert source(profile) == ("whole trace", "")


def test_an_iteration_of_a_server_is_a_step_even_alone(tmp_path: Path) -> None:
    """Inside it SGLang marks its model's part; other ranges that repeat around it are no steps."""
    profile = opened(
        tmp_path,
        annotation("execute_context_0(0)_generation_32(32)", 100, 190),
        annotation("step[DECODE bs=32]", 110, 180),
        annotation("poll", 0, 90),
        annotation("poll", 200, 290),
    )
    assert rows(profile.show("steps"), *RANGE) == [(0, 100, 90)]
    assert source(profile) == ("serving", "execute_context_0(0)_generation_32(32)")


def test_the_data_loader_makes_no_steps(tmp_path: Path) -> None:
    loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    profile = opened(tmp_path, annotation(loader, 0, 90), annotation(loader, 100, 190))
    assert source(profile) == ("whole trace", "")


def test_else_the_whole_trace_is_one_step(tmp_path: Path) -> None:
    """From the operator's start on the host to the kernel's end on the GPU."""
    profile = opened(tmp_path, operator("aten::mm", 40, 60), kernel("gemm", 50, 300))
    assert rows(profile.show("steps"), *RANGE, "cut") == [(0, 40, 260, False)]
    assert source(profile) == ("whole trace", "")


def test_the_profiler_s_own_start_and_stop_are_no_part_of_the_step(tmp_path: Path) -> None:
    """6.4 of 6.8 ms were the profiler's start, and a finding with high confidence."""
    profile = opened(
        tmp_path,
        frame("torch/profiler/profiler.py(695): __enter__", 0, 640),
        operator("aten::mm", 650, 670),
        kernel("gemm", 660, 690),
        frame("torch/profiler/profiler.py(700): __exit__", 700, 900),
    )
    assert rows(profile.show("steps"), *RANGE) == [(0, 640, 60)]


def test_a_trace_without_times_is_a_step_of_no_length(tmp_path: Path) -> None:
    profile = opened(tmp_path, {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "python"}})
    assert rows(profile.show("steps"), *RANGE, "other_ns") == [(0, 0, 0, 0)]
