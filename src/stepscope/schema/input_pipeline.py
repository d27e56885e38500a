"""Tables about a recorded input pipeline: its operators, what each batch took, and the use of CPUs."""

from __future__ import annotations

from stepscope.schema.columns import Grouping, Table, amount, ident, label, mean, message, named, ns, rank, share

_FROM = ("trace", "input_pipeline")

INPUT_PIPELINE = Table(
    "input_pipeline",
    "operators of the input pipeline: workers, queue, wait, CPU time; the slow one",
    (
        rank(),
        ident("id", "number of the operator", "ID"),
        named("operator", "type of the operator", "Operator"),
        ident("feeds", "number of the operator that takes its output; null where the training step does"),
        amount("workers", "its threads or processes"),
        amount("capacity", "most that its output queue holds; null without a queue", "Queue length"),
        mean("queued_mean", "mean of what its output queue held", "In queue"),
        share("fill_pct", "that, of what it holds at most", "Queue filled"),
        share("empty_pct", "samples in which its output queue was empty", "Queue empty"),
        ns("wait_ns", "time in which its output queue was empty and its consumer had to wait, from samples", "Wait"),
        ns("cpu_ns", "CPU time of its workers: its cost, from samples; null where it was not sampled", "CPU time"),
        share("cpu_pct", "CPU use of its workers, per cent of one core", "CPU use"),
        share("worker_cpu_pct", "that, of each worker", "CPU per worker"),
        amount("samples", "samples of its queue"),
        label("verdict", "bottleneck where it is the slow one, else empty"),
        message("advice", "what to do about the slow one", "Recommendation"),
    ),
    key=("rank", "id"),
    rows="operator",
    title="Input pipeline",
    page="data_loading",
    recordings=_FROM,
    first=(
        *("id", "operator", "feeds", "workers", "queued_mean", "capacity", "fill_pct", "empty_pct", "wait_ns"),
        *("worker_cpu_pct", "cpu_ns", "verdict"),
    ),
    needs=("input_pipeline",),
)

INPUT_BATCHES = Table(
    "input_batches",
    "batches that the training step took: time for each, and what the queue held",
    (
        rank(),
        label("queue", "host: the queue behind the pipeline; device: the one that the step takes batches from"),
        ident("number", "number of the batch, from 1", "Batch"),
        ns("since_ns", "time since the first batch of the queue; null where it was not recorded", "Since the first"),
        ns("get_ns", "time to get it: from the pipeline, or from the queue of the device", "Get", adds=True),
        ns("push_ns", "time to push it to the device", "Push", adds=True),
        ns("total_ns", "time of both", "Total"),
        amount("queued", "batches in the queue when it was taken", "In queue"),
        amount("capacity", "most that the queue holds; null where it does not say", "Queue length"),
    ),
    key=("rank", "queue", "number"),
    rows="batch",
    title="Batches of the input pipeline",
    page="data_loading",
    recordings=_FROM,
    needs=("input_batches",),
)

CPU_UTILIZATION = Table(
    "cpu_utilization",
    "use of CPUs by the machine, the process and each operator of the input pipeline",
    (
        rank(),
        label("scope", "machine, process, or operator of the input pipeline"),
        ident("id", "number of the operator; null of machine and process, -1 of threads of none", "ID"),
        named("operator", "type of the operator", "Operator"),
        amount("workers", "its threads or processes"),
        label("of", "what 100 % is: all cores of the machine, or one core"),
        share("active_pct", "use: of the machine without idle and I/O, else user and system", "Active"),
        share("user_pct", "user code", "User"),
        share("system_pct", "the kernel", "System"),
        share("io_pct", "waiting for I/O; of the machine alone", "I/O wait"),
        share("idle_pct", "idle; of the machine alone", "Idle"),
        mean("runnable", "threads that ran or waited for a core; of the machine alone", "Runnable threads"),
        mean("context_switches", "context switches between two samples; of the machine alone"),
        amount("samples", "samples"),
        share("covered_pct", "samples of which user and system are known", "Covered"),
    ),
    key=("rank", "scope", "id"),
    rows="part of the machine",
    title="CPU utilization",
    page="data_loading",
    recordings=_FROM,
    first=(
        *("scope", "id", "operator", "of", "active_pct", "user_pct", "system_pct", "io_pct", "idle_pct"),
        *("runnable", "samples", "covered_pct"),
    ),
    groupings=(
        Grouping(
            "sample",
            ("rank", "scope", "id", "sample"),
            (
                ident("sample", "number of the sample, from 1"),
                ns("since_ns", "time since the first sample", "Since the first"),
            ),
            rows="sample",
            first=("scope", "id", "sample", "since_ns", "active_pct", "user_pct", "system_pct", "io_pct", "idle_pct"),
        ),
    ),
    needs=("cpu_usage",),
)
