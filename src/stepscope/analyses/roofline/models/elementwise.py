"""Pointwise operators: one operation per element of the result; inputs read once, the result written once.

Inputs are broadcast against each other; an input of no dimensions is a number that travels with the launch. Counting
one operation, whatever the function costs, is what TraceLens does, too: these operators wait for memory.
"""

from __future__ import annotations

from collections.abc import Iterable

from stepscope.analyses.roofline.models.call import Call, Tensor, Unfit, output
from stepscope.analyses.roofline.models.dtypes import is_float, promoted
from stepscope.analyses.roofline.models.work import Model

Count = tuple[int, Iterable[Tensor]]


def broadcast(tensors: Iterable[Tensor]) -> list[int]:
    """Shape of a result of several tensors.

    Raises:
        Unfit: they do not go together.
    """
    shape: list[int] = []
    for tensor in tensors:
        dims = list(tensor.shape)
        longest = max(len(shape), len(dims))
        shape = [1] * (longest - len(shape)) + shape
        dims = [1] * (longest - len(dims)) + dims
        if any(a != b and 1 not in (a, b) for a, b in zip(shape, dims, strict=True)):
            raise Unfit("shapes do not fit")
        shape = [b if a == 1 else a for a, b in zip(shape, dims, strict=True)]
    return shape


def pointwise(inputs: int, result: str = "", flops: int = 1, first: int = 0) -> Model:
    """A function of up to ``inputs`` tensors; one more behind them is ``out``. In place where its name ends in ``_``.

    Args:
        result: type of the result; "" for that of the inputs together, "float" for at least fp32.
        flops: per element of the result.
        first: input that is the first tensor.
    """

    def count(call: Call) -> Count:
        given = call.all_tensors(first, first + inputs)
        shaped = [one for one in given if one.shape]
        if not given:
            raise Unfit("no tensor")
        if call.name.endswith("_"):
            target = call.tensor(first)
            out = output(target.shape, target.dtype)
        else:
            given_out = call.all_tensors(first + inputs)
            known = given_out[0].dtype if given_out else _result(result, shaped or given)
            out = output(broadcast(given), known)
        return flops * out.elements, [*shaped, out]

    return Model("elementwise", count)


def _result(wanted: str, tensors: list[Tensor]) -> str:
    own = promoted([one.dtype for one in tensors])
    if wanted == "float":
        return own if is_float(own) or own not in ("bool", "int64", "int32", "int16", "int8", "uint8") else "fp32"
    return wanted or own


def _dropout(call: Call) -> Count:
    """``native_dropout``: result and a mask of a byte each."""
    data = call.tensor(0)
    return data.elements, [data, output(data.shape, data.dtype), output(data.shape, "bool")]


def _written(call: Call) -> Count:
    """Fills: nothing is read. Their random numbers or constants are not counted as operations."""
    return 0, [call.tensor(0)]


def _copy(call: Call) -> Count:
    """``copy_(to, from)``."""
    to, source = call.tensor(0), call.tensor(1)
    return 0, [source, output(to.shape, to.dtype)]


def _addcmul(call: Call) -> Count:
    """``addcmul``: optimizers give one tensor as both factors; of two alike, one may be all that is read."""
    flops, moved = pointwise(3).count(call)
    first, second = call.optional(1), call.optional(2)
    moved = list(moved)
    if first is not None and first == second and first.shape:
        moved.remove(first)
    return flops or 0, moved


def _same_size(call: Call) -> Count:
    """Moves that calculate nothing: every element is read and written."""
    data = call.tensor(0)
    return 0, [data, output(data.shape, data.dtype)]


_UNARY = (
    "abs neg square sign sgn floor ceil round trunc frac relu relu6 leaky_relu elu selu celu silu mish gelu hardtanh"
    " hardswish hardsigmoid softplus softshrink hardshrink threshold nan_to_num real conj_physical clamp_min clamp_max"
    " bitwise_not glu logit_ clip positive"
)
_FLOATING = (
    "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh asinh acosh"
    " atanh erf erfc erfinv sigmoid logit lgamma digamma angle log_sigmoid_forward special_i0 i0 sinc"
)
_TESTS = "logical_not isnan isinf isfinite signbit isposinf isneginf"
_BINARY = (
    "add sub rsub mul floor_divide remainder fmod pow maximum minimum fmax fmin bitwise_and bitwise_or bitwise_xor"
    " bitwise_left_shift bitwise_right_shift __and__ __or__ __xor__ __lshift__ __rshift__ hypot xlogy copysign"
    " sigmoid_backward tanh_backward threshold_backward gelu_backward silu_backward leaky_relu_backward"
    " hardtanh_backward hardswish_backward hardsigmoid_backward softplus_backward mish_backward logit_backward"
    " softshrink_backward hardshrink_backward native_dropout_backward masked_fill _prelu_kernel multiply subtract"
    " nextafter mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy soft_margin_loss"
)
_COMPARISONS = (
    "eq ne lt le gt ge logical_and logical_or logical_xor isclose equal greater less greater_equal less_equal not_equal"
)
_TERNARY = "addcdiv lerp clamp where mse_loss_backward smooth_l1_loss_backward huber_loss_backward"
_FILLS = "fill zero normal uniform bernoulli random exponential log_normal cauchy geometric"
_MOVES = "roll flip triu tril rot90 channel_shuffle"


def _named(names: str, model: Model) -> dict[str, Model]:
    """Each name, and the one that works in place."""
    base = [f"aten::{name}" for name in names.split()]
    return {name: model for one in base for name in (one, f"{one}_")}


MODELS: dict[str, Model] = {
    **_named(_UNARY, pointwise(1)),
    **_named(_FLOATING, pointwise(1, "float")),
    **_named(_TESTS, pointwise(1, "bool")),
    **_named(_BINARY, pointwise(2)),
    **_named("div divide true_divide atan2", pointwise(2, "float")),
    **_named(_COMPARISONS, pointwise(2, "bool")),
    **_named(_TERNARY, pointwise(3)),
    **_named("addcmul", Model("elementwise", _addcmul)),
    **_named("binary_cross_entropy_backward", pointwise(4)),
    "aten::elu_backward": Model("elementwise", lambda call: _gradient(call)),
    **{f"aten::{name}_": Model("fill", _written) for name in _FILLS.split()},
    **{f"aten::{name}": Model("copy", _same_size) for name in _MOVES.split()},
    "aten::triu_": Model("copy", _same_size),
    "aten::tril_": Model("copy", _same_size),
    "aten::copy_": Model("copy", _copy),
    "aten::native_dropout": Model("elementwise", _dropout),
    "aten::_fused_dropout": Model("elementwise", _dropout),
}


def _gradient(call: Call) -> Count:
    """Of two tensors with scalars between them: the incoming gradient and what the way forward kept."""
    given = [one for one in call.all_tensors() if one.shape][:2]
    out = output(broadcast(given), promoted([one.dtype for one in given]))
    return out.elements, [*given, out]
