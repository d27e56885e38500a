"""Tables about operators and modules."""

from __future__ import annotations

import polars as pl

from stepscope.schema.columns import Column, Table, count, ns, number, text

OPERATORS = Table(
    "operators",
    "host and GPU time by operator",
    (
        text("name", "operator"),
        count("calls", "calls"),
        ns("host_self_ns", "time on the host as the innermost operator"),
        ns("device_self_ns", "activity launched inside, by no inner operator"),
        ns("device_total_ns", "activity launched inside"),
        ns("host_total_ns", "time on the host, callees included"),
        ns("backward_host_ns", "time on the host in the backward functions of its calls"),
        ns("backward_device_ns", "activity that the backward functions of its calls launched"),
        count("flops", "floating-point operations modelled from shapes; null where no model applies"),
        number("tensor_core_pct", "share of the GPU time spent in tensor-core kernels"),
        number("tensor_core_self_pct", "share of the GPU time as the innermost operator spent in tensor-core kernels"),
        Column("tensor_core_eligible", pl.Boolean, "could run on tensor cores; null where that is not known"),
    ),
    by=("shape", "dtype", "stack", "module"),
    needs=("operators",),
    source=True,
    eager=True,
)

MODULES = Table(
    "modules",
    "host and GPU time by nn.Module, its backward pass included",
    (
        text("name", "class and number, in the order of first calls"),
        text("path", "modules around its first call, and itself"),
        count("calls", "calls, recomputed ones included"),
        ns("host_total_ns", "time on the host in its calls"),
        ns("host_self_ns", "of this, outside the calls of other modules"),
        ns("device_total_ns", "activity of its calls and of their backward pass"),
        ns("device_self_ns", "of this, by no inner module"),
        ns("forward_device_ns", "of the total, launched by the calls"),
        ns("backward_device_ns", "of the total, launched by the backward pass"),
        ns("recompute_device_ns", "of the backward pass, forward work done again (activation checkpointing)"),
        ns("backward_host_ns", "time on the host in operators of its backward pass"),
    ),
    by=("class",),
    needs=("stacks",),
)
