"""Tables about how close the work comes to what the device can do."""

from __future__ import annotations

from stepscope.schema.columns import (
    Grouping,
    Table,
    amount,
    flops,
    label,
    named,
    ns,
    rank,
    rate,
    share,
    size,
    step,
)

ROOFLINE = Table(
    "roofline",
    "operators against the device's peaks: FLOPs, bytes, what limits them",
    (
        named("op", "operator that the work belongs to: the lowest one with a model around the launch", "Operator"),
        named("shapes", "shapes of its tensors", wide=True),
        label("dtype", "type it computes in", "Data type"),
        amount("calls", "calls that launched work", adds=True),
        ns("total_ns", "GPU time, a sum of durations", "GPU time", adds=True),
        share(
            "pct_of_roof",
            "least time at the peaks / GPU time; above 100 where data came from the cache",
            "Of roofline",
        ),
        label("bound", "compute, memory, cache, latency, communication or transfer; empty without a model or a peak"),
        share("share_pct", "share of all GPU time", adds=True),
        label("kind", "gemm, conv, attention, norm, elementwise, copy, ...; empty without a model"),
        flops("flops", "floating-point operations, modelled; null without a model", "FLOPs", adds=True),
        size("bytes", "least memory traffic: each input read and each result written once", "Least traffic"),
        rate("intensity", "FLOPs per byte", "FLOPs per byte"),
        rate("achieved_flops", "FLOPs per second of GPU time", "Achieved FLOP/s", unit="FLOP/s"),
        rate("achieved_bandwidth", "least traffic, bytes per second of GPU time", unit="B/s"),
        label("roof", "the compute peak that applies: bf16, tf32, fp32, ...", "Peak type"),
        ns("ideal_ns", "roofline bound: least time that the peaks allow; null where unknown", "Roofline bound"),
        ns("gap_ns", "GPU time above the roofline bound, of calls with a model", "Above roofline", adds=True),
        share("modelled_pct", "share of the row's GPU time in calls with a model"),
    ),
    key=("op", "shapes", "dtype", "bound", "kind", "roof"),
    rows="operator with shapes",
    page="roofline",
    first=("op", "shapes", "total_ns", "pct_of_roof", "bound"),
    groupings=(
        Grouping("op", ("op", "bound"), rows="operator"),
        Grouping("kind", ("kind", "bound"), rows="kind of work"),
    ),
    needs=("gpu",),
)

MFU = Table(
    "mfu",
    "model FLOPs utilization of each step",
    (
        rank(),
        step(),
        ns("time_ns", "the step on the GPU timeline", "Step time"),
        flops("flops", "of matrix multiplications, convolutions and attention that ran", "FLOPs"),
        flops(
            "recomputed_flops", "of these, repeated in the backward pass (activation checkpointing)", "Recomputed FLOPs"
        ),
        rate("achieved_flops", "FLOPs per second of the step's time", "Achieved FLOP/s", unit="FLOP/s"),
        label("roof", "the peak that applies to most of them", "Peak type"),
        rate("peak_flops", "that peak, FLOPs per second", "Peak FLOP/s", unit="FLOP/s"),
        share("mfu_pct", "model FLOPs utilization: without recomputation", "MFU"),
        share("hfu_pct", "hardware FLOPs utilization: all that ran", "HFU"),
        share("modelled_pct", "share of the GEMM kernels' time with a model; below 100 the utilization is higher"),
    ),
    key=("rank", "step"),
    rows="step",
    title="Model FLOPs utilization",
    needs=("gpu",),
)
