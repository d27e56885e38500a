"""Tables that a reader fills with what the profilers of Ascend NPUs say themselves. Texts in them are codes."""

from __future__ import annotations

from typing import Any

import polars as pl

NPU_STORED: dict[str, dict[str, Any]] = {
    # What an NPU's profiler says itself: of each kernel, with the units of its cores that worked; of each step; of each
    # collective, and of what its links moved (`collective` is the number of that row); of each pair of ranks by step.
    "npu_kernel": {
        "event": pl.UInt32,
        **dict.fromkeys(("name", "kind", "core", "state"), pl.UInt32),
        **dict.fromkeys(("step", "start_ns", "duration_ns", "wait_ns", "device", "stream", "task"), pl.Int64),
        **dict.fromkeys(("blocks", "mix_blocks", "cube_ns", "vector_ns"), pl.Int64),
        **dict.fromkeys(("input_shapes", "input_types", "input_formats"), pl.UInt32),
        **dict.fromkeys(("output_shapes", "output_types", "output_formats"), pl.UInt32),
        **dict.fromkeys(
            ("cube_pct", "cube_scalar_pct", "cube_load_pct", "cube_feed_pct", "cube_store_pct"), pl.Float64
        ),
        **dict.fromkeys(("vector_pct", "vector_scalar_pct", "vector_load_pct", "vector_store_pct"), pl.Float64),
        "cube_utilization_pct": pl.Float64,
    },
    "npu_step": {
        "event": pl.UInt32,
        **dict.fromkeys(
            ("step", "device", "computing_ns", "exposed_ns", "overlapped_ns", "communication_ns"), pl.Int64
        ),
        **dict.fromkeys(("free_ns", "stage_ns", "bubble_ns", "preparing_ns"), pl.Int64),
    },
    "npu_collective": {
        "event": pl.UInt32,
        "collective": pl.Int64,
        "step": pl.Int64,
        "p2p": pl.Boolean,
        **dict.fromkeys(("name", "operation", "group"), pl.UInt32),
        **dict.fromkeys(("start_ns", "elapse_ns", "transit_ns", "wait_ns", "synchronization_ns", "idle_ns"), pl.Int64),
    },
    "npu_link": {
        "collective": pl.Int64,
        "transport": pl.UInt32,
        "bytes": pl.Int64,
        "transit_ns": pl.Int64,
        "packets": pl.Int64,
        "large_pct": pl.Float64,
    },
    "npu_pair": {
        "step": pl.Int64,
        **dict.fromkeys(("operation", "group"), pl.UInt32),
        **dict.fromkeys(("source", "destination"), pl.Int64),
        "transport": pl.UInt32,
        **dict.fromkeys(("bytes", "transit_ns"), pl.Int64),
        **dict.fromkeys(("fastest", "slowest"), pl.Float64),
        "slowest_call": pl.UInt32,
    },
    # Totals of its allocators over time, and what operators allocated, with the total after that.
    "npu_memory": {
        **dict.fromkeys(("component", "device"), pl.UInt32),
        **dict.fromkeys(("start_ns", "allocated_bytes", "reserved_bytes", "active_bytes"), pl.Int64),
    },
    "npu_allocation": {
        **dict.fromkeys(("name", "device"), pl.UInt32),
        **dict.fromkeys(("start_ns", "release_ns", "bytes", "allocated_bytes"), pl.Int64),
    },
}
