"""Tables about collectives as NCCL Inspector measured them over the whole run."""

from __future__ import annotations

import polars as pl

from stepscope.schema.columns import Grouping, Table, amount, flag, ident, label, named, ns, rank, rate, share, size

_FROM = ("communication_log",)

COLLECTIVE_BANDWIDTH = Table(
    "collective_bandwidth",
    "bandwidth of collectives over the whole run, by communicator and size, beside alike ones",
    (
        label("op", "collective or message as NCCL calls it", "Operation"),
        ident("communicator", "hash of the communicator", dtype=pl.String),
        named("name", "what the program calls it; null where it does not"),
        named("link", "of messages: the ranks in the communicator, from and to; null of collectives"),
        amount("ranks", "ranks of the communicator"),
        amount("nodes", "nodes that it spans"),
        size("from_bytes", "size of a call at least; at most twice as much", "Size from"),
        amount("calls", "calls"),
        amount("complete_calls", "calls that all ranks of the communicator have a line of", "Complete calls"),
        size("bytes", "bytes of all calls, each counted once"),
        ns("transfer_ns", "time on the rank that arrives last, so without waiting, over all calls"),
        ns("wait_ns", "what the other ranks' time is longer, over all complete calls", "Wait"),
        rate("busbw", "median of the calls: GB/s per link without waiting", "Bus bandwidth", unit="GB/s"),
        rate("busbw_low", "the slowest tenth is below", "Bus bandwidth, slow tenth", unit="GB/s"),
        rate("others_busbw", "median of alike communicators; null without three", "Alike ones", unit="GB/s"),
        share("of_others_pct", "bandwidth in per cent of that of alike ones", "Of alike ones"),
        flag("slow", "whether that is below 80 %, over ten calls or more"),
    ),
    key=("op", "communicator", "link", "from_bytes"),
    rows="operation of a communicator and size",
    recordings=_FROM,
    first=("op", "communicator", "link", "from_bytes", "ranks", "nodes", "calls", "busbw", "of_others_pct", "wait_ns"),
    groupings=(
        Grouping(
            "slice",
            ("op", "communicator", "link", "from_bytes", "slice"),
            (
                ident("slice", "part of the time from the first line of any log to the last, from 0"),
                ns("elapsed_ns", "where it begins, from the first line", "Since the first line"),
                rate("busbw_least", "the slowest call in it", "Bus bandwidth, slowest", unit="GB/s"),
            ),
            rows="operation of a communicator and size in a part of the time",
            first=("op", "communicator", "link", "from_bytes", "slice", "elapsed_ns", "calls", "busbw", "busbw_least"),
        ),
    ),
    needs=_FROM,
    page="run_collectives",
)

COLLECTIVE_LATENESS = Table(
    "collective_lateness",
    "how often each rank arrives last in a collective, and how long the others wait for it",
    (
        rank(),
        named("file", "log that its collectives are from"),
        amount("calls", "calls that all ranks of the communicator have a line of"),
        amount("last_calls", "of these, in which it arrived last: its time is the shortest", "Arrived last"),
        share("last_pct", "share of these calls", "Of its calls"),
        ns(
            "late_ns", "over the calls in which it arrived last, how much later than the next one", "Late by", adds=True
        ),
        ns("wait_ns", "how long it waited for others", "Waited", adds=True),
        ns("total_ns", "time of all its complete calls", adds=True),
    ),
    key=("rank",),
    rows="rank",
    recordings=_FROM,
    needs=_FROM,
    page="run_collectives",
)
