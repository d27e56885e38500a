"""Tables about what ran on the GPU and how it got there."""

from __future__ import annotations

from stepscope.schema.columns import (
    Grouping,
    Table,
    amount,
    flag,
    ident,
    kernel,
    label,
    mean,
    moment,
    named,
    ns,
    rank,
    rate,
    share,
    size,
    statistic,
    step,
)

_KIND = label("kind", "what it does: gemm, attention, conv, norm, ..., communication, other")
_MEAN = statistic("mean_ns", "total / calls, rounded")
_TIMES = ("calls", "total_ns", "share_pct", "mean_ns", "min_ns", "max_ns")
_LAUNCH = ("registers", "shared_bytes", "blocks_per_sm", "estimated_occupancy_pct")

KERNELS = Table(
    "kernels",
    "GPU time by kernel, communication included",
    (
        kernel("name", "kernel", "Kernel"),
        amount("calls", "launches", adds=True),
        ns("total_ns", "sum of durations", adds=True),
        _MEAN,
        statistic("min_ns", "shortest"),
        statistic("max_ns", "longest"),
        share("share_pct", "share of all kernel time", adds=True),
        _KIND,
        named("op", "operator with most of its time, or the call that launched it in a CUDA graph", "Operator"),
        label("grid", "launch grid with most of its time"),
        label("block", "block of that launch"),
        mean("blocks_per_sm", "duration-weighted mean", "Blocks per SM"),
        share("occupancy_pct", "estimated by the profiler, duration-weighted mean"),
        statistic("registers", "registers per thread of that launch"),
        statistic("shared_bytes", "shared memory per block of that launch", "Shared memory"),
        flag("tensor_core", "runs on tensor cores, by name", "Tensor cores"),
        share(
            "estimated_occupancy_pct",
            "occupancy_pct, re-estimated where the profiler recorded 0",
            "Estimated occupancy",
        ),
        label("occupancy_limit", "what limits it: registers, shared memory, threads, blocks or grid", "Limited by"),
        named("source", "of compiled kernels: line of the model, else file of the generated code", "Source"),
    ),
    key=("name",),
    rows="kernel",
    page="kernels",
    place="kernel",
    first=("name", *_TIMES, "kind", "op", "tensor_core", "grid", "block", *_LAUNCH, "occupancy_limit"),
    groupings=(
        Grouping(
            "launch",
            ("name", "grid", "block", "registers", "shared_bytes"),
            rows="kernel with a launch configuration",
            first=("name", "grid", "block", *_TIMES, *_LAUNCH, "occupancy_limit", "kind"),
        ),
        Grouping(
            "op",
            ("name", "op"),
            rows="kernel of an operator",
            first=("name", "op", *_TIMES, "kind", "grid", "block", *_LAUNCH),
        ),
    ),
    needs=("gpu",),
    eager=True,
)

_UTILIZATION_SHOWN = (
    *("gpu_util_pct", "sm_efficiency_pct", "occupancy_pct", "tensor_core_pct", "tensor_core_eligible_pct"),
    *("compute_pct", "communication_pct", "memory_pct"),
)

UTILIZATION = Table(
    "utilization",
    "GPU utilization and SM efficiency of each rank over its steps",
    (
        rank(),
        share("gpu_util_pct", "GPU busy: share of the time in which anything runs on it", "GPU utilization"),
        share(
            "sm_efficiency_pct",
            "estimate: share of the SMs with a block of a compute kernel, over the time",
            "SM efficiency (est.)",
        ),
        share(
            "occupancy_pct",
            "the profiler's estimate, duration-weighted mean over the compute kernels that have it",
            "Occupancy (est.)",
        ),
        share("tensor_core_pct", "share of the compute kernels' time in tensor core kernels", "Tensor cores"),
        share(
            "tensor_core_eligible_pct",
            "the same over kernels of operators that could run on tensor cores",
            "Tensor cores of eligible",
        ),
        share("compute_pct", "share of the time in which a compute kernel runs"),
        share("communication_pct", "share of the time in which a communication kernel runs"),
        share("memory_pct", "share of the time in which a memcpy or memset runs", "Memcpy and memset"),
        ns("time_ns", "the time: the steps on the GPU timeline"),
        share(
            "sm_coverage_pct",
            "share of the compute kernels' time with blocks per SM recorded",
            "SM efficiency coverage",
        ),
        share("occupancy_coverage_pct", "share of the compute kernels' time with an estimate", "Occupancy coverage"),
        named("device", "GPU model"),
        statistic("sms", "streaming multiprocessors (AMD: compute units) of a GPU", "SMs"),
        statistic("device_memory_bytes", "memory of a GPU"),
        label("compute_capability", "CUDA compute capability (AMD: version of the architecture)"),
    ),
    key=("rank",),
    rows="rank",
    first=("rank", *_UTILIZATION_SHOWN),
    groupings=(
        Grouping("step", ("rank", "step"), (step(),), rows="step", first=("rank", "step", *_UTILIZATION_SHOWN)),
    ),
    needs=("gpu",),
    per_rank=True,
)

SHORT_KERNELS = Table(
    "short_kernels",
    "kernels shorter than 10 us, and than the call that launched them",
    (
        kernel("name", "kernel", "Kernel"),
        _KIND,
        amount("calls", "kernels of less than 10 us", adds=True),
        share("of_kernels_pct", "share of all kernels", adds=True),
        ns("total_ns", "sum of their durations", adds=True),
        share("share_pct", "share of all kernel time", "Of kernel time", adds=True),
        _MEAN,
        ns(
            "launch_ns",
            "host time of the calls that launched them, graph launches left out",
            "Launch CPU time",
            adds=True,
        ),
        amount("shorter_than_launch", "of them: shorter than the call that launched them", adds=True),
        amount("in_graph", "of them: launched together with others, by a CUDA graph", "In CUDA graph", adds=True),
    ),
    key=("name",),
    rows="short kernel",
    place="kernel",
    groupings=(
        Grouping(
            "op",
            ("name", "op"),
            (named("op", "operator that launched it", "Operator"),),
            rows="short kernel of an operator",
        ),
    ),
    needs=("gpu",),
)

KERNEL_LENGTHS = Table(
    "kernel_lengths",
    "kernels by duration: how many, how much time",
    (
        statistic("from_ns", "shortest duration of the class"),
        statistic("to_ns", "end of the class, excluded; null for the last"),
        amount("calls", "kernels", "Kernels", adds=True),
        share("of_kernels_pct", "share of all kernels", adds=True),
        ns("total_ns", "sum of their durations", adds=True),
        share("share_pct", "share of all kernel time", adds=True),
        amount("shorter_than_launch", "of them: shorter than the call that launched them", adds=True),
        amount("in_graph", "of them: launched together with others, by a CUDA graph", "In CUDA graph", adds=True),
    ),
    key=("from_ns",),
    rows="class of durations",
    title="Kernel durations",
    needs=("gpu",),
)

GRAPHS = Table(
    "graphs",
    "CUDA graphs: what they run and what their launches cost",
    (
        ident("graph", "number of the graph, by GPU time"),
        named("name", "call that launches it", "API"),
        amount("calls", "replays", "Replays", adds=True),
        amount("kernels", "kernels of a replay"),
        amount("copies", "memcpys and memsets of a replay", "Memcpys and memsets"),
        ns("total_ns", "sum of the durations of all it ran", adds=True),
        _MEAN,
        share("share_pct", "share of the durations of all GPU activity", "Of GPU time", adds=True),
        ns("span_ns", "first start to last end of each replay, summed"),
        ns("gap_ns", "span - busy: nothing of the replay ran", "Gaps"),
        ns("launch_ns", "host time of the calls that launched it", "Launch CPU time", adds=True),
        kernel("heaviest", "kernel with most of its time", "Heaviest kernel"),
        ns("busy_ns", "union of the activity of each replay, summed"),
        ident("graph_id", "its number in the recording; null where it has none", "Graph ID"),
    ),
    key=("graph",),
    rows="CUDA graph",
    title="CUDA graphs",
    groupings=(
        Grouping(
            "replay",
            ("rank", "start_ns"),
            (
                rank(),
                moment("start_ns", "start of its first activity"),
                ns("latency_ns", "launching call to the first work of the replay", "Launch latency"),
            ),
            rows="replay of a CUDA graph",
        ),
        Grouping(
            "kernel",
            ("graph", "kernel"),
            (kernel("kernel", "kernel of the graph"),),
            rows="kernel of a CUDA graph",
            overlaps=True,
        ),
    ),
    needs=("gpu", "runtime"),
)

MEMCPY_TABLE = Table(
    "memcpy",
    "memcpys by direction and kind of host memory",
    (
        label("kind", "HtoD, DtoH, DtoD, HtoH, PtoP or unknown", "Direction"),
        label(
            "pinned",
            "pinned, pageable, managed (unified memory), or empty where it does not apply or was not recorded",
            "Host memory",
        ),
        amount("calls", "memcpys", adds=True),
        size("bytes", "bytes copied; null where no size was recorded", adds=True),
        ns("total_ns", "sum of durations", adds=True),
        rate("bandwidth", "GB/s (1e9 bytes) over the memcpys with a size", unit="GB/s"),
    ),
    key=("kind", "pinned"),
    rows="direction",
    needs=("gpu",),
)

MEMSET_TABLE = Table(
    "memset",
    "memsets by kind of memory",
    (
        label("memory", "Device, Pinned, Managed and others; empty where it was not recorded"),
        amount("calls", "memsets", adds=True),
        size("bytes", "bytes set; null where no size was recorded", adds=True),
        ns("total_ns", "sum of durations", adds=True),
        rate("bandwidth", "GB/s (1e9 bytes) over the memsets with a size", unit="GB/s"),
    ),
    key=("memory",),
    rows="kind of memory",
    needs=("gpu",),
)
