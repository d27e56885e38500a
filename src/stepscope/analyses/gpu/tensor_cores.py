"""Which operator calls could run on tensor cores (AMD: matrix cores), whether they do or not (see docs/tables/).

An operator is eligible if its kind multiplies matrices (products, convolutions, fused attention, recurrent layers) and
nothing that was recorded of a call speaks against it:

- its matrices are of a type that the GPU's tensor cores take; float counts, as TF32 or autocast gets it there;
- no dimension of the product is 1, which makes it a product with a vector, and a convolution is not depthwise.

An operator of a library whose name says nothing is not known: null.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.gpu.kernel_names import words
from stepscope.analyses.gpu.kernel_rules import INDUCTOR, OPERATOR_RULES, any_of
from stepscope.store.devices import device_properties, used_devices
from stepscope.store.json_text import json_value
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_ALWAYS = ("gemm", "conv", "attention")
_NEVER = any_of(
    r"_(?:mv|addmv|addr|ger|vdot|outer|inner)_ _dot_(?!product) _thnn_fused_ _fused_sdp_choice_ _c10d_ _comms_"
)
"""Products with vectors, the element-wise part of recurrent cells, choices, communication."""
_RECURRENT = any_of(r"_(?:lstm|gru|rnn_tanh|rnn_relu)(?:_cell)?_ _cudnn_rnn_ _miopen_rnn_")
_BIASED = any_of(r"_addmm_ _baddbmm_ _addbmm_ _addmm_activation_")
_HALF, _INT8, _FP8, _FP4 = ("Half",), ("signed char",), ("Float8",), ("Float4",)
_SINCE = ((700, _HALF), (700, ("float",)), (705, _INT8), (800, ("BFloat16",)), (809, _FP8), (1000, _FP4))
"""Types of matrices by the first compute capability (100 times major plus minor) whose tensor cores take them; float
through half precision (autocast) at first, from 8.0 on through TF32."""
_DOUBLE = (800, 900, 1000)
"""Only the data-centre GPUs multiply double precision on tensor cores."""
_TENSOR_CORES_SINCE = 700
_OTHER_RUNTIMES = r"^(?:(?:mtia|xpu|hpu|glow|privateuse1)_|(?:cann|enqueue|dequeue)$)"


@per_rank
def eligible_calls(rank: Rank) -> pl.Series:
    """Whether each row of the table ``operator`` could run on tensor cores; null where that is not known."""
    trace = rank.trace
    columns = ["name", "input_dims", "input_types"]
    nothing = pl.Series("eligible", [None], dtype=pl.Boolean).new_from_index(0, trace.rows("operator"))
    if of_other_makers(rank):
        return nothing
    capability = _capability(rank)
    names = trace.occurring("operator", "name")
    kinds = [(code, _by_name(name)) for code, name in zip(names, trace.text(names), strict=True)]
    asked, never = (
        pl.Series([code for code, eligible in kinds if eligible is kind], dtype=pl.UInt32) for kind in (True, False)
    )
    rows = trace.rows_with("operator", asked)
    mine = trace.frame("operator", columns)[rows]
    calls = mine.unique()
    texts = [trace.text(calls[name]).to_list() for name in columns]
    each = [call_is_eligible(name, dims, types, capability) for name, dims, types in zip(*texts, strict=True)]
    known = calls.with_columns(pl.Series("eligible", each, dtype=pl.Boolean))
    found = mine.join(known, columns, "left", nulls_equal=True, maintain_order="left")
    return nothing.scatter(trace.rows_with("operator", never), False).scatter(rows, found["eligible"])


def of_other_makers(rank: Rank) -> bool:
    """Whether all runtime calls are those of another accelerator than NVIDIA's or AMD's."""
    runtimes = rank.trace.frame("runtime", ["category"])["category"]
    others = rank.trace.codes(lambda text: text.str.contains(_OTHER_RUNTIMES)).implode()
    return len(runtimes) > 0 and bool(runtimes.is_in(others).all())


def eligible_groups(rank: Rank, key: npt.NDArray[np.int64], count: int) -> pl.Series:
    """Whether any call of each group is eligible, as `eligible_of_all` says.

    Args:
        key: group of each row of the table ``operator``, negative for none.
        count: number of groups.
    """
    calls = eligible_calls(rank).to_frame("eligible").with_columns(pl.Series("group", key)).filter(pl.col("group") >= 0)
    of = calls.group_by("group").agg(eligible_of_all("eligible"))
    groups = pl.DataFrame({"group": pl.int_range(count, dtype=pl.Int64, eager=True)})
    return groups.join(of, "group", "left", maintain_order="left")["eligible"].alias("tensor_core_eligible")


def eligible_of_all(name: str) -> pl.Expr:
    """Of several values of a column: true if one is, null if none is but some are not known, else false."""
    column = pl.col(name)
    return pl.when(column.fill_null(False).any()).then(True).when(~column.is_null().any()).then(False).alias(name)


def _capability(rank: Rank) -> int | None:
    """Compute capability of the NVIDIA GPUs that worked, 100 times major plus minor; None if not known, or AMD."""
    known = (device_properties(rank, number) for number in used_devices(rank))
    devices = [device for device in known if device]
    found = [
        100 * int(device["computeMajor"]) + int(device["computeMinor"])
        for device in devices
        if device.get("warpSize") == 32 and "computeMajor" in device and "computeMinor" in device
    ]
    return min(found) if found else None


@lru_cache(maxsize=4096)
def _by_name(name: str) -> bool | None:
    """Whether an operator's kind can run on tensor cores; None where its name does not tell."""
    inductor = INDUCTOR.match(name)
    if inductor:
        return inductor.group(1) not in ("poi", "red", "per", "for", "split_scan")
    text = words(name)
    if _NEVER.search(text):
        return False
    if _RECURRENT.search(text):
        return True
    kind = next((kind for kind, pattern in OPERATOR_RULES if pattern.search(text)), None)
    if kind is None:
        return False if name.startswith("aten::") else None
    return kind in _ALWAYS


def call_is_eligible(name: str, dims: str | None, types: str | None, capability: int | None) -> bool:
    """Whether a call of an operator whose kind can run on tensor cores could, from what was recorded of it.

    Args:
        name: operator, as ``aten::mm``.
        dims, types: JSON of its input dimensions and types, or None.
        capability: of the GPU, 100 times major plus minor, or None if not known.

    >>> call_is_eligible("aten::mm", "[[64, 32], [32, 16]]", '["float", "float"]', 900)
    True
    >>> call_is_eligible("aten::mm", "[[1, 32], [32, 16]]", '["float", "float"]', 900)
    False
    """
    if capability is not None and capability < _TENSOR_CORES_SINCE:
        return False
    shapes, kinds = _list(dims), _list(types)
    return _types_fit(shapes, kinds, capability) and _shapes_fit(name, shapes)


def _list(text: str | None) -> list[Any]:
    try:
        found = json_value(text) if text else []
    except ValueError:
        return []
    return found if isinstance(found, list) else []


def _types_fit(shapes: list[Any], types: list[Any], capability: int | None) -> bool:
    """Whether a matrix among the inputs has a type that tensor cores take; all inputs count where none has a shape."""
    matrices = [kind for shape, kind in zip(shapes, types, strict=False) if isinstance(shape, list) and len(shape) > 1]
    known = [kind for kind in matrices or types if isinstance(kind, str) and kind and kind not in _NO_TENSORS]
    return not known or any(_type_fits(kind, capability) for kind in known)


_NO_TENSORS = ("Scalar", "ScalarList", "TensorList", "GenericList")


def _type_fits(kind: str, capability: int | None) -> bool:
    if "double" in kind:
        return capability is None or capability in _DOUBLE
    since = [first for first, types in _SINCE if any(word in kind for word in types)]
    return bool(since) and (capability is None or capability >= max(since))


def _shapes_fit(name: str, shapes: list[Any]) -> bool:
    text = words(name)
    sizes = [shape if _is_shape(shape) else [] for shape in shapes]
    if "conv" in text:
        return not _is_depthwise(sizes)
    first, second = (1, 2) if _BIASED.search(text) else (0, 1)
    if len(sizes) <= second or "attention" in text or _RECURRENT.search(text) or "mm" not in text + _product(text):
        return True
    left, right = sizes[first], sizes[second]
    if not left or not right:
        return True
    if len(left) == 1 or len(right) == 1:
        return False
    rows = left[-2] if len(right) > 2 else prod(left[:-1])
    columns = right[-2] if "_linear_" in text else right[-1]
    return 1 not in (rows, left[-1], columns)


def _product(text: str) -> str:
    """``mm`` for operators that multiply matrices under another name."""
    return "mm" if "_matmul_" in text or "_linear_" in text else ""


def _is_shape(shape: Any) -> bool:
    return isinstance(shape, list) and all(isinstance(size, int) for size in shape)


def _is_depthwise(sizes: list[list[int]]) -> bool:
    """Whether a convolution has one input channel per group and several groups."""
    tensors = [size for size in sizes[:3] if len(size) > 2]
    if len(tensors) < 2:
        return False
    # The weight stands last: after the image, or after the gradient and the image.
    image, weight = tensors[-2], tensors[-1]
    return weight[1] == 1 and image[1] > 1 and weight[0] >= image[1]
