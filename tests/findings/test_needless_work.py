"""Double precision, and copies into another order."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, call, kernel, operator
from made_steps import examined, named
from stepscope.messages.rendering import render

STEP = 10_000_000


def double(at: int, n: int, kind: str, name: str = "elementwise") -> list[Events]:
    """An addition of a million numbers, 6 of 10 ms."""
    types = {"Input Dims": [[1_000_000], [1_000_000], []], "Input type": [kind, kind, "Scalar"]}
    return [
        operator("aten::add", at + 100_000, at + 150_000, **types),
        call(at + 110_000, at + 115_000, n),
        kernel(name, at + 120_000, at + 6_120_000, n),
    ]


def test_work_in_double_precision(tmp_path: Path) -> None:
    one = named(examined(tmp_path, lambda at, n: double(at, n, "double"), length=STEP), "double-precision")
    assert one is not None
    assert render(one.cause.title) == "6.00 ms a step is float64 (double-precision) computation"
    assert render(one.cause.unknown) == "whether double precision is intended here"


@pytest.mark.parametrize(
    ("kind", "name"), [("float", "elementwise"), ("float", "multi_tensor_apply<float, double, double>")]
)
def test_single_precision_is_none(tmp_path: Path, kind: str, name: str) -> None:
    """Kernels for floats take their factors as doubles."""
    found = examined(tmp_path, lambda at, n: double(at, n, kind, name), length=STEP)
    assert named(found, "double-precision") is None


def copied(at: int, n: int, name: str, parent: str | None = None) -> list[Events]:
    outer = [operator(parent, at + 90_000, at + 160_000)] if parent else []
    return [
        *outer,
        operator(name, at + 100_000, at + 150_000),
        operator("aten::clone", at + 101_000, at + 149_000),
        call(at + 110_000, at + 115_000, n),
        kernel("copy", at + 120_000, at + 4_120_000, n),
        operator("aten::mm", at + 200_000, at + 250_000),
        call(at + 210_000, at + 215_000, n + 1),
        kernel("gemm", at + 4_120_000, at + 9_120_000, n + 1),
    ]


@pytest.mark.parametrize("name", ["aten::contiguous", "aten::reshape"])
def test_copies_into_another_order(tmp_path: Path, name: str) -> None:
    one = named(examined(tmp_path, lambda at, n: copied(at, n, name), length=STEP), "contiguous-copies")
    assert one is not None
    assert render(one.cause.title) == "contiguous() and reshape() copy tensors on the GPU: 4.00 ms a step"
    assert one.cause.general, "only a guess: what follows may need the order"


def test_copies_that_the_library_makes_are_its_own(tmp_path: Path) -> None:
    found = examined(tmp_path, lambda at, n: copied(at, n, "aten::contiguous", "aten::convolution"), length=STEP)
    assert named(found, "contiguous-copies") is None


@pytest.mark.parametrize(("copied_ns", "found"), [(3_000_000, True), (24_000, False)])
def test_a_call_that_takes_long_for_something_else_than_its_copy(tmp_path: Path, copied_ns: int, found: bool) -> None:
    """Seen of a public recording: the first reshape of 8 elements took 584 us, of which their copy took 24."""

    def on_cpu(at: int, n: int) -> list[Events]:
        return [
            operator("aten::reshape", at + 100_000, at + 4_100_000),
            operator("aten::clone", at + 200_000, at + 200_000 + copied_ns),
            operator("aten::copy_", at + 210_000, at + 190_000 + copied_ns),
            operator("aten::mm", at + 4_200_000, at + 9_000_000),
        ]

    assert (named(examined(tmp_path, on_cpu, length=STEP), "contiguous-copies") is not None) == found
