"""Any table of two recordings, row by row."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, kernel, launched, memcpy, opened
from stepscope.analyses import make_table
from stepscope.comparison.tables import compare_table
from stepscope.errors import BadRequest
from stepscope.store.profile import Profile


def recorded(folder: Path, copies: int, length: int, *more: Events) -> Profile:
    events = [
        launched(memcpy(9_000 * n + 5_000, 9_000 * n + 5_000 + length, n + 1, bytes=64), 9_000 * n)
        for n in range(copies)
    ]
    return opened(folder, *events, *more).profile


def test_counts_and_bytes_are_exact_and_times_are_not_tested(tmp_path: Path) -> None:
    found = compare_table([recorded(tmp_path, 2, 500)], [recorded(tmp_path, 3, 600)], "memcpy")
    told = {row["figure"]: (row["base"], row["new"], row["delta"], row["status"]) for row in found.rows.to_dicts()}
    assert told["calls"] == (2, 3, 1, "changed")
    assert told["bytes"] == (128, 192, 64, "changed")
    assert told["total_ns"] == (1_000, 1_800, 800, "unknown")
    assert found.key == ("kind", "pinned")


def test_rows_of_one_side_are_new_or_gone(tmp_path: Path) -> None:
    gemm = launched(kernel("gemm", 100_000, 101_000, 90), 99_000)
    base, new = recorded(tmp_path, 1, 500), recorded(tmp_path, 1, 500, gemm)
    for sides, status in (([base], [new]), "new"), (([new], [base]), "gone"):
        found = compare_table(*sides, "kernels")
        assert set(found.rows.filter(name="gemm", figure="calls")["status"]) == {status}


@pytest.mark.parametrize("name", ["memcpy", "launches", "operators", "kernels", "summary", "steps"])
def test_a_table_does_not_differ_from_itself_and_exchanging_changes_signs(tmp_path: Path, name: str) -> None:
    base, new = recorded(tmp_path, 2, 500), recorded(tmp_path, 3, 700)
    assert len(compare_table([base], [base], name).differing) == 0
    there, back = compare_table([base], [new], name), compare_table([new], [base], name)
    key = [*there.key, "figure"]
    there_rows, back_rows = (found.rows.sort(key, nulls_last=True) for found in (there, back))
    assert there_rows["delta"].to_list() == [-value for value in back_rows["delta"].to_list()]


def test_figures_of_a_side_are_the_mean_of_its_recordings(tmp_path: Path) -> None:
    several = [recorded(tmp_path, copies, 500) for copies in (2, 4)]
    found = compare_table(several, [recorded(tmp_path, 3, 500)], "memcpy")
    assert found.rows.filter(figure="calls").select("base", "new", "status").rows() == [(3, 3, "same")]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("memory_events", "its rows are named by address"),
        ("memory_timeline", "its rows are named by at_ns"),
        ("memory_diff", "it compares two recordings itself"),
        ("nothing", "there is no such table"),
    ],
)
def test_tables_whose_rows_two_recordings_do_not_share_are_refused(tmp_path: Path, name: str, why: str) -> None:
    one = recorded(tmp_path, 1, 500)
    with pytest.raises(BadRequest, match=why):
        compare_table([one], [one], name)


@pytest.mark.long
def test_results_of_nsight_compute_are_named_by_kernel_and_occurrence(shared_data: Path) -> None:
    from stepscope.store.opening import open_profile

    basic, full = (open_profile(str(shared_data / f"h200/ncu/patterns_{one}.ncu-rep.gz")) for one in ("basic", "full"))
    found = compare_table([basic], [full], "kernel_reports")
    assert found.key == ("name", "occurrence")
    durations = found.rows.filter(figure="duration_ns")
    assert len(durations) == len(make_table(basic, "kernel_reports")) == 8
    assert durations["base"].null_count() == durations["new"].null_count() == 0
