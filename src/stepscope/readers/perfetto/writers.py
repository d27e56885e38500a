"""Who wrote a trace, and what its categories are called in PyTorch's traces, whose names the store has."""

from __future__ import annotations

ROCPROF, WPROF, PYTORCH = "rocprofv3", "wprof", "PyTorch"

STAGES = {
    "Kernel": "kernel",
    "Memcpy": "gpu_memcpy",
    "Memset": "gpu_memset",
    "Annotation": "gpu_user_annotation",
    "EventRecord": "graph_event_node",
    "HostNode": "graph_host_node",
}
"""What PyTorch calls the stages of a GPU's work."""

CATEGORIES = {
    "kernel_dispatch": "kernel",
    "memory_copy": "gpu_memcpy",
    "hip_api": "hip_runtime",
    "hsa_api": "hip_driver",
    "rccl_api": "rccl_api",
    "marker_api": "user_annotation",
    "CUDA_KERNEL": "kernel",
    "CUDA_MEMCPY": "gpu_memcpy",
    "CUDA_MEMSET": "gpu_memset",
    "CUDA_API": "cuda_runtime",
    "CUDA_SYNC": "cuda_sync",
    "CUDA_OVERHEAD": "overhead",
    "PYTORCH": "cpu_op",
    "PYTRACE": "python_function",
    "UTRACE": "user_annotation",
}
"""Categories of rocprofv3 and wprof."""

DIRECTIONS = {
    "MEMORY_COPY_HOST_TO_DEVICE": "HtoD",
    "MEMORY_COPY_DEVICE_TO_HOST": "DtoH",
    "MEMORY_COPY_DEVICE_TO_DEVICE": "DtoD",
    "MEMORY_COPY_HOST_TO_HOST": "HtoH",
}
"""Names of copies in recordings of rocprofv3."""

FROM_DEVICE = "MEMORY_COPY_DEVICE_TO_HOST"
COPIED_CALLS = ("CUDA_API", "PYTRACE", "PYTORCH")
"""wprof repeats calls of CUDA (the category) on tracks of these names, below the operators that make them."""


def writer(categories: set[str], is_pytorch: bool) -> str:
    """Who wrote a trace, by its categories; "" where they do not tell."""
    if is_pytorch:
        return PYTORCH
    if categories & {"kernel_dispatch", "hip_api", "hsa_api", "marker_api", "rccl_api"}:
        return ROCPROF
    return WPROF if categories & {"CUDA_KERNEL", "CUDA_API", "PYTRACE", "ONCPU", "UTRACE"} else ""
