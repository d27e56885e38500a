"""Which kernels communicate: decided by metadata first, by name second (see docs/tables/).

Names were collected from NCCL (`ncclKernel*`, `ncclDevKernel*`), RCCL, HCCL, MSCCL, PyTorch symmetric memory
(`multimem_*`, `one_shot_all_reduce*`), vLLM and SGLang (`cross_device_reduce*`), TensorRT-LLM and FlashInfer
(`*AllReduce*`, `allreduce_fusion_kernel*`), NVSHMEM, and expert-parallel libraries: DeepEP and its descendants
(`deep_ep::*`, `dpsk::ep::*`, `internode::dispatch`, `intranode::combine`), MoRI (`EpDispatchIntraNodeKernel`), UCCL and
PPLX.
"""

from __future__ import annotations

import polars as pl

_NAMES = "|".join(
    (
        r"(?:^|[^A-Za-z])(?:nccl|rccl|hccl|msccl|hcom_)",
        r"(?:^|[^A-Za-z])multimem_",
        r"(?:^|[^A-Za-z])all_?(?:reduce|gather|to_?all)",
        r"All(?:Reduce|Gather|ToAll)",
        r"(?:^|[^A-Za-z])reduce_?scatter|ReduceScatter",
        r"cross_device_reduce",
        r"(?i:nvshmem)",
        r"(?:^|[^A-Za-z])(?:deep_ep|dpsk::ep|hybrid_ep|uccl|mori|pplx)(?:::|_|$)",
        r"(?:^|::|\s)(?:internode|intranode)(?:_ll)?::",
        r"Ep(?:Dispatch|Combine)[A-Z]",
        r"(?:^|[^A-Za-z])quick_?reduce|QuickReduce",
    )
)
_FUSED_BY_COMPILER = r"^triton_"
"""Inductor names a fused kernel after the operators it replaced: `triton_poi_fused_all_gather_...` only copies."""

_OPERATORS = r"^(?:record_param_comms$|c10d::)"


def is_communication_name(name: pl.Expr) -> pl.Expr:
    """Whether a kernel's name is that of a collective or point-to-point kernel."""
    return name.str.contains(_NAMES) & ~name.str.contains(_FUSED_BY_COMPILER)


def is_communication_operator(name: pl.Expr) -> pl.Expr:
    """Whether an operator is the one that launches collectives."""
    return name.str.contains(_OPERATORS)
