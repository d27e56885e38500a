"""Convolutions: 2·N·(places the filter visits)·(elements of the weight)."""

from __future__ import annotations

from typing import Any

import pytest

from recorded_calls import BF16, FP32, LIST, NONE, SCALAR, work

IMAGE, WEIGHT = [2, 3, 8, 8], [6, 3, 3, 3]
FLOPS = 2 * 2 * (8 * 8) * (6 * 3 * 3 * 3)
"""Two images of 8 x 8 outputs, each a product of 3 channels and a 3 x 3 filter, for 6 channels."""

ONES = "[1, 1]"


def forward(name: str, shapes: list[list[int]], scalars: list[str], kind: str = FP32) -> tuple[int | None, int | None]:
    inputs: list[tuple[str, Any]] = [(kind, shape) for shape in shapes]
    inputs += [(LIST, [])] * (len(scalars) - len(shapes))
    found = work(f"aten::{name}", inputs, scalars)
    assert found is not None, name
    assert found.kind == "conv"
    return found.flops, found.bytes


@pytest.mark.parametrize(
    ("name", "scalars"),
    [
        ("convolution", ["", "", "", ONES, ONES, ONES, "False", "[0, 0]", "1"]),
        ("_convolution", ["", "", "", ONES, ONES, ONES, "False", "[0, 0]", "1", "False", "False", "True", "True"]),
        ("convolution_overrideable", ["", "", "", ONES, ONES, ONES, "False", "[0, 0]", "1"]),
        ("miopen_convolution", ["", "", "", ONES, ONES, ONES, "1", "False", "False"]),
        ("mkldnn_convolution", ["", "", "", ONES, ONES, ONES, "1"]),
        ("cudnn_convolution_relu", ["", "", "", ONES, ONES, ONES, "1"]),
        ("miopen_convolution_relu", ["", "", "", ONES, ONES, ONES, "1"]),
    ],
)
def test_libraries_with_a_bias_behind_the_weight(name: str, scalars: list[str]) -> None:
    moved = 2 * 3 * 8 * 8 + 6 * 3 * 3 * 3 + 6 + 2 * 6 * 8 * 8
    assert forward(name, [IMAGE, WEIGHT, [6]], scalars) == (FLOPS, 4 * moved)


@pytest.mark.parametrize(
    ("name", "scalars"),
    [
        ("_slow_conv2d_forward", ["", "", "[3, 3]", "", ONES, ONES]),
        ("slow_conv_dilated2d", ["", "", "[3, 3]", "", ONES, ONES, ONES]),
        ("_conv_depthwise2d", ["", "", "[3, 3]", "", ONES, ONES, ONES]),
    ],
)
def test_own_kernels_of_torch(name: str, scalars: list[str]) -> None:
    """The filter's size stands between the weight and the bias."""
    inputs: list[tuple[str, Any]] = [(BF16, IMAGE), (BF16, WEIGHT), (LIST, []), (BF16, [6]), *[(LIST, [])] * 3]
    found = work(f"aten::{name}", inputs, scalars)
    assert found is not None
    assert (found.flops, found.dtype) == (FLOPS, "bf16")
    assert found.bytes == 2 * (2 * 3 * 8 * 8 + 6 * 3 * 3 * 3 + 6 + 2 * 6 * 8 * 8)


def test_cudnn_has_no_bias_among_its_inputs() -> None:
    scalars = ["", "", ONES, ONES, ONES, "1", "False", "False", "True"]
    assert forward("cudnn_convolution", [IMAGE, WEIGHT], scalars) == (
        FLOPS,
        4 * (2 * 3 * 8 * 8 + 6 * 3 * 3 * 3 + 2 * 6 * 8 * 8),
    )


def test_padding_stride_and_dilation_shape_the_output() -> None:
    """(9 + 2 x 2 - 2 x (3 - 1) - 1) / 2 + 1 = 5 in each direction: padding 2, stride 2, dilation 2."""
    scalars = ["", "", "[2, 2]", "[2, 2]", "[2, 2]", "1", "False", "False", "True"]
    flops, moved = forward("cudnn_convolution", [[1, 3, 9, 9], WEIGHT], scalars)
    assert (flops, moved) == (2 * 25 * 6 * 3 * 9, 4 * (3 * 81 + 6 * 3 * 9 + 6 * 25))


def test_one_number_stands_for_every_direction() -> None:
    scalars = ["", "", "[1]", "[1]", "[1]", "1", "False", "False", "True"]
    assert forward("cudnn_convolution", [IMAGE, WEIGHT], scalars)[0] == FLOPS


@pytest.mark.parametrize(
    ("image", "weight", "places"),
    [([2, 3, 8], [6, 3, 3], 8), ([2, 3, 8, 8, 8], [6, 3, 3, 3, 3], 512)],
)
def test_one_and_three_dimensions(image: list[int], weight: list[int], places: int) -> None:
    scalars = ["", "", "", "[1]", "[1]", "[1]", "False", "[0]", "1"]
    elements = 6 * 3 * 3 ** (len(weight) - 2)
    assert forward("convolution", [image, weight], scalars)[0] == 2 * 2 * places * elements


def test_groups_divide_the_work() -> None:
    """Depthwise: the weight holds one channel for each group."""
    scalars = ["", "", ONES, ONES, ONES, "6", "False", "False", "True"]
    flops, moved = forward("cudnn_convolution", [[2, 6, 8, 8], [6, 1, 3, 3]], scalars)
    assert (flops, moved) == (2 * 2 * 64 * 6 * 9, 4 * (2 * 6 * 64 + 6 * 9 + 2 * 6 * 64))


@pytest.mark.parametrize(
    ("name", "scalars"),
    [
        ("convolution", ["", "", "", "[2, 2]", ONES, ONES, "True", ONES, "1"]),
        ("cudnn_convolution_transpose", ["", "", ONES, ONES, "[2, 2]", ONES, "1", "False", "False", "True"]),
        ("miopen_convolution_transpose", ["", "", "", ONES, ONES, "[2, 2]", ONES, "1", "False", "False"]),
    ],
)
def test_a_transposed_convolution_multiplies_for_each_input(name: str, scalars: list[str]) -> None:
    """Stride 2 makes 8 x 8 to (8 - 1) x 2 - 2 x 1 + (3 - 1) + 1 + 1 = 16 x 16; the weight is (in, out, 3, 3)."""
    flops, moved = forward(name, [IMAGE, [3, 6, 3, 3]], scalars)
    assert flops == 2 * 2 * (8 * 8) * (3 * 6 * 3 * 3)
    assert moved == 4 * (2 * 3 * 64 + 3 * 6 * 9 + 2 * 6 * 16 * 16)


BACKWARD = [[2, 6, 8, 8], IMAGE, WEIGHT]


@pytest.mark.parametrize(
    ("mask", "products", "moved"),
    [
        ("[True, True, False]", 2, (2 * 6 * 64) + (6 * 27 + 2 * 3 * 64) + (2 * 3 * 64 + 6 * 27)),
        ("[False, True, True]", 1, (2 * 6 * 64) + (2 * 3 * 64 + 6 * 27)),
        ("[True, False, False]", 1, (2 * 6 * 64) + (6 * 27 + 2 * 3 * 64)),
        ("[False, False, True]", 0, 2 * 6 * 64),
    ],
)
def test_backward_has_a_product_for_each_gradient(mask: str, products: int, moved: int) -> None:
    scalars = ["", "", "", "[6]", ONES, ONES, ONES, "False", "[0, 0]", "1", mask]
    assert forward("convolution_backward", BACKWARD, scalars) == (products * FLOPS, 4 * moved)


def test_backward_without_a_recorded_mask_has_both() -> None:
    found = work("aten::convolution_backward", [(FP32, shape) for shape in BACKWARD])
    assert found is not None
    assert found.flops == 2 * FLOPS


def test_torch_1_10_had_gradients_by_library() -> None:
    inputs = [(FP32, IMAGE), (FP32, [2, 6, 8, 8]), (FP32, WEIGHT)]
    found = work("aten::cudnn_convolution_backward", inputs)
    assert found is not None
    assert found.flops == 2 * FLOPS


def test_a_transposed_convolution_backwards_costs_what_it_costs_forward_for_each_gradient() -> None:
    """Stride 2 makes the gradient four times as large as the input, which the work does not depend on."""
    shapes = [[2, 6, 16, 16], IMAGE, [3, 6, 3, 3]]
    scalars = ["", "", "", "[0]", "[2, 2]", ONES, ONES, "True", ONES, "1", "[True, True, False]"]
    assert forward("convolution_backward", shapes, scalars)[0] == 2 * 2 * 2 * (8 * 8) * (3 * 6 * 3 * 3)


def test_without_stride_and_padding_there_is_no_number() -> None:
    assert work("aten::cudnn_convolution", [(FP32, IMAGE), (FP32, WEIGHT)]) is None
    assert work("aten::cudnn_convolution", [(FP32, IMAGE), (FP32, WEIGHT)], [SCALAR] * 9) is None
    assert (
        work("aten::convolution", [(FP32, [3, 8]), (FP32, WEIGHT), (NONE, [])], ["", "", "", ONES, ONES, ONES]) is None
    )
