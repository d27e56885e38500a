"""The backward pass of loops: it goes with them, and a gradient of a piece is no work that stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, operator
from building.autograd import accumulate, backward, forward
from made_steps import STEP, examined, named
from stepscope.messages.rendering import render

PARAMETERS = 40
_LONG, _BACKWARD = 4_000_000, 1_200_000


def penalty(at: int, number: int, *, gradients: bool = True) -> list[Events]:
    """`for p in parameters: penalty = penalty + p.square().sum()`, forward 16 us and backward 32 us each; a GEMM."""
    events: list[Events] = []
    for i in range(PARAMETERS):
        start, back, node = at + 10_000 + 20_000 * i, at + _BACKWARD + 36_000 * i, 100 * number + 2 * i
        events += [
            forward("aten::square", start, start + 8_000, node),
            forward("aten::sum", start + 8_400, start + 16_000, node + 1),
        ]
        if gradients:
            events += [
                backward("SumBackward0", back, back + 15_900, node + 1, thread=1),
                backward("PowBackward0", back + 16_000, back + 32_000, node, thread=1),
            ]
        events.append(accumulate(at + 2_800_000 + 2_000 * i, at + 2_801_500 + 2_000 * i, thread=1))
    return [*events, operator("aten::mm", at + 3_000_000, at + _LONG)]


def test_a_penalty_on_the_weights_goes_with_its_backward_pass(tmp_path: Path) -> None:
    """17 % were promised for what saved 50: only the forward half of the loop went."""
    found = named(examined(tmp_path, penalty, length=_LONG), "parameter-loop")
    assert found is not None
    claims = found.cause.claims
    back = claims.start % _LONG >= _BACKWARD
    assert not back.all()
    assert (claims.end - claims.start)[back].sum() >= 3 * PARAMETERS * 31_900
    # The GEMM and the gradients of the parameters stay: half of the step.
    assert 35 < found.saving_pct.best < 55
    assert render(found.cause.advice).startswith("Join the tensors and compute once")


def test_a_loop_without_gradients_keeps_its_advice(tmp_path: Path) -> None:
    every = examined(tmp_path, lambda at, n: penalty(at, n, gradients=False), length=_LONG)
    found = named(every, "parameter-loop")
    assert found is not None
    assert (found.cause.claims.start % _LONG < _BACKWARD).all()
    assert render(found.cause.advice).startswith("Use torch._foreach_mul_")


def compared(at: int, *, unbound: bool) -> list[Events]:
    """A batch compared with 64 codes one after another; weights of the model happen to have its shape."""
    shape = {"Input Dims": [[96, 32]]}
    events: list[Events] = [operator("aten::unbind", at + 5_000, at + 8_000)] if unbound else []
    for i in range(64):
        for j, name in enumerate(("sub", "square", "sum")):
            start = at + 10_000 + 9_000 * i + 3_000 * j
            events.append(operator(f"aten::{name}", start, start + 2_500, **shape))
    events.append(operator("aten::stack", at + 588_000, at + 592_000))
    gradients = [accumulate(at + 600_000 + 2_000 * i, at + 601_500 + 2_000 * i, thread=1) for i in range(64)]
    return [*events, *gradients, operator("aten::mm", at + 750_000, at + STEP)]


@pytest.mark.parametrize("unbound", [True, False])
def test_a_loop_over_pieces_of_a_tensor_is_not_over_the_parameters(tmp_path: Path, unbound: bool) -> None:
    """`for code in codes` was to use `torch._foreach_lerp_`."""
    found = examined(tmp_path, lambda at, number: compared(at, unbound=unbound))
    assert (named(found, "operator-loop") is not None) == unbound
    assert (named(found, "parameter-loop") is None) == unbound


def summed(at: int, number: int, function: str) -> list[Events]:
    """Pieces of a tensor, summed one by one; the backward function of each takes 25 us."""
    events: list[Events] = []
    for i in range(25):
        start, back, node = at + 10_000 + 5_000 * i, at + 230_000 + 26_000 * i, 100 * number + 2 * i
        events += [
            forward("aten::select", start, start + 2_000, node),
            forward("aten::sum", start + 2_100, start + 4_000, node + 1),
            backward(function, back, back + 25_000, node, thread=1),
        ]
    return [*events, operator("aten::stack", at + 212_000, at + 215_000), operator("aten::mm", at + 880_000, at + STEP)]


@pytest.mark.parametrize(("function", "least", "most"), [("SelectBackward0", 67, 75), ("MulBackward0", 40, 65)])
def test_gradients_of_pieces_go_whole(tmp_path: Path, function: str, least: float, most: float) -> None:
    """Each is as large as the whole and zero but for the piece: of a Dice loss class by class, 51 % were promised of
    what saved 82."""
    found = named(examined(tmp_path, lambda at, n: summed(at, n, function)), "operator-loop")
    assert found is not None
    assert least < found.saving_pct.best < most


def spectra(at: int, number: int) -> list[Events]:
    """60 frames of a signal without gradients, and a recurrent layer whose backward pass runs in 60 time steps."""
    events: list[Events] = []
    for i in range(60):
        start, back = at + 10_000 + 4_000 * i, at + 400_000 + 9_000 * i
        events += [
            operator("aten::slice", start, start + 1_500),
            operator("aten::abs", start + 2_000, start + 3_500),
            backward("AddmmBackward0", back, back + 5_000, 100 * number, thread=1),
            backward("TanhBackward0", back + 5_100, back + 8_500, 100 * number, thread=1),
        ]
    joined = operator("aten::stack", at + 252_000, at + 255_000)
    return [*events, joined, forward("aten::gru", at + 260_000, at + 390_000, 100 * number)]


def test_the_backward_pass_of_something_else_stays(tmp_path: Path) -> None:
    """Of spectra frame by frame 61 % were promised, which saved 9: the GRU behind them had as many time steps."""
    found = named(examined(tmp_path, spectra), "operator-loop")
    assert found is not None
    assert (found.cause.claims.end % STEP <= 260_000).all()
    assert found.saving_pct.best < 26
