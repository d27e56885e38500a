"""Many small passes, forward and backward, in one step; and hooks of modules in the backward pass."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from building import Events, annotation, operator
from building.autograd import accumulate, backward, forward
from made_steps import STEP, examined, named
from stepscope.messages.rendering import render

PASS = 100_000


def one_pass(at: int, node: int, *, adds: bool, forwards: bool = True, long_ns: int = 8_000) -> list[Events]:
    """Two layers, forward and backward, and the gradients of two parameters: operators of 8 us each."""
    events: list[Events] = [operator("aten::slice", at - 5_000, at - 3_000)]
    for i, (name, function) in enumerate((("aten::linear", "AddmmBackward0"), ("aten::relu", "ReluBackward0"))):
        start, back = at + 10_000 * i, at + 70_000 - 20_000 * i
        if forwards:
            events.append(forward(name, start, start + long_ns, node + i))
        events.append(backward(function, back - 10_000, back - 10_000 + long_ns, node + i, thread=1))
    for i in range(2):
        start = at + 72_000 + 12_000 * i
        events.append(accumulate(start, start + 8_000, thread=1))
        events.append(operator("aten::add_" if adds else "aten::detach", start + 100, start + 7_000))
    return events


def passes(at: int, number: int, times: int = 8, **kind: bool) -> list[Events]:
    """Passes one after another; gradients are added up from the second one on. Then a large GEMM to the step's end."""
    events: list[Events] = []
    for i in range(times):
        adds = kind.get("adds", True) and i > 0
        forwards = kind.get("forwards", True) or i == 0
        events += one_pass(at + 10_000 + PASS * i, 100 * number + 2 * i, adds=adds, forwards=forwards)
    return [*events, operator("aten::mm", at + 20_000 + PASS * times, at + STEP)]


def test_small_micro_batches_become_one_batch(tmp_path: Path) -> None:
    """Of gradients of 8 batches of two nothing was found; one batch of 16 saved 70 %."""
    found = named(examined(tmp_path, passes), "micro-batches")
    assert found is not None
    assert "8 times a step" in render(found.cause.title)
    # All passes but one, of 800 us of the step; at worst but two.
    assert found.saving_pct.best == pytest.approx(70, abs=4)
    assert found.cause.claims.start.tolist() == [at + 5_000 for at in range(0, 3 * STEP, STEP)]


def test_gradients_of_samples_are_left_in_no_parameter(tmp_path: Path) -> None:
    def each(at: int, number: int) -> list[Events]:
        events: list[Events] = []
        for i in range(8):
            start, node = at + 10_000 + 60_000 * i, 100 * number + i
            events.append(operator("aten::select", start - 6_000, start - 4_000))
            events.append(forward("aten::linear", start, start + 10_000, node))
            events.append(backward("AddmmBackward0", start + 20_000, start + 30_000, node, thread=1))
        return [*events, operator("aten::stack", at + 600_000, at + 610_000)]

    assert named(examined(tmp_path, each), "micro-batches") is not None


@pytest.mark.parametrize(
    "kind", [{"adds": False}, {"forwards": False}], ids=["of models of their own", "of losses of one forward pass"]
)
def test_other_repeated_passes_need_their_own(tmp_path: Path, kind: dict[str, bool]) -> None:
    assert named(examined(tmp_path, lambda at, n: passes(at, n, **kind)), "micro-batches") is None


@pytest.mark.parametrize("names", [("sign", "mul"), ("sub", "mul", "sub", "mul"), ("_foreach_add_",)])
def test_what_changes_between_passes_makes_each_depend_on_the_one_before(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    """An attack, an inner loop of meta-learning, steps of an optimizer by hand: 37 to 74 % were promised."""

    def each(at: int, number: int) -> list[Events]:
        between = [
            operator(f"aten::{name}", at + 107_100 + 100 * j + PASS * i, at + 107_150 + 100 * j + PASS * i)
            for i in range(8)
            for j, name in enumerate(names)
        ]
        return [*passes(at, number, times=8), *between]

    assert named(examined(tmp_path, each), "micro-batches") is None


def test_passes_over_the_same_data_are_of_several_models(tmp_path: Path) -> None:
    def each(at: int, number: int) -> list[Events]:
        return [one for one in passes(at, number) if not isinstance(one, dict) or one["name"] != "aten::slice"]

    assert named(examined(tmp_path, each), "micro-batches") is None


def test_a_state_that_is_carried_on_is_truncated_backpropagation(tmp_path: Path) -> None:
    def each(at: int, number: int) -> list[Events]:
        places = [at + PASS * i for i in range(8)]
        cells = [operator("aten::gru_cell", place + 40_000, place + 41_000) for place in places]
        cells += [operator("aten::detach", place + 7_100, place + 7_900) for place in places]
        return [*passes(at, number), *cells]

    assert named(examined(tmp_path, each), "micro-batches") is None


def test_three_passes_are_of_several_models_or_losses(tmp_path: Path) -> None:
    assert named(examined(tmp_path, lambda at, n: passes(at, n, times=3)), "micro-batches") is None


def test_passes_with_an_optimizer_step_each_are_steps(tmp_path: Path) -> None:
    def each(at: int, number: int) -> list[Events]:
        updates = [
            annotation("Optimizer.step#SGD.step", at + 105_000 + PASS * i, at + 109_000 + PASS * i) for i in range(8)
        ]
        return [*passes(at, number), *updates]

    assert named(examined(tmp_path, each), "micro-batches") is None


@pytest.mark.parametrize("long_ns", [110_000, 90_000])
def test_long_operators_have_enough_to_work_on(tmp_path: Path, long_ns: int) -> None:
    def each(at: int, number: int) -> list[Events]:
        events: list[Events] = []
        for i in range(4):
            start, node = at + 10_000 + 240_000 * i, 100 * number + i
            events.append(operator("aten::select", start - 6_000, start - 4_000))
            events.append(forward("aten::linear", start, start + long_ns, node))
            events.append(backward("AddmmBackward0", start + 115_000, start + 115_000 + long_ns, node, thread=1))
        return events

    assert (named(examined(tmp_path, each), "micro-batches") is None) == (long_ns > 100_000)


def jacobian(at: int, number: int, outputs: int = 6) -> list[Events]:
    """A backward pass for each output through one GEMM, which makes a graph; then one through all of these graphs."""
    node, last = 100 * number, at + 60_000 + 70_000 * outputs
    events: list[Events] = [forward("aten::mm", at + 10_000, at + 50_000, node)]
    for i in range(outputs):
        start, again = at + 60_000 + 70_000 * i, last + 40_000 * i
        events.append(operator("aten::ones_like", start - 5_000, start - 1_000))
        events.append(backward("MmBackward0", start, start + 60_000, node, thread=1))
        events.append(forward("aten::mm", start + 10_000, start + 50_000, node + 1 + i))
        events.append(backward("MmBackward0", again, again + 35_000, node + 1 + i, thread=1))
    end = last + 40_000 * outputs
    events.append(operator("aten::ones_like", last - 5_000, last - 1_000))
    return [*events, backward("MmBackward0", end, end + 60_000, node, thread=1)]


def test_a_jacobian_row_by_row_is_of_one_graph(tmp_path: Path) -> None:
    """All but the first pass through the GEMM, and what they make goes, not the pass for the second derivative: of 75 %
    nothing was found."""
    found = named(examined(tmp_path, jacobian), "repeated-backward")
    assert found is not None
    assert render(found.cause.advice).startswith("Compute all rows of a Jacobian in one pass")
    # Five of six passes of 60 us with the 10 us in front of each, and their own of 35 us, 5 us apart.
    assert found.cause.spent_ns == pytest.approx(5 * 70_000 + 5 * 35_000 + 4 * 5_000, abs=5_000)
    assert named(examined(tmp_path, jacobian), "micro-batches") is None


def bent(at: int, number: int, *, rows: int = 6, orders: bool = False, begins: str = "ones_like") -> list[Events]:
    """A GEMM, a pass through it that makes a graph, and a pass through that graph for each of some rows.

    Args:
        orders: whether each of these passes makes a graph, too, which the next one goes through.
        begins: the operator in front of each.
    """
    node = 100 * number
    events: list[Events] = [
        forward("aten::mm", at + 10_000, at + 50_000, node),
        backward("MmBackward0", at + 60_000, at + 110_000, node, thread=1),
        forward("aten::mm", at + 70_000, at + 100_000, node + 1),
    ]
    for i in range(rows):
        start = at + 130_000 + 120_000 * i
        through = node + 1 + (i if orders else 0)
        events.append(operator(f"aten::{begins}", start - 10_000, start - 1_000))
        events.append(backward("MmBackward0", start, start + 50_000, through, thread=1))
        events.append(forward("aten::mm", start + 10_000, start + 40_000, node + 2 + i))
        events.append(backward("MmBackward0", start + 52_000, start + 100_000, node, thread=1))
    return events


def test_second_derivatives_row_by_row_go_through_the_graph_of_the_first_again(tmp_path: Path) -> None:
    """Of 75 % nothing was found."""
    found = named(examined(tmp_path, bent), "repeated-backward")
    assert found is not None
    # Five of six passes, each with what begins it.
    assert found.cause.spent_ns == pytest.approx(5 * 120_000, abs=25_000)
    assert found.saving_pct.low <= 0


def test_derivatives_of_rising_order_are_no_rows(tmp_path: Path) -> None:
    """Each goes through the graph of the one before, and so through everything below."""
    assert named(examined(tmp_path, lambda at, n: bent(at, n, orders=True)), "repeated-backward") is None
    assert named(examined(tmp_path, lambda at, n: bent(at, n, rows=1)), "repeated-backward") is None


def test_passes_that_start_from_one_another_are_no_rows(tmp_path: Path) -> None:
    """Of a power iteration: each takes the norm of what the one before gave."""
    each = partial(bent, begins="linalg_vector_norm")
    assert named(examined(tmp_path, each), "repeated-backward") is None


def hooked(at: int, number: int, *, modules: int = 10, reads: bool = True) -> list[Events]:
    """Modules with a full backward hook: 5 us of Python before and behind each function in the forward pass, of 5 us,
    and an engine's event of 20 us; a layer of 20 us forward and backward."""
    events: list[Events] = []
    for i in range(modules):
        start, back, node = at + 10_000 + 50_000 * i, at + 520_000 + 40_000 * i, 1_000 * number + 10 * i
        for j, place in enumerate((start + 5_000, start + 40_000)):
            events.append(operator("BackwardHookFunction", place, place + 5_000, **{"Sequence number": node + 2 * j}))
        events.append(forward("aten::linear", start + 15_000, start + 35_000, node + 1))
        events.append(backward("BackwardHookFunctionBackward", back, back + 15_000, node + 2, thread=1))
        if reads:
            events.append(operator("aten::item", back + 8_000, back + 14_000))
        events.append(backward("AddmmBackward0", back + 15_000, back + 35_000, node + 1, thread=1))
        events.append(backward("BackwardHookFunctionBackward", back + 35_000, back + 40_000, node, thread=1))
    return events


def test_hooks_of_modules_in_the_backward_pass_go_with_the_python_beside_them(tmp_path: Path) -> None:
    """Norms read by hooks took 44 % of a step of which nothing was said."""
    found = named(examined(tmp_path, hooked), "backward-hooks")
    assert found is not None
    assert render(found.cause.title).startswith("Backward hooks run at 10 calls of modules in every step")
    # 30 of 50 us of each module forward and 20 of 40 backward.
    assert found.saving_pct.best == pytest.approx(50, abs=5)
    assert found.saving_pct.low > 30


def test_hooks_that_scale_what_they_read_may_change_gradients(tmp_path: Path) -> None:
    def each(at: int, number: int) -> list[Events]:
        scaled = [operator("aten::mul", at + 532_500 + 40_000 * i, at + 533_500 + 40_000 * i) for i in range(10)]
        return [*hooked(at, number), scaled]

    found = named(examined(tmp_path, each), "backward-hooks")
    assert found is not None
    assert found.saving_pct.low <= 0


def test_hooks_that_read_nothing_may_change_gradients(tmp_path: Path) -> None:
    found = named(examined(tmp_path, lambda at, n: hooked(at, n, reads=False)), "backward-hooks")
    assert found is not None
    assert found.saving_pct.low <= 0


def test_hooks_of_few_modules_are_not_mentioned(tmp_path: Path) -> None:
    assert named(examined(tmp_path, lambda at, n: hooked(at, n, modules=7)), "backward-hooks") is None


def one_by_one(at: int, number: int, name: str, function: str) -> list[Events]:
    """An operator of 22 us for each of 25 parts, its weight shared, and a backward function of 10 us each."""
    events: list[Events] = []
    for i in range(25):
        start, back, node = at + 10_000 + 25_000 * i, at + 650_000 + 11_000 * i, 100 * number + i
        events.append(operator("aten::select", start, start + 2_000))
        events.append(forward(name, start + 2_500, start + 24_500, node))
        events.append(backward(function, back, back + 10_000, node, thread=1))
    joined = operator("aten::stack", at + 636_000, at + 640_000)
    gradient = accumulate(at + 926_000, at + 928_000, thread=1)
    return [*events, joined, gradient, operator("aten::mm", at + 930_000, at + STEP)]


@pytest.mark.parametrize(
    ("name", "function", "saved_pct"),
    [("aten::conv2d", "ConvolutionBackward0", 84), ("aten::linear", "AddmmBackward0", 77)],
)
def test_a_convolution_takes_long_before_it_computes(tmp_path: Path, name: str, function: str, saved_pct: int) -> None:
    """Of images one by one 43 % were promised where 66 were saved; of channels 35 and 65."""
    found = named(examined(tmp_path, lambda at, number: one_by_one(at, number, name, function)), "operator-loop")
    assert found is not None
    assert found.saving_pct.best == pytest.approx(saved_pct, abs=3)
