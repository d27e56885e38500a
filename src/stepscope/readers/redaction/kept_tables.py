"""Which tables of an export of Nsight Systems a copy holds: those that are read here, and what of them is left out."""

from __future__ import annotations

import re

EVENTS = (
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "CUPTI_ACTIVITY_KIND_OVERHEAD",
    "CUDA_UM_CPU_PAGE_FAULT_EVENTS",
    "CUDA_UM_GPU_PAGE_FAULT_EVENTS",
    "CUDA_GPU_MEMORY_USAGE_EVENTS",
    "NVTX_EVENTS",
    "OSRT_API",
    "PROFILER_OVERHEAD",
    "MPI_COLLECTIVES_EVENTS",
    "MPI_P2P_EVENTS",
    "MPI_START_WAIT_EVENTS",
    "MPI_OTHER_EVENTS",
    "MPI_RANKS",
)
OF_PROCESSES = ("COMPOSITE_EVENTS", "SCHED_EVENTS", "ThreadNames")
"""Rows of other programs stay out of these."""

FACTS = (
    "GPU_METRICS",
    "TARGET_INFO_GPU_METRICS",
    "NET_NIC_METRIC",
    "NET_IB_SWITCH_METRIC",
    "TARGET_INFO_NETWORK_METRICS",
    "NVTX_PAYLOAD_SCHEMAS",
    "NVTX_PAYLOAD_SCHEMA_ENTRIES",
    "TARGET_INFO_SESSION_START_TIME",
    "TARGET_INFO_GPU",
    "TARGET_INFO_CUDA_DEVICE",
    "ANALYSIS_DETAILS",
)
BLANK = {
    "TARGET_INFO_SESSION_START_TIME": ("utcTime", "localTime"),
    "TARGET_INFO_GPU": ("uuid", "busLocation"),
    "TARGET_INFO_CUDA_DEVICE": ("uuid",),
    "NVTX_EVENTS": ("jsonText", "jsonTextId", "binaryData"),
}
"""Columns without their values."""

TEXT_IDS = ("demangledName", "shortName", "mangledName", "nameId", "textId", "symbol", "module")
_FACT = re.compile(r"EXPORT_(?:PRODUCT_VERSION|SCHEMA_VERSION\w*)")
_VALUE = re.compile(r"[\w .:-]{0,64}")
OWNERS = ("globalTid", "globalPid")
GENERIC = ("GENERIC_EVENT_SOURCES", "GENERIC_EVENT_TYPES", "GENERIC_EVENTS")
GPU_SOURCE = '"GpuMetrics"'
"""Sources of generic events that hold this are metrics of the GPU, as of schemas 2.x; others may be of anything."""

EXPORT_FACTS = ("META_DATA_EXPORT", "EXPORT_META_DATA")


def is_export_fact(name: object, value: object) -> bool:
    """Whether a fact says which version exported a file, or in which schema."""
    return _FACT.fullmatch(str(name)) is not None and _VALUE.fullmatch(str(value)) is not None
