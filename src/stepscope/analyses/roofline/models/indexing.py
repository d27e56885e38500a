"""Operators that pick, place, join or resample elements. What is picked is read once and written once.

Of a table no more is read than is picked, and no more than there is.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from stepscope.analyses.roofline.models.call import Call, Tensor, Unfit, output
from stepscope.analyses.roofline.models.work import Model

Count = tuple[int, Iterable[Tensor]]


def _picked(table: Tensor, index: Tensor, shape: list[int]) -> Count:
    out = output(shape, table.dtype)
    read = output([min(out.elements, table.stored)], table.dtype)
    return 0, [read, index, out]


def _index_select(call: Call) -> Count:
    """``index_select(table, dim, index)``."""
    table, index = call.tensor(0), call.tensor(2)
    axis = (call.integers(1) or [0])[0] % max(len(table.shape), 1)
    shape = [index.elements if i == axis else n for i, n in enumerate(table.shape)]
    return _picked(table, index, shape)


def _embedding(call: Call) -> Count:
    table, index = call.tensor(0), call.tensor(1)
    return _picked(table, index, [*index.shape, *table.shape[1:]])


def _gather(call: Call) -> Count:
    table, index = call.tensor(0), call.tensor(2)
    return _picked(table, index, list(index.shape))


def _scatter(adds: bool) -> Model:
    """``scatter_(target, dim, index, source)``: written once for each index, and read before where it is added to."""

    def count(call: Call) -> Count:
        target, index, source = call.tensor(0), call.tensor(2), call.optional(3)
        written = output(index.shape, target.dtype)
        added = [written] if adds else []
        # A source may be larger than the index; only as much of it is read.
        read = [output(index.shape, source.dtype)] if source is not None and source.shape else []
        return index.elements if adds else 0, [index, *read, written, *added]

    return Model("index", count, (0,))


def _index_add(call: Call) -> Count:
    """``index_add_(target, dim, index, source)``."""
    target, index, source = call.tensor(0), call.tensor(2), call.tensor(3)
    touched = output(source.shape, target.dtype)
    return source.elements, [index, source, touched, touched]


def _index_put(call: Call) -> Count:
    """``index_put_(target, indices, values)``: the list of indices is seldom recorded, and left out."""
    target, values = call.tensor(0), call.tensor(2)
    return 0, [values, output(values.shape, target.dtype)]


def _embedding_backward(call: Call) -> Count:
    """``embedding_dense_backward(gradient, index, rows, ...)``: the gradient of the whole table is written."""
    gradient, index = call.tensor(0), call.tensor(1)
    rows = call.integers(2)
    if not rows:
        raise Unfit("size of the table not recorded")
    return gradient.elements, [gradient, index, output([rows[0], gradient.shape[-1]], gradient.dtype)]


def _joined(call: Call) -> Count:
    """``cat`` and its kin: a list of tensors is read and written."""
    parts = call.tensors(0)
    return 0, [*parts, *parts]


def _divided(call: Call) -> Count:
    """``split_with_sizes_copy(tensor, sizes, dim, out)``."""
    data = call.tensor(0)
    return 0, [data, output(data.shape, data.dtype)]


def _windows(data: Tensor, call: Call, stride_at: int = 2) -> list[int]:
    """Output of a pooling ``(input, kernel, stride, padding, ...)``.

    Raises:
        Unfit: kernel or padding are not recorded.
    """
    kernel, padding = call.integers(1), call.integers(stride_at + 1)
    stride = call.integers(stride_at) or kernel
    if not kernel or not padding or not stride:
        raise Unfit("kernel not recorded")
    spatial = len(kernel) if len(kernel) > 1 else min(2, len(data.shape) - 1)
    kernel, padding, stride = (one * (spatial if len(one) == 1 else 1) for one in (kernel, padding, stride))
    sizes = data.shape[-spatial:]
    places = [(sizes[i] + 2 * padding[i] - kernel[i]) // stride[i] + 1 for i in range(spatial)]
    return [*data.shape[:-spatial], *places]


def _pool(indices: bool) -> Model:
    def count(call: Call) -> Count:
        data = call.tensor(0)
        out = output(_windows(data, call), data.dtype)
        kernel = call.integers(1) or [1]
        window = prod(kernel) if len(kernel) > 1 else kernel[0] ** 2
        places = [output(out.shape, "int64")] if indices else []
        return out.elements * window, [data, out, *places]

    return Model("pool", count, (0,), scalars=True)


def _into_cache(call: Call) -> Count:
    """``reshape_and_cache_flash(key, value, key cache, value cache, places, ...)``: of the caches what is written."""
    key, value, cache, places = (call.tensor(i) for i in (0, 1, 2, 4))
    return 0, [key, value, places, output(key.shape, cache.dtype), output(value.shape, cache.dtype)]


def _resized(call: Call) -> Count:
    """``upsample_*`` and ``_adaptive_avg_pool*``: the size of the result stands among the scalars."""
    data, size = call.tensor(0), call.integers(1)
    if not size:
        raise Unfit("size not recorded")
    out = output([*data.shape[: -len(size)], *size], data.dtype)
    return max(out.elements, data.elements), [data, out]


def _gradient_of_input(call: Call) -> Count:
    """``(gradient, input, ...)`` where the input's size matters, not its values; recorded places are read."""
    gradient, data = call.tensor(0), call.tensor(1)
    places = [one for one in call.all_tensors(2) if one.dtype == "int64"]
    out = output(data.shape, data.dtype)
    return max(out.elements, gradient.elements), [gradient, out, *places]


_SCATTER, _SCATTER_ADD = _scatter(False), _scatter(True)
_POOL_BACKWARD = Model("pool", _gradient_of_input, (0,))
_RESIZED = Model("pool", _resized, (0,), scalars=True)
_JOINED = Model("copy", _joined, lists=True)

MODELS: dict[str, Model] = {
    "aten::index_select": Model("index", _index_select, (0,), scalars=True),
    "aten::embedding": Model("index", _embedding, (0,)),
    "aten::gather": Model("index", _gather, (0,)),
    "aten::take_along_dim": Model("index", _gather, (0,)),
    **{f"aten::{name}": _SCATTER for name in ("scatter", "scatter_", "index_copy_", "index_fill_")},
    **{f"aten::{name}": _SCATTER_ADD for name in ("scatter_add", "scatter_add_", "scatter_reduce_")},
    "aten::index_add_": Model("index", _index_add, (0,)),
    "aten::index_put_": Model("index", _index_put, (0,)),
    "aten::_index_put_impl_": Model("index", _index_put, (0,)),
    "_C_cache_ops::reshape_and_cache_flash": Model("index", _into_cache, (0,)),
    "aten::embedding_dense_backward": Model("index", _embedding_backward, (0,), scalars=True),
    "aten::cat": _JOINED,
    "aten::_cat": _JOINED,
    "aten::_chunk_cat": _JOINED,
    "fsdp::chunk_cat": _JOINED,
    "fsdp::all_gather_copy_in": _JOINED,
    "aten::split_with_sizes_copy": Model("copy", _divided, (0,)),
    "aten::max_pool2d_with_indices": _pool(True),
    "aten::max_pool3d_with_indices": _pool(True),
    "aten::avg_pool2d": _pool(False),
    "aten::avg_pool3d": _pool(False),
    **{
        f"aten::{name}_backward": _POOL_BACKWARD
        for name in (
            "max_pool2d_with_indices",
            "max_pool3d_with_indices",
            "avg_pool2d",
            "avg_pool3d",
            "_adaptive_avg_pool2d",
            "_adaptive_avg_pool3d",
        )
    },
    **{f"aten::_adaptive_avg_pool{n}d": _RESIZED for n in (2, 3)},
    **{f"aten::upsample_nearest{n}d": _RESIZED for n in (1, 2, 3)},
    **{f"aten::upsample_{kind}": _RESIZED for kind in ("linear1d", "bilinear2d", "bicubic2d", "trilinear3d")},
}
