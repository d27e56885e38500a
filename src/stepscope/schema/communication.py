"""The table about collectives and messages between ranks."""

from __future__ import annotations

from stepscope.schema.columns import (
    Grouping,
    Table,
    amount,
    label,
    named,
    ns,
    rank,
    rate,
    share,
    size,
    statistic,
)

_SHOWN = (
    *("calls", "bytes", "total_ns", "transfer_ns", "wait_ns", "algbw", "busbw", "exposed_ns", "exposed_wait_ns"),
    "unmatched_ns",
)

COMMUNICATION = Table(
    "communication",
    "collectives and messages by kind: calls, bytes, waiting, bandwidth",
    (
        named(
            "op",
            "collective or message: all_reduce, all_gather, ..., or the kernel's name where that says no more",
            "Operation",
        ),
        named("group", "process group, by its description, else its number; null where not recorded"),
        amount("ranks", "ranks of the group"),
        label("dtype", "type of the elements", "Data type"),
        amount("calls", "kernels, over all ranks"),
        size("bytes", "bytes of the larger of input and output, over all calls; null where no size was recorded"),
        ns("total_ns", "sum of durations, waiting for other ranks included"),
        ns("wait_ns", "of total_ns, waiting for the rank that arrives last", "Wait"),
        ns("transfer_ns", "of total_ns, what would remain if every rank arrived as the last one did"),
        rate(
            "busbw",
            "GB/s per link: algbw x factor of the operation, as the NCCL tests count it",
            "Bus bandwidth",
            unit="GB/s",
        ),
        ns("exposed_ns", "the part of total_ns in which nothing computes on the same rank"),
        statistic("mean_ns", "total / calls, rounded"),
        statistic("min_ns", "shortest: the least waiting"),
        statistic("max_ns", "longest"),
        ns("unmatched_ns", "of total_ns, calls whose other ranks were not found: wait and transfer are unknown"),
        ns("exposed_wait_ns", "of exposed_ns, waiting"),
        share("share_pct", "share of all communication time"),
        amount("sized_calls", "calls whose size was recorded", "Calls with size"),
        amount("matched_calls", "calls whose other ranks were found"),
        rate(
            "algbw",
            "GB/s (1e9 bytes): bytes of the matched calls / their transfer_ns",
            "Algorithm bandwidth",
            unit="GB/s",
        ),
    ),
    key=("op", "group", "dtype"),
    rows="collective",
    page="communication",
    first=("op", "group", "ranks", "dtype", *_SHOWN, "min_ns", "mean_ns", "max_ns"),
    groupings=(
        Grouping(
            "size",
            ("op", "group", "dtype", "call_bytes"),
            (statistic("call_bytes", "bytes of one call", "Message size"),),
            rows="collective of a size",
            first=("op", "call_bytes", "group", "ranks", "dtype", *_SHOWN),
        ),
        Grouping(
            "rank",
            ("rank", "op", "group", "dtype"),
            (rank(),),
            rows="collective on a rank",
            first=("rank", "op", "group", "ranks", "dtype", *_SHOWN),
        ),
    ),
    needs=("gpu",),
    digests=("communication_calls", "uncovered"),
)
