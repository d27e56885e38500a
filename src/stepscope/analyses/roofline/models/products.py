"""Matrix products: 2·M·N·K operations; both factors read once, the product written once.

A complex multiply and add is four real ones. A factor of packed fp4 holds two numbers in each recorded element.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from stepscope.analyses.roofline.models.call import Call, Tensor, Unfit, output
from stepscope.analyses.roofline.models.dtypes import is_complex, numbered_type, promoted
from stepscope.analyses.roofline.models.work import Model

Count = tuple[int, Iterable[Tensor]]


def _product(left: Tensor, right: Tensor, batch: int, m: int, k: int, n: int) -> int:
    """FLOPs of ``batch`` products of (m, k) and (k, n)."""
    numbers = 2 if left.dtype == "fp4" and right.dtype == "fp4" else 1
    return 2 * batch * m * n * k * numbers * (4 if is_complex(left.dtype) else 1)


def _result_type(*factors: Tensor) -> str:
    return promoted([one.dtype for one in factors])


def _two(call: Call, first: int) -> Count:
    """Two matrices, or two batches of them, from input ``first`` on; an ``out`` behind them is not read."""
    left, right = call.tensor(first), call.tensor(first + 1)
    (*batch, m, k), (*batch2, k2, n) = left.shape, right.shape
    if k != k2 or batch != batch2 or len(batch) > 1:
        raise Unfit("shapes do not fit")
    out = output([*batch, m, n], _result_type(left, right))
    return _product(left, right, prod(batch), m, k, n), [left, right, out]


def _plain(call: Call) -> Count:
    return _two(call, 0)


def _added(call: Call) -> Count:
    """``addmm``, ``baddbmm``: what is added is read unless beta is 0; adding it is not counted, as torch does not."""
    flops, moved = _two(call, 1)
    beta = call.scalar(3)
    return flops, [*moved, *([call.tensor(0)] if beta not in ("0", "0.") else [])]


def _summed(call: Call) -> Count:
    """``addbmm``: the products of a batch are added up."""
    flops, (left, right, out) = _two(call, 1)
    return flops, [left, right, output(out.shape[1:], out.dtype), call.tensor(0)]


def _scaled(call: Call) -> Count:
    """``_scaled_mm``: the type of the result stands among the scalars; the factors' own where it is missing."""
    flops, (left, right, out) = _two(call, 0)
    scales = call.all_tensors(2)
    dtype = numbered_type(call.scalar(6)) or ("bf16" if out.dtype in ("fp8", "fp4") else out.dtype)
    return flops, [left, right, output(out.shape, dtype), *scales]


def _whole_numbers(call: Call) -> Count:
    flops, (left, right, out) = _two(call, 0)
    return flops, [left, right, output(out.shape, "int32")]


def _grouped(call: Call) -> Count:
    """``_grouped_mm``: rows, or the inner dimension, of one or both factors are divided among the groups."""
    left, right = call.tensor(0), call.tensor(1)
    if len(left.shape) == len(right.shape) == 3:
        return _two(call, 0)
    (m, k), (k2, n) = left.shape[-2:], right.shape[-2:]
    if k != k2 or {len(left.shape), len(right.shape)} - {2, 3}:
        raise Unfit("shapes do not fit")
    offsets = [one for one in call.all_tensors(2) if one.dtype == "int32" and len(one.shape) == 1]
    groups = offsets[0].shape[0] if offsets else 1
    shape = [groups, m, n] if len(left.shape) == len(right.shape) else [m, n]
    result = "bf16" if left.dtype in ("fp8", "fp4") else _result_type(left, right)
    return _product(left, right, 1, m, k, n), [left, right, output(shape, result)]


def _vector(first: int) -> Model:
    """``mv`` and ``addmv``: a matrix and a vector."""

    def count(call: Call) -> Count:
        matrix, vector = call.tensor(first), call.tensor(first + 1)
        (m, k), (k2,) = matrix.shape, vector.shape
        if k != k2:
            raise Unfit("shapes do not fit")
        out = output([m], _result_type(matrix, vector))
        return _product(matrix, vector, 1, m, k, 1), [matrix, vector, out, *([call.tensor(0)] if first else [])]

    return Model("gemm", count, (first, first + 1))


def _dot(call: Call) -> Count:
    left, right = call.tensor(0), call.tensor(1)
    if left.shape != right.shape or len(left.shape) != 1:
        raise Unfit("shapes do not fit")
    return _product(left, right, 1, 1, left.shape[0], 1), [left, right]


def _linear(call: Call) -> Count:
    """``linear``: the weight is (out, in); the input has any number of dimensions before its last."""
    data, weight = call.tensor(0), call.tensor(1)
    (*rows, k), (*outs, k2) = data.shape, weight.shape
    if k != k2 or len(outs) > 1:
        raise Unfit("shapes do not fit")
    bias = call.optional(2)
    out = output([*rows, *outs], _result_type(data, weight))
    return _product(data, weight, 1, prod(rows), k, prod(outs)), [data, weight, out, *([bias] if bias else [])]


def _matmul(call: Call) -> Count:
    """``matmul``: batches are broadcast, a vector is a matrix of one row or column."""
    left, right = call.tensor(0), call.tensor(1)
    a = left.shape if len(left.shape) > 1 else (1, *left.shape)
    b = right.shape if len(right.shape) > 1 else (*right.shape, 1)
    (*batch, m, k), (*batch2, k2, n) = a, b
    if k != k2:
        raise Unfit("shapes do not fit")
    longest = max(len(batch), len(batch2))
    whole = [
        max(x, y) if 0 not in (x, y) else 0
        for x, y in zip([1] * (longest - len(batch)) + batch, [1] * (longest - len(batch2)) + batch2, strict=True)
    ]
    out = output([*whole, m, n], _result_type(left, right))
    return _product(left, right, prod(whole), m, k, n), [left, right, out]


def _into(call: Call) -> Count:
    """``_C::cutlass_scaled_mm(out, a, b, ...)``."""
    flops, (left, right, _) = _two(call, 1)
    return flops, [left, right, call.tensor(0)]


def _recurrent(call: Call) -> Count:
    """``_cudnn_rnn``, ``miopen_rnn``: every weight matrix is multiplied once for each time step of each sequence."""
    data = call.tensor(0)
    matrices = [one for one in call.tensors(1) if len(one.shape) == 2]
    if not matrices or len(data.shape) not in (2, 3):
        raise Unfit("weights not recorded")
    weights = [Tensor(one.shape, data.dtype) for one in matrices]
    return 2 * prod(data.shape[:-1]) * sum(one.elements for one in matrices), [data, *weights]


MODELS: dict[str, Model] = {
    "aten::mm": Model("gemm", _plain, (0, 1)),
    "aten::bmm": Model("gemm", _plain, (0, 1)),
    "aten::addmm": Model("gemm", _added, (1, 2), scalars=True),
    "aten::_addmm_activation": Model("gemm", _added, (1, 2), scalars=True),
    "aten::baddbmm": Model("gemm", _added, (1, 2), scalars=True),
    "aten::addbmm": Model("gemm", _summed, (1, 2)),
    "aten::mv": _vector(0),
    "aten::addmv": _vector(1),
    "aten::dot": Model("gemm", _dot, (0, 1)),
    "aten::vdot": Model("gemm", _dot, (0, 1)),
    "aten::linear": Model("gemm", _linear, (0, 1)),
    "aten::matmul": Model("gemm", _matmul, (0, 1)),
    "aten::_scaled_mm": Model("gemm", _scaled, (0, 1), scalars=True),
    "aten::_int_mm": Model("gemm", _whole_numbers, (0, 1)),
    "aten::_grouped_mm": Model("gemm", _grouped, (0, 1)),
    "aten::_scaled_grouped_mm": Model("gemm", _grouped, (0, 1)),
    "vllm::rocm_unquantized_gemm": Model("gemm", _linear, (0, 1)),
    "_C::cutlass_scaled_mm": Model("gemm", _into, (1, 2)),
    "trtllm::cublas_scaled_mm": Model("gemm", _scaled, (0, 1), scalars=True),
    "bitsandbytes::int8_linear_matmul": Model("gemm", _linear, (0, 1)),
    "aten::_cudnn_rnn": Model("rnn", _recurrent, (0,), lists=True),
    "aten::miopen_rnn": Model("rnn", _recurrent, (0,), lists=True),
}
