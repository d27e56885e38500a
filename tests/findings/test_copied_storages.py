"""Deep copies in recordings without Python frames."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, operator
from made_steps import examined, named

OF_TENSOR = ("empty", "set_", "empty", "set_", "copy_", "new_empty", "set_")


def copied(
    at: int, number: int, *, names: tuple[str, ...] = OF_TENSOR, tensors: int = 8, apart: int = 40_000
) -> list[Events]:
    """Tensors copied one after another, 2 us for each call and Python between the tensors; and a GEMM."""
    events: list[Events] = []
    for i in range(tensors):
        start = at + 10_000 + (2_500 * len(names) + apart) * i
        events += [
            operator(f"aten::{name}", start + 2_500 * j, start + 2_500 * j + 2_000) for j, name in enumerate(names)
        ]
    return [*events, operator("aten::mm", at + 900_000, at + 950_000)]


def test_a_deep_copy_is_known_by_what_it_calls(tmp_path: Path) -> None:
    """Half of a step was lost between two findings, neither of them about it."""
    found = named(examined(tmp_path, copied), "deep-copy")
    assert found is not None
    assert found.cause.count == 1
    # Eight tensors of 17 us with 40 us of Python behind seven.
    assert found.cause.spent_ns == pytest.approx(8 * 17_500 + 7 * 40_000, abs=10_000)


@pytest.mark.parametrize(
    "kind",
    [
        {"names": ("empty", "set_")},  # what another process made
        {"names": ("empty_like", "copy_")},  # clones
        {"tensors": 3},
        {"tensors": 4, "apart": 210_000},
    ],
)
def test_other_copies_are_no_deep_ones(tmp_path: Path, kind: dict[str, object]) -> None:
    assert named(examined(tmp_path, lambda at, n: copied(at, n, **kind)), "deep-copy") is None  # type: ignore[arg-type]
