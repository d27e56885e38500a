"""Advice on optimizers that update one parameter after another goes by their class; slow launches are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, annotation, call, kernel, opened, operator, step, timed
from building.autograd import frame
from made_steps import examined, named
from stepscope.findings.examination import Finding, examine
from stepscope.messages import Message
from stepscope.messages.rendering import render

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
    assert found.cause.unsure != known


def test_an_optimizer_whose_launches_take_long_is_no_launch_loop(tmp_path: Path) -> None:
    """Shampoo computes roots of matrices on the host: 39 launches of 5 ms were to save all of it."""
    assert optimizing(tmp_path, "Shampoo", 400_000) is None


def renewed(at: int, *, made: bool) -> list[Events]:
    """An optimizer of 20 parameters: its constructor takes 102 us, the state of each 9 us, the update 50 us."""
    constructor = [
        frame("torch/optim/adamw.py(21): __init__", at + 500_000, at + 602_000),
        frame("torch/optim/optimizer.py(377): __init__", at + 500_000, at + 602_000),
    ]
    states: list[Events] = []
    for i in range(20):
        start = at + 712_000 + 10_000 * i
        states += [
            frame("<built-in method zeros_like of type object at 0x7f>", start, start + 9_000),
            operator("aten::zeros_like", start + 500, start + 8_500),
            *(operator(f"aten::{name}_", start + n, start + n + 900) for name, n in NESTED.items()),
        ]
    gradients = [operator("torch::autograd::AccumulateGrad", at + i * 1_000, at + i * 1_000 + 500) for i in range(20)]
    return [
        *gradients,
        operator("aten::mm", at + 30_000, at + 490_000),
        *(constructor if made else []),
        timed("user_annotation", "Optimizer.step#AdamW.step", at + 700_000, at + 970_000, process=1, thread=1),
        frame("torch/optim/adam.py(139): _init_group", at + 710_000, at + 915_000),
        *(states if made else []),
        operator("aten::_foreach_addcdiv_", at + 918_000, at + 968_000),
    ]


NESTED = {"zero": 1_000, "fill": 2_000, "detach": 3_000}


def test_an_optimizer_that_is_made_in_every_step(tmp_path: Path) -> None:
    """Making its state was taken for a loop over the parameters, of which "fused" was to save 40 %."""
    found = examined(tmp_path, lambda at, n: renewed(at, made=True))
    assert named(found, "optimizer-loop") is None
    one = named(found, "renewed-optimizer")
    assert one is not None
    assert render(one.cause.title) == (
        "An optimizer is created 1 time a step, with new state for each parameter: 282 us a step"
    )
    assert one.saving_pct.best == pytest.approx(28, abs=4)


def test_an_optimizer_that_is_made_once(tmp_path: Path) -> None:
    assert named(examined(tmp_path, lambda at, n: renewed(at, made=at == 0)), "renewed-optimizer") is None
