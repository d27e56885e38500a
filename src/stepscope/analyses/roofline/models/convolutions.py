"""Convolutions in one to three dimensions: 2·N·(places the filter visits)·(elements of the weight) operations.

The weight holds the channels of one group only, so groups and depthwise convolutions need no factor of their own. The
filter visits each place of the output, or of the input of a transposed convolution. Backwards each wanted gradient of
input and weight costs as much as the way forward; the gradient of the bias is a sum and not counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from stepscope.analyses.roofline.models.call import Call, Tensor, Unfit, output
from stepscope.analyses.roofline.models.work import Model
from stepscope.store.json_text import json_value

Count = tuple[int, Iterable[Tensor]]


@dataclass(frozen=True)
class _Places:
    """Where an operator keeps what a convolution needs; None for what it has not."""

    stride: int
    padding: int
    dilation: int | None
    transposed: int | bool = False
    output_padding: int | None = None
    groups: int | None = None
    bias: int | None = None


def _forward(places: _Places) -> Model:
    def count(call: Call) -> Count:
        image, weight = call.tensor(0), call.tensor(1)
        transposed = places.transposed if isinstance(places.transposed, bool) else call.is_true(places.transposed)
        spatial = _spatial(image, weight)
        shape = _transposed_output if transposed else _output
        dims = shape(call, places, image, weight, spatial)
        visited = image.shape[2:] if transposed else dims
        groups = (call.integers(places.groups) if places.groups is not None else None) or [1]
        channels = weight.shape[1] * groups[0] if transposed else weight.shape[0]
        out = output([image.shape[0], channels, *dims], image.dtype)
        bias = call.optional(places.bias) if places.bias is not None else None
        return 2 * image.shape[0] * prod(visited) * weight.elements, [image, weight, out, *([bias] if bias else [])]

    return Model("conv", count, (0, 1), scalars=True)


def _spatial(image: Tensor, weight: Tensor) -> int:
    if len(image.shape) != len(weight.shape) or len(image.shape) < 3:
        raise Unfit("shapes do not fit")
    return len(image.shape) - 2


def _each(call: Call, index: int | None, spatial: int, otherwise: int) -> list[int]:
    """A number per direction; one number stands for all.

    Raises:
        Unfit: it was not recorded.
    """
    values = [otherwise] if index is None else call.integers(index)
    if not values:
        raise Unfit("stride or padding not recorded")
    return values * (spatial if len(values) == 1 else 1)


def _output(call: Call, places: _Places, image: Tensor, weight: Tensor, spatial: int) -> list[int]:
    stride = _each(call, places.stride, spatial, 1)
    padding = _each(call, places.padding, spatial, 0)
    dilation = _each(call, places.dilation, spatial, 1)
    return [
        (image.shape[2 + i] + 2 * padding[i] - dilation[i] * (weight.shape[2 + i] - 1) - 1) // stride[i] + 1
        for i in range(spatial)
    ]


def _transposed_output(call: Call, places: _Places, image: Tensor, weight: Tensor, spatial: int) -> list[int]:
    stride = _each(call, places.stride, spatial, 1)
    padding = _each(call, places.padding, spatial, 0)
    dilation = _each(call, places.dilation, spatial, 1)
    more = _each(call, places.output_padding, spatial, 0)
    return [
        (image.shape[2 + i] - 1) * stride[i] - 2 * padding[i] + dilation[i] * (weight.shape[2 + i] - 1) + more[i] + 1
        for i in range(spatial)
    ]


def _backward(gradient: int, data: int, mask: int | None, transposed: int | None) -> Model:
    """Gradients of input and weight; without a recorded ``mask`` both are taken as wanted."""

    def count(call: Call) -> Count:
        grad, image, weight = call.tensor(gradient), call.tensor(data), call.tensor(2)
        _spatial(image, weight)
        text = call.scalar(mask) if mask is not None else ""
        wanted = json_value(text.lower()) if text else [True, True, False]
        visited = image if transposed is not None and call.is_true(transposed) else grad
        product = 2 * visited.shape[0] * prod(visited.shape[2:]) * weight.elements
        # Each gradient needs the other factor and has the shape of its own.
        moved = [grad]
        if wanted[0]:
            moved += [weight, output(image.shape, image.dtype)]
        if wanted[1]:
            moved += [image, output(weight.shape, weight.dtype)]
        return product * (bool(wanted[0]) + bool(wanted[1])), moved

    return Model("conv", count, (data, 2), scalars=True)


_GENERIC = _forward(_Places(stride=3, padding=4, dilation=5, transposed=6, output_padding=7, groups=8, bias=2))
_CUDNN = _forward(_Places(padding=2, stride=3, dilation=4))
_CUDNN_TRANSPOSED = _forward(
    _Places(padding=2, output_padding=3, stride=4, dilation=5, transposed=True, groups=6),
)
_BIASED = _forward(_Places(bias=2, padding=3, stride=4, dilation=5))
_BIASED_TRANSPOSED = _forward(
    _Places(bias=2, padding=3, output_padding=4, stride=5, dilation=6, transposed=True, groups=7),
)
_RELU = _forward(_Places(bias=2, stride=3, padding=4, dilation=5))
_ADD_RELU = _forward(_Places(bias=4, stride=5, padding=6, dilation=7))
_SLOW = _forward(_Places(bias=3, stride=4, padding=5, dilation=None))
_SLOW_DILATED = _forward(_Places(bias=3, stride=4, padding=5, dilation=6))
_SLOW_TRANSPOSED = _forward(_Places(bias=3, stride=4, padding=5, output_padding=6, dilation=7, transposed=True))

MODELS: dict[str, Model] = {
    "aten::convolution": _GENERIC,
    "aten::_convolution": _GENERIC,
    "aten::convolution_overrideable": _GENERIC,
    "aten::cudnn_convolution": _CUDNN,
    "aten::cudnn_convolution_transpose": _CUDNN_TRANSPOSED,
    "aten::miopen_convolution": _BIASED,
    "aten::miopen_depthwise_convolution": _BIASED,
    "aten::mkldnn_convolution": _BIASED,
    "aten::miopen_convolution_transpose": _BIASED_TRANSPOSED,
    "aten::cudnn_convolution_relu": _RELU,
    "aten::miopen_convolution_relu": _RELU,
    "aten::cudnn_convolution_add_relu": _ADD_RELU,
    "aten::miopen_convolution_add_relu": _ADD_RELU,
    "aten::_slow_conv2d_forward": _SLOW,
    "aten::slow_conv3d_forward": _SLOW,
    "aten::slow_conv_dilated2d": _SLOW_DILATED,
    "aten::slow_conv_dilated3d": _SLOW_DILATED,
    "aten::_conv_depthwise2d": _SLOW_DILATED,
    "aten::conv_depthwise3d": _SLOW_DILATED,
    "aten::slow_conv_transpose2d": _SLOW_TRANSPOSED,
    "aten::slow_conv_transpose3d": _SLOW_TRANSPOSED,
    "aten::convolution_backward": _backward(gradient=0, data=1, mask=10, transposed=7),
    "aten::convolution_backward_overrideable": _backward(gradient=0, data=1, mask=9, transposed=6),
    "aten::_slow_conv2d_backward": _backward(gradient=0, data=1, mask=6, transposed=None),
    # Until torch 1.10 each library had an operator of its own for the gradients.
    "aten::cudnn_convolution_backward": _backward(gradient=1, data=0, mask=9, transposed=None),
    "aten::miopen_convolution_backward": _backward(gradient=1, data=0, mask=8, transposed=None),
}
