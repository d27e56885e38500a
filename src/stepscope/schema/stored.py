"""The tables that a reader fills. Texts in them are codes (UInt32)."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.schema.stored_communication import STORED_COMMUNICATION
from stepscope.schema.stored_compilation import STORED_COMPILATION
from stepscope.schema.stored_npu import NPU_STORED

STORE_VERSION = 28
"""Raised whenever a reader writes other columns or other values; old stores are then read anew."""

PART = "part"
"""Column of any table of a recording of several processes: which of them a row is of, from 0 (`readers.facts.Process`).
Each is stored by itself, without this column."""

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
    "collective_sequence": _INT,
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
    "annotation": _TIMED | _RECORD_FUNCTION | {"domain": _CODE},
    "runtime": _TIMED | {"correlation": _INT, "api": _INT},
    # Blocking calls of the C library, which Nsight Systems records.
    "os_call": _TIMED,
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
    # What PyTorch's caching allocator did, from a memory snapshot, device by device in its order.
    "memory_trace": {
        "event": pl.UInt32,
        "device": _INT,
        "action": _CODE,
        "address": _INT,
        "bytes": _INT,
        "stream": _INT,
        "time_ns": _INT,
        "stack": _INT,
        "pool": _CODE,
        "compile_context": _CODE,
        "user_metadata": _CODE,
        "free_bytes": _INT,
    },
    # What the allocator had when the snapshot was taken: no events. A block's segment is the row of that.
    "memory_segment": {
        "device": _INT,
        "address": _INT,
        "bytes": _INT,
        "allocated_bytes": _INT,
        "active_bytes": _INT,
        "requested_bytes": _INT,
        "stream": _INT,
        "size_class": _CODE,
        "pool": _CODE,
        "expandable": pl.Boolean,
        "stack": _INT,
    },
    "memory_block": {
        "segment": _INT,
        "address": _INT,
        "bytes": _INT,
        "requested_bytes": _INT,
        "state": _CODE,
        "stack": _INT,
    },
    # The frames of each stack, innermost first, and the distinct frames. Original: the lines of the model that a frame
    # of generated code comes from, outermost first, as Python prints a traceback.
    "memory_stack": {"stack": _INT, "frame": _INT},
    "memory_frame": {"frame": _INT, "file": _CODE, "line": _INT, "function": _CODE, "original": _CODE},
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
    # A row for each value of a counter: an event may hold several, or none, which is a row with neither key nor value.
    "counter": {
        "event": pl.UInt32,
        "category": _CODE,
        "name": _CODE,
        "process": _CODE,
        "thread": _CODE,
        "start_ns": _INT,
        "flow": _INT,
        "key": _CODE,
        "value": _FLOAT,
    },
    # What CPUs ran when they were sampled, as a stack of functions; when threads were put on a CPU and taken from it.
    "cpu_sample": {
        "event": pl.UInt32,
        "process": _CODE,
        "thread": _CODE,
        "start_ns": _INT,
        "cpu": _INT,
        "stack": _INT,
    },
    "sample_frame": {"stack": _INT, "depth": _INT, "name": _CODE, "module": _CODE, "line": _INT},
    # Samples of Python stacks, those of one stack that follow each other as one; without times where the file has none.
    "stack_sample": {"event": pl.UInt32, "thread": _CODE}
    | dict.fromkeys(("start_ns", "duration_ns", "samples", "stack"), _INT),
    "thread_switch": {
        "event": pl.UInt32,
        "process": _CODE,
        "thread": _CODE,
        "start_ns": _INT,
        "cpu": _INT,
        "running": pl.UInt8,
    },
    # Page faults of unified memory; the category is the side on which they were, the name the kind of access.
    "page_fault": _TIMED | {"device": _INT, "faults": _INT},
    # What CUDA allocated (operation 0) and released (1): whole segments of a caching allocator, never single tensors.
    "cuda_memory": {
        "event": pl.UInt32,
        "start_ns": _INT,
        "kind": _CODE,
        "device": _INT,
        "bytes": _INT,
        "operation": _INT,
    },
    # A kernel that Nsight Compute profiled, every value of it, and what its rules say. `kernel` is the kernel's number.
    "kernel_report": {
        "event": pl.UInt32,
        "kernel": _INT,
        "name": _CODE,
        "function": _CODE,
        "process_id": _INT,
        "process": _CODE,
        "device": _INT,
        "context": _INT,
        "stream": _INT,
        "grid_x": _INT,
        "grid_y": _INT,
        "grid_z": _INT,
        "block_x": _INT,
        "block_y": _INT,
        "block_z": _INT,
        "created_s": _INT,
        "sections": _CODE,
        "kind": _CODE,
        "kernels": _INT,
    },
    "kernel_metric": {
        "kernel": _INT,
        "name": _CODE,
        "unit": _CODE,
        "value": _FLOAT,
        "text": _CODE,
        "instances": _INT,
    },
    # How some metrics would be elsewhere: their value at another number of registers, threads, bytes.
    "kernel_curve": {"kernel": _INT, "name": _CODE, "setting": _INT, "value": _FLOAT},
    # Instructions of profiled kernels, null what was not collected; their samples by warp state, where there are any;
    # the lines that they come from, where a report holds their file.
    "kernel_instruction": {
        "kernel": _INT,
        "function": _CODE,
        "offset": _INT,
        "opcode": _CODE,
        "file": _CODE,
        "line": _INT,
        "samples": _INT,
        "not_issued": _INT,
        "executed": _INT,
        "thread_executed": _INT,
        "sectors": _INT,
        "ideal_sectors": _INT,
        "wavefronts": _INT,
        "ideal_wavefronts": _INT,
    },
    "kernel_sample": {
        "kernel": _INT,
        "function": _CODE,
        "offset": _INT,
        "reason": _CODE,
        "samples": _INT,
        "not_issued": _INT,
    },
    "source_line": {"file": _CODE, "line": _INT, "text": _CODE},
    "kernel_rule": {
        "kernel": _INT,
        "section": _CODE,
        "name": _CODE,
        "title": _CODE,
        "kind": _CODE,
        "message": _CODE,
        "scope": _CODE,
        "speedup_pct": _FLOAT,
    },
    **STORED_COMMUNICATION,
    **STORED_COMPILATION,
    # What a profiler added up itself, of each operator and of each kernel: no events. The kind is the operator's type,
    # or the call that launched the kernel; activities are what CUPTI counts for an operator, memcpys included.
    "operator_total": {
        "name": _CODE,
        "kind": _CODE,
        "side": _CODE,
        "calls": _INT,
        "host_ns": _INT,
        "activity_ns": _INT,
        "activities": _INT,
    },
    "activity_total": {
        "name": _CODE,
        "kind": _CODE,
        "operator": _CODE,
        "stream": _INT,
        "block": _CODE,
        "grid": _CODE,
        "calls": _INT,
        "total_ns": _INT,
        "min_ns": _INT,
        "max_ns": _INT,
    },
    # Where MindSpore divides a step: its forward pass begins, its backward pass ends.
    "step_point": {
        "event": pl.UInt32,
        "step": _INT,
        "start_ns": _INT,
        "forward_ns": _INT,
        "backward_ns": _INT,
        "end_ns": _INT,
        "first": _CODE,
        "last": _CODE,
    },
    **NPU_STORED,
    # MindData: the operators of an input pipeline, each with the one that it feeds; samples of their output queues;
    # what each batch took, from the host's queue or the device's; the use of CPUs by the machine (per cent of all
    # cores), the process and its operators (per cent of one core).
    "pipeline_operator": {"operator": _INT, "name": _CODE, "feeds": _INT, "workers": _INT, "capacity": _INT},
    "pipeline_sample": {"event": pl.UInt32, "operator": _INT, "sample": _INT, "size": _INT},
    "pipeline_batch": {
        "event": pl.UInt32,
        "queue": _CODE,
        "batch": _INT,
        "time_ns": _INT,
        "size": _INT,
        "capacity": _INT,
        "get_ns": _INT,
        "push_ns": _INT,
        "total_ns": _INT,
    },
    "cpu_usage": {
        "event": pl.UInt32,
        "scope": _CODE,
        "operator": _INT,
        "time_ns": _INT,
        "user_pct": _FLOAT,
        "system_pct": _FLOAT,
        "io_pct": _FLOAT,
        "idle_pct": _FLOAT,
        "runnable": _FLOAT,
        "switches": _FLOAT,
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

SCOPE = "scope"
"""Category of ranges of the scopes that operators lie in, which MindSpore derives from their names."""

COLLECTIVE_PART, TASK_OF_PARTS, OVERLAP_ANALYSIS = "collective part", "task of parts", "overlap analysis"
"""Categories of time of an NPU that stands elsewhere once more: parts of collectives, tasks of which others are parts,
and what its profiler adds up."""

ENQUEUE, CANN = "enqueue", "cann"
"""Categories of calls on the host of an NPU: what puts work into the queue of torch_npu, and CANN's own."""

MPI = "mpi"
"""Category of annotations that are calls of MPI."""

KERNEL, MEMCPY, MEMSET = 0, 1, 2
"""Values of ``activity.activity``."""
