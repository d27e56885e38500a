"""Tables about what a step waits for, about ranges the user named, and about the recording itself."""

from __future__ import annotations

from stepscope.schema.columns import (
    Grouping,
    Table,
    amount,
    ident,
    kernel,
    label,
    measured,
    moment,
    named,
    ns,
    prose,
    rank,
    share,
    statistic,
    step,
)

COUNTERS = Table(
    "counters",
    "hardware counters of each profiled range",
    (
        rank(),
        ident("range", "number of the range, in order of time; null in a sum"),
        amount("ranges", "ranges summed in the row"),
        named("metric", "name of the counter"),
        measured("value", "its value, or the sum over the ranges"),
        named("op", "operator that launched it; null where ranges and launches cannot be paired", "Operator"),
        kernel("name", "kernel or range, as the profiler names it", "Kernel"),
    ),
    key=("rank", "range", "metric"),
    rows="counter of a range",
    title="Hardware counters",
    groupings=(Grouping("kernel", ("rank", "name", "op", "metric"), rows="counter of a kernel"),),
    needs=("counters",),
)

METADATA = Table(
    "metadata",
    "what the recording says about itself: versions, options, devices, process groups",
    (
        rank("rank of the process; null where every rank says the same"),
        named("key", "name of the entry, as in the trace"),
        prose("value", "what it says"),
    ),
    key=("rank", "key"),
    rows="entry",
)

CRITICAL_PATH = Table(
    "critical_path",
    "the critical path of a step, end to end",
    (
        rank(),
        label("side", "gpu, host, between (from one to the other) or unknown"),
        label("kind", "compute, communication, memcpy, memset, gpu_gap, launch_latency, sync_return, runtime, ..."),
        kernel(
            "name",
            "kernel, call, operator or frame; of a gap or latency the kind of thing it lies at",
            only=("kind", ("compute", "communication")),
        ),
        amount("count", "segments of the path", "Segments", adds=True),
        ns("duration_ns", "their time; over all rows of a rank the time of its steps", adds=True),
        share("share_pct", "share of the rank's path, by step of the step's"),
    ),
    key=("rank", "side", "kind", "name"),
    rows="part of the critical path",
    needs=("trace",),
    first=("rank", "side", "kind", "name", "duration_ns", "share_pct", "count"),
    groupings=(
        Grouping("kind", ("rank", "side", "kind"), rows="kind of work on the critical path"),
        Grouping("step", ("rank", "step", "side", "kind", "name"), (step(),), rows="part of a step's critical path"),
        Grouping(
            "event",
            ("rank", "step", "start_ns"),
            (
                step(),
                moment("start_ns", "start of the segment"),
                ident("stream", "stream"),
                named("thread", "thread"),
            ),
            rows="segment of the critical path",
        ),
    ),
    per_rank=True,
)

ANNOTATIONS = Table(
    "annotations",
    "CPU and GPU time of annotated ranges (record_function, optimizer, ...)",
    (
        named("name", "range; all steps are one row", "Range"),
        amount("calls", "ranges of the name"),
        ns("host_total_ns", "CPU time inside, thread by thread", "CPU total"),
        ns("host_self_ns", "CPU time inside, but in no inner range", "CPU self", adds=True),
        ns("device_total_ns", "activity launched inside, sum of durations", "GPU total"),
        ns("device_self_ns", "activity launched inside, but in no inner range", "GPU self", adds=True),
        ns("device_busy_ns", "union of the activity launched inside", "GPU busy"),
        ns("backward_ns", "activity of the backward of operators called inside, launched elsewhere", "Backward GPU"),
        ns(
            "engine_ns",
            "of device_total_ns: launched by the autograd engine while the range's thread waited",
            "Autograd engine GPU",
        ),
        amount("kernels", "kernels launched inside, communication included"),
        label("kind", "user, step, optimizer, data_loader, communication or framework, by name"),
        label("domain", "NVTX domain of the range; null for the default one, and of other recorders"),
    ),
    key=("name", "domain"),
    rows="annotated range",
    place="annotation",
    groupings=(Grouping("step", ("name", "domain", "step"), (step(),), rows="annotated range in a step"),),
)

SEQUENCES = Table(
    "sequences",
    "kernels that operators launch in a row, and runs that repeat",
    (
        named("op", "outermost operator; of a run the operators that launched it", "Operator"),
        kernel("kernels", "kernels in order, equal neighbours as 3 x name", wide=True),
        statistic("length", "kernels in it", "Kernel count"),
        amount("count", "times it occurs", "Occurrences"),
        ns("total_ns", "its kernels, sum of durations over all occurrences"),
        statistic("mean_ns", "total / count, rounded"),
        ns("gap_ns", "between its first and last kernel, none of them running, over all occurrences", "Gaps"),
        ns("host_ns", "calls of the operator with exactly these kernels; null for runs", "CPU time"),
    ),
    key=("op", "kernels"),
    rows="kernel sequence",
    first=("op", "kernels", "total_ns", "count", "length"),
    title="Kernel sequences",
    groupings=(
        Grouping("annotation", ("op", "kernels"), rows="kernel sequence of an annotated range"),
        Grouping("run", ("op", "kernels"), rows="repeated run of kernels", overlaps=True),
    ),
    needs=("gpu",),
)

FUSION = Table(
    "fusion",
    "runs of elementwise, norm and reduce kernels that one kernel might replace",
    (
        named("op", "operators that launched them", "Operators"),
        kernel("kernels", "kernels in order, equal neighbours as 3 x name", wide=True),
        statistic("length", "kernels in it", "Kernel count"),
        amount("count", "times it occurs", "Occurrences"),
        ns("total_ns", "its kernels, sum of durations over all occurrences"),
        ns("gap_ns", "between its kernels, the stream idle, over all occurrences", "Gaps"),
        ns(
            "saving_ns",
            "estimate of what one kernel per run saves: all but the kernel with most of the time, or its passes",
        ),
        share("saving_pct", "of all GPU time", "Saving %"),
    ),
    key=("op", "kernels"),
    rows="fusion candidate",
    first=("op", "kernels", "saving_pct", "saving_ns", "count", "length"),
    title="Fusion candidates",
    needs=("gpu",),
)
