"""Pairs for a GPU: of its own kernels, copies and waits, and those programs for a CPU that run on one as they are."""

from __future__ import annotations

from yardstick.programs import habits, loops, needless, optimizers, repeated_work
from yardstick.programs.gpu import copying, inputs, kernels, launches, waits
from yardstick.programs.registry import Scenario, scenarios

_FOR_A_CPU_TOO = (
    *(loops.per_image_forward, loops.lstm_unrolled, loops.history_loop, loops.cat_growing, loops.class_masks),
    *(optimizers.adamw_one_by_one, optimizers.hand_written_sgd, optimizers.gradient_norms, optimizers.ema_deepcopy),
    *(optimizers.zeros_one_by_one, optimizers.optimizer_each_step),
    *(
        repeated_work.forward_twice,
        repeated_work.backward_twice,
        repeated_work.anomaly_left_on,
        repeated_work.nan_hooks,
    ),
    *(habits.crop_each_image, habits.accuracy_one_by_one, habits.windows_by_slices, habits.collected_each_step),
    needless.loss_item,
)

SCENARIOS: dict[str, Scenario] = {
    **scenarios(waits, copying, kernels, launches, inputs),
    **{each.name: each for each in _FOR_A_CPU_TOO},
}
"""By name. Programs make their tensors where record.py has them made."""
