"""Figures that cannot be true are counted and said."""

from __future__ import annotations

from pathlib import Path

from building import annotation, check, kernel, launched, opened, operator, rows, step

DAY = 86_400 * 1_000_000_000


def test_kernels_of_more_than_a_day_are_counted(tmp_path: Path) -> None:
    found = check(opened(tmp_path, kernel("a", 0, 10), kernel("b", 10, 2 * DAY)), "absurd_times")
    assert found is not None
    assert found[:2] == ("warning", "1")
    assert found[2].startswith("1 event lasts more than a day and the first and the last event are 2.0 days apart")


def test_a_trace_that_spans_more_than_a_day_is_told(tmp_path: Path) -> None:
    found = check(opened(tmp_path, operator("a", 0, 10), operator("b", 3 * DAY, 3 * DAY + 10)), "absurd_times")
    assert found is not None
    assert found[:2] == ("warning", "span")


def test_impossible_details_of_kernels_are_counted_and_left_out(tmp_path: Path) -> None:
    key = "est. achieved occupancy %"
    work = [kernel("a", 0, 10, 1, **{key: 250}), kernel("b", 10, 20, 2, **{key: 40}, **{"registers per thread": -3})]
    profile = opened(tmp_path, [launched(one, i) for i, one in enumerate(work)])
    found = check(profile, "kernel_details")
    assert found is not None
    assert found[:2] == ("warning", "2")
    table = profile.show("kernels").sort("name")
    assert rows(table, "occupancy_pct") == [None, 40.0]
    assert rows(table, "estimated_occupancy_pct") == [None, 40.0]


def test_of_a_sound_trace_nothing_is_said(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(3, 0, 50), launched(kernel("a", 10, 20, 1), 0))
    assert [check(profile, name) for name in ("absurd_times", "kernel_details", "step_numbers")] == [None, None, None]


def test_steps_of_one_number_are_told(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(3, 0, 50), step(3, 50, 90), step(4, 90, 100))
    found = check(profile, "step_numbers")
    assert found == ("warning", "1 repeated", "step 3 occurs more than once: selecting it takes all")


def test_steps_without_readable_numbers_are_numbered_in_order(tmp_path: Path) -> None:
    profile = opened(tmp_path, annotation("ProfilerStep##", 50, 90), annotation("ProfilerStep##", 0, 50))
    assert rows(profile.show("steps"), "step", "start_ns") == [(0, 0), (1, 50)]
    found = check(profile, "steps")
    assert found is not None
    assert found[:2] == ("warning", "2")
    assert found[2].startswith('ProfilerStep ranges with unreadable numbers ("ProfilerStep##")')


def test_readable_numbers_go_before_unreadable_ones(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, step(7, 0, 50), annotation("ProfilerStep##", 50, 90), annotation("ProfilerStep##", 90, 95)
    )
    assert rows(profile.show("steps"), "step") == [7]
