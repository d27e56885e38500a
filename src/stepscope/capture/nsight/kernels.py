"""Kernels of a trace as ncu names them, and those that it must not touch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_FUNCTION = re.compile(r"[A-Za-z_$][\w$]*")
_DEADLOCK = (
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
    "ncclKernel_AllGather_RING_LL_Sum_int8_t",
    "ncclDevKernel_SendRecv",
    "rcclGenericKernel",
    "multimem_all_reduce_kernel",
    "nvshmemi_transfer_allgather",
)
"""Names of kernels that wait for those of other ranks."""
_PARENTHESIS = "(anonymous namespace)"


@dataclass(frozen=True)
class Kernel:
    """A row of the table ``kernels``.

    Attributes:
        name: demangled.
        is_communication: it waits for kernels of other ranks.
    """

    name: str
    calls: int
    total_ns: int
    is_communication: bool


@dataclass(frozen=True)
class Target:
    """A function of which launches are to be examined.

    Attributes:
        function: its name as ncu matches it: without namespaces, template arguments and parameters.
        kernels: how many kernels of the trace are instances of it.
        calls, total_ns: of them all.
    """

    function: str
    kernels: int
    calls: int
    total_ns: int

    @property
    def mean_ns(self) -> int:
        return round(self.total_ns / max(1, self.calls))


def heaviest(kernels: Iterable[Kernel], top: int) -> tuple[list[Target], list[str]]:
    """The functions with most GPU time, and the heavier communication kernels that are left out.

    Returns:
        The targets, heaviest first, and the functions that would have been among them but for what they are.
    """
    rows: dict[str, list[Kernel]] = {}
    for kernel in kernels:
        function = function_name(kernel.name)
        if function:
            rows.setdefault(function, []).append(kernel)
    found = sorted(rows, key=lambda one: (-sum(kernel.total_ns for kernel in rows[one]), one))
    targets: list[Target] = []
    left_out = []
    for function in found:
        if len(targets) == top:
            break
        if any(kernel.is_communication for kernel in rows[function]) or may_deadlock(pattern_of([function])):
            left_out.append(function)
            continue
        calls, total = (
            sum(values) for values in zip(*((one.calls, one.total_ns) for one in rows[function]), strict=True)
        )
        targets.append(Target(function, len(rows[function]), calls, total))
    return targets, left_out


def may_deadlock(pattern: str) -> bool:
    """Whether a pattern matches kernels of communication: replayed, one waits for peers that never come again.

    Raises:
        re.error: it is no regular expression.
    """
    return any(re.search(pattern, name) for name in _DEADLOCK)


def pattern_of(functions: Sequence[str]) -> str:
    return f"^({'|'.join(map(re.escape, functions))})$"


def function_name(name: str) -> str:
    """The bare name of a kernel; "" where there is none.

    >>> function_name("void at::native::(anonymous namespace)::norm<float, (int)4>(int, float const*)")
    'norm'
    >>> function_name("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64")
    'sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64'
    """
    text = name.replace(_PARENTHESIS, "")
    depth = parentheses = 0
    kept = []
    for character in text:
        if character == "(" and not depth and not parentheses:
            break
        parentheses += (character == "(") - (character == ")")
        if not parentheses and character in "<>":
            depth += 1 if character == "<" else -1
        elif not depth:
            kept.append(character)
    found = _FUNCTION.findall("".join(kept).rpartition("::")[2])
    return found[-1] if found else ""
