"""Advice for steps of many short launches goes by how they are run already."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, annotation, call, kernel, opened, operator, step
from stepscope.findings.findings import findings

STEP = 2_000_000
PLAIN = 'model = torch.compile(model, mode="reduce-overhead")  # was: model'
COMPILED = 'model = torch.compile(model, mode="reduce-overhead")  # was: torch.compile(model)'


def changes(folder: Path, name: str = "k", *, region: str = "", replays: bool = False) -> list[str]:
    """Steps of 2 ms with 120 short launches, in graphs of 100 kernels more if asked for."""

    def each(at: int, n: int) -> list[Events]:
        events: list[Events] = [step(n, at, at + STEP)]
        for i in range(120):
            begin, graph = at + 15_000 * i, replays and i < 4
            launch = "cudaGraphLaunch" if graph else "cudaLaunchKernel"
            events += [operator("aten::mul", begin, begin + 14_000), call(begin, begin + 5_000, n + i, name=launch)]
            kernels = 100 if graph else 1
            events += [kernel(name, begin + 6_000 + 50 * j, begin + 6_050 + 50 * j, n + i) for j in range(kernels)]
        return [*events, annotation(region, at, at + STEP)] if region else events

    profile = opened(folder, *(each(STEP * n, 1_000 * n + 1) for n in range(3))).profile
    return [row["change"] for row in findings(profile).to_dicts() if row["id"] == "launch-bound"]


@pytest.mark.parametrize(
    ("name", "region", "change"),
    [
        ("k", "", PLAIN),
        ("triton_poi_fused_add_0", "", COMPILED),
        ("k", "Torch-Compiled Region: 0/0", COMPILED),
        ("k", "## Call CompiledFxGraph f3 ##", COMPILED),
    ],
)
def test_what_is_compiled_already_is_not_told_to_compile(tmp_path: Path, name: str, region: str, change: str) -> None:
    assert changes(tmp_path, name, region=region) == [change]


def test_what_runs_as_graphs_already_is_not_told_to(tmp_path: Path) -> None:
    assert changes(tmp_path, replays=True) == []
