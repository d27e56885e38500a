"""Memory that grows within one pass of a model is no leak."""

from __future__ import annotations

from pathlib import Path

from building.snapshots import MadeSnapshot
from stepscope.messages import Message
from stepscope.messages.rendering import render

MIB = 1 << 20
LAYER = "torch/nn/modules/module.py:5 _call_impl"


def one_pass(annotated: bool) -> MadeSnapshot:
    """A forward pass of 60 layers that keep an activation each, and a log that grows beside it."""
    made = MadeSnapshot()
    large = made.segment(4000 * MIB)
    for number in range(60):
        made.free(made.alloc(large, 1 * MIB, LAYER, "model.py:7 forward"))
        made.alloc(large, 2 * MIB, LAYER, "model.py:8 forward")
        if annotated and number % 6 == 0:
            made.range("Optimizer.step#SGD.step")
            made.range("Optimizer.step#SGD.step", end=True)
    return made


def test_a_pass_without_steps_is_no_leak(tmp_path: Path) -> None:
    """A public snapshot of one forward pass had 12.6 GiB of leaks: its activations, layer by layer."""
    profile = one_pass(annotated=False).opened(tmp_path)
    assert len(profile.show("memory_leaks")) == 0
    assert profile.notes("memory_leaks")[-1] == (
        "rank 0: 1 stack of parameters, activations, gradients or optimizer state grew, but no steps are known: one "
        "pass may be why"
    )


def test_activations_that_stay_over_steps_are_a_leak(tmp_path: Path) -> None:
    found = one_pass(annotated=True).opened(tmp_path).show("memory_leaks")
    assert found.select("source", "bytes_per_step").rows() == [("model.py:8", 12 * MIB)]


def test_what_a_last_backward_pass_leaves_is_no_leak(tmp_path: Path) -> None:
    """A public snapshot of one pass that ends in its backward part: 88 results of aten::mm, of no known category."""
    made = MadeSnapshot()
    large = made.segment(4000 * MIB)
    for _ in range(20):
        made.free(made.alloc(large, 1 * MIB, LAYER, "model.py:7 forward"))
    for _ in range(240):
        made.alloc(large, 2 * MIB, "torch/autograd/graph.py:8 _engine_run_backward", "train.py:7 main")
    profile = made.opened(tmp_path)
    assert len(profile.show("memory_leaks")) == 0
    assert "one pass may be why" in profile.notes("memory_leaks")[0]


def test_a_step_that_makes_new_state_and_lets_go_of_the_old_is_no_leak(tmp_path: Path) -> None:
    """Seen of a public snapshot of one step of an optimizer that is not PyTorch's: 727 MiB were said to grow."""
    made = MadeSnapshot()
    large = made.segment(4000 * MIB)
    old = [made.alloc(large, 2 * MIB) for _ in range(120)]
    made.history.clear()
    made.free(made.alloc(large, 2 * MIB, LAYER, "model.py:7 forward"))
    for block in old:
        made.alloc(large, 2 * MIB, "mine/optim/adam.py:75 step", "train.py:9 main")
        made.free(block)
    profile = made.opened(tmp_path)
    assert len(profile.show("memory_leaks")) == 0
    assert "one pass may be why" in profile.notes("memory_leaks")[0]


def test_building_a_model_is_no_leak(tmp_path: Path) -> None:
    made = MadeSnapshot()
    large = made.segment(4000 * MIB)
    for _ in range(120):
        made.alloc(large, 2 * MIB, "torch/nn/modules/linear.py:9 __init__", "train.py:3 build")
    assert len(made.opened(tmp_path).show("memory_leaks")) == 0


def test_how_little_growth_is_left_out_is_said() -> None:
    """It was "by less than a MiB and a thousandth of the peak a step"."""
    little = Message("note-snapshot-little-growth", rank="0", stacks=1)
    assert [render(little, into) for into in ("en", "zh")] == [
        "rank 0: 1 more stack grew by less than 1 MiB and less than 0.1 % of the peak per step",
        "rank 0：另有 1 个调用栈在增长，但每次迭代不足 1 MiB 且不足峰值的 0.1 %",
    ]
