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
        ns("per_step_ns", "duration / steps; null where no steps were marked"),
        ns("longest_ns", "longest of it in one gap"),
        ns("micro_ns", "of it in gaps shorter than 10 us"),
        ns("macro_ns", "of it in longer gaps"),
        ns("start_ns", "start of the gap with the longest of it"),
    ),
    by=("gap", "stream", "device"),
    needs=("gpu",),
    source=True,
)
