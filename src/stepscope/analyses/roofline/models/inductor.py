"""Triton kernels that torch.compile made, from the tensors that their launch recorded.

Each tensor is moved once; of one that is larger than the kernel's range of elements (the product of the numbers behind
the tensors) no more than that range. The name lists the fused operators but not how often each is calculated, so there
are no FLOPs, except for templates of matrix products.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from math import prod

from stepscope.analyses.roofline.models.call import Call, Tensor, Unfit, output
from stepscope.analyses.roofline.models.work import Model

_FUSED = re.compile(r"triton_(?:poi|red|per|mix)_")
_PRODUCT = re.compile(r"triton_tem_fused_.*?mm")


def inductor_model(name: str) -> Model | None:
    """The model of a generated kernel by its name, or None."""
    if _FUSED.match(name):
        return Model("triton", _fused, scalars=True)
    return Model("gemm", _product) if _PRODUCT.match(name) else None


def _fused(call: Call) -> tuple[None, Iterable[Tensor]]:
    given = call.all_tensors()
    if not given:
        raise Unfit("no tensor")
    numbers = [call.scalar(i) for i, one in enumerate(call.inputs) if one is None]
    sizes = [int(text) for text in numbers if text.isdigit() and int(text) > 0]
    most = prod(sizes) if sizes else 1 << 50
    return None, [output([min(one.stored, most)], one.dtype) for one in given]


def _product(call: Call) -> tuple[int, Iterable[Tensor]]:
    """Of the matrices among the tensors, the first two that can be multiplied; the others are read or written once."""
    given = call.all_tensors()
    matrices = [one for one in given if len(one.shape) in (2, 3)]
    for left, right in pairwise(matrices):
        (*batch, m, k), (*batch2, k2, n) = left.shape, right.shape
        results = [one for one in matrices if one.shape == (*batch, m, n) and one is not left and one is not right]
        if k == k2 and batch == batch2 and results:
            return 2 * prod(batch) * m * n * k, given
    raise Unfit("no product")
