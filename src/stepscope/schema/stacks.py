"""Tables about stacks, and about the instances of one name."""

from __future__ import annotations

from stepscope.schema.columns import (
    Grouping,
    Table,
    amount,
    flag,
    ident,
    kernel,
    label,
    moment,
    named,
    ns,
    rank,
    share,
    statistic,
    step,
)

FLAME_GRAPH = Table(
    "flame_graph",
    "CPU and GPU time by stack, as a tree of frames",
    (
        ident("frame", "number of the frame, depth first"),
        ident("parent", "frame around it; null for the outermost"),
        ident("depth", "frames around it"),
        named("name", "Python function, module, range or operator", "Frame name", wide=True),
        label("kind", "python, module, annotation or operator"),
        amount("calls", "calls with this stack on the host", adds=True),
        ns("host_total_ns", "CPU time inside, thread by thread", "CPU total"),
        ns("host_self_ns", "CPU time as the innermost frame", "CPU self", adds=True),
        ns("device_total_ns", "activity launched inside, its backward pass included", "GPU total"),
        ns("device_self_ns", "of this, by no inner frame", "GPU self", adds=True),
        share("host_pct", "CPU total, of the CPU time of every frame", "Of CPU time"),
        share("device_pct", "GPU total, of the time of every GPU activity", "Of GPU time"),
        amount("frames", "frames inside it, itself included"),
    ),
    key=("frame",),
    rows="frame",
    page="flame_graph",
    first=("name", "kind", "depth", "calls", "host_total_ns", "host_self_ns", "device_total_ns", "device_self_ns"),
    groupings=(
        Grouping("python", ("frame",), rows="Python frame"),
        Grouping("operator", ("frame",), rows="frame"),
        Grouping("module", ("frame",), rows="module frame"),
    ),
    needs=("frames",),
    area=True,
)

_KINDS = "kernel, memcpy, memset, operator, annotation, call (CUDA API) or function (Python)"
_KERNEL = ("kind", ("kernel",))
_SPREAD = ("calls", "total_ns", "min_ns", "median_ns", "p90_ns", "max_ns", "outliers")

INSTANCES = Table(
    "instances",
    "each instance of a kernel, operator, range or call",
    (
        label("kind", _KINDS),
        kernel("name", "its name", only=_KERNEL),
        rank(),
        step("step in which it starts, of GPU work in which it was launched; null outside the steps"),
        moment("start_ns", "when it starts"),
        ns("duration_ns", "how long it takes", adds=True),
        share("of_median_pct", "its duration in per cent of the median of its name"),
        flag(
            "outlier",
            "longer than 1.5 medians and than the upper quartile by 3 interquartile ranges; null of fewer than 8",
        ),
        named("thread", "thread of the host"),
        ident("stream", "stream of the GPU"),
        ident("number", "place among the instances of its name on the rank, by start"),
    ),
    key=("kind", "name", "rank", "number"),
    rows="instance",
    needs=("instances",),
    page="instances",
    first=("kind", "name", "duration_ns", "of_median_pct", "outlier", "rank", "step", "start_ns", "thread", "stream"),
    in_report=False,
    named=True,
    area=True,
)

DURATIONS = Table(
    "durations",
    "spread of the durations of kernels, operators, ranges and calls",
    (
        label("kind", _KINDS),
        kernel("name", "its name", only=_KERNEL),
        amount("calls", "instances", "Instances", adds=True),
        ns("total_ns", "sum of their durations", adds=True),
        statistic("min_ns", "shortest"),
        statistic("p25_ns", "lower quartile", "Lower quartile"),
        statistic("median_ns", "median"),
        statistic("p75_ns", "upper quartile", "Upper quartile"),
        statistic("p90_ns", "90th percentile", "90th percentile"),
        statistic("p99_ns", "99th percentile", "99th percentile"),
        statistic("max_ns", "longest"),
        amount(
            "outliers", "instances marked as outliers in the table instances; null of fewer than 8 instances", adds=True
        ),
        statistic("steps", "steps in which it occurs", unit="count"),
        statistic("step_min_ns", "least time in one step", "Step min"),
        statistic("step_median_ns", "median of its time by step", "Step median"),
        statistic("step_max_ns", "most time in one step", "Step max"),
    ),
    key=("kind", "name"),
    rows="name",
    needs=("instances",),
    page="instances",
    first=("kind", "name", *_SPREAD, "p25_ns", "p75_ns", "p99_ns"),
    groupings=(
        Grouping("step", ("kind", "name", "step"), (step("step in which they start"),), rows="step of a name"),
        Grouping(
            "bin",
            ("kind", "name", "from_ns"),
            (
                statistic("from_ns", "shortest duration of the bin", "From"),
                statistic("to_ns", "end of the bin, excluded", "To"),
            ),
            rows="bin of a histogram",
            first=("kind", "name", "from_ns", "to_ns", "calls", "total_ns", "outliers"),
        ),
    ),
    named=True,
    area=True,
)
