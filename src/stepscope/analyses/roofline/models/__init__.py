"""What operator calls have to do: floating-point operations and least traffic, from shapes, types and scalars.

One module per family; each holds ``MODELS``, from an operator's name to its `Model`. Conventions: a multiply and an add
count two; bytes are the compulsory traffic (every input read once, every result written once), so a kernel may move
more, but never less unless the data was in the cache already. docs/tables/roofline.md lists the formulas.

>>> call_work("aten::mm", "[[128, 64], [64, 32]]", '["c10::BFloat16", "c10::BFloat16"]')
Work(flops=524288, bytes=28672, dtype='bf16', kind='gemm')
"""

from __future__ import annotations

from stepscope.analyses.roofline.models import (
    attention,
    convolutions,
    elementwise,
    indexing,
    norms,
    optimizers,
    products,
    reductions,
)
from stepscope.analyses.roofline.models.call import Unfit, read_call
from stepscope.analyses.roofline.models.inductor import inductor_model
from stepscope.analyses.roofline.models.work import MATRIX_KINDS, Model, Work

__all__ = ["MATRIX_KINDS", "Model", "Work", "call_work", "model_of", "modelled_names"]

_MODELS: dict[str, Model] = {
    **elementwise.MODELS,
    **reductions.MODELS,
    **norms.MODELS,
    **indexing.MODELS,
    **optimizers.MODELS,
    **convolutions.MODELS,
    **attention.MODELS,
    **products.MODELS,
}


def model_of(name: str) -> Model | None:
    """The model of an operator, or None."""
    return _MODELS.get(name) or (inductor_model(name) if name.startswith("triton_") else None)


def modelled_names() -> list[str]:
    """Names of the operators with a model, generated kernels left out."""
    return list(_MODELS)


def call_work(
    name: str,
    dims: str | None,
    types: str | None = None,
    strides: str | None = None,
    scalars: str | None = None,
    element: str = "",
    listed: int = 0,
) -> Work | None:
    """Work of one call, or None where the operator has no model or the call does not fit it.

    Args:
        name: operator, as ``aten::mm``.
        dims, types, strides, scalars: JSON lists with an entry per input, as a trace records them.
        element: type of the elements of lists of tensors, which a trace does not record.
        listed: elements of each list whose shapes are not recorded; 0 where not known.
    """
    model = model_of(name)
    if model is None:
        return None
    try:
        call = read_call(name, dims, types, strides, scalars, element, listed)
    except Unfit:
        return None
    return model.work(call)
