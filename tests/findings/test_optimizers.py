"""Advice on optimizers that update one parameter after another goes by their class; slow launches are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, annotation, call, kernel, opened, operator, step
from stepscope.findings.examination import Finding, examine
from stepscope.findings.findings import confidence
from stepscope.messages import Message

STEP = 20_000_000


def optimizing(folder: Path, name: str, each_ns: int) -> Finding | None:
    """Steps of 20 ms in which an optimizer makes 40 launches for 10 parameters, each in some time."""

    def each(at: int, n: int) -> list[Events]:
        gradients = [
            operator("torch::autograd::AccumulateGrad", at + 1_000 * i, at + 1_000 * i + 500) for i in range(10)
        ]
        launches = [
            [
                operator("aten::mul_", at + 100_000 + each_ns * i, at + 100_000 + each_ns * (i + 1)),
                call(at + 100_000 + each_ns * i, at + 102_000 + each_ns * i, n + i),
                kernel("k", at + 110_000 + each_ns * i, at + 112_000 + each_ns * i, n + i),
            ]
            for i in range(40)
        ]
        update = annotation(f"Optimizer.step#{name}.step", at + 99_000, at + 101_000 + 40 * each_ns)
        return [step(n, at, at + STEP), gradients, update, *launches]

    profile = opened(folder, *(each(STEP * n, 100 * n + 1) for n in range(3))).profile
    found = examine(profile, profile.ranks[0])
    assert found is not None
    return next((one for one in found.findings if one.cause.id == "optimizer-loop"), None)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("SGD", "optimizer = torch.optim.SGD(params, lr=lr, fused=True)  # was: without fused=True"),
        ("Adam", "optimizer = torch.optim.Adam(params, lr=lr, fused=True)  # was: without fused=True"),
        ("RMSprop", "optimizer = torch.optim.RMSprop(params, lr=lr, foreach=True)  # was: foreach=False"),
        (
            "Shampoo",
            ("torch._foreach_add_(params, updates, alpha=-lr)\n# was: for p, update in ...: p.add_(update, alpha=-lr)"),
        ),
    ],
)
def test_the_advice_goes_by_the_class(tmp_path: Path, name: str, change: str) -> None:
    """Each was told to become AdamW(fused=True)."""
    found = optimizing(tmp_path, name, 150_000)
    assert found is not None
    assert found.cause.change == change
    known = name != "Shampoo"
    assert found.cause.unknown == (None if known else Message("finding-optimizer-loop-unknown"))
    assert (confidence(found) == "high") == known


def test_an_optimizer_whose_launches_take_long_is_no_launch_loop(tmp_path: Path) -> None:
    """Shampoo computes roots of matrices on the host: 39 launches of 5 ms were to save all of it."""
    assert optimizing(tmp_path, "Shampoo", 400_000) is None
