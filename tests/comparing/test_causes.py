"""Where the difference of a step comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, call, kernel, launched, opened, operator, step
from comparing.compared import Each, compared, function, words
from stepscope.analyses.simulation.bottleneck_sides import COMPUTE, COPIES, HOST
from stepscope.comparison.bound import common_costs
from stepscope.comparison.compare import Comparison, compare


def steps(*parts: tuple[str, int]):
    """Functions of the training loop one after another, then a kernel; a step takes as long as they do."""
    length = sum(each for _, each in parts) + 20_000

    def each(_: int, correlation: int) -> list[Events]:
        number = correlation // 1_000
        start = at = number * length
        events: list[Events] = [step(number, start, start + length), operator("aten::mm", start, start + 1_000)]
        events += [function("train.py(3): train_step", start, start + length - 5_000)]
        for name, lasts in parts:
            events.append(function(f"train.py(9): {name}", at, at + lasts))
            at += lasts
        return [*events, *launched(kernel("gemm", at + 4_000, at + 5_000, correlation), at + 2_000)]

    return each


def compared_steps(folder: Path, base: Each, new: Each) -> Comparison:
    ranks = [opened(folder, *(each(0, 1_000 * n + 1) for n in range(4))).profile.ranks[0] for each in (base, new)]
    return compare(ranks[:1], ranks[1:])


@pytest.mark.long
def test_a_function_that_is_no_longer_called(tmp_path: Path) -> None:
    forward, save = ("forward", 100_000), ("save", 600_000)
    found = compared_steps(tmp_path, steps(forward, save), steps(forward))
    first = found.attribution.causes[0]
    assert words(first) == ("train.py: train_step", ("train.py: save",), ())
    assert round(first.effect_ns) == found.step["delta_ns"] == -600_000
    assert (first.base["calls"], first.work["calls"]) == (1, 0)


@pytest.mark.long
def test_a_function_in_place_of_another_is_one_cause(tmp_path: Path) -> None:
    forward = ("forward", 100_000)
    found = compared_steps(tmp_path, steps(forward, ("loop", 700_000)), steps(forward, ("fused", 50_000)))
    assert [words(cause) for cause in found.attribution.causes] == [
        ("train.py: train_step", ("train.py: loop",), ("train.py: fused",))
    ]
    assert round(found.attribution.causes[0].effect_ns) == -650_000


@pytest.mark.long
def test_the_line_of_a_function_tells_no_functions_apart(tmp_path: Path) -> None:
    """An edit above a function moves it, which changes nothing of its work."""
    found = compared(
        tmp_path,
        lambda start, number: [function("train.py(10): forward", start, start + 400_000)],
        lambda start, number: [function("train.py(12): forward", start, start + 400_000)],
    )
    assert found.attribution.causes == ()
    assert set(found.rows["status"]) == {"same"}


def test_a_kernel_that_takes_longer_behind_a_slow_host_is_work_that_the_step_does_not_depend_on(
    tmp_path: Path,
) -> None:
    def each(length: int):
        def events(start: int, number: int) -> list[Events]:
            of_host = function("train.py(3): train_step", start, start + 990_000)
            product = operator("aten::mm", start + 10_000, start + 20_000)
            on_gpu = kernel("gemm", start + 30_000, start + 30_000 + length, number)
            last = kernel("end", start + 985_000, start + 986_000, number + 1)
            launch_last = call(start + 980_000, start + 980_002, number + 1)
            return [of_host, product, *launched(on_gpu, start + 15_000), launch_last, last]

        return events

    found = compared(tmp_path, each(20_000), each(120_000))
    assert found.attribution.causes == ()
    assert [(words(cause)[0], round(cause.effect_ns)) for cause in found.gpu_work.causes] == [("aten::mm", 100_000)]
    assert found.step["delta_ns"] == 0


def test_the_side_that_does_more_of_a_work_says_what_it_costs() -> None:
    """Of a straggler's extra work two thirds were named: the side without it put it beside communication."""
    little, much = ({COMPUTE: 0.3}, {COMPUTE: 2.0}), ({COMPUTE: 1.0}, {COMPUTE: 120.0})
    assert common_costs([little, much])[COMPUTE] == pytest.approx((0.3 * 2 + 120) / 122)
    assert common_costs([much, little]) == common_costs([little, much])
    alike = common_costs([({HOST: 0.2}, {HOST: 5.0}), ({HOST: 0.6}, {HOST: 5.0})])
    assert (alike[HOST], alike[COPIES]) == (pytest.approx(0.4), 1.0)
