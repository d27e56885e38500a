"""Operators on a whole tensor of which few rows are taken then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from building import Events, operator
from building.autograd import backward, forward
from made_steps import examined, named

ALL, OTHER = [2048, 3, 20, 20], [64, 3, 20, 20]


def converted(
    at: int,
    number: int,
    *,
    name: str = "aten::div",
    picks_ns: int = 20_000,
    shape: list[int] = ALL,
    trained: bool = False,
    between: bool = False,
    pick: str = "aten::index",
    used: bool = False,
) -> list[Events]:
    """A cast of 200 us and a division of 300, then some rows are taken; and a GEMM."""
    dims: dict[str, Any] = {"Input Dims": [ALL, []]}
    divides = (name, at + 220_000, at + 520_000)
    found: list[Events] = [
        operator("aten::to", at + 10_000, at + 210_000, **dims),
        forward(*divides, number, **dims) if trained else operator(*divides, **dims),
        operator(pick, at + 530_000, at + 530_000 + picks_ns, **{"Input Dims": [shape, []]}),
        operator("aten::mm", at + 900_000, at + 940_000),
    ]
    if trained:
        found.append(backward("DivBackward0", at + 950_000, at + 990_000, number, thread=1))
    if used:
        found.append(operator("aten::matmul", at + 700_000, at + 750_000, **{"Input Dims": [OTHER, ALL]}))
    if between:
        found.append(operator("aten::sum", at + 522_000, at + 528_000, **dims))
    return found


@pytest.mark.parametrize("pick", ["aten::index", "aten::index_select"])
def test_a_data_set_converted_whole_for_each_batch(tmp_path: Path, pick: str) -> None:
    """Of 16 % nothing was said."""
    found = named(examined(tmp_path, lambda at, n: converted(at, n, pick=pick)), "unused-rows")
    assert found is not None
    assert found.cause.spent_ns == pytest.approx(500_000, abs=10_000)
    # A fifteenth of the time of these two is left.
    assert found.saving_pct.best == pytest.approx(100 * 0.5 * 14 / 15, abs=5)
    assert found.saving_pct.low <= 0


@pytest.mark.parametrize(
    "kind",
    [
        {"picks_ns": 100_000},  # more than a few rows
        {"shape": OTHER},  # of another tensor
        {"name": "aten::div_"},  # in place: for later steps, too
        {"name": "aten::softmax"},  # not element by element
        {"trained": True},
        {"between": True},  # the other rows are used
        {"used": True},
        {"pick": "aten::sum"},
    ],
)
def test_other_operators_in_front_of_an_index_are_needed(tmp_path: Path, kind: dict[str, Any]) -> None:
    assert named(examined(tmp_path, lambda at, n: converted(at, n, **kind)), "unused-rows") is None


def test_a_tensor_converted_in_one_step_of_many_is_not_mentioned(tmp_path: Path) -> None:
    """As at the begin of an epoch."""
    few = named(examined(tmp_path, lambda at, n: converted(at, n, shape=ALL if n == 1 else OTHER)), "unused-rows")
    assert few is None
