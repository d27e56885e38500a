"""Calls as a trace records them, for the models."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from stepscope.analyses.roofline.models import Work, call_work

FP64, FP32, FP16, BF16 = "double", "float", "c10::Half", "c10::BFloat16"
FP8, INT64, INT32, BOOL = "c10::Float8_e4m3fn", "long int", "int", "bool"
SCALAR, LIST, NONE, TENSORS = "Scalar", "ScalarList", "", "TensorList"


def work(
    name: str,
    inputs: Sequence[tuple[str, Any]],
    scalars: Sequence[Any] | None = None,
    strides: Sequence[Any] | None = None,
    element: str = "",
) -> Work | None:
    """Work of a call whose inputs are pairs of type and shape."""
    return call_work(
        name,
        json.dumps([shape for _, shape in inputs]),
        json.dumps([kind for kind, _ in inputs]),
        json.dumps(strides) if strides is not None else None,
        json.dumps(list(scalars)) if scalars is not None else None,
        element,
    )
