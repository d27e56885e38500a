"""Every table: columns, types, units, one line each.

`STORE_TABLES` are the tables a reader fills, `TABLES` those a user asks for, in the order in which they are listed.
Units stand in the names: ``_ns`` whole nanoseconds, ``_bytes``, ``_pct`` per cent, ``_flops``.
"""

from __future__ import annotations

from stepscope.schema.calls import API_CALLS, CPU_SAMPLES, HOST_SAMPLES, OS_RUNTIME, PAGE_FAULTS, THREAD_SCHEDULING
from stepscope.schema.columns import UNATTRIBUTED, Column, Grouping, Role, Table, Unit
from stepscope.schema.communication import COMMUNICATION
from stepscope.schema.communication_log import COLLECTIVE_BANDWIDTH, COLLECTIVE_LATENESS
from stepscope.schema.compilation import COMPILATIONS, COMPILED_KERNELS, GRAPH_BREAKS, RECOMPILES
from stepscope.schema.hangs import COLLECTIVE_RECORDS, HANG_CALLS, HANG_RANKS, HANGS
from stepscope.schema.input_pipeline import CPU_UTILIZATION, INPUT_BATCHES, INPUT_PIPELINE
from stepscope.schema.kernel_reports import (
    KERNEL_DETAILS,
    KERNEL_INSTRUCTIONS,
    KERNEL_LINES,
    KERNEL_MEMORY,
    KERNEL_METRICS,
    KERNEL_OCCUPANCY,
    KERNEL_OCCUPANCY_CURVE,
    KERNEL_PIPES,
    KERNEL_REPORTS,
    KERNEL_ROOFLINE,
    KERNEL_RULES,
    KERNEL_STALLS,
)
from stepscope.schema.kernels import (
    GRAPHS,
    KERNEL_LENGTHS,
    KERNELS,
    MEMCPY_TABLE,
    MEMSET_TABLE,
    SHORT_KERNELS,
    UTILIZATION,
)
from stepscope.schema.loading import DATA_LOADING
from stepscope.schema.memory import CUDA_MEMORY, MEMORY, MEMORY_EVENTS, MEMORY_PEAK, MEMORY_TIMELINE
from stepscope.schema.memory_snapshot import (
    MEMORY_ALIVE,
    MEMORY_BLOCKS,
    MEMORY_CATEGORIES,
    MEMORY_DIFF,
    MEMORY_FRAGMENTATION,
    MEMORY_LEAKS,
    MEMORY_OOM,
    MEMORY_RANKS,
    MEMORY_SEGMENTS,
)
from stepscope.schema.npu import (
    NPU_COLLECTIVES,
    NPU_KERNELS,
    NPU_LINKS,
    NPU_MEMORY,
    NPU_MEMORY_PEAK,
    NPU_PAIRS,
    NPU_STEPS,
)
from stepscope.schema.operators import MODULES, OPERATORS
from stepscope.schema.overview import HEALTH, ITERATIONS, STEPS, SUMMARY
from stepscope.schema.parallelism import EXPERTS, LINKS, MESSAGE_SIZES, PIPELINE
from stepscope.schema.paths import ANNOTATIONS, COUNTERS, CRITICAL_PATH, FUSION, METADATA, SEQUENCES
from stepscope.schema.ranks import CLOCKS, COLLECTIVES, JOB, RANK_MATRIX, RANK_WAITS, STRAGGLERS
from stepscope.schema.recording import RECORDINGS
from stepscope.schema.roofline import MFU, ROOFLINE
from stepscope.schema.savings import FINDINGS, OCCURRENCES, STEP_TIME
from stepscope.schema.stacks import DURATIONS, FLAME_GRAPH, INSTANCES
from stepscope.schema.stored import (
    CANN,
    COLLECTIVE_PART,
    ENQUEUE,
    KERNEL,
    MEMCPY,
    MEMSET,
    MPI,
    OVERLAP_ANALYSIS,
    PART,
    SCOPE,
    STORE_TABLES,
    STORE_VERSION,
    TASK_OF_PARTS,
)
from stepscope.schema.telemetry import HARDWARE, TELEMETRY
from stepscope.schema.totals import ACTIVITY_TOTALS, OPERATOR_TOTALS
from stepscope.schema.waiting import IDLE, LAUNCHES, QUEUE_DEPTH, STEP_TRACE, SYNC

__all__ = [
    "CANN",
    "COLLECTIVE_PART",
    "ENQUEUE",
    "JSON_VERSION",
    "KERNEL",
    "MEMCPY",
    "MEMSET",
    "MOMENTS",
    "MPI",
    "OVERLAP_ANALYSIS",
    "PART",
    "SCOPE",
    "STORE_TABLES",
    "STORE_VERSION",
    "TABLES",
    "TASK_OF_PARTS",
    "UNATTRIBUTED",
    "Column",
    "Grouping",
    "Role",
    "Table",
    "Unit",
]

JSON_VERSION = 1
"""``schema_version`` of the JSON output."""

_ORDER = (
    FINDINGS,
    OCCURRENCES,
    HEALTH,
    SUMMARY,
    STEP_TIME,
    STEPS,
    STEP_TRACE,
    ITERATIONS,
    IDLE,
    SYNC,
    LAUNCHES,
    API_CALLS,
    OS_RUNTIME,
    CPU_SAMPLES,
    HOST_SAMPLES,
    THREAD_SCHEDULING,
    QUEUE_DEPTH,
    CRITICAL_PATH,
    OPERATORS,
    ANNOTATIONS,
    MODULES,
    FLAME_GRAPH,
    INSTANCES,
    DURATIONS,
    UTILIZATION,
    KERNELS,
    SHORT_KERNELS,
    KERNEL_LENGTHS,
    GRAPHS,
    MEMCPY_TABLE,
    MEMSET_TABLE,
    PAGE_FAULTS,
    CUDA_MEMORY,
    COMMUNICATION,
    MESSAGE_SIZES,
    COLLECTIVES,
    STRAGGLERS,
    RANK_WAITS,
    RANK_MATRIX,
    JOB,
    LINKS,
    PIPELINE,
    EXPERTS,
    CLOCKS,
    ROOFLINE,
    MFU,
    DATA_LOADING,
    OPERATOR_TOTALS,
    ACTIVITY_TOTALS,
    NPU_KERNELS,
    NPU_STEPS,
    NPU_COLLECTIVES,
    NPU_LINKS,
    NPU_PAIRS,
    NPU_MEMORY,
    NPU_MEMORY_PEAK,
    INPUT_PIPELINE,
    INPUT_BATCHES,
    CPU_UTILIZATION,
    MEMORY,
    MEMORY_PEAK,
    MEMORY_TIMELINE,
    MEMORY_EVENTS,
    MEMORY_CATEGORIES,
    MEMORY_ALIVE,
    MEMORY_LEAKS,
    MEMORY_OOM,
    MEMORY_FRAGMENTATION,
    MEMORY_SEGMENTS,
    MEMORY_BLOCKS,
    MEMORY_RANKS,
    MEMORY_DIFF,
    SEQUENCES,
    FUSION,
    COUNTERS,
    KERNEL_REPORTS,
    KERNEL_ROOFLINE,
    KERNEL_MEMORY,
    KERNEL_OCCUPANCY,
    KERNEL_OCCUPANCY_CURVE,
    KERNEL_PIPES,
    KERNEL_STALLS,
    KERNEL_LINES,
    KERNEL_INSTRUCTIONS,
    KERNEL_DETAILS,
    KERNEL_RULES,
    KERNEL_METRICS,
    COMPILATIONS,
    RECOMPILES,
    GRAPH_BREAKS,
    COMPILED_KERNELS,
    HANGS,
    HANG_RANKS,
    HANG_CALLS,
    COLLECTIVE_RECORDS,
    COLLECTIVE_BANDWIDTH,
    COLLECTIVE_LATENESS,
    TELEMETRY,
    HARDWARE,
    METADATA,
    RECORDINGS,
)

TABLES: dict[str, Table] = {table.name: table for table in _ORDER}

MOMENTS = tuple(
    dict.fromkeys(column.name for table in _ORDER for column in table.described().values() if column.role == "moment")
)
"""Names of columns that hold times on the trace's clock; every other ``_ns`` is a length of time."""
