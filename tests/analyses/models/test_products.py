"""Matrix products: 2·M·N·K operations, both factors read once, the product written once."""

from __future__ import annotations

from typing import Any

import pytest

from recorded_calls import BF16, FP8, FP32, NONE, SCALAR, work

GEMM = 2 * 4 * 8 * 16


@pytest.mark.parametrize(
    ("name", "inputs", "flops", "elements"),
    [
        ("mm", [[4, 8], [8, 16]], GEMM, 4 * 8 + 8 * 16 + 4 * 16),
        ("mm", [[4, 8], [8, 16], [4, 16]], GEMM, 4 * 8 + 8 * 16 + 4 * 16),
        ("bmm", [[3, 4, 8], [3, 8, 16]], 3 * GEMM, 3 * (4 * 8 + 8 * 16 + 4 * 16)),
        ("addmm", [[16], [4, 8], [8, 16]], GEMM, 16 + 4 * 8 + 8 * 16 + 4 * 16),
        ("addmm", [[4, 16], [4, 8], [8, 16]], GEMM, 4 * 16 + 4 * 8 + 8 * 16 + 4 * 16),
        ("baddbmm", [[3, 4, 16], [3, 4, 8], [3, 8, 16]], 3 * GEMM, 3 * (4 * 16 + 4 * 8 + 8 * 16 + 4 * 16)),
        ("addbmm", [[4, 16], [3, 4, 8], [3, 8, 16]], 3 * GEMM, 4 * 16 + 3 * (4 * 8 + 8 * 16) + 4 * 16),
        ("mv", [[4, 8], [8]], 2 * 4 * 8, 4 * 8 + 8 + 4),
        ("addmv", [[4], [4, 8], [8]], 2 * 4 * 8, 4 * 8 + 8 + 4 + 4),
        ("dot", [[8], [8]], 2 * 8, 16),
        ("linear", [[2, 3, 8], [16, 8], [16]], 2 * (2 * 3) * 8 * 16, 2 * 3 * 8 + 16 * 8 + 16 + 2 * 3 * 16),
        ("linear", [[2, 8], [16, 8]], 2 * 2 * 8 * 16, 2 * 8 + 16 * 8 + 2 * 16),
        ("matmul", [[5, 1, 4, 8], [3, 8, 16]], 15 * GEMM, 5 * 4 * 8 + 3 * 8 * 16 + 15 * 4 * 16),
        ("matmul", [[4, 8], [8]], 2 * 4 * 8, 4 * 8 + 8 + 4),
        ("_int_mm", [[4, 8], [8, 16]], GEMM, None),
    ],
)
def test_products(name: str, inputs: list[list[int]], flops: int, elements: int | None) -> None:
    found = work(f"aten::{name}", [(BF16, shape) for shape in inputs])
    assert found is not None
    assert (found.flops, found.kind, found.dtype) == (flops, "gemm", "bf16")
    if elements is not None:
        assert found.bytes == 2 * elements


def test_what_is_added_is_not_read_with_a_beta_of_zero() -> None:
    inputs = [(FP32, [16]), (FP32, [4, 8]), (FP32, [8, 16]), (SCALAR, []), (SCALAR, [])]
    with_bias = work("aten::addmm", inputs, ["", "", "", "1", "1"])
    without = work("aten::addmm", inputs, ["", "", "", "0", "1"])
    assert with_bias is not None
    assert without is not None
    assert with_bias.bytes == (without.bytes or 0) + 4 * 16


def test_a_matrix_that_repeats_one_row_is_read_as_that_row() -> None:
    """Strides of 0 come from expand()."""
    [found] = [work("aten::mm", [(FP32, [4, 8]), (FP32, [8, 16])], strides=[[0, 1], [16, 1]])]
    assert found is not None
    assert (found.flops, found.bytes) == (GEMM, 4 * (8 + 8 * 16 + 4 * 16))


def test_a_scaled_product_is_fp8_and_writes_the_type_it_names() -> None:
    inputs = [(FP8, [4, 8]), (FP8, [8, 16]), (FP32, []), (FP32, []), (NONE, []), (NONE, []), (SCALAR, []), (SCALAR, [])]
    half = work("aten::_scaled_mm", inputs, ["", "", "", "", "", "", "15", "True"])
    whole = work("aten::_scaled_mm", inputs, ["", "", "", "", "", "", "6", "True"])
    assert half is not None
    assert whole is not None
    assert (half.flops, half.dtype) == (GEMM, "fp8")
    scales = 2 * 4
    assert half.bytes == 4 * 8 + 8 * 16 + 2 * 4 * 16 + scales
    assert whole.bytes == 4 * 8 + 8 * 16 + 4 * 4 * 16 + scales


def test_packed_fp4_holds_two_numbers_in_an_element() -> None:
    inputs = [("c10::Float4_e2m1fn_x2", [4, 8]), ("c10::Float4_e2m1fn_x2", [8, 16])]
    found = work("aten::_scaled_mm", inputs)
    assert found is not None
    assert (found.flops, found.dtype) == (2 * GEMM, "fp4")


def test_complex_products_take_four_real_ones() -> None:
    found = work("aten::mm", [("c10::complex<float>", [4, 8]), ("c10::complex<float>", [8, 16])])
    assert found is not None
    assert (found.flops, found.bytes) == (4 * GEMM, 8 * (4 * 8 + 8 * 16 + 4 * 16))


@pytest.mark.parametrize(
    ("left", "right", "flops", "result"),
    [
        ([100, 8], [3, 8, 16], 2 * 100 * 8 * 16, 100 * 16),  # rows divided among three experts
        ([4, 100], [100, 16], 2 * 4 * 100 * 16, 3 * 4 * 16),  # inner dimension divided: a product per group
        ([3, 4, 8], [3, 8, 16], 3 * GEMM, 3 * 4 * 16),
        ([3, 4, 8], [8, 90], 2 * 4 * 8 * 90, 4 * 90),
    ],
)
def test_grouped_products(left: list[int], right: list[int], flops: int, result: int) -> None:
    inputs = [(BF16, left), (BF16, right), ("int", [3]), (NONE, []), (SCALAR, [])]
    found = work("aten::_grouped_mm", inputs)
    assert found is not None
    factors = 1
    for n in left:
        factors *= n
    other = 1
    for n in right:
        other *= n
    assert (found.flops, found.bytes) == (flops, 2 * (factors + other + result))


def test_a_recurrent_layer_multiplies_its_weights_at_every_time_step() -> None:
    """LSTM of 10 inputs and 20 units: 7 steps of 3 sequences; biases do not count."""
    weights = [[80, 10], [80, 20], [80], [80]]
    found = work("aten::_cudnn_rnn", [(FP32, [7, 3, 10]), ("TensorList", weights)])
    assert found is not None
    assert (found.flops, found.kind) == (2 * 7 * 3 * (80 * 10 + 80 * 20), "rnn")


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("aten::mm", [[4, 8]]),
        ("aten::mm", [[4, 8], [9, 16]]),
        ("aten::mm", [[4, 8], [8]]),
        ("aten::mm", [[1 << 49, 1 << 49], [1 << 49, 1 << 49]]),
        ("aten::bmm", [[3, 4, 8], [2, 8, 16]]),
        ("aten::linear", [[4, 8], [16, 9]]),
        ("aten::matmul", [[], [8]]),
        ("aten::dot", [[8], [9]]),
        ("aten::_grouped_mm", [[4, 8], [9, 16]]),
        ("aten::no_such_operator", [[4, 8], [8, 16]]),
    ],
)
def test_without_fitting_shapes_there_is_no_number(name: str, inputs: list[Any]) -> None:
    assert work(name, [(FP32, shape) for shape in inputs]) is None


def test_without_types_there_are_operations_but_no_bytes() -> None:
    """The traces of torch 1.8 to 1.10 hold shapes alone."""
    from stepscope.analyses.roofline.models import call_work

    found = call_work("aten::mm", "[[4, 8], [8, 16]]")
    assert found is not None
    assert (found.flops, found.bytes, found.dtype) == (GEMM, None, "")
