"""On MTIA, and with CUDA_LAUNCH_BLOCKING=1, a launch returns when its work is done: the step seemed host-bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import call, kernel, opened, operator, step

MS = 1_000_000


def steps(inside: bool) -> list[object]:
    """Three steps of 10 kernels of 80 us, whose calls return 5 us after them or before them."""
    events: list[object] = []
    for n in range(3):
        events.append(step(n, n * MS, (n + 1) * MS))
        for i in range(10):
            at, number = n * MS + 100_000 * i, 100 * n + i + 1
            end = at + 95_000 if inside else at + 6_000
            events += [
                operator("aten::mm", at, at + 97_000),
                call(at + 2_000, end, number, name="runFunction"),
                kernel("fc", at + 8_000, at + 88_000, number),
            ]
    return events


@pytest.mark.parametrize("inside", [True, False])
def test_a_launch_that_returns_when_its_work_is_done_waits_for_it(tmp_path: Path, inside: bool) -> None:
    row = opened(tmp_path, *steps(inside)).show("step_time").row(0, named=True)
    assert (row["compute_pct"] > 70) == inside
