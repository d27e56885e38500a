"""The table about collectives and messages between ranks."""

from __future__ import annotations

from stepscope.schema.columns import Table, count, ns, number, text

COMMUNICATION = Table(
    "communication",
    "collectives and messages between ranks: calls, bytes, time",
    (
        text("op", "collective or message: all_reduce, all_gather, ..., or the kernel's name where that says no more"),
        text("group", "process group, by its description, else its number; null where not recorded"),
        count("ranks", "ranks of the group"),
        text("dtype", "type of the elements"),
        count("calls", "kernels, over all ranks"),
        count("bytes", "bytes of the larger of input and output, over all calls; null where none was recorded"),
        ns("total_ns", "sum of durations, waiting for other ranks included"),
        ns("mean_ns", "total / calls, rounded"),
        ns("min_ns", "shortest: the least waiting"),
        ns("max_ns", "longest"),
        ns("exposed_ns", "the part of it in which nothing computes on the same rank"),
        number("share_pct", "share of all communication time"),
        count("sized_calls", "calls whose size was recorded"),
    ),
    by=("size", "rank"),
    needs=("gpu",),
)
