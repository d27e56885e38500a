"""Tables about memory: who allocated it, how much there was, what was alive at the peak."""

from __future__ import annotations

import polars as pl

from stepscope.schema.columns import Column, Table, count, ns, number, text

MEMORY = Table(
    "memory",
    "memory allocated and released by operator",
    (
        text("name", "operator"),
        text("device", "cpu, cuda:0, ..."),
        count("allocations", "allocations inside it, callees included"),
        count("allocated_bytes", "sum of what was allocated inside it, callees included"),
        count("self_allocated_bytes", "sum of what the operator itself allocated"),
        count("increase_bytes", "allocated minus released inside it, callees included"),
        count("self_increase_bytes", "allocated minus released by the operator itself"),
        count("self_allocations", "allocations by the operator itself"),
    ),
    needs=("memory",),
    source=True,
)

MEMORY_PEAK = Table(
    "memory_peak",
    "what was alive when most memory was allocated, by operator and source line",
    (
        count("rank", "rank of the process"),
        text("device", "cpu, cuda:0, ..."),
        text("op", "operator that allocated it; aten::empty and its like give way to their caller"),
        text("source", "line of the user's code, for backward operators that of the forward; null without stacks"),
        count("blocks", "allocations alive; null where they were not recorded one by one"),
        count("alive_bytes", "bytes alive at the peak; over all rows of a device, all that was allocated"),
        number("share_pct", "share of all that was allocated at the peak"),
        number("capacity_pct", "share of the device's memory; null where its size is unknown"),
        count("kept_bytes", "of these, bytes not released before the recording's end"),
        ns("at_ns", "moment of the device's peak, on the trace's clock"),
    ),
    needs=("memory",),
    per_rank=True,
)

MEMORY_TIMELINE = Table(
    "memory_timeline",
    "allocated and reserved memory over time, at every change",
    (
        count("rank", "rank of the process"),
        text("device", "cpu, cuda:0, ..."),
        ns("at_ns", "moment of the change, on the trace's clock"),
        count("change_bytes", "allocated (positive) or released (negative); 0 in a device's first row"),
        count("allocated_bytes", "allocated from then on"),
        count("reserved_bytes", "held by PyTorch's caching allocator, allocated or not; null where not recorded"),
        number("capacity_pct", "allocated share of the device's memory; null where its size is unknown"),
        Column("peak", pl.Boolean, "the first moment with the device's largest allocated_bytes"),
    ),
    by=("step", "slice"),
    needs=("memory",),
    in_report=False,
)

MEMORY_EVENTS = Table(
    "memory_events",
    "each allocation with its release, largest first",
    (
        count("rank", "rank of the process"),
        text("device", "cpu, cuda:0, ..."),
        text("op", "operator that allocated it, as in memory_peak; null where that was not recorded"),
        count("bytes", "size"),
        ns("start_ns", "moment of the allocation, on the trace's clock; null where it was not recorded"),
        ns("end_ns", "moment of the release; null where it was not recorded"),
        ns("duration_ns", "from allocation to release"),
        text("fate", "released, kept (to the recording's end), from before (the recording), or release lost"),
        text("release_op", "innermost operator of the release; null outside operators and where none was recorded"),
        count("address", "where it lay"),
    ),
    needs=("memory",),
    source=True,
    in_report=False,
)
