"""Roofline rows of a few operators, event by event and with formulas of its own; imports nothing of stepscope."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

from oracles import general as oracle

_BYTES = {"float": 4, "c10::BFloat16": 2, "c10::Half": 2, "double": 8, "long int": 8, "int": 4, "bool": 1}
Inputs = list[tuple[list[int], str, list[int] | None]]


@dataclass
class Row:
    """Sums over the calls of an operator with equal shapes and types."""

    calls: int = 0
    total_ns: int = 0
    flops: int = 0
    bytes: int = 0


def _stored(shape: list[int], strides: list[int] | None) -> int:
    return prod(n for n, stride in zip(shape, strides or [1] * len(shape), strict=True) if stride)


def _read(inputs: Inputs, *places: int) -> int:
    return sum(_BYTES[inputs[i][1]] * _stored(inputs[i][0], inputs[i][2]) for i in places)


def _mm(inputs: Inputs, first: int = 0) -> tuple[int, int]:
    (*batch, m, k), kind, _ = (*inputs[first][0],), inputs[first][1], None
    n = inputs[first + 1][0][-1]
    b = prod(batch)
    return 2 * b * m * n * k, _read(inputs, first, first + 1) + b * m * n * _BYTES[kind]


def _addmm(inputs: Inputs) -> tuple[int, int]:
    flops, moved = _mm(inputs, 1)
    return flops, moved + _read(inputs, 0)


def _unary(inputs: Inputs) -> tuple[int, int]:
    shape, kind, _ = inputs[0]
    return prod(shape), _read(inputs, 0) + prod(shape) * _BYTES[kind]


def _softmax(inputs: Inputs) -> tuple[int, int]:
    flops, moved = _unary(inputs)
    return 5 * flops, moved


def _copy(inputs: Inputs) -> tuple[int, int]:
    (to, kind, _), _source = inputs[0], inputs[1]
    return 0, _read(inputs, 1) + prod(to) * _BYTES[kind]


MODELS: dict[str, Callable[[Inputs], tuple[int, int]]] = {
    "aten::mm": _mm,
    "aten::bmm": _mm,
    "aten::addmm": _addmm,
    "aten::gelu": _unary,
    "aten::silu": _unary,
    "aten::neg": _unary,
    "aten::_softmax": _softmax,
    "aten::_log_softmax": _softmax,
    "aten::copy_": _copy,
}


def _inputs(operator: oracle.Timed) -> Inputs:
    dims, types = operator.args.get("Input Dims") or [], operator.args.get("Input type") or []
    strides = operator.args.get("Input Strides") or [None] * len(dims)
    return [(shape, kind, stride) for shape, kind, stride in zip(dims, types, strides, strict=True)]


def rows(events: oracle.Events) -> dict[tuple[str, str], Row]:
    """Rows by operator and shapes. Work counts for an operator that is innermost where it was launched."""
    found: dict[tuple[str, str], Row] = defaultdict(Row)
    seen: set[int] = set()
    for activity in events.activity:
        owner = events.owner(activity)
        if owner is None or owner.name not in MODELS or not owner.args.get("Input Dims"):
            continue
        if events.is_communication(activity) or (activity.category == "gpu_memcpy" and not _is_local(activity)):
            continue
        row = found[owner.name, json.dumps(owner.args["Input Dims"])]
        row.total_ns += activity.duration
        if owner.number not in seen:
            seen.add(owner.number)
            flops, moved = MODELS[owner.name](_inputs(owner))
            row.calls += 1
            row.flops += flops
            row.bytes += moved
    return found


def _is_local(activity: oracle.Timed) -> bool:
    return any(word in (activity.name or "") for word in ("DtoD", "DeviceToDevice"))


def device_time(events: oracle.Events) -> int:
    """All GPU time, a sum of durations."""
    return sum(activity.duration for activity in events.activity)


def shapes_text(dims: str) -> str:
    """Shapes as the table writes them."""
    found: list[Any] = json.loads(dims)
    return ", ".join("x".join(map(str, shape)) for shape in found if shape)
