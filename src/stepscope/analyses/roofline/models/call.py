"""A recorded operator call: its tensors and scalars, as the models of `analyses.roofline.models` read them.

Shapes, types, strides and scalars are four JSON lists with an entry per input. A tensor's entry holds its dimensions;
a list of tensors holds a list of those; a scalar, or an input that was not given, holds an empty list.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from math import prod
from typing import Any

from stepscope.analyses.roofline.models.dtypes import SIZES, promoted, short_type
from stepscope.store.json_text import json_value

_TENSORS = "TensorList"
_NO_TENSOR = ("", "Scalar", "ScalarList", "nullptr (uninitialized)", "GenericList", "OptionalTensorList")


class Unfit(ValueError):
    """A call that a model cannot read: other inputs than it knows."""


@dataclass(frozen=True)
class Tensor:
    """Shape, short type ("" where not recorded) and strides (None where not recorded) of a tensor."""

    shape: tuple[int, ...]
    dtype: str = ""
    strides: tuple[int, ...] | None = None

    @property
    def elements(self) -> int:
        return prod(self.shape)

    @property
    def stored(self) -> int:
        """Elements at distinct addresses: a dimension of stride 0 repeats what is stored once."""
        if self.strides is None or len(self.strides) != len(self.shape):
            return self.elements
        return prod(n for n, stride in zip(self.shape, self.strides, strict=True) if stride != 0)

    @property
    def bytes(self) -> int:
        return self.stored * size_of(self.dtype)


def size_of(dtype: str) -> int:
    """Bytes of an element.

    Raises:
        Unfit: the type was not recorded.
    """
    if dtype not in SIZES:
        raise Unfit("type not recorded")
    return SIZES[dtype]


def output(shape: tuple[int, ...] | list[int], dtype: str) -> Tensor:
    """A result that a call writes."""
    return Tensor(tuple(shape), dtype)


@dataclass(frozen=True)
class Call:
    """One call. ``inputs`` holds a tensor, a list of tensors or None per input, ``scalars`` a text or number."""

    name: str
    inputs: tuple[Tensor | tuple[Tensor, ...] | None, ...]
    scalars: tuple[Any, ...] = field(default=())

    def tensor(self, index: int) -> Tensor:
        """The tensor that stands at an index.

        Raises:
            Unfit: there is none.
        """
        found = self.optional(index)
        if found is None:
            raise Unfit("no tensor")
        return found

    def optional(self, index: int) -> Tensor | None:
        """The tensor that stands at an index, or None."""
        found = self.inputs[index] if -len(self.inputs) <= index < len(self.inputs) else None
        return found if isinstance(found, Tensor) else None

    def tensors(self, index: int) -> tuple[Tensor, ...]:
        """The list of tensors that stands at an index.

        Raises:
            Unfit: it is not recorded, as lists of many tensors are not.
        """
        found = self.inputs[index] if index < len(self.inputs) else None
        if not isinstance(found, tuple):
            raise Unfit("list not recorded")
        return found

    def scalar(self, index: int) -> str:
        """Text of a scalar; "" where it is not recorded."""
        value = self.scalars[index] if -len(self.scalars) <= index < len(self.scalars) else ""
        return "" if value is None else value if isinstance(value, str) else json.dumps(value)

    def is_true(self, index: int) -> bool:
        return self.scalar(index).lower() in ("true", "1")

    def integers(self, index: int) -> list[int] | None:
        """A list of integers, or one integer as a list; None where it is not recorded."""
        text = self.scalar(index)
        value = json_value(text) if text else None
        if value is None:
            return None
        values = value if isinstance(value, list) else [value]
        return [int(one) for one in values]

    def all_tensors(self, start: int = 0, stop: int | None = None) -> list[Tensor]:
        """Tensors among the inputs from start to stop, in order, lists left out."""
        return [one for one in self.inputs[start:stop] if isinstance(one, Tensor)]

    @property
    def main_type(self) -> str:
        """Type in which the call calculates: that of its tensors together, numbers without dimensions left out."""
        shaped = [one.dtype for one in self.all_tensors() if one.shape]
        return promoted(shaped or [one.dtype for one in self.all_tensors()])


def read_call(
    name: str,
    dims: str | None,
    types: str | None,
    strides: str | None,
    scalars: str | None,
    element: str = "",
    listed: int = 0,
) -> Call:
    """A call from the texts of a trace.

    Args:
        element: type of the elements of lists of tensors.
        listed: elements of each list whose shapes are not recorded; 0 where not known.

    Raises:
        Unfit: there are no shapes, or they are no lists.
    """
    shapes = _listed(dims)
    if shapes is None:
        raise Unfit("no shapes")
    kinds = _listed(types) or [None] * len(shapes)
    steps = _listed(strides) or [None] * len(shapes)
    steps += [None] * (len(shapes) - len(steps))
    kinds += [""] * (len(shapes) - len(kinds))
    unknown = (Tensor((listed,), element),) if listed else None
    inputs = tuple(
        unknown if kind == _TENSORS and shape == [] else _input(shape, kind, step, element)
        for shape, kind, step in zip(shapes, kinds, steps, strict=False)
    )
    return Call(name, inputs, tuple(_listed(scalars) or ()))


def _listed(text: str | None) -> list[Any] | None:
    if not text:
        return None
    try:
        value = json_value(text, parse_constant=lambda _: None)
    except ValueError:
        return None
    return value if isinstance(value, list) else None


def _input(shape: Any, kind: Any, strides: Any, element: str) -> Tensor | tuple[Tensor, ...] | None:
    if not isinstance(shape, list) or not (kind is None or isinstance(kind, str)):
        return None
    if shape and all(isinstance(one, list) for one in shape):
        parts = strides if isinstance(strides, list) and len(strides) == len(shape) else [None] * len(shape)
        listed = [_tensor(one, element, step) for one, step in zip(shape, parts, strict=True)]
        return tuple(one for one in listed if one is not None)
    if kind is None:  # without types only a shape tells a tensor from a scalar
        return _tensor(shape, "", strides) if shape else None
    if kind in _NO_TENSOR:
        return None
    dtype = short_type(kind)
    return _tensor(shape, dtype, strides) if dtype else None


def _tensor(shape: list[Any], dtype: str, strides: Any) -> Tensor | None:
    if not all(_is_size(n) for n in shape):
        return None
    known = isinstance(strides, list) and len(strides) == len(shape) and all(isinstance(n, int) for n in strides)
    return Tensor(tuple(shape), dtype, tuple(strides) if known else None)


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 50
