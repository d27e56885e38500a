"""Tables of library calls by function."""

from __future__ import annotations

from stepscope.schema.columns import (
    Column,
    Grouping,
    Table,
    amount,
    ident,
    label,
    named,
    ns,
    rank,
    share,
    statistic,
)


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
    title="CUDA API calls",
    page="launches",
    needs=("runtime",),
)

OS_RUNTIME = Table(
    "os_runtime",
    "blocking calls of the C library by function, as Nsight Systems records them",
    _columns("function"),
    key=("name",),
    rows="function",
    title="OS runtime",
    page="tables",
    needs=("os_calls",),
)

CPU_SAMPLES = Table(
    "cpu_samples",
    "functions that CPUs ran when they were sampled, by function and the file that it lies in",
    (
        named("name", "function; (unresolved) without symbols, (unattributed) without a stack", "Function"),
        named("module", "name of the library or program that the function lies in", "Module"),
        amount("samples", "samples in which it ran", adds=True),
        share("share_pct", "the same, of all samples", "Share", adds=True),
        amount("total_samples", "samples in which it ran or waited for a function that it had called", "Total samples"),
        share("total_pct", "the same, of all samples"),
    ),
    key=("name", "module"),
    rows="function",
    title="CPU samples",
    page="tables",
    needs=("cpu_samples",),
    groupings=(
        Grouping(
            "thread",
            ("rank", "process", "thread", "name", "module"),
            (
                rank(),
                named("process", "number of the process", "Process"),
                named("thread", "number of the thread", "Thread"),
                named("thread_name", "its name; null where none was recorded", "Thread name"),
            ),
            rows="function of a thread",
        ),
    ),
)

THREAD_SCHEDULING = Table(
    "thread_scheduling",
    "how long each thread was on a CPU, and how often it was taken from it",
    (
        rank(),
        named("process", "number of the process", "Process"),
        named("thread", "number of the thread", "Thread"),
        named("thread_name", "its name; null where none was recorded", "Thread name"),
        ns("running_ns", "time on a CPU", "Running", adds=True),
        ns(
            "off_cpu_ns",
            "time off the CPU between two times on it: blocked, or waiting for one",
            "Off CPU",
            adds=True,
        ),
        ns("unknown_ns", "time of which the recording misses a switch", "Unknown", adds=True),
        share("running_pct", "time on a CPU, of all three", "On CPU"),
        amount("switches", "how often it was taken from a CPU", "Context switches", adds=True),
        amount("migrations", "how often it was put on another CPU than before", adds=True),
        statistic("longest_off_cpu_ns", "longest time off the CPU that lies in the steps, whole", "Longest off CPU"),
    ),
    key=("rank", "process", "thread"),
    rows="thread",
    page="tables",
    needs=("thread_switches",),
)

PAGE_FAULTS = Table(
    "page_faults",
    "page faults of unified memory, by side, GPU and access",
    (
        label("side", "cpu or gpu: who touched memory that was on the other side"),
        ident("gpu", "number of the GPU; null of the CPU", "GPU"),
        label("access", "read, write, atomic, prefetch; empty where it was not recorded"),
        amount("events", "rows of the recording: of a GPU each is a group of faults", adds=True),
        amount("faults", "page faults", adds=True),
        ns("total_ns", "time of the groups; null of the CPU, of whose faults no length is recorded", adds=True),
    ),
    key=("side", "gpu", "access"),
    rows="kind of access",
    page="tables",
    needs=("page_faults",),
)

HOST_SAMPLES = Table(
    "host_samples",
    "functions that Python ran when its stacks were sampled (py-spy)",
    (
        rank(),
        named("name", "function; (unattributed) without a stack", "Function"),
        named("file", "file that it lies in; null where the samples do not say"),
        amount("samples", "samples in which it was the innermost function", adds=True),
        share("share_pct", "share of the rank's samples", "Of all", adds=True),
        amount("total_samples", "samples in which it was anywhere in the stack", "With callees"),
        share("total_pct", "share of the rank's samples", "With callees, of all"),
    ),
    key=("rank", "name", "file"),
    rows="function",
    recordings=("host_samples",),
    groupings=(
        Grouping("line", ("rank", "name", "file", "line"), (ident("line", "line that ran, or that called"),), "line"),
        Grouping(
            "thread",
            ("rank", "thread", "name", "file"),
            (label("thread", "thread, as it is named"),),
            "function of a thread",
        ),
    ),
    first=("rank", "name", "file", "samples", "share_pct", "total_pct"),
    needs=("host_samples",),
)
"""Of a recording that has no clock: see `readers.py_spy`."""
