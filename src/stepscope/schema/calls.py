"""Tables of library calls by function."""

from __future__ import annotations

from stepscope.schema.columns import Column, Table, amount, named, ns, statistic


def _columns(function: str) -> tuple[Column, ...]:
    return (
        named("name", function, "Function"),
        amount("calls", "calls", adds=True),
        ns("total_ns", "time in the calls", "Total", adds=True),
        statistic("mean_ns", "mean, rounded", "Mean"),
        statistic("median_ns", "median, of an even number the mean of the two in the middle, rounded", "Median"),
        statistic("min_ns", "shortest", "Min"),
        statistic("max_ns", "longest", "Max"),
        statistic("stddev_ns", "standard deviation of a sample, rounded; null of one call", "Std dev"),
    )


API_CALLS = Table(
    "api_calls",
    "calls of the CUDA runtime and driver by function: calls, total, mean, spread",
    _columns("function, without a version"),
    key=("name",),
    rows="function",
    page="launches",
    needs=("runtime",),
)

OS_RUNTIME = Table(
    "os_runtime",
    "blocking calls of the C library by function, as Nsight Systems records them",
    _columns("function"),
    key=("name",),
    rows="function",
    page="tables",
    needs=("os_calls",),
)
