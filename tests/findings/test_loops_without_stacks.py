"""Loops in recordings of operators alone: what runs again and again, and what stands between."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, operator
from building.autograd import accumulate, backward, forward
from made_steps import examined, named
from stepscope.messages.rendering import render


def backward_pass(at: int, parameters: int) -> list[Events]:
    """Gradients of some parameters, at the end of a step."""
    return [accumulate(at + 900_000 + 2_000 * i, at + 901_500 + 2_000 * i) for i in range(parameters)]


def turns(at: int, names: tuple[str, ...], count: int, between_ns: int = 200) -> list[Events]:
    """Operators of 2 us, ``count`` times in a row, with a pause behind each turn."""
    events: list[Events] = []
    for _ in range(count):
        for name in names:
            events.append(operator(f"aten::{name}", at, at + 2_000))
            at += 2_200
        at += between_ns - 200
    return events


def test_a_loop_has_no_more_turns_than_there_are_parameters(tmp_path: Path) -> None:
    """96 windows, each scaled by its mean, were a loop over "about 96 tensors" in a model of 8 parameters."""

    def each(at: int, number: int) -> list[Events]:
        slices = [operator("aten::slice", at + 10_000 + 700 * i, at + 10_500 + 700 * i) for i in range(96)]
        windows = turns(at + 80_000, ("mean", "sub", "std", "div"), 92)
        return [*slices, *windows, operator("aten::stack", at + 892_000, at + 895_000), *backward_pass(at, 8)]

    found = examined(tmp_path, each)
    assert named(found, "parameter-loop") is None
    loop = named(found, "operator-loop")
    assert loop is not None
    assert loop.saving_pct.best > 50


@pytest.mark.parametrize(("turns_each", "title"), [(14, "title"), (4, "title-pieces")])
def test_the_inner_loops_of_two_are_one(tmp_path: Path, turns_each: int, title: str) -> None:
    """Distances of all pairs by two loops: 14 turns, 14 times, were each too few to say that they are no layers."""

    def each(at: int, number: int) -> list[Events]:
        events: list[Events] = [operator("aten::unbind", at + 1_000, at + 3_000)]
        for i in range(14):
            start = at + 10_000 + 66_000 * i
            events += turns(start, ("sub", "square"), turns_each)
            events.append(operator("aten::stack", start + 62_000, start + 63_000))
        return events

    loop = named(examined(tmp_path, each), "operator-loop")
    assert loop is not None
    assert loop.cause.title.id == f"finding-operator-loop-{title}"
    assert dict(loop.cause.title.params)["times"] == (196 if turns_each == 14 else 14 * 9 - 1)


@pytest.mark.parametrize(("between_ns", "found"), [(40_000, True), (12_000, False)])
def test_python_between_the_operators_of_a_loop(tmp_path: Path, between_ns: int, found: bool) -> None:
    """A histogram of each gradient by NumPy, half of the step, was not seen: each interval is short."""

    def each(at: int, number: int) -> list[Events]:
        looked_at = turns(at + 10_000, ("detach", "resolve_neg"), 16, between_ns)
        end = at + 10_000 + 16 * (4_200 + between_ns)
        return [*looked_at, operator("aten::mm", end, at + 990_000)]

    untraced = named(examined(tmp_path, each), "untraced-host-time")
    assert (untraced is not None) == found
    if untraced is not None:
        assert render(untraced.cause.title) == "Untraced CPU time outside PyTorch ops: 600 us a step"
        assert untraced.saving_pct.best == pytest.approx(60, abs=3)


def test_a_loop_that_reads_is_named_by_its_reads(tmp_path: Path) -> None:
    """The title ended in "()"."""

    def each(at: int, number: int) -> list[Events]:
        reads = turns(at + 10_000, ("item",), 40, 18_000)
        return [*reads, *backward_pass(at, 40)]

    loop = named(examined(tmp_path, each), "parameter-loop")
    assert loop is not None
    assert render(loop.cause.title).endswith("(item)")


@pytest.mark.parametrize(("drawn", "found"), [("flip", True), ("linear", False)])
def test_turns_that_differ_between_a_split_and_a_join(tmp_path: Path, drawn: str, found: bool) -> None:
    """A random crop of each image, a fifth of the step, was not seen: some are cut twice, some flipped as well."""

    def each(at: int, number: int) -> list[Events]:
        start = at + 10_000
        events: list[Events] = [operator("aten::unbind", at + 1_000, at + 9_000)]
        for image in range(40):
            names = ("slice",) * (2 + image % 3) + (drawn,) * (image * image % 7 < 2)
            events += turns(start, names, 1)
            start += 2_200 * len(names)
        return [
            *events,
            operator("aten::stack", start, start + 8_000),
            operator("aten::mm", start + 9_000, at + 990_000),
        ]

    loop = named(examined(tmp_path, each), "operator-loop")
    assert (loop is not None) == found
    if loop is not None:
        assert render(loop.cause.title).startswith(
            "136 small operators run one by one on pieces of a tensor (slice, flip)"
        )
        assert loop.saving_pct.best > 20


def components(
    at: int, number: int, *, names: tuple[str, ...] = ("select", "exp", "sub"), own: int = 0
) -> list[Events]:
    """Twenty turns over parts of a tensor, joined; and a backward pass.

    Args:
        own: turns that hand a gradient on to a parameter of their own.
    """
    start, events = at + 10_000, []
    for i in range(20):
        for j, name in enumerate(names):
            place, node = start + 22_000 * i + 7_000 * j, 100 * number + 3 * i + j
            events.append(forward(name if ":" in name else f"aten::{name}", place, place + 5_000, node))
            back = at + 500_000 + 20_000 * (19 - i) + 6_000 * (2 - j)
            events += backward("SubBackward0", back, back + 3_000, node, thread=1)
            if i < own and j == 2:
                events += accumulate(back + 3_500, back + 5_000, thread=1)
    return [*events, operator("aten::stack", at + 452_000, at + 460_000)]


def test_turns_without_weights_are_no_layers(tmp_path: Path) -> None:
    """Twenty components of a mixture, 29 % of the step, were too few to be told from layers."""
    loop = named(examined(tmp_path, components), "operator-loop")
    assert loop is not None
    assert dict(loop.cause.title.params)["times"] == 20
    assert loop.saving_pct.low <= 0  # so few may be steps of a solver


@pytest.mark.parametrize(
    ("names", "own"),
    [
        (("select", "linear", "sub"), 0),
        (("select", "exp", "my::op"), 0),
        (("select", "mul", "sub"), 20),
        (("exp", "mul", "sub"), 0),
    ],
)
def test_turns_that_may_have_weights_may_be_layers(tmp_path: Path, names: tuple[str, ...], own: int) -> None:
    """Also layers whose weights are multiplied elementwise, as those of a planar flow."""
    found = examined(tmp_path, lambda at, number: components(at, number, names=names, own=own))
    assert named(found, "operator-loop") is None
