"""Made recordings of a program whose GEMM, launches and waits a test chooses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from building import Events, call, kernel, launched, operator, step, write

STEP = 1_000_000
DEVICE = {"deviceProperties": [{"name": "NVIDIA H200", "id": 0}]}


def made(
    path: Path,
    *,
    steps: int = 6,
    length: int = STEP,
    gemm: int = 700_000,
    waits: int = 0,
    evaluates: Sequence[int] = (),
    **head: Any,
) -> str:
    """A GPU-bound recording: a kernel a step, launched by one operator; some calls that wait behind it.

    Args:
        evaluates: steps that take four times as long with an operator more.
    """
    events: list[Events] = []
    begin = 0
    for number in range(steps):
        whole = length * (4 if number in evaluates else 1)
        start, begin = begin, begin + whole
        if number in evaluates:
            events.append(operator("aten::eq", start + 1_000, start + 2_000))
        events.append(step(number, start, begin))
        start = begin - length
        events += [
            [
                operator("aten::mm", start + 10_000, start + 60_000),
                launched(kernel("gemm", start + 100_000, start + 100_000 + gemm, number + 1), start + 20_000),
            ],
            [
                call(
                    start + 70_000 + 100 * n,
                    start + 70_050 + 100 * n,
                    1000 * (number + 1) + n,
                    name="cudaDeviceSynchronize",
                )
                for n in range(waits)
            ],
        ]
    return str(write(path, *events, **(DEVICE | head)))
