"""Tables about operators and modules."""

from __future__ import annotations

from stepscope.schema.columns import (
    Column,
    Grouping,
    Table,
    amount,
    flag,
    flops,
    label,
    named,
    ns,
    share,
)

_SHOWN = (
    *("calls", "device_self_ns", "device_share_pct", "device_total_ns", "host_self_ns", "host_total_ns"),
    *("backward_device_ns", "backward_host_ns", "flops", "tensor_core_pct", "tensor_core_eligible"),
)


def _by(column: Column, rows: str) -> Grouping:
    """Operators told apart by one more column."""
    key = ("name", column.name)
    return Grouping(column.name, key, (column,), rows, first=(*key, *_SHOWN))


OPERATORS = Table(
    "operators",
    "CPU and GPU time by operator",
    (
        named("name", "operator", "Operator"),
        amount("calls", "calls", adds=True),
        ns("host_self_ns", "CPU time as the innermost operator", "CPU self", adds=True),
        ns("device_self_ns", "activity launched inside, by no inner operator", "GPU self", adds=True),
        share("device_share_pct", "share of all GPU time, as the innermost operator", "GPU share"),
        ns("device_total_ns", "activity launched inside", "GPU total"),
        ns("host_total_ns", "CPU time, callees included", "CPU total"),
        ns("backward_host_ns", "CPU time in the backward functions of its calls", "Backward CPU"),
        ns("backward_device_ns", "activity that the backward functions of its calls launched", "Backward GPU"),
        flops("flops", "floating-point operations modelled from shapes; null where no model applies", "FLOPs"),
        share("tensor_core_pct", "share of the GPU time spent in tensor core kernels", "Tensor cores"),
        share(
            "tensor_core_self_pct",
            "share of the GPU time as the innermost operator spent in tensor core kernels",
            "Tensor cores self",
        ),
        flag("tensor_core_eligible", "could run on tensor cores; null where unknown", "Tensor cores eligible"),
    ),
    key=("name",),
    rows="operator",
    page="operators",
    place="operator",
    first=("name", *_SHOWN),
    groupings=(
        _by(label("shape", "shapes of the input tensors", "Input shapes"), "operator with input shapes"),
        _by(label("dtype", "types of the input tensors", "Input types"), "operator with input types"),
        _by(
            named("stack", "frames of the user's code, innermost first", "Call stack", wide=True),
            "operator with a call stack",
        ),
        _by(named("module", "modules around the calls", "Module"), "operator in a module"),
    ),
    needs=("operators",),
    source=True,
    eager=True,
)

_MODULES_SHOWN = (
    *("calls", "device_total_ns", "device_self_ns", "forward_device_ns", "backward_device_ns"),
    *("recompute_device_ns", "host_total_ns", "host_self_ns", "backward_host_ns"),
)

MODULES = Table(
    "modules",
    "CPU and GPU time by nn.Module, its backward pass included",
    (
        named("name", "class and number, in the order of first calls", "Module"),
        named("path", "modules around its first call, and itself", wide=True),
        amount("calls", "calls, recomputed ones included"),
        ns("host_total_ns", "CPU time in its calls", "CPU total"),
        ns("host_self_ns", "of this, outside the calls of other modules", "CPU self", adds=True),
        ns("device_total_ns", "activity of its calls and of their backward pass", "GPU total"),
        ns("device_self_ns", "of this, by no inner module", "GPU self", adds=True),
        ns("forward_device_ns", "of the total, launched by the calls", "Forward GPU"),
        ns("backward_device_ns", "of the total, launched by the backward pass", "Backward GPU"),
        ns(
            "recompute_device_ns",
            "of the backward pass, forward work repeated (activation checkpointing)",
            "Recompute GPU",
        ),
        ns("backward_host_ns", "CPU time in operators of its backward pass", "Backward CPU"),
    ),
    key=("path",),
    rows="module",
    page="modules",
    place="module",
    first=("name", "path", *_MODULES_SHOWN),
    groupings=(
        Grouping("class", ("name", "path"), (amount("instances", "modules of the class"),), rows="module class"),
    ),
    needs=("modules",),
)
