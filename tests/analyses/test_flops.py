"""Floating-point operations of a call, from the shapes of its inputs. A multiply and an add count two."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stepscope.analyses.flops import call_flops, modelled_operators


def flops(name: str, shapes: list[Any], scalars: list[Any] | None = None) -> int | None:
    return call_flops(name, json.dumps(shapes), None if scalars is None else json.dumps(scalars))


@pytest.mark.parametrize(
    ("name", "shapes", "wanted"),
    [
        ("aten::mm", [[4, 8], [8, 16]], 2 * 4 * 8 * 16),
        ("aten::addmm", [[16], [4, 8], [8, 16], [], []], 2 * 4 * 8 * 16),
        ("aten::bmm", [[3, 4, 8], [3, 8, 16]], 2 * 3 * 4 * 8 * 16),
        ("aten::baddbmm", [[3, 4, 16], [3, 4, 8], [3, 8, 16]], 2 * 3 * 4 * 8 * 16),
        ("aten::_scaled_mm", [[4, 8], [8, 16], [], []], 2 * 4 * 8 * 16),
    ],
)
def test_matrix_products(name: str, shapes: list[Any], wanted: int) -> None:
    assert flops(name, shapes) == wanted


CONVOLUTION = 2 * 2 * (8 * 8) * (6 * 3 * 3 * 3)
"""Two images of 8 x 8 outputs, each a product of 3 channels and a 3 x 3 filter, for 6 channels."""


@pytest.mark.parametrize(
    ("name", "scalars"),
    [
        ("aten::convolution_overrideable", ["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1"]),
        ("aten::cudnn_convolution", ["", "", "[1, 1]", "[1, 1]", "[1, 1]", "1", "False", "False", "True"]),
        ("aten::miopen_convolution", ["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "1", "False", "False"]),
        ("aten::mkldnn_convolution", ["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "1"]),
    ],
)
def test_convolutions_of_every_library(name: str, scalars: list[str]) -> None:
    """Of these only cuDNN's has no bias between the weight and the other inputs."""
    assert flops(name, [[2, 3, 8, 8], [6, 3, 3, 3], [6], [], [], []], scalars) == CONVOLUTION


def test_padding_stride_and_dilation_shape_the_output() -> None:
    """(9 + 2 x 2 - 2 x (3 - 1) - 1) / 2 + 1 = 5 in each direction: padding 2, stride 2, dilation 2."""
    scalars = ["", "", "[2, 2]", "[2, 2]", "[2, 2]", "1", "False", "False", "True"]
    assert flops("aten::cudnn_convolution", [[1, 3, 9, 9], [6, 3, 3, 3]], scalars) == 2 * 25 * 6 * 3 * 9


def test_one_number_stands_for_every_direction() -> None:
    scalars = ["", "", "[1]", "[1]", "[1]", "1", "False", "False", "True"]
    assert flops("aten::cudnn_convolution", [[2, 3, 8, 8], [6, 3, 3, 3]], scalars) == CONVOLUTION


def test_groups_divide_the_work() -> None:
    """Depthwise: the weight holds one channel for each group."""
    scalars = ["", "", "[1, 1]", "[1, 1]", "[1, 1]", "6", "False", "False", "True"]
    assert flops("aten::cudnn_convolution", [[2, 6, 8, 8], [6, 1, 3, 3]], scalars) == 2 * 2 * 64 * 6 * 9


def test_a_transposed_convolution_multiplies_for_each_input() -> None:
    scalars = ["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "True", "[1, 1]", "1"]
    wanted = 2 * 2 * (8 * 8) * (3 * 6 * 3 * 3)
    assert flops("aten::convolution_overrideable", [[2, 3, 8, 8], [3, 6, 3, 3]], scalars) == wanted


@pytest.mark.parametrize(
    ("mask", "products"), [("[True, True, False]", 2), ("[False, True, True]", 1), ("[False, False, True]", 0)]
)
def test_a_convolution_backwards_has_a_product_for_each_gradient(mask: str, products: int) -> None:
    shapes = [[2, 6, 8, 8], [2, 3, 8, 8], [6, 3, 3, 3], [], [], [], [], [], [], [], []]
    scalars = ["", "", "", "[6]", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", mask]
    assert flops("aten::convolution_backward", shapes, scalars) == products * CONVOLUTION


def test_a_transposed_convolution_backwards_costs_what_it_costs_forward_for_each_gradient() -> None:
    """Stride 2 makes the gradient four times as large as the input, which the work does not depend on."""
    shapes = [[2, 6, 16, 16], [2, 3, 8, 8], [3, 6, 3, 3]]
    scalars = ["", "", "", "[0]", "[2, 2]", "[1, 1]", "[1, 1]", "True", "[1, 1]", "1", "[True, True, False]"]
    assert flops("aten::convolution_backward", shapes, scalars) == 2 * 2 * 2 * (8 * 8) * (3 * 6 * 3 * 3)


@pytest.mark.parametrize("kind", ["flash", "efficient", "cudnn"])
def test_attention_is_two_products_forward_and_five_backward(kind: str) -> None:
    """Batch 2, 3 heads, 10 queries, 20 keys, width 8."""
    query, key = [2, 3, 10, 8], [2, 3, 20, 8]
    product = 2 * 2 * 3 * 10 * 20 * 8
    name = f"aten::_scaled_dot_product_{kind}_attention"
    assert flops(name, [query, key, key, [], []]) == 2 * product
    assert flops(f"{name}_backward", [query, query, key, key, query]) == 5 * product


@pytest.mark.parametrize(
    ("name", "dims"),
    [
        ("aten::relu", "[[4, 8]]"),
        ("aten::mm", None),
        ("aten::mm", ""),
        ("aten::mm", "[]"),
        ("aten::mm", "[[4, 8]]"),
        ("aten::mm", "[[4, 8], [9, 16]]"),
        ("aten::mm", "[[4, 8], [8]]"),
        ("aten::mm", '["x", "y"]'),
        ("aten::mm", "not JSON"),
        ("aten::mm", "[[-4, 8], [8, 16]]"),
        ("aten::mm", "[[4000000000, 4000000000], [4000000000, 4000000000]]"),
        ("aten::cudnn_convolution", "[[2, 3, 8, 8], [6, 3, 3, 3]]"),
    ],
)
def test_without_a_model_or_fitting_shapes_there_is_no_number(name: str, dims: str | None) -> None:
    assert call_flops(name, dims, None) is None


def test_no_shapes_or_scalars_whatever_break_a_model() -> None:
    """Traces are input from outside."""
    for name in modelled_operators():
        for dims in ("{}", "null", "5", "[null, null, null]", "[[], [], []]", "[[1], [1], [1]]", "[[1e400], 2]"):
            for scalars in (None, "", "{}", "[]", '[null, null, "[0]", "[0, 0]", "[", "x", "y"]'):
                assert call_flops(name, dims, scalars) in {None, 0, 2, 4}
