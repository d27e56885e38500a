"""Normalisations: five operations per element forward with statistics (sum; difference and its sum; scale and shift),
two without, nine backward; of an RMS norm four forward, ten backward. These are TraceLens's counts per element; what
it adds for each channel is left out.

Traffic: the input and the result, backwards also the incoming gradient, weights, and statistics where they are saved.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from stepscope.analyses.roofline.models.call import Call, Tensor, Unfit, output
from stepscope.analyses.roofline.models.work import Model
from stepscope.store.json_text import json_value

Count = tuple[int, Iterable[Tensor]]

_WITH_STATISTICS, _WITHOUT_STATISTICS, _BACKWARD = 5, 2, 9
_RMS, _RMS_BACKWARD = 4, 10


def _batch(training: int | None) -> Model:
    """``(input, weight, bias, running mean, running variance, training, ...)``; None: always training."""

    def count(call: Call) -> Count:
        data = call.tensor(0)
        trains = training is None or call.is_true(training) or not call.scalar(training)
        weights = [one for one in call.all_tensors(1, 5) if one.shape]
        saved = [output([data.shape[1]], "fp32")] * 2 if trains else []
        running = [one for one in call.all_tensors(3, 5) if one.shape] if trains else []
        flops = _WITH_STATISTICS if trains else _WITHOUT_STATISTICS
        return flops * data.elements, [data, output(data.shape, data.dtype), *weights, *running, *saved]

    return Model("norm", count, (0,), scalars=True)


def _batch_backward(call: Call) -> Count:
    """Input and gradient, in either order, then vectors of a number per channel."""
    first, second = call.tensor(0), call.tensor(1)
    if first.elements != second.elements:
        raise Unfit("shapes do not fit")
    channels = [first.shape[1]]
    vectors = [one for one in call.all_tensors(2) if one.shape == tuple(channels)]
    gradients = [output(channels, "fp32")] * 2
    return _BACKWARD * first.elements, [first, second, output(first.shape, first.dtype), *vectors, *gradients]


def _layer(call: Call) -> Count:
    """``native_layer_norm(input, normalized shape, weight, bias, eps)``: two statistics a row are saved."""
    data = call.tensor(0)
    weights = [one for one in call.all_tensors(2, 4) if one.shape]
    rows = data.elements // max(prod(_normalized(call, 1, weights)), 1)
    saved = [output([rows], "fp32")] * 2
    return _WITH_STATISTICS * data.elements, [data, output(data.shape, data.dtype), *weights, *saved]


def _normalized(call: Call, index: int, weights: list[Tensor]) -> list[int]:
    return list(weights[0].shape) if weights else call.integers(index) or []


def _layer_backward(call: Call) -> Count:
    """``(gradient, input, normalized shape, mean, rstd, weight, bias, which gradients)``."""
    gradient, data = call.tensor(0), call.tensor(1)
    weights = [one for one in call.all_tensors(5, 7) if one.shape]
    return _backward(call, 7, gradient, data, call.all_tensors(3, 5), weights)


def _backward(
    call: Call, mask: int, gradient: Tensor, data: Tensor, statistics: list[Tensor], weights: list[Tensor]
) -> Count:
    text = call.scalar(mask)
    wanted = json_value(text.lower()) if text else [True] * 3
    written = [output(data.shape, data.dtype)] if wanted[0] else []
    written += [output(one.shape, one.dtype) for one, asked in zip(weights, wanted[1:], strict=False) if asked]
    return _BACKWARD * data.elements, [gradient, data, *statistics, *weights[:1], *written]


def _group(call: Call) -> Count:
    """``native_group_norm(input, weight, bias, N, C, HxW, groups, eps)``: statistics a group are saved."""
    data = call.tensor(0)
    weights = [one for one in call.all_tensors(1, 3) if one.shape]
    groups = call.integers(6)
    saved = [output([data.shape[0] * groups[0]], data.dtype)] * 2 if groups else []
    return _WITH_STATISTICS * data.elements, [data, output(data.shape, data.dtype), *weights, *saved]


def _group_backward(call: Call) -> Count:
    """``(gradient, input, mean, rstd, weight, N, C, HxW, groups, which gradients)``."""
    weight = call.optional(4)
    weights = [weight, weight] if weight is not None else []
    return _backward(call, 9, call.tensor(0), call.tensor(1), call.all_tensors(2, 4), weights)


def _rms(call: Call) -> Count:
    """``_fused_rms_norm(input, normalized shape, weight, eps)``: one statistic a row is saved."""
    data, weight = call.tensor(0), call.optional(2)
    weights = [weight] if weight is not None else []
    rows = data.elements // max(prod(_normalized(call, 1, weights)), 1)
    return _RMS * data.elements, [data, output(data.shape, data.dtype), *weights, output([rows], "fp32")]


def _rms_backward(call: Call) -> Count:
    """``(gradient, input, normalized shape, rstd, weight, which gradients)``."""
    data, weight = call.tensor(1), call.optional(4)
    weights = [weight, output(weight.shape, weight.dtype)] if weight is not None else []
    moved = [call.tensor(0), data, *call.all_tensors(3, 4), *weights, output(data.shape, data.dtype)]
    return _RMS_BACKWARD * data.elements, moved


def _first_and_last(first: int, others: int, per_element: int) -> Model:
    """Of an inference library: ``others`` tensors of the size of input ``first`` are read or written beside it."""

    def count(call: Call) -> Count:
        data = call.tensor(first)
        weights = [one for one in call.all_tensors() if one.elements != data.elements]
        return per_element * data.elements, [data, *[output(data.shape, data.dtype)] * others, *weights]

    return Model("norm", count, (first,))


_BATCH_BACKWARD = Model("norm", _batch_backward, (0, 1))

MODELS: dict[str, Model] = {
    "aten::native_batch_norm": _batch(5),
    "aten::cudnn_batch_norm": _batch(5),
    "aten::miopen_batch_norm": _batch(5),
    "aten::_native_batch_norm_legit": _batch(5),
    "aten::_batch_norm_with_update": _batch(None),
    "aten::native_batch_norm_backward": _BATCH_BACKWARD,
    "aten::cudnn_batch_norm_backward": _BATCH_BACKWARD,
    "aten::miopen_batch_norm_backward": _BATCH_BACKWARD,
    "aten::batch_norm_backward": _BATCH_BACKWARD,
    "aten::native_layer_norm": Model("norm", _layer, (0,), scalars=True),
    "aten::native_layer_norm_backward": Model("norm", _layer_backward, (0, 1), scalars=True),
    "aten::native_group_norm": Model("norm", _group, (0,), scalars=True),
    "aten::native_group_norm_backward": Model("norm", _group_backward, (0, 1), scalars=True),
    "aten::_fused_rms_norm": Model("norm", _rms, (0,), scalars=True),
    "aten::_fused_rms_norm_backward": Model("norm", _rms_backward, (0, 1)),
    "_C::rms_norm": _first_and_last(1, 1, _RMS),
    "_C::fused_add_rms_norm": _first_and_last(0, 3, _RMS + 1),
    "aiter::rms_norm": _first_and_last(0, 1, _RMS),
    "aiter::rmsnorm2d_fwd_with_add_ck": _first_and_last(0, 3, _RMS + 1),
    "aiter::_groupnorm_run": _first_and_last(0, 1, _WITH_STATISTICS),
}
