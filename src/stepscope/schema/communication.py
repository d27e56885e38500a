"""The table about collectives and messages between ranks."""

from __future__ import annotations

from stepscope.schema.columns import Table, count, ns, number, text

COMMUNICATION = Table(
    "communication",
    "collectives and messages by kind: calls, bytes, waiting, bandwidth",
    (
        text("op", "collective or message: all_reduce, all_gather, ..., or the kernel's name where that says no more"),
        text("group", "process group, by its description, else its number; null where not recorded"),
        count("ranks", "ranks of the group"),
        text("dtype", "type of the elements"),
        count("calls", "kernels, over all ranks"),
        count("bytes", "bytes of the larger of input and output, over all calls; null where none was recorded"),
        ns("total_ns", "sum of durations, waiting for other ranks included"),
        ns("wait_ns", "of total_ns, waiting for the rank that arrives last"),
        ns("transfer_ns", "of total_ns, what would remain if every rank arrived as the last one did"),
        number("busbw", "GB/s per link: algbw x factor of the operation, as the NCCL tests count it"),
        ns("exposed_ns", "the part of total_ns in which nothing computes on the same rank"),
        ns("mean_ns", "total / calls, rounded"),
        ns("min_ns", "shortest: the least waiting"),
        ns("max_ns", "longest"),
        ns("unmatched_ns", "of total_ns, calls whose other ranks were not found: neither can be told"),
        ns("exposed_wait_ns", "of exposed_ns, waiting"),
        number("share_pct", "share of all communication time"),
        count("sized_calls", "calls whose size was recorded"),
        count("matched_calls", "calls whose other ranks were found"),
        number("algbw", "GB/s (1e9 bytes): bytes of the matched calls / their transfer_ns"),
    ),
    by=("size", "rank"),
    needs=("gpu",),
    digests=("communication_calls", "uncovered"),
)
