"""Which resource the steps wait for, where two take as long as each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, call, kernel, opened, operator, step
from stepscope.analyses.simulation.bottleneck_sides import COMPUTE, HOST, binding_shares
from stepscope.analyses.simulation.model import step_model

STEP = 1_000_000


def shares(folder: Path, long: int) -> dict[str, float]:
    """Steps of 100 operators, 10 us each, and a kernel from each as long as given."""
    events: list[Events] = []
    free = 0
    for n in range(4):
        events.append(step(n, n * STEP, (n + 1) * STEP))
        for i in range(100):
            at, number = n * STEP + 10_000 * i, 1_000 * n + i + 1
            begin = max(free, at + 6_000)
            free = begin + long
            events += [operator("aten::mm", at, at + 9_990), call(at + 1_000, at + 4_000, number)]
            events.append(kernel("gemm", begin, free, number))
    rank = opened(folder, *events).profile.ranks[0]
    model = step_model(rank)
    assert model is not None
    return binding_shares(rank, model, model.unchanged())


def test_a_gpu_and_a_host_that_take_as_long_leave_no_unexplained_delay(tmp_path: Path) -> None:
    """Each alone saves little where the other takes its place: that was said to be delays of no recorded work."""
    both = shares(tmp_path, 9_990)
    assert both[COMPUTE] > 50
    assert sum(both.values()) == pytest.approx(100, abs=10)
    assert shares(tmp_path, 5_000)[HOST] > 90
