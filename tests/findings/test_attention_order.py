"""Attention that is written out is told from the order of the work where no shapes were recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, annotation, call, kernel, operator
from made_steps import examined, named
from stepscope.messages.rendering import render

FORWARD = ["aten::bmm", "aten::div", "aten::masked_fill_", "aten::_softmax", "aten::native_dropout", "aten::bmm"]
BACKWARD = [
    *("aten::bmm", "aten::bmm", "aten::native_dropout_backward", "aten::_softmax_backward_data"),
    *("aten::masked_fill_", "aten::div", "aten::bmm", "aten::bmm"),
]


def worked(names: list[str], at: int, number: int, *, long: int = 20_000) -> list[Events]:
    """An operator with a kernel for each name, one behind the other on both sides; other work after them."""
    events: list[Events] = []
    for i, name in enumerate([*names, "aten::mm"]):
        host, gpu = at + 10_000 * i, at + 20_000 + long * i
        events += [
            operator(name, host, host + 9_000),
            call(host + 2_000, host + 4_000, number + i),
            kernel("k", gpu, gpu + long, number + i),
        ]
    return events


@pytest.mark.long
def test_products_around_a_softmax(tmp_path: Path) -> None:
    """14 kernels of 70 us bind; 6 products stay at 0.8 of their time, 8 others go."""
    names = [*FORWARD, *BACKWARD]
    found = named(examined(tmp_path, lambda at, n: worked(names, at, n, long=70_000)), "unfused-attention")
    assert found is not None
    assert render(found.cause.title) == "Unfused attention: separate GEMM, softmax and GEMM kernels take 980 us a step"
    assert found.cause.count == 14
    assert render(found.cause.unknown).startswith("the sequence length")
    assert found.worth
    assert found.saving_pct.low < found.saving_pct.best < found.saving_pct.high


def test_products_around_a_softmax_in_single_operators(tmp_path: Path) -> None:
    """Before, nothing was said of a step that took 24 ms so and 11 ms with fused attention."""
    forward = ["bmm", "div", "eq", "masked_fill_", "amax", "sub", "exp", "sum", "div", "bmm"]
    backward = ["bmm", "bmm", "div", "div", "neg", "mul", "div", "sum", "add_", "mul", "neg", "sum", "eq", "sum", "div"]
    names = [f"aten::{name}" for name in (*forward, *backward, "mul", "add_", "masked_fill_", "div", "bmm", "bmm")]
    found = named(examined(tmp_path, lambda at, n: worked(names, at, n, long=64_000)), "unfused-attention")
    assert found is not None
    assert found.worth
    assert found.cause.count == len(names)


@pytest.mark.long
@pytest.mark.parametrize(
    "names",
    [
        ["aten::bmm", "aten::_softmax", "aten::mm"],
        ["aten::bmm", "aten::exp", "aten::native_layer_norm", "aten::bmm"],
        ["aten::mm", "aten::div", "aten::_softmax", "aten::mm"],
        ["aten::bmm", "aten::native_layer_norm", "aten::_softmax", "aten::bmm"],
        ["aten::bmm", "aten::_log_softmax", "aten::bmm"],
        ["aten::_flash_attention_forward", "aten::_softmax", "aten::bmm"],
        ["aten::bmm", "aten::_softmax", *["aten::add"] * 12, "aten::bmm"],
        BACKWARD,
    ],
)
def test_a_softmax_of_something_else(tmp_path: Path, names: list[str]) -> None:
    """A classifier, a router, a norm between: nothing is said; nor of a backward pass without its forward pass."""
    found = examined(tmp_path, lambda at, n: worked(names, at, n, long=60_000))
    assert named(found, "unfused-attention") is None


@pytest.mark.long
def test_products_inside_an_operator_that_chooses_how_are_not_written_out(tmp_path: Path) -> None:
    def each(at: int, n: int) -> list[Events]:
        chosen = operator("aten::scaled_dot_product_attention", at - 1_000, at + 60_000)
        return [chosen, *worked(FORWARD, at, n, long=60_000)]

    found = examined(tmp_path, lambda at, n: each(at + 10_000, n))
    assert named(found, "unfused-attention") is None


@pytest.mark.long
def test_with_shapes_the_sizes_decide(tmp_path: Path) -> None:
    """Square matrices of 16 are too small to be worth a word, and they are known to be."""

    def each(at: int, n: int) -> list[Events]:
        sized = operator("aten::_softmax", at + 900_000, at + 901_000, **{"Input Dims": [[4, 16, 16]]})
        return [annotation("attend", at, at + 500_000), *worked(FORWARD, at, n, long=60_000), sized]

    assert named(examined(tmp_path, each), "unfused-attention") is None


@pytest.mark.long
@pytest.mark.parametrize("module", [True, False])
def test_attention_of_the_module_that_returns_its_weights(tmp_path: Path, module: bool) -> None:
    """`nn.MultiheadAttention` is not written by hand: an argument of it rules out the fused kernel."""
    names = [*FORWARD, *BACKWARD]

    def each(at: int, n: int) -> list[Events]:
        around = [operator("aten::_native_multi_head_attention", at, at + 200_000)] if module else []
        return [*around, *worked(names, at, n, long=64_000)]

    found = named(examined(tmp_path, each), "unfused-attention")
    assert found is not None
    assert ("need_weights=False" in found.cause.change) == module
    assert found.cause.advice.id.endswith("weights") == module


def computed(names: list[str], at: int) -> list[Events]:
    """Operators of 36 us, one behind the other, on a CPU."""
    return [operator(name, at + 40_000 * i, at + 40_000 * i + 36_000) for i, name in enumerate(names)]


def gradient(name: str) -> str:
    return f"autograd::engine::evaluate_function: {name}Backward0"


WRITTEN_OUT = ["aten::matmul", "aten::div", "aten::masked_fill", "aten::exp", "aten::sum", "aten::div", "aten::matmul"]
BACKWARDS = list(map(gradient, ["Bmm", "Div", "Sum", "Exp", "MaskedFill", "Div", "Bmm"]))


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ([*WRITTEN_OUT, "aten::linear"], 7),
        ([*WRITTEN_OUT, "aten::linear", *BACKWARDS], 14),
        (["aten::matmul", "aten::softmax", "aten::linear"], 0),  # a classifier
        (["aten::matmul", "aten::layer_norm", "aten::exp", "aten::matmul"], 0),
        (["aten::matmul", *["aten::mul"] * 20, "aten::exp", "aten::matmul"], 0),
    ],
)
def test_attention_on_a_cpu(tmp_path: Path, names: list[str], found: int) -> None:
    """As of 15 operators, and a linear layer, a third is left of those that a fused one replaces."""
    one = named(examined(tmp_path, lambda at, n: computed(names, at)), "unfused-attention")
    assert (one is not None) == (found > 0)
    if one is not None:
        assert one.cause.spent_ns == pytest.approx(40_000 * found, rel=0.15)
        assert 10 < one.saving_pct.best < 65
