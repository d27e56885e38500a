"""Tables about what ran on the GPU and how it got there."""

from __future__ import annotations

import polars as pl

from stepscope.schema.columns import Column, Table, count, ns, number, text

KERNELS = Table(
    "kernels",
    "GPU time by kernel, communication included",
    (
        text("name", "kernel"),
        count("calls", "launches"),
        ns("total_ns", "sum of durations"),
        ns("mean_ns", "total / calls, rounded"),
        ns("min_ns", "shortest"),
        ns("max_ns", "longest"),
        number("share_pct", "share of all kernel time"),
        text("kind", "what it does: gemm, attention, conv, norm, ..., communication, other"),
        text("op", "operator with most of its time, or the call that launched it in a CUDA graph"),
        text("grid", "launch grid with most of its time"),
        text("block", "block of that launch"),
        number("blocks_per_sm", "duration-weighted mean"),
        number("occupancy_pct", "estimated by the profiler, duration-weighted mean"),
        count("registers", "registers per thread of that launch"),
        count("shared_bytes", "shared memory per block of that launch"),
        Column("tensor_core", pl.Boolean, "runs on tensor cores, by name"),
        number("estimated_occupancy_pct", "occupancy_pct, estimated again where the profiler recorded 0"),
        text("occupancy_limit", "what bounds it: registers, shared memory, threads, blocks or grid"),
    ),
    by=("launch", "op"),
    needs=("gpu",),
    eager=True,
)

UTILIZATION = Table(
    "utilization",
    "how well each rank's GPU is used while its steps run",
    (
        count("rank", "rank of the process"),
        number("gpu_util_pct", "share of the time in which the GPU works at all, copies and fills included"),
        number("sm_efficiency_pct", "estimate: share of the SMs with a block of a computing kernel, over the time"),
        number(
            "occupancy_pct", "the profiler's estimate, duration-weighted mean over the computing kernels that have it"
        ),
        number("tensor_core_pct", "share of the computing kernels' time in tensor-core kernels"),
        number("tensor_core_eligible_pct", "the same in kernels of operators that could run on tensor cores"),
        number("compute_pct", "share of the time in which a kernel computes"),
        number("communication_pct", "share of the time in which a kernel communicates"),
        number("memory_pct", "share of the time in which a copy or a fill runs"),
        ns("time_ns", "the time: the steps on the GPU's clock"),
        number("sm_coverage_pct", "share of the computing kernels' time that carries blocks per SM"),
        number("occupancy_coverage_pct", "share of the computing kernels' time that carries an estimate"),
        text("device", "GPU model"),
        count("sms", "streaming multiprocessors (AMD: compute units) of a GPU"),
        count("device_memory_bytes", "memory of a GPU"),
        text("compute_capability", "CUDA compute capability (AMD: version of the architecture)"),
    ),
    by=("step",),
    needs=("gpu",),
    per_rank=True,
)

SHORT_KERNELS = Table(
    "short_kernels",
    "kernels shorter than 10 us, and than the call that launched them",
    (
        text("name", "kernel"),
        text("kind", "what it does: gemm, attention, conv, norm, ..., communication, other"),
        count("calls", "kernels of less than 10 us"),
        number("of_kernels_pct", "share of all kernels"),
        ns("total_ns", "sum of their durations"),
        number("share_pct", "share of all kernel time"),
        ns("mean_ns", "total / calls, rounded"),
        ns("launch_ns", "host time of the calls that launched them, graph launches left out"),
        count("shorter_than_launch", "of them: shorter than the call that launched them"),
        count("in_graph", "of them: launched together with others, by a CUDA graph"),
    ),
    by=("op",),
    needs=("gpu",),
)

KERNEL_LENGTHS = Table(
    "kernel_lengths",
    "kernels by length: how many, how much time",
    (
        ns("from_ns", "shortest duration of the class"),
        ns("to_ns", "end of the class, excluded; null for the last"),
        count("calls", "kernels"),
        number("of_kernels_pct", "share of all kernels"),
        ns("total_ns", "sum of their durations"),
        number("share_pct", "share of all kernel time"),
        count("shorter_than_launch", "of them: shorter than the call that launched them"),
        count("in_graph", "of them: launched together with others, by a CUDA graph"),
    ),
    needs=("gpu",),
)

GRAPHS = Table(
    "graphs",
    "CUDA graphs: what they run and what their launches cost",
    (
        count("graph", "number of the graph, by GPU time"),
        text("name", "call that launches it"),
        count("calls", "replays"),
        count("kernels", "kernels of a replay"),
        count("copies", "copies and fills of a replay"),
        ns("total_ns", "sum of the durations of all it ran"),
        ns("mean_ns", "total / calls, rounded"),
        number("share_pct", "share of the durations of all GPU activity"),
        ns("span_ns", "first start to last end of each replay, summed"),
        ns("gap_ns", "span - busy: nothing of the replay ran"),
        ns("launch_ns", "host time of the calls that launched it"),
        text("heaviest", "kernel with most of its time"),
        ns("busy_ns", "union of the activity of each replay, summed"),
        count("graph_id", "its number in the recording; null where none was recorded"),
    ),
    by=("replay", "kernel"),
    needs=("gpu", "runtime"),
)

MEMCPY_TABLE = Table(
    "memcpy",
    "copies by direction and kind of host memory",
    (
        text("kind", "HtoD, DtoH, DtoD, HtoH, PtoP or unknown"),
        text("pinned", "pinned, pageable, or empty where it does not apply or was not recorded"),
        count("calls", "copies"),
        count("bytes", "bytes copied; null where none was recorded"),
        ns("total_ns", "sum of durations"),
        number("bandwidth", "GB/s (1e9 bytes) over the copies with a size"),
    ),
    needs=("gpu",),
)
