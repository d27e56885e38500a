"""Advice for steps of many short launches goes by how they are run already."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from building import Events, annotation, call, kernel, opened, operator, step, timed
from stepscope.findings.examination import examine
from stepscope.findings.findings import findings
from stepscope.messages import Message
from stepscope.messages.rendering import render
from stepscope.store.profile import Profile

STEP = 2_000_000
PLAIN = 'model = torch.compile(model, mode="reduce-overhead")  # was: model'
COMPILED = 'model = torch.compile(model, mode="reduce-overhead")  # was: torch.compile(model)'


def changes(folder: Path, name: str = "k", **made: Any) -> list[str]:
    """What to change in steps as `steps` makes them."""
    return [row["change"] for row in found(folder, name, **made)]


def advice(folder: Path, region: str) -> str:
    """What is advised of steps inside a range."""
    [row] = found(folder, region=region)
    return render(Message.decoded(row["advice"]))


def found(folder: Path, name: str = "k", **made: Any) -> list[dict[str, Any]]:
    """The finding in `steps`, if it is there."""
    return [row for row in findings(steps(folder, name, **made)).to_dicts() if row["id"] == "launch-bound"]


def steps(
    folder: Path,
    name: str = "k",
    *,
    region: str = "",
    until: int = STEP,
    replays: bool = False,
    launches: int = 120,
    more: Callable[[int], list[Events]] = lambda at: [],
) -> Profile:
    """Steps of 2 ms with short launches, in graphs of 100 kernels more if asked for, and a range from their start.

    Args:
        more: events of a step that begins at some time.
    """

    def each(at: int, n: int) -> list[Events]:
        events: list[Events] = [step(n, at, at + STEP), *more(at)]
        for i in range(launches):
            begin, graph = at + 15_000 * i, replays and i < 4
            launch = "cudaGraphLaunch" if graph else "cudaLaunchKernel"
            events += [operator("aten::mul", begin, begin + 14_000), call(begin, begin + 5_000, n + i, name=launch)]
            kernels = 100 if graph else 1
            events += [kernel(name, begin + 6_000 + 50 * j, begin + 6_050 + 50 * j, n + i) for j in range(kernels)]
        return [*events, annotation(region, at, at + until)] if region else events

    return opened(folder, *(each(STEP * n, 1_000 * n + 1) for n in range(3))).profile


@pytest.mark.parametrize(
    ("name", "region", "change"),
    [
        ("k", "", PLAIN),
        ("triton_poi_fused_add_0", "", COMPILED),
        ("triton_per_fused_sum_2", "Torch-Compiled Region: 0/0", COMPILED),
        ("nvfuser_pointwise_f0_c1_r0_g0", "", COMPILED),
        ("k", "## Call CompiledFxGraph f3 ##", COMPILED),
    ],
)
def test_what_is_compiled_already_is_not_told_to_compile(tmp_path: Path, name: str, region: str, change: str) -> None:
    assert changes(tmp_path, name, region=region) == [change]


@pytest.mark.parametrize("region", ["CompiledFunction", "Torch-Compiled Region: 0/0"])
def test_eager_kernels_in_a_captured_function_are_still_to_be_compiled(tmp_path: Path, region: str) -> None:
    """An eager backend ran them: nothing was fused, and a graph of "what is compiled already" was advised."""
    assert changes(tmp_path, "void at::native::vectorized_elementwise_kernel<4>", region=region) == [PLAIN]


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


def test_of_a_training_step_the_optimizer_is_captured_too(tmp_path: Path) -> None:
    def backward(at: int) -> list[Events]:
        return [operator("autograd::engine::evaluate_function: MulBackward0", at + 1_000_000, at + 1_013_000)]

    [row] = found(tmp_path, more=backward)
    assert row["change"].endswith("graph.replay()  # was: train_step(batch)")
    assert render(Message.decoded(row["advice"])).startswith("Capture the whole step, optimizer included")


def test_a_graph_holds_no_checkpoint(tmp_path: Path) -> None:
    """Its copies and short pieces are no launching: the second half of the launches stays."""

    def saving(at: int) -> list[Events]:
        return [
            timed("python_function", "torch/serialization.py(1): save", at + 900_000, at + STEP, process=1, thread=1)
        ]

    [plain], [row] = found(tmp_path), found(tmp_path, more=saving)
    assert plain["saving_pct"] > 80
    assert row["saving_pct"] == pytest.approx(plain["saving_pct"] / 2, abs=2)


def test_kernels_are_left_whatever_launches_them(tmp_path: Path) -> None:
    """The range ends where the GPU is busy without a pause, in the longest step that the estimate allows."""

    def busy(at: int) -> list[Events]:
        return [call(at + 1_800_500, at + 1_801_000, at + 7), kernel("long", at + 1_801_500, at + 1_981_500, at + 7)]

    profile = steps(tmp_path, more=busy)
    examined = examine(profile, profile.ranks[0])
    assert examined is not None
    [one] = [one for one in examined.findings if one.cause.id == "launch-bound"]
    left_ns = examined.step_ns.high * (1 - one.saving_pct.high / 100)
    assert left_ns == pytest.approx(180_000 + 120 * 50)
