"""Operators on lists of tensors, as optimizers call them: each list read or written once.

Long lists are recorded without their shapes; such calls have no model. Adam takes about 14 operations per parameter
(three for the first moment, four for the second, three for the root and its correction, four for the step and the
decay), SGD with momentum six.
"""

from __future__ import annotations

from collections.abc import Iterable

from stepscope.analyses.roofline.models.call import Call, Tensor
from stepscope.analyses.roofline.models.work import Model

Count = tuple[int, Iterable[Tensor]]

_ADAM_FLOPS, _SGD_FLOPS = 14, 6


def _lists(read: tuple[int, ...], written: tuple[int, ...], flops: int) -> Model:
    """Lists at the inputs ``read`` and ``written``; ``flops`` per element of the first list."""

    def count(call: Call) -> Count:
        moved = [tensor for index in (*read, *written) for tensor in _list(call, index)]
        return flops * sum(one.elements for one in call.tensors(0)), moved

    return Model("optimizer", count, lists=True)


def _list(call: Call, index: int) -> tuple[Tensor, ...]:
    """A list, or nothing where a number stands in its place."""
    given = call.inputs[index] if index < len(call.inputs) else None
    return given if isinstance(given, tuple) else ()


_ONE = "add sub mul div sqrt rsqrt neg abs exp log reciprocal square clamp_min clamp_max pow maximum minimum sigmoid"
_THREE = "addcdiv lerp"

MODELS: dict[str, Model] = {
    **{f"aten::_foreach_{name}": _lists((0, 1), (0,), 1) for name in _ONE.split()},
    **{f"aten::_foreach_{name}_": _lists((0, 1), (0,), 1) for name in _ONE.split()},
    **{f"aten::_foreach_{name}": _lists((0, 1, 2), (0,), 2) for name in _THREE.split()},
    **{f"aten::_foreach_{name}_": _lists((0, 1, 2), (0,), 2) for name in _THREE.split()},
    # Optimizers square a gradient by giving it as both factors.
    "aten::_foreach_addcmul": _lists((0, 1), (0,), 2),
    "aten::_foreach_addcmul_": _lists((0, 1), (0,), 2),
    "aten::_foreach_zero_": _lists((), (0,), 0),
    "aten::_foreach_copy_": _lists((1,), (0,), 0),
    "aten::_foreach_norm": _lists((0,), (), 2),
    "aten::_amp_foreach_non_finite_check_and_unscale_": _lists((0,), (0,), 1),
    "aten::_fused_adam_": _lists((0, 1, 2, 3), (0, 2, 3), _ADAM_FLOPS),
    "aten::_fused_adamw_": _lists((0, 1, 2, 3), (0, 2, 3), _ADAM_FLOPS),
    "aten::_fused_adagrad_": _lists((0, 1, 2), (0, 2), _SGD_FLOPS),
    "aten::_fused_sgd_": _lists((0, 1, 2), (0, 2), _SGD_FLOPS),
}
