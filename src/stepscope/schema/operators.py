"""Tables about operators and modules."""

from __future__ import annotations

from stepscope.schema.columns import Table, count, ns, number, text

OPERATORS = Table(
    "operators",
    "host and GPU time by operator",
    (
        text("name", "operator"),
        count("calls", "calls"),
        ns("host_total_ns", "time on the host, callees included"),
        ns("host_self_ns", "time on the host as the innermost operator"),
        ns("device_total_ns", "activity launched inside"),
        ns("device_self_ns", "activity launched inside, by no inner operator"),
        count("flops", "floating-point operations modelled from shapes; null where no model applies"),
        number("tensor_core_pct", "share of the GPU time spent in tensor-core kernels"),
    ),
    by=("shape", "dtype", "stack"),
    needs=("operators",),
)
