"""Categories of what was allocated before the history began: most histories begin when the model is on the GPU.

Seen of public snapshots: 12.8 of 51 GiB of a training step were unknown, although each of 291 gradients had a block of
its size that was there before.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from building.snapshots import MIB, MadeSnapshot

ENGINE = "torch/autograd/graph.py:8 _engine_run_backward"
SIZES = [5 * MIB, 5 * MIB, 9 * MIB]
MOMENTS = [size for size in SIZES for _ in range(2)]
OTHER = 4 * MIB


def training(before: list[int], *, gradients: list[int] | None = None, state: list[int] | None = None) -> MadeSnapshot:
    """Two steps after what was there before: gradients that the next step releases, state that stays."""
    made = MadeSnapshot()
    large = made.segment(1000 * MIB)
    for size in before:
        made.alloc(large, size)
    made.history.clear()
    held: list[int] = []
    for step in range(2):
        activation = made.alloc(large, 2 * MIB, "model.py:4 forward")
        for block in held:
            made.free(block)
        held = [made.alloc(large, size, ENGINE, "train.py:7 main") for size in gradients or []]
        made.free(activation)
        made.free(made.alloc(large, 3 * MIB, "torch/optim/adamw.py:9 step", "train.py:8 main"))
        for size in state or [] if step == 0 else []:
            made.alloc(large, size, "torch/optim/adamw.py:9 step", "train.py:8 main")
    made.alloc(large, 2 * MIB, "model.py:4 forward")
    return made


def of_before(made: MadeSnapshot, folder: Path) -> dict[str, int]:
    """Bytes of the blocks without a stack, by category."""
    rows = made.opened(folder).show("memory_peak")
    older = rows.filter(op="(allocated before the recording)")
    return dict(older.select("category", "alive_bytes").iter_rows())


def test_blocks_as_large_as_gradients_are_parameters(tmp_path: Path) -> None:
    assert of_before(training([*SIZES, OTHER], gradients=SIZES), tmp_path) == {
        "parameters": sum(SIZES),
        "unknown": OTHER,
    }


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ([*SIZES, *MOMENTS], {"parameters": sum(SIZES), "optimizer state": sum(MOMENTS)}),
        # A second copy may be a momentum, or an average of the weights.
        ([*SIZES, *SIZES], {"parameters": sum(SIZES), "unknown": sum(SIZES)}),
        (
            [*SIZES, *MOMENTS, 9 * MIB],
            {"parameters": sum(SIZES), "optimizer state": sum(MOMENTS), "unknown": 9 * MIB},
        ),
    ],
)
def test_twice_as_much_is_the_state_of_the_optimizer(tmp_path: Path, before: list[int], found: dict[str, int]) -> None:
    assert of_before(training(before, gradients=SIZES), tmp_path) == found


def test_state_that_the_history_makes_was_not_there_before(tmp_path: Path) -> None:
    found = of_before(training([*SIZES, *MOMENTS], gradients=SIZES, state=MOMENTS), tmp_path)
    assert found == {"parameters": sum(SIZES), "unknown": sum(MOMENTS)}


def test_state_says_of_parameters_where_no_gradient_does(tmp_path: Path) -> None:
    assert of_before(training([*SIZES, OTHER], state=MOMENTS), tmp_path) == {
        "parameters": sum(SIZES),
        "unknown": OTHER,
    }


def test_without_training_nothing_is_concluded(tmp_path: Path) -> None:
    made = training(SIZES)
    assert of_before(made, tmp_path) == {"unknown": sum(SIZES)}
    verdict = made.opened(tmp_path).verdict
    assert "allocated before the recording 86 %" in verdict


def test_what_small_blocks_are_for_is_not_concluded(tmp_path: Path) -> None:
    small = [512] * 4
    assert of_before(training(small, gradients=small), tmp_path) == {"unknown": sum(small)}


def test_a_history_without_steps_says_what_marks_them(tmp_path: Path) -> None:
    """Before: no ProfilerStep ranges ...; call profiler.step() in the loop."""
    health = training(SIZES).opened(tmp_path).show("health").filter(check="steps")
    assert health["detail"].item() == (
        "no range ProfilerStep#N or Optimizer.step in the history: all of it is taken as one step; put "
        'record_function("ProfilerStep#0") around each step'
    )
