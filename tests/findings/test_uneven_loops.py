"""Loops over parts whose turns differ, share weights, have their own, or end in a value that is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from building import Events, operator
from building.autograd import accumulate, backward, forward, frame
from made_steps import STEP, examined, named


def folded(at: int, number: int, weights: int) -> list[Events]:
    """A tree of 48 nodes, each of which joins two others by a linear layer; as many gradients as there are weights."""
    events: list[Events] = [operator("aten::unbind", at + 1_000, at + 3_000)]
    for i in range(48):
        start, back, node = at + 5_000 + 7_000 * i, at + 400_000 + 6_000 * i, 1_000 * number + i
        names = ("slice", "slice", "cat") if i % 3 else ("slice", "cat")
        events += [operator(f"aten::{one}", start + 1_000 * j, start + 1_000 * j + 900) for j, one in enumerate(names)]
        events.append(forward("aten::linear", start + 3_000, start + 5_000, node))
        events.append(operator("aten::tanh", start + 5_000, start + 6_500))
        events.append(backward("AddmmBackward0", back, back + 5_500, node, thread=1))
    events.append(operator("aten::stack", at + 342_000, at + 345_000))
    gradients = [accumulate(at + 700_000 + 2_000 * i, at + 701_000 + 2_000 * i, thread=1) for i in range(weights)]
    return [*events, *gradients, operator("aten::mm", at + 810_000, at + STEP)]


@pytest.mark.parametrize(("weights", "is_loop"), [(2, True), (50, False)])
def test_nodes_of_a_tree_share_their_weights_and_layers_do_not(tmp_path: Path, weights: int, is_loop: bool) -> None:
    """Trees folded node by node, nine tenths of the step, were not seen: each node joins, and has a linear layer."""
    found = named(examined(tmp_path, lambda at, number: folded(at, number, weights)), "operator-loop")
    assert (found is not None) == is_loop
    if found is not None:
        assert found.saving_pct.best > 50


def linear_layers(at: int, made: int) -> list[Events]:
    """40 linear layers in a row: beside one another, unless each makes what the next one takes."""
    shapes: dict[str, Any] = {"Input Dims": [[64, 32], [made, 32], [made]]}
    layers = [operator("aten::linear", at + 10_000 + 9_000 * i, at + 18_000 + 9_000 * i, **shapes) for i in range(40)]
    return [
        *layers,
        operator("aten::cat", at + 372_000, at + 375_000),
        *(accumulate(at + 380_000 + 2_000 * i, at + 381_000 + 2_000 * i, thread=1) for i in range(82)),
        operator("aten::mm", at + 600_000, at + STEP),
    ]


@pytest.mark.parametrize(("made", "is_loop"), [(3, True), (32, False)])
def test_heads_beside_one_another_are_no_deep_model(tmp_path: Path, made: int, is_loop: bool) -> None:
    """40 heads, two thirds of the step, were taken for layers of the model."""

    def each(at: int, number: int) -> list[Events]:
        starts = range(at + 9_500, at + 9_500 + 40 * 9_000, 9_000)
        modules = [frame(f"nn.Module: Linear_{i}", start, start + 8_700) for i, start in enumerate(starts)]
        return [*linear_layers(at, made), *modules]

    assert (named(examined(tmp_path, each), "operator-loop") is not None) == is_loop


@pytest.mark.parametrize(("turns", "is_loop"), [(60, True), (14, False)])
def test_values_computed_and_read_one_by_one(tmp_path: Path, turns: int, is_loop: bool) -> None:
    """The accuracy of each class, a fifth of the step, was not seen: nothing is taken to pieces, nothing is joined."""

    def each(at: int, number: int) -> list[Events]:
        events: list[Events] = []
        for i in range(turns):
            for j, name in enumerate(("eq", "bitwise_and", "sum", "item")):
                start = at + 10_000 + 12_000 * i + 2_500 * j
                events.append(operator(f"aten::{name}", start, start + 2_200))
        return [*events, operator("aten::mm", at + 760_000, at + STEP)]

    found = named(examined(tmp_path, each), "operator-loop")
    assert (found is not None) == is_loop
    if found is not None:
        assert found.saving_pct.best > 50
