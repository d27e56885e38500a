"""Tables about waiting: the parts of a step, gaps on the GPU, and the calls that queue work or wait for it."""

from __future__ import annotations

import polars as pl

from stepscope.schema.columns import Column, Table, count, ns, number, text

STEP_TRACE = Table(
    "step_trace",
    "each step as interval, forward and backward, tail",
    (
        count("rank", "rank of the process"),
        count("step", "number of the step; null for an average"),
        text("clock", "gpu or host: whose time was divided"),
        Column("steady", pl.Boolean, "counts in averages: neither cut nor the first, whose start is not known"),
        count("passes", "backward passes in the step: more than one with gradient accumulation or several losses"),
        ns("start_ns", "where the step begins on that clock; null for an average"),
        ns("interval_ns", "from there to the first computing of forward or backward: loading, copies, zero_grad"),
        ns("forward_backward_ns", "from there to the end of the last computing of backward"),
        ns("forward_ns", "the part of it outside backward passes"),
        ns("backward_ns", "the part of it inside backward passes"),
        ns("tail_ns", "the rest: gradient reduction left over, clipping, optimizer"),
        ns("total_ns", "the whole step: interval + forward_backward + tail"),
        ns("interval_idle_ns", "time in the interval in which the GPU idles"),
        ns("forward_backward_idle_ns", "time in forward and backward in which it idles"),
        ns("tail_idle_ns", "time in the tail in which it idles"),
        ns("loading_ns", "time in the interval in which the host waits for the data loader"),
        text("first_forward", "operator, else kernel, that ends the interval"),
        text("last_backward", "operator, else kernel, that the tail begins after"),
    ),
    by=("average",),
    per_rank=True,
)

IDLE = Table(
    "idle",
    "why the GPU idles, by cause",
    (
        count("rank", "rank of the process"),
        text("cause", "host_late, sync, data_loading, launch_latency, memory_copy, communication_wait, ..."),
        ns("duration_ns", "idle time with this cause; of a gap: its length"),
        number("share_pct", "share of all idle time of the rank (or device, or stream)"),
        count("gaps", "gaps with any of it"),
        text("host_event", "what the host did meanwhile, for most of it"),
        text("source", "line that this came from, for most of it; null without stacks"),
        ns("per_step_ns", "mean over uncut steps, on the GPU's clock; null where there is none"),
        ns("longest_ns", "longest of it in one gap"),
        ns("micro_ns", "of it in gaps shorter than 10 us"),
        ns("macro_ns", "of it in longer gaps"),
        ns("start_ns", "start of the gap with the longest of it"),
    ),
    by=("gap", "stream", "device"),
    needs=("gpu",),
    source=True,
    per_rank=True,
)

LAUNCHES = Table(
    "launches",
    "calls that queue GPU work, by API: their cost and waiting",
    (
        text("name", "API, or (unattributed) for work that no recorded call launched"),
        count("calls", "calls"),
        ns("host_ns", "time on the host"),
        count("short_kernels", "calls that took longer than the work they launched: the host cannot keep up with it"),
        ns("launch_latency_p50_ns", "call to start of the work, of calls that found their stream idle: median"),
        ns("queueing_p50_ns", "wait behind earlier work, of calls that returned while it still ran: median"),
        ns("host_wait_ns", "how long the streams of launch_latency had idled, in all"),
        ns("host_p50_ns", "median call"),
        ns("launch_latency_p95_ns", "95th percentile"),
        ns("queueing_p95_ns", "95th percentile"),
        ns("blocked_ns", "how much longer than usual calls took that a full queue held"),
        count("blocked_calls", "these calls"),
        count("on_idle_stream", "calls that found their stream idle"),
        count("queued", "calls that returned while earlier work of their stream still ran"),
        ns("launch_latency_max_ns", "longest"),
        ns("queueing_max_ns", "longest"),
        ns("host_mean_ns", "host / calls, rounded"),
        ns("host_p95_ns", "95th percentile"),
        ns("host_max_ns", "longest call"),
        count("activities", "activities launched: several per call with CUDA graphs"),
        ns("device_ns", "sum of their durations"),
        count("without_activity", "calls whose work was not recorded"),
    ),
    by=("operator",),
    needs=("runtime",),
)

QUEUE_DEPTH = Table(
    "queue_depth",
    "launches waiting in each stream's queue",
    (
        count("rank", "rank of the process"),
        count("device", "device"),
        count("stream", "stream"),
        ns("start_ns", "start of the stretch of time"),
        ns("duration_ns", "its length"),
        count("launches", "launches that entered the queue in it"),
        count("depth_min", "fewest that waited"),
        number("depth_mean", "mean over time"),
        count("depth_max", "most that waited"),
        ns("empty_ns", "time in which none waited"),
        ns("full_ns", "time in which at least 1000 waited"),
        count("blocked_calls", "calls begun in it that a full queue held"),
        ns("blocked_ns", "how much longer than usual these took"),
    ),
    by=("time",),
    needs=("gpu", "runtime"),
    per_rank=True,
)

SYNC = Table(
    "sync",
    "calls that hold the host: for the GPU, a copy or memory",
    (
        text("name", "API"),
        text("waits_for", "device, stream, event, copy or memory, with the stream where it was recorded"),
        text("operator", "operator it was called in, for most of the time"),
        count("calls", "calls"),
        ns("host_ns", "time on the host"),
        ns("busy_ns", "of it while the GPU worked"),
        ns("idle_ns", "of it while the GPU idled"),
        ns("mean_ns", "host / calls, rounded"),
        ns("max_ns", "longest"),
    ),
    by=("operator",),
    needs=("runtime",),
    source=True,
)
