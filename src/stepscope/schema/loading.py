"""Tables about what feeds a training step."""

from __future__ import annotations

from stepscope.schema.columns import Grouping, Table, amount, label, ns, rank, share, size, step

DATA_LOADING = Table(
    "data_loading",
    "DataLoader waits and host-to-device memcpys per step, with a verdict",
    (
        rank(),
        step(),
        amount("fetches", "batches requested by the thread that runs the step", "Batches requested", adds=True),
        ns("wait_ns", "time that thread waited for them", "Wait", adds=True),
        ns(
            "exposed_ns",
            "part of the wait in which the GPU had nothing to do; all of it without GPU activity",
            "Exposed wait",
            adds=True,
        ),
        ns(
            "hidden_ns",
            "the rest: the GPU still had work, or the fetch itself waited for the GPU",
            "Hidden wait",
            adds=True,
        ),
        ns(
            "calls_ns",
            "of it, in CUDA or HIP calls of the fetch itself: a blocking copy waits there for earlier work",
            "Hidden in its calls",
            adds=True,
        ),
        share("share_pct", "share of the step that is exposed, epoch boundaries left out on both sides"),
        amount(
            "empty",
            "requests that found no batch prefetched: they took longer than 2 ms and 5 % of the median step",
            "Not prefetched",
            adds=True,
        ),
        label("workers", "multi-process, single-process, or empty where the loader's name does not say"),
        label("verdict", "the bottleneck: processing, hand-over, transfer, or not the problem"),
        ns(
            "handover_ns",
            "part of the wait in which worker processes had a batch ready; null where stacks do not say",
            "Hand-over",
        ),
        ns(
            "epoch_ns",
            "epoch boundary: from the last request in vain to the first batch of the next epoch",
            "Epoch boundary",
        ),
        ns(
            "idle_ns",
            "GPU idle from each fetch to the first activity launched after it; null without GPU activity",
            "GPU idle",
        ),
        size("h2d_bytes", "host-to-device bytes of the step; null where sizes were not recorded", "HtoD", adds=True),
        size(
            "h2d_pageable_bytes",
            "of these, from pageable memory; null where the kind was not recorded",
            "HtoD pageable",
        ),
        ns("h2d_copy_ns", "time in which such a memcpy runs", "HtoD time"),
        ns("h2d_exposed_ns", "of this, time in which nothing computes", "HtoD exposed"),
        ns("h2d_host_ns", "time the host spent in the operators, else calls, that made the memcpys", "HtoD CPU time"),
        ns(
            "step_ns",
            "length of the step on the host; with the fetch before it where it begins after that",
            "Step time",
        ),
    ),
    key=("rank", "step"),
    rows="step",
    needs=("trace",),
    page="data_loading",
    groupings=(Grouping("rank", ("rank",), rows="rank"),),
    per_rank=True,
)
