"""Step time without the profiler and the side that binds, on steps small enough to time by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, annotation, call, kernel, launched, opened, operator, step
from building.autograd import frame
from stepscope.api import OpenProfile

STEP = 100_000


def steps_of(*events: Events) -> list[Events]:
    return [*(step(n, n * STEP, (n + 1) * STEP) for n in range(3)), *events]


def row(profile: OpenProfile) -> dict[str, object]:
    return profile.show("step_time").row(0, named=True)


def host_bound(folder: Path) -> OpenProfile:
    """Each step launches one short kernel."""
    each = [
        [operator("aten::mm", at + 10_000, at + 90_000), *launch(at, at + 30_000, at + 40_000)]
        for at in range(0, 3 * STEP, STEP)
    ]
    return opened(folder, *steps_of(each))


def launch(at: int, start: int, end: int) -> list[Events]:
    return [call(at + 20_000, at + 22_000, at + 1), kernel("k", start, end, at + 1)]


def gpu_bound(folder: Path) -> OpenProfile:
    """Each step launches a kernel of twice its length."""
    each = [
        [operator("aten::mm", n * STEP + 10_000, n * STEP + 90_000), launch(n * STEP, start, start + 200_000)]
        for n, start in enumerate((30_000, 231_000, 432_000))
    ]
    return opened(folder, *steps_of(each))


def test_stretches_of_the_host_are_shortened(tmp_path: Path) -> None:
    """2 us lose what a divisor of 1.45 takes away, longer ones 2.5 us, as nothing but operators was recorded."""
    found = row(host_bound(tmp_path))
    assert (found["recorded_ns"], found["bound"]) == (STEP, "host")
    expected = STEP - 2_000 * (1 - 1 / 1.45) - 4 * 2_500
    assert found["unprofiled_ns"] == pytest.approx(expected, abs=2)
    assert found["host_pct"] == pytest.approx(100, abs=0.1)
    assert found["compute_pct"] == 0


def test_half_and_more_of_the_slowdown_and_the_repeats_make_the_range(tmp_path: Path) -> None:
    """With half of it, the divisor is 1.225 and the most 1.25 us, with 1.7 times of it 1.765 and 4.25 us.

    A step that the host bounds differs by 5 % from run to run.
    """
    found = row(host_bound(tmp_path))
    best = found["unprofiled_ns"]
    assert isinstance(best, int)
    high = STEP - 2_000 * (1 - 1 / 1.225) - 4 * 1_250 + 0.05 * best
    low = STEP - 2_000 * (1 - 1 / 1.765) - 4 * 4_250 - 0.05 * best
    assert found["unprofiled_high_ns"] == pytest.approx(high, abs=3)
    assert found["unprofiled_low_ns"] == pytest.approx(low, abs=3)


def test_a_gpu_that_fills_the_step_takes_what_was_recorded(tmp_path: Path) -> None:
    found = row(gpu_bound(tmp_path))
    assert (found["recorded_ns"], found["unprofiled_ns"], found["bound"]) == (201_000, 201_000, "compute")
    assert found["compute_pct"] == pytest.approx(200 / 201 * 100, abs=0.1)


def test_the_loader_binds_where_the_step_waits_for_it(tmp_path: Path) -> None:
    name = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    each = [
        [
            annotation(name, at + 5_000, at + 85_000),
            launched(kernel("k", at + 95_000, at + 96_000, at + 1), at + 90_000),
        ]
        for at in range(0, 3 * STEP, STEP)
    ]
    found = row(opened(tmp_path, *steps_of(each)))
    assert found["bound"] == "data_loading"
    # Each stretch loses 2.5 us, that of 1 us a third: 77.5 of 80 us are left of the loader.
    assert found["data_loading_pct"] == pytest.approx(100 * 77.5 / (77.5 + 13.5), abs=1)


def test_one_step_is_enough(tmp_path: Path) -> None:
    found = row(opened(tmp_path, operator("aten::mm", 0, 9_000), launched(kernel("k", 20_000, 30_000, 1), 1_000)))
    assert found["steps"] == 1


def test_without_the_host_nothing_is_timed_again(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("k", 0, 10))
    assert len(profile.show("step_time")) == 0


def test_only_the_selected_steps_are_timed(tmp_path: Path) -> None:
    profile = host_bound(tmp_path)
    assert profile.show("step_time", step=1)["steps"].to_list() == [1]


@pytest.mark.parametrize(("apart_ns", "left_ns"), [(400, 400 / 3), (5_000, 3_750)])
def test_between_calls_in_python_there_is_mostly_the_profiler(tmp_path: Path, apart_ns: int, left_ns: float) -> None:
    """Steps of many short calls were estimated up to half too long: half of each interval was left, at least."""
    count = 80_000 // (2 * apart_ns)
    each = [
        [
            frame("<built-in function sqrt>", start, start + apart_ns)
            for start in range(n * STEP + 10_000, n * STEP + 10_000 + 2 * apart_ns * count, 2 * apart_ns)
        ]
        for n in range(3)
    ]
    found = row(opened(tmp_path, *steps_of(each)))
    inside = 2 * count - 1
    # In front of the calls and behind them: 10 us each, from the edges of the step.
    expected = inside * left_ns + (STEP - inside * apart_ns - 2 * 1_500)
    assert found["unprofiled_ns"] == pytest.approx(expected, rel=0.03)
