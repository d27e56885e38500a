"""Tables of what a profiler adds up itself, where that says more than its events."""

from __future__ import annotations

from stepscope.schema.columns import Grouping, Table, amount, ident, kernel, label, named, ns, rank, share, statistic

OPERATOR_TOTALS = Table(
    "operator_totals",
    "what MindSpore's profiler adds up by operator: host time, and GPU activity beside it",
    (
        rank(),
        named("name", "operator with its scope", "Operator"),
        label("type", "type of the operator"),
        label("side", "where it runs: Device or Host"),
        amount("calls", "calls", adds=True),
        ns(
            "activity_ns", "GPU activity that CUPTI counts for it: kernels, memcpys and more", "GPU activity", adds=True
        ),
        share("activity_share_pct", "share of all such activity", "GPU share"),
        amount("activities", "how many activities these are", "GPU activities", adds=True),
        ns("host_ns", "time on the host: the launch, with synchronization where that was on", "Host time", adds=True),
        share("host_share_pct", "share of all such time", "Host share"),
        statistic("host_mean_ns", "host time of a call", "Mean host time"),
    ),
    key=("rank", "side", "type", "name"),
    rows="operator",
    title="Operators, as added up by MindSpore",
    page="operators",
    first=("name", "type", "side", "calls", "activity_ns", "activity_share_pct", "host_ns", "host_share_pct"),
    groupings=(
        Grouping(
            "type",
            ("rank", "side", "type"),
            rows="type of operators",
            first=("type", "side", "calls", "activity_ns", "activity_share_pct", "host_ns", "host_share_pct"),
        ),
    ),
    needs=("operator_totals",),
)

ACTIVITY_TOTALS = Table(
    "activity_totals",
    "what MindSpore's profiler adds up by kernel, with the operator of its first launch",
    (
        rank(),
        kernel("name", "kernel", "Kernel"),
        label("type", "call that launched it"),
        named("operator", "operator of its first launch; others may launch it too", "First operator"),
        ident("stream", "stream of its first launch"),
        label("grid", "launch grid of its first launch"),
        label("block", "block of threads of its first launch"),
        amount("calls", "launches", adds=True),
        ns("total_ns", "time of all of them", "Total", adds=True),
        statistic("mean_ns", "mean", "Mean"),
        statistic("min_ns", "shortest", "Min"),
        statistic("max_ns", "longest", "Max"),
    ),
    key=("rank", "name", "type", "operator", "stream", "grid", "block"),
    rows="kernel",
    title="Kernels, as added up by MindSpore",
    page="kernels",
    first=("name", "calls", "total_ns", "mean_ns", "min_ns", "max_ns", "operator", "grid", "block"),
    needs=("activity_totals",),
)
