"""Tables about a whole rank and its steps."""

from __future__ import annotations

import polars as pl

from stepscope.schema.columns import Column, Table, count, ns, number, text

_BREAKDOWN = (
    ns("compute_ns", "GPU computing"),
    ns("communication_ns", "communication, nothing computing"),
    ns("memcpy_ns", "copies, nothing of the above"),
    ns("memset_ns", "fills, nothing of the above"),
    ns("runtime_ns", "a CUDA or HIP call on the host, GPU idle"),
    ns("data_loading_ns", "waiting for the data loader, nothing of the above"),
    ns("cpu_ns", "an operator on the host, nothing of the above"),
    ns("other_ns", "none of the above: Python, other libraries, waiting"),
)

HEALTH = Table(
    "health",
    "how far the trace can be trusted, check by check",
    (
        count("rank", "rank of the process; null for the profile as a whole"),
        text("check", "what was looked at"),
        text("status", "ok, warning or error"),
        text("value", "what was found"),
        text("detail", "what it means and what to do"),
    ),
    per_rank=True,
    digests=("recorded_needs", "recorded_steps", "communication_calls"),
)

SUMMARY = Table(
    "summary",
    "GPU time of each rank: computing, communicating, copying, idle",
    (
        count("rank", "rank of the process"),
        text("device", "GPU model"),
        count("events", "rows of the trace"),
        count("steps", "steps found"),
        ns("span_ns", "first activity's start to last activity's end"),
        ns("busy_ns", "union of all GPU activity"),
        ns("idle_ns", "span - busy"),
        ns("compute_ns", "union of kernels that compute"),
        ns("communication_ns", "union of communication kernels"),
        ns("exposed_communication_ns", "communication not covered by compute"),
        ns("memory_ns", "union of copies and fills"),
        ns("exposed_memory_ns", "copies and fills covered by neither"),
        number("overlap_pct", "share of communication covered by compute; null without communication"),
        count("kernels", "kernels, communication included"),
        count("memcpys", "copies"),
        count("memsets", "fills"),
    ),
    per_rank=True,
)

STEPS = Table(
    "steps",
    "each step's time and its exact partition",
    (
        count("rank", "rank of the process"),
        count("step", "number of the step"),
        ns("start_ns", "start of the host range, on the trace's clock"),
        ns("duration_ns", "length of the host range"),
        ns("device_end_ns", "end of the last activity launched in the step"),
        ns("lag_ns", "device end behind the host range's end"),
        ns("period_ns", "device end to device end of the step before: the step's time on the GPU's clock"),
        Column("cut", pl.Boolean, "the window cut the step"),
        *_BREAKDOWN,
    ),
    per_rank=True,
)
