"""Models that run without a backward pass of their own, once more in every step."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, operator
from building.autograd import backward, forward, frame
from made_steps import examined, named


def test_the_first_run_of_a_checkpoint_is_no_extra_forward(tmp_path: Path) -> None:
    """With `use_reentrant=True` a block first runs without a backward pass: 20 % were promised a second time."""

    def each(at: int, number: int) -> list[Events]:
        return [
            frame("torch/utils/checkpoint.py(309): forward", at + 5_000, at + 260_000),
            frame("nn.Module: Block_0", at + 10_000, at + 250_000),
            operator("aten::mm", at + 20_000, at + 240_000),
            backward("CheckpointFunctionBackward", at + 300_000, at + 900_000, number, thread=1),
            frame("nn.Module: Block_0", at + 310_000, at + 550_000),
            forward("aten::mm", at + 320_000, at + 540_000, number + 1),
        ]

    assert named(examined(tmp_path, each), "extra-forward") is None


@pytest.mark.parametrize(("rows", "found"), [(64, True), (1, False)])
def test_a_rollout_is_no_extra_forward(tmp_path: Path, rows: int, found: bool) -> None:
    """The policy acts on one observation at a time, and learns from a batch of them."""

    def each(at: int, number: int) -> list[Events]:
        return [
            frame("nn.Module: Policy_0", at + 10_000, at + 250_000),
            operator("aten::mm", at + 20_000, at + 240_000, **{"Input Dims": [[rows, 8], [8, 8]]}),
            frame("nn.Module: Policy_0", at + 300_000, at + 550_000),
            forward("aten::mm", at + 320_000, at + 540_000, number, **{"Input Dims": [[64, 8], [8, 8]]}),
            backward("MmBackward0", at + 560_000, at + 900_000, number, thread=1),
        ]

    assert (named(examined(tmp_path, each), "extra-forward") is not None) == found


def evaluated(at: int, number: int, *, norms: int = 5, least: int = 1) -> list[Events]:
    """A model of layers and batch norms, trained; and for a batch of validation, where norms count no batches.

    Args:
        least: the first layer that is run for validation.
    """
    shapes = {"Input Dims": [[64, 8], [8, 8]]}
    events: list[Events] = []
    for start, trained in ((at + 10_000, True), (at + 500_000, False)):
        events.append(frame("nn.Module: Model_0", start, start + 240_000))
        events.append(operator("aten::linear", start + 500, start + 1_500, **shapes))
        for i in range(0 if trained else least - 1, norms):
            place = start + 2_000 + 45_000 * i
            events.append(frame(f"nn.Module: BatchNorm1d_{i}", place, place + 42_000))
            if trained:
                events += [
                    operator("aten::add_", place + 1_000, place + 3_000),
                    operator("aten::empty", place + 4_000, place + 5_000),
                ]
                events.append(forward("aten::batch_norm", place + 6_000, place + 40_000, 100 * number + i, **shapes))
                events.append(
                    backward(
                        "NativeBatchNormBackward0",
                        at + 760_000 + 20_000 * i,
                        at + 778_000 + 20_000 * i,
                        100 * number + i,
                        thread=1,
                    )
                )
            else:
                events.append(operator("aten::batch_norm", place + 6_000, place + 40_000, **shapes))
    return events


def test_a_batch_of_validation_in_every_step(tmp_path: Path) -> None:
    """For an evaluation norms call fewer operators: of 24 % nothing was said."""
    found = named(examined(tmp_path, evaluated), "extra-forward")
    assert found is not None
    assert found.cause.spent_ns == pytest.approx(240_000, abs=10_000)


def test_a_part_of_the_model_is_not_the_model(tmp_path: Path) -> None:
    assert named(examined(tmp_path, lambda at, n: evaluated(at, n, least=2)), "extra-forward") is None
