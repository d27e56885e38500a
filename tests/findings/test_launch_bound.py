"""Advice for steps of many short launches goes by how they are run already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from building import Events, annotation, call, kernel, opened, operator, step
from stepscope.findings.findings import findings
from stepscope.messages import Message
from stepscope.messages.rendering import render

STEP = 2_000_000
PLAIN = 'model = torch.compile(model, mode="reduce-overhead")  # was: model'
COMPILED = 'model = torch.compile(model, mode="reduce-overhead")  # was: torch.compile(model)'


def changes(folder: Path, name: str = "k", **made: Any) -> list[str]:
    """What to change in steps as `found` makes them."""
    return [row["change"] for row in found(folder, name, **made)]


def advice(folder: Path, region: str) -> str:
    """What is advised of steps inside a range."""
    [row] = found(folder, region=region)
    return render(Message.decoded(row["advice"]))


def found(
    folder: Path, name: str = "k", *, region: str = "", until: int = STEP, replays: bool = False, launches: int = 120
) -> list[dict[str, Any]]:
    """Steps of 2 ms with short launches, in graphs of 100 kernels more if asked for, and a range from their start."""

    def each(at: int, n: int) -> list[Events]:
        events: list[Events] = [step(n, at, at + STEP)]
        for i in range(launches):
            begin, graph = at + 15_000 * i, replays and i < 4
            launch = "cudaGraphLaunch" if graph else "cudaLaunchKernel"
            events += [operator("aten::mul", begin, begin + 14_000), call(begin, begin + 5_000, n + i, name=launch)]
            kernels = 100 if graph else 1
            events += [kernel(name, begin + 6_000 + 50 * j, begin + 6_050 + 50 * j, n + i) for j in range(kernels)]
        return [*events, annotation(region, at, at + until)] if region else events

    profile = opened(folder, *(each(STEP * n, 1_000 * n + 1) for n in range(3))).profile
    return [row for row in findings(profile).to_dicts() if row["id"] == "launch-bound"]


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


def test_one_compiled_call_of_many_is_not_a_compiled_program(tmp_path: Path) -> None:
    """A server in eager mode compiles its sampler alone."""
    assert changes(tmp_path, region="Torch-Compiled Region: 0/0", until=30_000) == [PLAIN]


def test_a_server_captures_graphs_itself(tmp_path: Path) -> None:
    assert changes(tmp_path, region="execute_context_0(0)_generation_30(30)") == [""]
    assert advice(tmp_path, "execute_context_0(0)_generation_30(30)").startswith("Let the server launch its batches")


def test_few_launches_are_enough_where_the_host_binds(tmp_path: Path) -> None:
    assert changes(tmp_path, launches=16) == [PLAIN]
