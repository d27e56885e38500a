"""Reductions, softmax and losses.

A reduction reads its input once, one operation per element, and writes its results. Softmax takes five operations per
element (maximum, difference, exponential, sum, division; of the logarithm the last is a difference), backwards four.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from stepscope.analyses.roofline.models.call import Call, Tensor, Unfit, output
from stepscope.analyses.roofline.models.dtypes import numbered_type
from stepscope.analyses.roofline.models.work import Model

Count = tuple[int, Iterable[Tensor]]

_SOFTMAX_FLOPS, _SOFTMAX_BACKWARD_FLOPS = 5, 4
_SUMS_OF_INTEGERS = ("bool", "uint8", "int8", "int16", "int32")


def _reduction(dim: int, results: tuple[str, ...] = ("",), dtype: int | None = None) -> Model:
    """A reduction over the dimensions that input ``dim`` names; over all where it names none.

    Args:
        results: type of each result; "" for the input's.
        dtype: input that names another type of the result.
    """

    def count(call: Call) -> Count:
        data = call.tensor(0)
        second = call.optional(1)
        if second is not None and second.shape and dim == 1:
            raise Unfit("not a reduction")  # max(a, b), element by element
        dims = _dimensions(call, dim, len(data.shape))
        left = prod(n for axis, n in enumerate(data.shape) if axis not in dims)
        wanted = numbered_type(call.scalar(dtype)) if dtype is not None else ""
        written = [output([left], wanted or result or data.dtype) for result in results]
        return data.elements, [data, *written]

    return Model("reduce", count, scalars=True)


def _dimensions(call: Call, index: int, rank: int) -> set[int]:
    named = call.integers(index)
    if not named:
        return set(range(rank))
    return {axis % rank for axis in named} if rank else set()


def _sum(call: Call) -> Count:
    flops, (data, out) = _reduction(1, dtype=3).count(call)
    recorded = numbered_type(call.scalar(3))
    dtype = "int64" if data.dtype in _SUMS_OF_INTEGERS and not recorded else out.dtype
    return flops or 0, [data, output(out.shape, dtype)]


def _maximum(call: Call) -> Count:
    """``max`` and ``min``: of everything, along a dimension (with places), or of two tensors."""
    other = call.optional(1)
    if other is not None and (other.shape or not call.scalar(1)):
        from stepscope.analyses.roofline.models.elementwise import pointwise

        flops, moved = pointwise(2).count(call)
        return flops or 0, moved
    along = call.integers(1)
    flops, moved = _reduction(1, ("", "int64") if along else ("",)).count(call)
    return flops or 0, moved


def _scan(call: Call) -> Count:
    data = call.tensor(0)
    return data.elements, [data, output(data.shape, "int64" if data.dtype in _SUMS_OF_INTEGERS else data.dtype)]


def _sort(call: Call) -> Count:
    """Least traffic of a sort: values in, values and places out. Comparisons are not counted."""
    data = call.tensor(0)
    return 0, [data, output(data.shape, data.dtype), output(data.shape, "int64")]


def _top(call: Call) -> Count:
    data, most = call.tensor(0), call.integers(1)
    axis = (call.integers(2) or [-1])[0] % max(len(data.shape), 1)
    left = prod(n for i, n in enumerate(data.shape) if i != axis) * (most or [0])[0]
    return 0, [data, output([left], data.dtype), output([left], "int64")]


def _read(call: Call) -> Count:
    """The results are few or of unknown number, and left out."""
    data = call.tensor(0)
    return data.elements, [data]


def _softmax(call: Call) -> Count:
    """``_softmax(data, dim, half_to_float)``."""
    data = call.tensor(0)
    return _SOFTMAX_FLOPS * data.elements, [data, output(data.shape, "fp32" if call.is_true(2) else data.dtype)]


def _softmax_backward(call: Call) -> Count:
    """``_softmax_backward_data(gradient, result, dim, input type)``."""
    gradient, result = call.tensor(0), call.tensor(1)
    own = numbered_type(call.scalar(3)) or result.dtype
    return _SOFTMAX_BACKWARD_FLOPS * result.elements, [gradient, result, output(result.shape, own)]


def _nll(call: Call) -> Count:
    """``nll_loss_forward``: one number for each target is read."""
    data, target = call.tensor(0), call.tensor(1)
    return target.elements, [target, output(target.shape, data.dtype)]


def _nll_backward(call: Call) -> Count:
    """``nll_loss_backward``: one number for each target is written; the zeros around them are a fill of their own."""
    data, target = call.tensor(1), call.tensor(2)
    return target.elements, [target, output(target.shape, data.dtype)]


_MODEL_SOFTMAX = Model("softmax", _softmax, scalars=True)
_MODEL_SOFTMAX_BACKWARD = Model("softmax", _softmax_backward, scalars=True)

MODELS: dict[str, Model] = {
    "aten::sum": Model("reduce", _sum, scalars=True),
    "aten::nansum": Model("reduce", _sum, scalars=True),
    "aten::mean": _reduction(1, dtype=3),
    "aten::prod": _reduction(1),
    "aten::amax": _reduction(1),
    "aten::amin": _reduction(1),
    "aten::argmax": _reduction(1, ("int64",)),
    "aten::argmin": _reduction(1, ("int64",)),
    "aten::any": _reduction(1, ("bool",)),
    "aten::all": _reduction(1, ("bool",)),
    "aten::logsumexp": _reduction(1),
    "aten::std": _reduction(1),
    "aten::var": _reduction(1),
    "aten::var_mean": _reduction(1, ("", "")),
    "aten::std_mean": _reduction(1, ("", "")),
    "aten::norm": _reduction(2),
    "aten::linalg_vector_norm": _reduction(2, dtype=4),
    "aten::count_nonzero": _reduction(1, ("int64",)),
    "aten::max": Model("reduce", _maximum, scalars=True),
    "aten::min": Model("reduce", _maximum, scalars=True),
    "aten::cumsum": Model("reduce", _scan),
    "aten::cumsum_": Model("reduce", _scan),
    "aten::cumprod": Model("reduce", _scan),
    "aten::sort": Model("sort", _sort),
    "aten::topk": Model("sort", _top, scalars=True),
    "aten::nonzero": Model("reduce", _read),
    "aten::histc": Model("reduce", _read),
    "aten::bincount": Model("reduce", _read),
    "aten::_softmax": _MODEL_SOFTMAX,
    "aten::_log_softmax": _MODEL_SOFTMAX,
    "aten::_softmax_backward_data": _MODEL_SOFTMAX_BACKWARD,
    "aten::_log_softmax_backward_data": _MODEL_SOFTMAX_BACKWARD,
    "aten::_safe_softmax": Model("softmax", _softmax),
    "aten::nll_loss_forward": Model("loss", _nll),
    "aten::nll_loss2d_forward": Model("loss", _nll),
    "aten::nll_loss_backward": Model("loss", _nll_backward),
    "aten::nll_loss2d_backward": Model("loss", _nll_backward),
}
