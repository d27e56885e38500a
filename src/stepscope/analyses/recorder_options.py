"""What records more with profilers other than ``torch.profiler``, in their own words."""

from __future__ import annotations

from typing import Any

_TORCH_NPU, _MINDSPORE = "torch_npu", "MindSpore"
_CPU, _BOTH = "activities=[ProfilerActivity.CPU, ...]", "activities=[ProfilerActivity.CPU, ProfilerActivity.NPU]"
_NPU, _MEMORY = "activities=[..., ProfilerActivity.NPU]", "profile_memory=True (npu_memory)"
_PROFILERS = {_TORCH_NPU: "torch_npu.profiler.profile", _MINDSPORE: "mindspore.profiler.profile"}
_COMMON = {
    "gpu": _NPU,
    "runtime": _BOTH,
    "operators": _CPU,
    "frames": _CPU,
    "memory": _MEMORY,
    "memory_over_time": _MEMORY,
}
_OPTIONS = {
    _TORCH_NPU: _COMMON | {"shapes": "record_shapes=True", "stacks": "with_stack=True", "modules": "with_stack=True"},
    _MINDSPORE: _COMMON,
}
"""By the names of `needs.NEEDS`; what is missing here stepscope does not read of that recorder."""


ONLY_THEIRS = frozenset(
    {
        *("npu_kernels", "npu_collectives", "npu_pairs", "npu_memory", "npu_memory_peak"),
        *("operator_totals", "activity_totals", "input_pipeline", "input_batches", "cpu_usage"),
    }
)
"""What no profiler but these records, by the names of `needs.NEEDS`: other recordings lack nothing by it."""


def option_of(recorder: str, need: str) -> dict[str, Any] | None:
    """Parameters of a message: the recorder's profiler, its option for a need (None where what it records of that is
    not read), whether only Ascend has it; None of other recorders."""
    if recorder not in _PROFILERS:
        return None
    option = _OPTIONS[recorder].get(need)
    ascend = recorder == _MINDSPORE and option != _CPU
    return {"recorder": recorder, "profiler": _PROFILERS[recorder], "option": option, "ascend": ascend}
