"""Tables about how close the work comes to what the device can do."""

from __future__ import annotations

from stepscope.schema.columns import Table, count, ns, number, text

ROOFLINE = Table(
    "roofline",
    "operators against the device's peaks: FLOPs, bytes, what limits them",
    (
        text("op", "operator that the work belongs to: the lowest one with a model around the launch"),
        text("shapes", "its tensors"),
        text("dtype", "type it calculates in"),
        count("calls", "calls that launched work"),
        ns("total_ns", "GPU time, a sum of durations"),
        number("pct_of_roof", "least time at the peaks / GPU time; above 100 where data came from the cache"),
        text("bound", "compute, memory, cache, latency, communication or transfer; empty without a model or a peak"),
        number("share_pct", "share of all GPU time"),
        text("kind", "gemm, conv, attention, norm, elementwise, copy, ...; empty without a model"),
        count("flops", "floating-point operations, modelled; null where no model says"),
        count("bytes", "least traffic: each input read and each result written once"),
        number("intensity", "FLOPs per byte"),
        number("achieved_flops", "FLOPs per second of GPU time"),
        number("achieved_bandwidth", "least traffic, bytes per second of GPU time"),
        text("roof", "the peak of arithmetic that applies: bf16, tf32, fp32, ..."),
        ns("ideal_ns", "least time that the peaks allow; null where unknown"),
        ns("gap_ns", "GPU time beyond that least time, of calls with a model"),
        number("modelled_pct", "share of the row's GPU time in calls with a model"),
    ),
    by=("op", "kind"),
    needs=("gpu",),
)

MFU = Table(
    "mfu",
    "how much of the device's peak the matrix work of each step uses",
    (
        count("rank", "rank of the process"),
        count("step", "number of the step"),
        ns("time_ns", "the step on the GPU's clock"),
        count("flops", "of matrix products, convolutions and attention that ran"),
        count("recomputed_flops", "of these, repeated in the backward pass (activation checkpoints)"),
        number("achieved_flops", "FLOPs per second of the step's time"),
        text("roof", "the peak that most of them have"),
        number("peak_flops", "that peak, FLOPs per second"),
        number("mfu_pct", "model FLOPs utilization: without what was repeated"),
        number("hfu_pct", "hardware FLOPs utilization: all that ran"),
        number("modelled_pct", "share of the matrix kernels' time with a model; below 100 the utilization is higher"),
    ),
    needs=("gpu",),
)
