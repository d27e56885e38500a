"""Tables about what a step waits for, about ranges the user named, and about the recording itself."""

from __future__ import annotations

from stepscope.schema.columns import Table, count, ns, number, text

COUNTERS = Table(
    "counters",
    "hardware counters of each profiled range",
    (
        count("rank", "rank of the process"),
        count("range", "number of the range, in order of time; null in a sum"),
        count("ranges", "ranges summed in the row"),
        text("metric", "name of the counter"),
        number("value", "its value, or the sum over the ranges"),
        text("op", "operator that launched it; null where ranges and launches cannot be paired"),
        text("name", "kernel or range, as the profiler names it"),
    ),
    by=("kernel",),
    needs=("counters",),
)

METADATA = Table(
    "metadata",
    "what the recording says about itself: versions, options, devices, process groups",
    (
        count("rank", "rank of the process; null where every rank says the same"),
        text("key", "name of the fact, as in the trace"),
        text("value", "what it says"),
    ),
)

CRITICAL_PATH = Table(
    "critical_path",
    "what a step waits for, end to end",
    (
        count("rank", "rank of the process"),
        text("side", "gpu, host, between (from one to the other) or unknown"),
        text("kind", "compute, communication, memcpy, memset, gpu_gap, launch_latency, sync_return, runtime, ..."),
        text("name", "kernel, call, operator or frame; of a gap or latency the kind of thing it lies at"),
        count("count", "stretches of the path"),
        ns("duration_ns", "their time; over all rows of a rank the time of its steps"),
        number("share_pct", "share of the rank's path, by step of the step's"),
    ),
    by=("kind", "step", "event"),
    per_rank=True,
)

ANNOTATIONS = Table(
    "annotations",
    "host and GPU time under named ranges (record_function, optimizer, ...)",
    (
        text("name", "range; all steps are one row"),
        count("calls", "ranges of the name"),
        ns("host_total_ns", "time inside, thread by thread"),
        ns("host_self_ns", "time inside, but in no inner range"),
        ns("device_total_ns", "activity launched inside, sum of durations"),
        ns("device_self_ns", "activity launched inside, but in no inner range"),
        ns("device_busy_ns", "union of the activity launched inside"),
        ns("backward_ns", "activity of the backward of operators called inside, launched elsewhere"),
        ns("engine_ns", "of device_total_ns: launched by the autograd engine while the range's thread waited"),
        count("kernels", "kernels launched inside, communication included"),
        text("kind", "user, step, optimizer, data_loader, communication or framework, by name"),
    ),
    by=("step",),
)

SEQUENCES = Table(
    "sequences",
    "kernels that operators launch in a row, and runs that repeat",
    (
        text("op", "outermost operator; of a run the operators that launched it"),
        text("kernels", "kernels in order, equal neighbours as 3 x name"),
        count("length", "kernels in it"),
        count("count", "times it occurs"),
        ns("total_ns", "its kernels, sum of durations over all occurrences"),
        ns("mean_ns", "total / count, rounded"),
        ns("gap_ns", "between its first and last kernel, none of them running, over all occurrences"),
        ns("host_ns", "calls of the operator with exactly these kernels; null for runs"),
    ),
    by=("annotation", "run"),
    needs=("gpu",),
)

FUSION = Table(
    "fusion",
    "runs of elementwise, norm and reduce kernels that one kernel might replace",
    (
        text("op", "operators that launched them"),
        text("kernels", "kernels in order, equal neighbours as 3 x name"),
        count("length", "kernels in it"),
        count("count", "times it occurs"),
        ns("total_ns", "its kernels, sum of durations over all occurrences"),
        ns("gap_ns", "between its kernels, the stream idle, over all occurrences"),
        ns("saving_ns", "estimate of what one kernel for each run saves: all but the kernel with most of the time"),
        number("saving_pct", "of all GPU time"),
    ),
    needs=("gpu",),
)
