"""Tables about kernels that Nsight Compute profiled."""

from __future__ import annotations

from stepscope.schema.columns import (
    Table,
    amount,
    ident,
    kernel,
    label,
    mean,
    message,
    named,
    ns,
    prose,
    rank,
    rate,
    share,
    statistic,
)

_FROM = ("kernel_report",)
_OF = (
    rank(),
    named("report", "file that it was read from"),
    ident("id", "number of the kernel in the report, in order of launches", "ID"),
)
_KEY = ("rank", "report", "id")

KERNEL_REPORTS = Table(
    "kernel_reports",
    "kernels that Nsight Compute profiled, and what limits each",
    (
        *_OF,
        kernel("name", "kernel", "Kernel"),
        label("grid", "launch grid"),
        label("block", "block of threads"),
        ident("device", "number of the GPU; null where the report does not say", "GPU"),
        ns("duration_ns", "time of the kernel under Nsight Compute, whose clocks may be locked", adds=True),
        share("compute_throughput_pct", "busiest compute unit of the SMs, of its peak", "Compute throughput"),
        share("memory_throughput_pct", "busiest memory unit, of its peak", "Memory throughput"),
        share("dram_throughput_pct", "DRAM, of its peak", "DRAM throughput"),
        share("l2_throughput_pct", "the L2 cache, of its peak", "L2 throughput"),
        share("l1_throughput_pct", "the L1/TEX caches, of their peak while active", "L1 throughput"),
        statistic("registers", "registers per thread"),
        share("achieved_occupancy_pct", "warps that were active, of those that an SM holds", "Achieved occupancy"),
        share("theoretical_occupancy_pct", "most that the launch allows", "Theoretical occupancy"),
        label("bottleneck", "what limits it: a cause such as uncoalesced or bank_conflicts, else the busiest unit"),
        message("finding", "what limits it, in a sentence with its figures"),
        message("advice", "what to do", "Recommendation"),
        share(
            "bound_pct",
            "most of its time that removing the cause would save, estimated from its metrics; null for a busy unit",
            "Saving at most",
        ),
        share(
            "estimated_speedup_pct",
            "largest estimate of Nsight Compute's rules for the whole kernel; null without one",
            "Estimated speedup",
        ),
        amount("calls", "launches of its function, grid and block in the trace beside the report; null without one"),
        ns("trace_ns", "time of these in the trace", "Time in the trace"),
    ),
    key=_KEY,
    rows="profiled kernel",
    title="Kernel reports",
    recordings=_FROM,
    first=(
        *("id", "name", "duration_ns", "bottleneck", "bound_pct", "compute_throughput_pct", "memory_throughput_pct"),
        *("achieved_occupancy_pct", "theoretical_occupancy_pct"),
    ),
    needs=_FROM,
    page="kernel_reports",
)

KERNEL_METRICS = Table(
    "kernel_metrics",
    "every value of the reports of Nsight Compute",
    (
        *_OF,
        kernel("kernel", "kernel"),
        named("metric", "metric as Nsight Compute names it", wide=True),
        label("unit", "base unit; null where neither the report nor the metric's name says it"),
        mean("value", "value in that unit; null where it is a text or was not measured"),
        named("text", "value that is a text; null for numbers"),
        statistic("instances", "values that the report holds beside it: of instructions or samples"),
    ),
    key=(*_KEY, "metric"),
    rows="metric of a kernel",
    title="Kernel metrics",
    recordings=_FROM,
    first=("id", "kernel", "metric", "value", "unit"),
    needs=_FROM,
    in_report=False,
)

KERNEL_RULES = Table(
    "kernel_rules",
    "what the rules of Nsight Compute say of each kernel",
    (
        *_OF,
        ident("number", "number of the sentence among those of the kernel, from 1"),
        kernel("kernel", "kernel"),
        label("section", "section that the rule belongs to"),
        label("rule", "name of the rule"),
        label("kind", "OPT (optimization), WRN (warning), INF (information) or ERR (error)"),
        label("scope", "what the estimate is of: global (the kernel) or local (one unit); null without one"),
        share("estimated_speedup_pct", "estimate of the rule; null without one", "Estimated speedup"),
        prose("message", "what it says", wide=True),
    ),
    key=(*_KEY, "number"),
    rows="sentence of a rule",
    title="Kernel rules",
    recordings=_FROM,
    first=("id", "kernel", "rule", "kind", "scope", "estimated_speedup_pct", "message"),
    needs=_FROM,
    page="kernel_reports",
)

KERNEL_STALLS = Table(
    "kernel_stalls",
    "what the warps of each profiled kernel waited for",
    (
        *_OF,
        kernel("kernel", "kernel"),
        label("reason", "warp state, as Nsight Compute names it"),
        rate("cycles", "cycles in this state per issued instruction"),
        share("share_pct", "of all cycles per issued instruction"),
        message("means", "what it means", "Meaning"),
        message("advice", "what to do", "Recommendation"),
    ),
    key=(*_KEY, "reason"),
    rows="warp state of a kernel",
    title="Warp stalls",
    recordings=_FROM,
    first=("id", "kernel", "reason", "cycles", "share_pct", "means"),
    needs=_FROM,
    page="kernel_reports",
)
