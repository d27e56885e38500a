"""Tables that memory snapshots alone feed."""

from __future__ import annotations

from stepscope.schema.columns import (
    Grouping,
    Table,
    amount,
    flag,
    ident,
    label,
    message,
    moment,
    named,
    rank,
    share,
    size,
)

_SNAPSHOT = ("memory_snapshot",)

MEMORY_CATEGORIES = Table(
    "memory_categories",
    "what allocated memory is for, over time: activations, gradients, ...",
    (
        rank(),
        label("device", "cuda:0, ..."),
        ident("slice", "number of the time slice, of a hundred", "Time slice"),
        moment("at_ns", "time with the most allocated in it, on the trace's clock", "Time"),
        label("category", "parameters, gradients, optimizer state, activations, temporaries or unknown"),
        size("bytes", "allocated for it at that time; over all categories, all that was allocated", "Size"),
        share("share_pct", "share of all that was allocated then"),
    ),
    key=("rank", "device", "slice", "category"),
    rows="category in a time slice",
    title="Memory by category",
    recordings=_SNAPSHOT,
    groupings=(
        Grouping(
            "step", ("rank", "device", "step", "category"), (ident("step", "number of the step"),), "category in a step"
        ),
    ),
    needs=("snapshot",),
    in_report=False,
)

MEMORY_SEGMENTS = Table(
    "memory_segments",
    "segments of PyTorch's caching allocator when the snapshot was taken, largest first",
    (
        rank(),
        label("device", "cuda:0, ..."),
        ident("address", "where it begins"),
        label("pool", "memory pool: (0, 0) or that of CUDA graphs"),
        ident("stream", "stream that its blocks are for"),
        size("bytes", "its size", "Size", adds=True),
        size("allocated_bytes", "of these, in blocks of the program", adds=True),
        size("active_bytes", "of these, in blocks of the program or of streams that still use them", adds=True),
        size("largest_free_bytes", "its largest free block", "Largest free"),
        amount("blocks", "blocks of it, free ones included", adds=True),
        size("requested_bytes", "what was asked for of the active bytes", "Requested", adds=True),
        label("size_class", "small (for blocks up to 1 MiB) or large"),
        flag("expandable", "whether it can grow (expandable_segments)"),
        named("source", "line of the user's code that made the allocator take it; null without stacks", "Source line"),
    ),
    key=("rank", "device", "address"),
    rows="segment",
    title="Memory segments",
    recordings=_SNAPSHOT,
    needs=("snapshot",),
    in_report=False,
)

MEMORY_BLOCKS = Table(
    "memory_blocks",
    "blocks of each segment when the snapshot was taken, one behind the other",
    (
        rank(),
        label("device", "cuda:0, ..."),
        ident("segment", "address of its segment"),
        label("pool", "memory pool: (0, 0) or that of CUDA graphs"),
        ident("stream", "stream that it is for"),
        ident("address", "where it begins"),
        size("offset_bytes", "from the beginning of its segment"),
        size("bytes", "its size; over the rows of a segment, that of the segment", "Size", adds=True),
        size("requested_bytes", "what was asked for; 0 of a free block", "Requested", adds=True),
        label("state", "active_allocated, active_pending_free or inactive; not listed: no block of the file is there"),
        label("category", "what it is for, as in memory_peak; null of a free block"),
        named("op", "operator that allocated it, as in memory_peak", "Operator"),
        named("source", "innermost line of the user's code; null without stacks", "Source line"),
        moment("start_ns", "time of the allocation, where the history holds it", "Allocated at"),
        named("lines", "lines of the user's code, innermost first", "Call path", wide=True),
    ),
    key=("rank", "device", "segment", "address", "state"),
    rows="block",
    title="Memory blocks",
    recordings=_SNAPSHOT,
    first=("rank", "device", "segment", "offset_bytes", "bytes", "requested_bytes", "state", "category", "source"),
    needs=("snapshot",),
    in_report=False,
)

MEMORY_FRAGMENTATION = Table(
    "memory_fragmentation",
    "what the caching allocator holds unused, by pool, when the snapshot was taken",
    (
        rank(),
        label("device", "cuda:0, ..."),
        label("pool", "memory pool: (0, 0) or that of CUDA graphs"),
        label("size_class", "small (for blocks up to 1 MiB) or large"),
        size("reserved_bytes", "taken from the device: allocated, pending, whole free and holes", adds=True),
        size("allocated_bytes", "in blocks of the program, rounding included", adds=True),
        size("pending_bytes", "in blocks that were released while a stream still uses them", adds=True),
        size("whole_free_bytes", "of segments without active blocks: empty_cache() gives them back", adds=True),
        size("hole_bytes", "free, between active blocks of a segment", "Holes", adds=True),
        size("rounding_bytes", "of active blocks, more than was asked for", "Rounding", adds=True),
        size("largest_free_bytes", "largest free block, the most that fits without a new segment", "Largest free"),
        amount("segments", "segments", adds=True),
    ),
    key=("rank", "device", "pool", "size_class"),
    rows="pool and size class",
    title="Fragmentation",
    recordings=_SNAPSHOT,
    needs=("snapshot",),
)

MEMORY_LEAKS = Table(
    "memory_leaks",
    "stacks whose memory grows in nearly every step and stays, most first",
    (
        rank(),
        label("device", "cuda:0, ..."),
        named("source", "innermost line of the user's code; null without stacks", "Source line"),
        named("op", "operator that allocated it; null where C++ stacks were not recorded", "Operator"),
        label("category", "what it seems to be for, as in memory_peak"),
        size("bytes_per_step", "what a step adds, the median; null where no steps are known", "A step adds"),
        size("alive_bytes", "of all its allocations, alive in the end", adds=True),
        amount("blocks", "these allocations", adds=True),
        amount("grew", "steps, or tenths of the history, in which it grew"),
        amount("steps", "of so many, the first ones left out", "Steps looked at"),
        named("lines", "lines of the user's code, innermost first", "Call path", wide=True),
        ident("stack", "number of the stack in the snapshot", "Stack number"),
    ),
    key=("rank", "device", "stack"),
    rows="stack",
    title="Memory that grows",
    recordings=_SNAPSHOT,
    needs=("snapshot",),
)

MEMORY_OOM = Table(
    "memory_oom",
    "each time that memory ran out: what was asked, what was left, and why",
    (
        rank(),
        label("device", "cuda:0, ..."),
        moment("at_ns", "when, on the trace's clock; null where times were not recorded", "Time"),
        size("requested_bytes", "what was asked for", "Requested"),
        size("free_bytes", "free on the device, as the driver said", "Free on the device"),
        size("allocated_bytes", "allocated then"),
        size("reserved_bytes", "reserved by the caching allocator then"),
        size(
            "limit_bytes",
            "where a limit was set: it is at least this, the most ever reserved, and less than limit_below_bytes",
            "Set limit, at least",
        ),
        size(
            "limit_below_bytes",
            "where a limit was set: it is less than this, what would have been reserved",
            "Set limit, below",
        ),
        size("hole_bytes", "free in segments that could serve it", "Free in pieces"),
        size("largest_free_bytes", "the largest of these pieces", "Largest piece"),
        label("reason", "fragmentation, a set limit, other processes or capacity"),
        size("evict_bytes", "least of active bytes to release so that it fits into one segment", "Cheapest eviction"),
        amount("evict_blocks", "blocks of these"),
        named("source", "line of the user's code that asked for it; null without stacks", "Source line"),
        message("largest", "the lines whose memory was largest then"),
        ident("event", "number of the event in the recording"),
    ),
    key=("rank", "device", "event"),
    rows="out-of-memory event",
    title="Out of memory",
    recordings=_SNAPSHOT,
    first=("rank", "device", "requested_bytes", "free_bytes", "reserved_bytes", "limit_bytes", "reason", "evict_bytes"),
    needs=("snapshot",),
)
