"""Health of the steps: how they were found, which are cut, what lies outside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import annotation, check, kernel, launched, opened, operator, rows, step


@pytest.mark.parametrize(
    ("events", "value", "detail"),
    [
        (
            [annotation("Optimizer.step#SGD.step", 0, 10), annotation("Optimizer.step#SGD.step", 50, 60)],
            "2",
            "no ProfilerStep ranges; cut at the ends of Optimizer.step#SGD.step",
        ),
        (
            [annotation("iteration 0", 0, 50), annotation("iteration 1", 50, 100)],
            "2",
            'no ProfilerStep ranges; each "iteration #" is taken as a step',
        ),
        (
            [operator("aten::mm", 0, 10)],
            "1",
            (
                "no ProfilerStep ranges, optimizer steps or repeated ranges: the whole trace is taken as one step; "
                "call profiler.step() in the loop"
            ),
        ),
    ],
)
def test_steps_that_had_to_be_guessed_are_told(tmp_path: Path, events: list[object], value: str, detail: str) -> None:
    assert check(opened(tmp_path, events), "steps") == ("warning", value, detail)


def test_a_step_cut_short_is_named(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        [step(number, 100 * number, 100 * number + 100) for number in (7, 8, 9)],
        [operator("aten::mm", at, at + 5) for at in (700, 710, 720, 730, 800, 810, 820, 830, 900)],
    )
    assert check(profile, "steps_cut") == ("warning", "1", "step 9 is incomplete; means leave it out")


def test_time_launched_outside_steps_is_told(tmp_path: Path) -> None:
    """One kernel was launched behind the last step, of one nobody knows."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        launched(kernel("a", 20, 90, 1), at=10),
        launched(kernel("b", 120, 140, 2), at=100),
        kernel("c", 150, 160),
    )
    assert check(profile, "inside_steps") == (
        "warning",
        "70.0 %",
        "GPU time launched inside steps; 2 activities were launched outside, or their launch is unknown",
    )


def test_a_host_that_runs_ahead_is_told(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 1_000_000),
        step(2, 1_000_000, 2_000_000),
        launched(kernel("a", 500_000, 900_000, 1), at=10),
        launched(kernel("a", 1_500_000, 5_000_000, 2), at=1_000_010),
    )
    assert check(profile, "host_ahead") == (
        "warning",
        "1 of 2 steps",
        (
            "in step 2 the GPU ends 3.00 ms after the step's CPU range of 1.00 ms: the CPU runs ahead, so "
            "a step's length is its GPU period (period_ns), not its CPU duration (duration_ns)"
        ),
    )


def test_many_steps_are_checked_in_a_moment(tmp_path: Path) -> None:
    """One condition per step, joined by "or", took 14 s for 2,000 steps and never ended for 10,000."""
    count = 5000
    profile = opened(
        tmp_path,
        [step(number, 100 * number, 100 * number + 100) for number in range(count)],
        [launched(kernel("a", 100 * n + 50, 100 * n + 60, n + 1), at=100 * n + 10) for n in range(count)],
    )
    assert check(profile, "inside_steps") == ("ok", "100 %", "all GPU time was launched inside steps")
    assert rows(profile.show("summary", step=(1, count - 2)), "steps", "kernels") == [(count - 2, count - 2)]


@pytest.mark.parametrize(
    ("closed", "found"),
    [
        ("end", ("ok", "steps 38 to 39", None)),
        (
            "exit",
            (
                "warning",
                "steps 38 to 39",
                "the process ended within the window (exit): only what was recorded until then is here",
            ),
        ),
        (
            "budget",
            ("warning", "steps 38 to 39", "the window was ended before it had more events than --max-events allows"),
        ),
        (
            "foreign",
            ("warning", "steps 38 to 39", "the window was cut short: the program started a profiler of its own"),
        ),
    ],
)
def test_a_recorded_window_that_ended_early_says_so(
    tmp_path: Path, closed: str, found: tuple[str, str, str | None]
) -> None:
    said = {"kind": "deep", "closed": closed, "first_step": 38, "last_step": 39}
    assert check(opened(tmp_path, step(38, 0, 100), stepscopeRecording=said), "window") == found


def test_a_recorded_window_of_one_step_names_it_once(tmp_path: Path) -> None:
    said = {"kind": "deep", "closed": "end", "first_step": 5, "last_step": 5}
    assert check(opened(tmp_path, step(5, 0, 100), stepscopeRecording=said), "window") == ("ok", "step 5", None)


def test_a_window_of_time_and_other_recordings_have_no_steps_to_miss(tmp_path: Path) -> None:
    assert check(opened(tmp_path, step(1, 0, 9), stepscopeRecording={"closed": "end"}), "window") is None
    assert check(opened(tmp_path, step(1, 0, 9)), "window") is None
