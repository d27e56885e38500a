"""Every table: columns, types, units, one line each.

`STORE_TABLES` are the tables a reader fills, `TABLES` those a user asks for. Texts in the store are codes (UInt32).
Units stand in the names: ``_ns`` whole nanoseconds, ``_bytes``, ``_pct`` per cent, ``_flops``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import polars as pl

STORE_VERSION = 1
"""Raised whenever a reader writes other columns or other values; old stores are then read anew."""

JSON_VERSION = 1
"""``schema_version`` of the JSON output."""

_CODE = pl.UInt32
_INT = pl.Int64
_FLOAT = pl.Float64

_TIMED = {
    "event": pl.UInt32,
    "category": _CODE,
    "name": _CODE,
    "process": _CODE,
    "thread": _CODE,
    "start_ns": _INT,
    "duration_ns": _INT,
    "external_id": _INT,
}
_COLLECTIVE = {
    "collective": _CODE,
    "in_elements": _INT,
    "out_elements": _INT,
    "in_split": _CODE,
    "out_split": _CODE,
    "dtype": _CODE,
    "group_size": _INT,
    "process_group": _CODE,
    "process_group_description": _CODE,
    "process_group_ranks": _CODE,
    "source_rank": _INT,
    "destination_rank": _INT,
}
_RECORD_FUNCTION = {
    "record_function_id": _INT,
    "event_index": _INT,
    "sequence": _INT,
    "forward_thread": _INT,
    "input_dims": _CODE,
    "input_types": _CODE,
    "input_strides": _CODE,
    "concrete_inputs": _CODE,
    "call_stack": _CODE,
    "module_hierarchy": _CODE,
}

STORE_TABLES: dict[str, dict[str, Any]] = {
    "activity": _TIMED
    | {
        "activity": pl.UInt8,
        "correlation": _INT,
        "device": _INT,
        "context": _INT,
        "stream": _INT,
        "queued": _INT,
        "registers": _INT,
        "shared_bytes": _INT,
        "blocks_per_sm": _FLOAT,
        "warps_per_sm": _FLOAT,
        "occupancy_pct": _FLOAT,
        "grid": _CODE,
        "block": _CODE,
        "bytes": _INT,
        "bandwidth_gb_per_s": _FLOAT,
        "direction": _CODE,
    }
    | _COLLECTIVE,
    "operator": _TIMED | _RECORD_FUNCTION | _COLLECTIVE,
    "annotation": _TIMED | _RECORD_FUNCTION,
    "runtime": _TIMED | {"correlation": _INT, "api": _INT},
    "python": _TIMED | {"event_index": _INT, "python_id": _INT, "python_parent_id": _INT, "python_module_id": _INT},
    "memory": {
        "event": pl.UInt32,
        "category": _CODE,
        "name": _CODE,
        "process": _CODE,
        "thread": _CODE,
        "start_ns": _INT,
        "scope": _CODE,
        "event_index": _INT,
        "change_bytes": _INT,
        "address": _INT,
        "device_index": _INT,
        "device_type": _INT,
        "allocated_bytes": _INT,
        "reserved_bytes": _INT,
    },
    "flow": {
        "event": pl.UInt32,
        "phase": _CODE,
        "category": _CODE,
        "name": _CODE,
        "process": _CODE,
        "thread": _CODE,
        "start_ns": _INT,
        "flow": _INT,
        "binding": _CODE,
    },
    "sync": _TIMED
    | {
        "correlation": _INT,
        "device": _INT,
        "context": _INT,
        "stream": _INT,
        "sync_kind": _CODE,
        "wait_stream": _INT,
        "wait_correlation": _INT,
        "wait_event": _INT,
    },
    "label": {
        "event": pl.UInt32,
        "name": _CODE,
        "process": _CODE,
        "thread": _CODE,
        "start_ns": _INT,
        "label_name": _CODE,
        "label": _CODE,
        "sort_index": _INT,
    },
    "other": {
        "event": pl.UInt32,
        "phase": _CODE,
        "category": _CODE,
        "name": _CODE,
        "process": _CODE,
        "thread": _CODE,
        "start_ns": _INT,
        "duration_ns": _INT,
        "flow": _INT,
        "scope": _CODE,
        "broken": pl.UInt8,
    },
    "extras": {"event": pl.UInt32, "level": pl.UInt8, "key": _CODE, "value": _CODE},
    "texts": {"text": pl.String},
}

KERNEL, MEMCPY, MEMSET = 0, 1, 2
"""Values of ``activity.activity``."""


@dataclass(frozen=True)
class Column:
    """A column of a user's table."""

    name: str
    dtype: Any
    description: str


@dataclass(frozen=True)
class Table:
    """A table a user can ask for."""

    name: str
    description: str
    columns: tuple[Column, ...]
    by: tuple[str, ...] = field(default=())
    """Other groupings that ``--by`` offers."""

    @property
    def schema(self) -> dict[str, Any]:
        return {column.name: column.dtype for column in self.columns}


def _ns(name: str, description: str) -> Column:
    return Column(name, pl.Int64, description)


def _count(name: str, description: str) -> Column:
    return Column(name, pl.Int64, description)


def _text(name: str, description: str) -> Column:
    return Column(name, pl.String, description)


def _number(name: str, description: str) -> Column:
    return Column(name, pl.Float64, description)


UNATTRIBUTED = "(unattributed)"
"""Name of the row that holds what a table could not attribute."""

_BREAKDOWN = (
    _ns("compute_ns", "GPU computing"),
    _ns("communication_ns", "communication, nothing computing"),
    _ns("memcpy_ns", "copies, nothing of the above"),
    _ns("memset_ns", "fills, nothing of the above"),
    _ns("runtime_ns", "a CUDA or HIP call on the host, GPU idle"),
    _ns("data_loading_ns", "waiting for the data loader, nothing of the above"),
    _ns("cpu_ns", "an operator on the host, nothing of the above"),
    _ns("other_ns", "none of the above: Python, other libraries, waiting"),
)

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        Table(
            "health",
            "how far the trace can be trusted, check by check",
            (
                _count("rank", "rank of the process; null for the profile as a whole"),
                _text("check", "what was looked at"),
                _text("status", "ok, warning or error"),
                _text("value", "what was found"),
                _text("detail", "what it means and what to do"),
            ),
        ),
        Table(
            "summary",
            "GPU time of each rank: computing, communicating, copying, idle",
            (
                _count("rank", "rank of the process"),
                _text("device", "GPU model"),
                _count("events", "rows of the trace"),
                _count("steps", "steps found"),
                _ns("span_ns", "first activity's start to last activity's end"),
                _ns("busy_ns", "union of all GPU activity"),
                _ns("idle_ns", "span - busy"),
                _ns("compute_ns", "union of kernels that compute"),
                _ns("communication_ns", "union of communication kernels"),
                _ns("exposed_communication_ns", "communication not covered by compute"),
                _ns("memory_ns", "union of copies and fills"),
                _ns("exposed_memory_ns", "copies and fills covered by neither"),
                _number("overlap_pct", "share of communication covered by compute; null without communication"),
                _count("kernels", "kernels, communication included"),
                _count("memcpys", "copies"),
                _count("memsets", "fills"),
            ),
        ),
        Table(
            "steps",
            "each step's time and its exact partition",
            (
                _count("rank", "rank of the process"),
                _count("step", "number of the step"),
                _ns("start_ns", "start of the host range, on the trace's clock"),
                _ns("duration_ns", "length of the host range"),
                _ns("device_end_ns", "end of the last activity launched in the step"),
                _ns("lag_ns", "device end behind the host range's end"),
                _ns("period_ns", "device end to device end of the step before: the step's time on the GPU's clock"),
                Column("cut", pl.Boolean, "the window cut the step"),
                *_BREAKDOWN,
            ),
        ),
        Table(
            "operators",
            "host and GPU time by operator",
            (
                _text("name", "operator"),
                _count("calls", "calls"),
                _ns("host_total_ns", "time on the host, callees included"),
                _ns("host_self_ns", "time on the host as the innermost operator"),
                _ns("device_total_ns", "activity launched inside"),
                _ns("device_self_ns", "activity launched inside, by no inner operator"),
                _count("flops", "floating-point operations modelled from shapes; null where no model applies"),
                _number("tensor_core_pct", "share of the GPU time spent in tensor-core kernels"),
            ),
            ("shape", "dtype", "stack"),
        ),
        Table(
            "kernels",
            "GPU time by kernel, communication included",
            (
                _text("name", "kernel"),
                _count("calls", "launches"),
                _ns("total_ns", "sum of durations"),
                _ns("mean_ns", "total / calls, rounded"),
                _ns("min_ns", "shortest"),
                _ns("max_ns", "longest"),
                _number("share_pct", "share of all kernel time"),
                _text("kind", "what it does, by name: gemm, attention, ..., communication, other"),
                _text("op", "operator with most of its time"),
                _text("grid", "launch grid with most of its time"),
                _text("block", "block of that launch"),
                _number("blocks_per_sm", "duration-weighted mean"),
                _number("occupancy_pct", "estimated by the profiler, duration-weighted mean"),
                _count("registers", "registers per thread of that launch"),
                _count("shared_bytes", "shared memory per block of that launch"),
                Column("tensor_core", pl.Boolean, "runs on tensor cores, by name"),
            ),
            ("launch", "op"),
        ),
        Table(
            "memcpy",
            "copies by direction and kind of host memory",
            (
                _text("kind", "HtoD, DtoH, DtoD, HtoH, PtoP or unknown"),
                _text("pinned", "pinned, pageable, or empty where it does not apply or was not recorded"),
                _count("calls", "copies"),
                _count("bytes", "bytes copied; null where none was recorded"),
                _ns("total_ns", "sum of durations"),
                _number("bandwidth", "GB/s (1e9 bytes) over the copies with a size"),
            ),
        ),
    )
}
