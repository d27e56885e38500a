"""Tables about memory: who allocated it, how much there was, what was alive at the peak."""

from __future__ import annotations

from stepscope.schema.columns import (
    Grouping,
    Table,
    amount,
    flag,
    ident,
    label,
    moment,
    named,
    ns,
    rank,
    share,
    size,
)

_BOTH = ("trace", "memory_snapshot")
_CATEGORY = "what it is for: parameters, gradients, activations, ...; null for events of a trace"

MEMORY = Table(
    "memory",
    "memory allocated and released by operator",
    (
        named("name", "operator", "Operator"),
        label("device", "cpu, cuda:0, ..."),
        amount("allocations", "allocations inside it, callees included"),
        size("allocated_bytes", "sum of what was allocated inside it, callees included"),
        size("self_allocated_bytes", "sum of what the operator itself allocated", "Allocated self", adds=True),
        size("increase_bytes", "allocated minus released inside it, callees included"),
        size("self_increase_bytes", "allocated minus released by the operator itself", "Increase self", adds=True),
        amount("self_allocations", "allocations by the operator itself", "Allocations self", adds=True),
    ),
    key=("name", "device"),
    rows="operator",
    title="Memory by operator",
    page="memory",
    needs=("memory",),
    source=True,
)

CUDA_MEMORY = Table(
    "cuda_memory",
    "memory that CUDA allocated and released, by GPU and kind",
    (
        rank(),
        ident("device", "number of the GPU in whose context it was allocated, of host memory, too"),
        label("kind", "device, device-static, managed, managed-static, pinned, pageable, array; else unknown"),
        amount("allocations", "allocations", adds=True),
        amount("releases", "releases", adds=True),
        size("allocated_bytes", "sum of what was allocated", "Allocated", adds=True),
        size("released_bytes", "sum of what was released", "Released", adds=True),
        size("peak_bytes", "highest of allocated minus released, both since the start of the recording", "Peak"),
        size(
            "alive_bytes",
            "allocated minus released at the end; below zero where more was released than the recording saw allocated",
            "Alive at the end",
            adds=True,
        ),
    ),
    key=("rank", "device", "kind"),
    rows="kind of memory",
    title="CUDA memory",
    page="tables",
    needs=("cuda_memory",),
)

MEMORY_PEAK = Table(
    "memory_peak",
    "what was alive at the peak of memory, by operator and line",
    (
        rank(),
        label("device", "cpu, cuda:0, ..."),
        named("op", "operator that allocated it; aten::empty and its like give way to their caller", "Operator"),
        named(
            "source",
            "line of the user's code, for backward operators that of the forward; null without stacks",
            "Source line",
        ),
        amount("blocks", "allocations alive; null where they were not recorded one by one", adds=True),
        size(
            "alive_bytes",
            "bytes alive at the peak; over all rows of a device, all that was allocated",
            adds=True,
        ),
        share("share_pct", "share of all that was allocated at the peak"),
        share("capacity_pct", "share of the device's memory; null where its size is unknown", "Of device memory"),
        size("kept_bytes", "of these, bytes not released before the recording's end", "Never released", adds=True),
        moment("at_ns", "time of the device's peak, on the trace's clock", "Peak time"),
        label("category", _CATEGORY),
    ),
    key=("rank", "device", "category", "op", "source"),
    rows="operator and line",
    title="Memory at the peak",
    recordings=_BOTH,
    first=(
        "rank",
        "device",
        "op",
        "source",
        "blocks",
        "alive_bytes",
        "share_pct",
        "capacity_pct",
        "kept_bytes",
        "at_ns",
    ),
    groupings=(
        Grouping("category", ("rank", "device", "category"), rows="category"),
        Grouping(
            "stack",
            ("rank", "device", "category", "op", "source", "lines"),
            (named("lines", "lines of the user's code, innermost first", "Call path", wide=True),),
            rows="stack",
        ),
    ),
    needs=("memory_over_time",),
    per_rank=True,
)

MEMORY_TIMELINE = Table(
    "memory_timeline",
    "allocated and reserved memory over time, at every change",
    (
        rank(),
        label("device", "cpu, cuda:0, ..."),
        moment("at_ns", "time of the change, on the trace's clock", "Time"),
        size("change_bytes", "allocated (positive) or released (negative); 0 in a device's first row"),
        size("allocated_bytes", "allocated from then on"),
        size("reserved_bytes", "reserved by PyTorch's caching allocator, allocated or not; null where not recorded"),
        share(
            "capacity_pct", "allocated share of the device's memory; null where its size is unknown", "Of device memory"
        ),
        flag("peak", "the first time that the device's allocated_bytes are largest"),
        size("active_bytes", "allocated, and released while a stream still uses it; null where not recorded"),
        ident("event", "number of the entry in a memory snapshot; null of a trace and in a device's first row"),
    ),
    key=("rank", "device", "at_ns", "change_bytes", "allocated_bytes", "event"),
    rows="change",
    title="Memory over time",
    recordings=_BOTH,
    groupings=(
        Grouping("step", ("rank", "device", "step"), (ident("step", "number of the step"),), rows="peak of a step"),
        Grouping(
            "slice",
            ("rank", "device", "slice"),
            (ident("slice", "number of the time slice", "Time slice"),),
            rows="peak of a time slice",
        ),
        Grouping(
            "point",
            ("rank", "device", "point"),
            (ident("point", "number of the point, as in memory_categories --by point"),),
            rows="point in time",
        ),
    ),
    needs=("memory_over_time",),
    in_report=False,
)

MEMORY_EVENTS = Table(
    "memory_events",
    "each allocation with its release, largest first",
    (
        rank(),
        label("device", "cpu, cuda:0, ..."),
        named("op", "operator that allocated it, as in memory_peak; null where that was not recorded", "Operator"),
        size("bytes", "size", "Size"),
        moment(
            "start_ns", "time of the allocation, on the trace's clock; null where it was not recorded", "Allocated at"
        ),
        moment("end_ns", "time of the release; null where it was not recorded", "Released at"),
        ns("duration_ns", "from allocation to release", "Lifetime"),
        label(
            "fate",
            "released, awaiting release, kept (to the recording's end), from before (the recording), or release lost",
            "State",
        ),
        named(
            "release_op",
            "innermost operator of the release; null outside operators and where none was recorded",
            "Released by",
        ),
        ident("address", "address of the block"),
        label("category", _CATEGORY),
        ident("stream", "stream that it was allocated on; null where not recorded"),
        label("pool", "memory pool: (0, 0) or that of CUDA graphs; null where not recorded"),
        ident("event", "number of the entry in a memory snapshot that allocated it, else released; null of a trace"),
    ),
    key=("rank", "device", "address", "start_ns", "end_ns", "event"),
    rows="allocation",
    title="Allocations",
    recordings=_BOTH,
    first=("rank", "device", "op", "bytes", "start_ns", "duration_ns", "fate", "release_op"),
    needs=("memory_over_time",),
    source=True,
    source_key=(),
    in_report=False,
)
