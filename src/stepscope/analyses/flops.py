"""Floating-point operations of an operator call, modelled from the shapes of its inputs.

A multiply and an add count two. Sources: matrix products 2·M·N·K; convolutions 2·N·K·C/groups·(filter)·(output);
attention 4·B·H·L·S·E forward (two products), 10·B·H·L·S·E backward (five products; FlashAttention-2, Dao 2023).
Only operators that do the work are modelled; those that call them get the sum of what they call.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import prod
from typing import Any

Shape = list[int]


def call_flops(name: str, dims: str | None, concrete: str | None) -> int | None:
    """FLOPs of one call, or None where the operator has no model or its shapes are not recorded.

    Args:
        name: operator, as ``aten::mm``.
        dims: JSON of its input dimensions.
        concrete: JSON of its scalar inputs.

    >>> call_flops("aten::mm", "[[128, 64], [64, 32]]", None)
    524288
    """
    model = _MODELS.get(name)
    if model is None or not dims:
        return None
    try:
        shapes = json.loads(dims)
        scalars = json.loads(concrete) if concrete else []
        flops = model(shapes, scalars)
    except (ValueError, TypeError, IndexError, KeyError, AttributeError):
        return None
    return flops if flops is not None and 0 <= flops < 1 << 62 else None


def modelled_operators() -> list[str]:
    """Names of the operators with a model."""
    return list(_MODELS)


def _mm(shapes: list[Shape], _: list[Any]) -> int:
    (m, k), (k2, n) = shapes[0], shapes[1]
    return _same(k, k2) * 2 * m * n * k


def _addmm(shapes: list[Shape], scalars: list[Any]) -> int:
    return _mm(shapes[1:], scalars)


def _bmm(shapes: list[Shape], _: list[Any]) -> int:
    (b, m, k), (b2, k2, n) = shapes[0], shapes[1]
    return _same(b, b2) * _same(k, k2) * 2 * b * m * n * k


def _baddbmm(shapes: list[Shape], scalars: list[Any]) -> int:
    return _bmm(shapes[1:], scalars)


def _same(a: int, b: int) -> int:
    if a != b:
        raise ValueError("shapes do not fit")
    return 1


def _convolution(shapes: list[Shape], scalars: list[Any]) -> int:
    """Inputs of ``aten::convolution`` and its kin: input, weight, bias, stride, padding, dilation, transposed, ..."""
    image, weight = shapes[0], shapes[1]
    spatial = len(image) - 2
    stride, padding, dilation = (_ints(scalars[i], spatial) for i in (3, 4, 5))
    transposed = str(scalars[6]) == "True" if len(scalars) > 6 else False
    if transposed:
        return 2 * image[0] * prod(image[2:]) * prod(weight)
    output = [
        (image[2 + i] + 2 * padding[i] - dilation[i] * (weight[2 + i] - 1) - 1) // stride[i] + 1 for i in range(spatial)
    ]
    return 2 * image[0] * prod(output) * prod(weight)


def _cudnn_convolution(shapes: list[Shape], scalars: list[Any]) -> int:
    """Inputs of ``aten::cudnn_convolution``: input, weight, padding, stride, dilation, groups, ..."""
    return _convolution(shapes, ["", "", "", scalars[3], scalars[2], scalars[4], "False"])


def _biased_convolution(shapes: list[Shape], scalars: list[Any]) -> int:
    """Inputs of ``aten::miopen_convolution`` and ``mkldnn``: a bias stands between the weight and the padding."""
    return _convolution(shapes, ["", "", "", scalars[4], scalars[3], scalars[5], "False"])


def _convolution_backward(shapes: list[Shape], scalars: list[Any]) -> int:
    """Inputs: grad output, input, weight, ..., transposed (eighth), ...; the last says which gradients are wanted."""
    gradient, image, weight = shapes[0], shapes[1], shapes[2]
    wanted = json.loads(str(scalars[-1]).lower()) if scalars else [True, True]
    products = int(bool(wanted[0])) + int(bool(wanted[1]))
    # The filter visits the smaller of both: the output, or the input of a transposed convolution.
    visited = image if len(scalars) > 7 and str(scalars[7]) == "True" else gradient
    return products * 2 * visited[0] * prod(visited[2:]) * prod(weight)


def _ints(text: Any, count: int) -> list[int]:
    values = json.loads(text) if isinstance(text, str) else text
    values = values if isinstance(values, list) else [values]
    return [int(v) for v in values] * (count if len(values) == 1 else 1)


def _attention(products: int, first: int) -> Callable[[list[Shape], list[Any]], int]:
    """Attention over (batch, heads, length, width): the query is input ``first``, the key the next one."""

    def model(shapes: list[Shape], scalars: list[Any]) -> int:
        (b, h, queries, width), keys = shapes[first], shapes[first + 1]
        return products * 2 * b * h * queries * keys[2] * width

    return model


_MODELS: dict[str, Callable[[list[Shape], list[Any]], int | None]] = {
    "aten::mm": _mm,
    "aten::addmm": _addmm,
    "aten::bmm": _bmm,
    "aten::baddbmm": _baddbmm,
    "aten::_scaled_mm": _mm,
    "aten::cudnn_convolution": _cudnn_convolution,
    "aten::miopen_convolution": _biased_convolution,
    "aten::mkldnn_convolution": _biased_convolution,
    "aten::convolution_overrideable": _convolution,
    "aten::convolution_backward": _convolution_backward,
    "aten::_scaled_dot_product_flash_attention": _attention(2, 0),
    "aten::_scaled_dot_product_efficient_attention": _attention(2, 0),
    "aten::_scaled_dot_product_cudnn_attention": _attention(2, 0),
    "aten::_scaled_dot_product_flash_attention_backward": _attention(5, 1),
    "aten::_scaled_dot_product_efficient_attention_backward": _attention(5, 1),
    "aten::_scaled_dot_product_cudnn_attention_backward": _attention(5, 1),
}
