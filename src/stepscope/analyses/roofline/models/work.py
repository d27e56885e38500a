"""What a call had to do, and how a model says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from stepscope.analyses.roofline.models.call import Call, Tensor, Unfit
from stepscope.analyses.roofline.models.dtypes import promoted

MATRIX_KINDS = ("gemm", "conv", "attention", "rnn")
"""Kinds that multiply matrices: the work that counts for model FLOPs."""

_MOST = 1 << 62


@dataclass(frozen=True)
class Work:
    """Arithmetic and least traffic of one call.

    Attributes:
        flops: floating-point operations, a multiply and an add counting two; None where the model does not say.
        bytes: every input read once and every result written once; None where a type was not recorded.
        dtype: short name of the type it calculates in; "" where not recorded.
        kind: gemm, conv, attention, norm, ...
    """

    flops: int | None
    bytes: int | None
    dtype: str
    kind: str


@dataclass(frozen=True)
class Model:
    """How to read the calls of an operator.

    Attributes:
        kind: as in `Work`.
        count: FLOPs and the tensors that are moved.
        operands: inputs whose type is that of the arithmetic; empty for all.
        scalars: whether it reads scalars, which makes more calls distinct.
        lists: whether it reads lists of tensors, whose types are not recorded: kernels' names tell their size.
    """

    kind: str
    count: Callable[[Call], tuple[int | None, Iterable[Tensor]]]
    operands: tuple[int, ...] = ()
    scalars: bool = False
    lists: bool = False

    def work(self, call: Call) -> Work | None:
        """FLOPs and bytes of a call, or None where it does not fit."""
        try:
            flops, moved = self.count(call)
        except (ValueError, TypeError, IndexError, KeyError, ZeroDivisionError, OverflowError):
            return None
        if flops is not None and not 0 <= flops < _MOST:
            return None
        moved = list(moved)
        operands = [one.dtype for one in (call.optional(index) for index in self.operands) if one is not None]
        listed = moved[0].dtype if self.lists and moved else ""
        dtype = promoted(operands) or listed or call.main_type or next((one.dtype for one in moved if one.dtype), "")
        return Work(flops, total_bytes(moved), dtype, self.kind)


def total_bytes(tensors: Iterable[Tensor]) -> int | None:
    """Bytes of tensors together; None where a type is missing."""
    try:
        total = sum(one.bytes for one in tensors)
    except Unfit:
        return None
    return total if total < _MOST else None
