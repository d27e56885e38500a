"""Tables about what feeds a training step."""

from __future__ import annotations

from stepscope.schema.columns import Table, count, ns, number, text

DATA_LOADING = Table(
    "data_loading",
    "waiting for batches and for copies to the GPU, with a verdict",
    (
        count("rank", "rank of the process"),
        count("step", "number of the step"),
        count("fetches", "batches asked for by the thread that runs the step"),
        ns("wait_ns", "time that thread waited for them"),
        ns("exposed_ns", "part of the wait that the GPU had nothing to do; all of it without GPU activity"),
        ns("hidden_ns", "the rest: the GPU still had work, or the fetch itself waited for the GPU"),
        number("share_pct", "share of the step that is exposed, changes of the epoch left out on both sides"),
        count("empty", "fetches that found no batch ready: they took longer than 2 ms and 5 % of the median step"),
        text("workers", "multi-process, single-process, or empty where the loader's name does not say"),
        text("verdict", "what holds the step back: processing, hand-over, transfer, or not the problem"),
        ns("handover_ns", "part of the wait in which worker processes had a batch ready; null where stacks do not say"),
        ns("epoch_ns", "from asking in vain for another batch to the first one of the next epoch"),
        ns("idle_ns", "GPU idle from each fetch to the first activity launched after it; null without GPU activity"),
        count("h2d_bytes", "copied from the host to the GPU by the step; null where sizes were not recorded"),
        count("h2d_pageable_bytes", "of these, from pageable memory; null where the kind was not recorded"),
        ns("h2d_copy_ns", "time with such a copy under way"),
        ns("h2d_exposed_ns", "of this, time in which nothing computes"),
        ns("h2d_host_ns", "time the host spent in the operators, else calls, that made the copies"),
        ns("step_ns", "length of the step on the host; with the fetch before it where it begins after that"),
    ),
    by=("rank",),
    needs=(),
    per_rank=True,
)
