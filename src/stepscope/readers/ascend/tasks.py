"""What a task of an NPU is, by the type and the name that msprof gives it."""

from __future__ import annotations

import re

import polars as pl

from stepscope.schema import KERNEL, MEMCPY

CONTROL = 3
"""No work: an event that is recorded or waited for, a value that is written, a mark of the profiler."""

AI_CPU = ("AI_CPU", "KERNEL_AICPU")
"""Types of what runs on the CPUs of an NPU, not on its AI Cores; as HWTS and STARS call them."""

CORES = ("AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV", "KERNEL_AICORE", "KERNEL_AIVEC", "KERNEL_MIX_AIC")
"""Types of what runs on AI Cores."""

_CONTROL = (
    r"^(?:EVENT|NOTIFY|CAPTURE|CNT_NOTIFY)[ _](?:WAIT|RECORD|RESET)|^PLACE_HOLDER|^WRITE[ _]VALUE|^MEM[ _]?WAIT|"
    r"^PROFILING_(?:EN|DIS)ABLE|^(?:STREAM|MODEL|LABEL|MAINTENANCE|FLIP|CONDITION|CASE|LOAD)(?:_|$)|^NOP|^TASK_FLIP|"
    r"^START$|^END_?GRAPH|^CMO|^BARRIER|^GET_DEVICE_MSG|^TS_|^OVERFLOW|^DATADUMP|^DEBUG_"
)
_COPY = r"^(?:MEM(?:ORY)?_?CPY|SDMA|PCIE_DMA|ROCCE|REDUCE_?ASYNC|D2D|ADDR_?MEMCPY)"
_UNTYPED = ("", "OTHER", "UNKNOWN", "N/A", "NA")
"""Types of tasks that a recording does not know."""


def kind_of(types: pl.Series, names: pl.Series) -> pl.Series:
    """`KERNEL`, `MEMCPY` or `CONTROL` of tasks.

    >>> types = pl.Series(["AI_CORE", "Other", "SDMA_SQE", "Notify Wait", "PLACE_HOLDER_SQE"])
    >>> names = pl.Series(["MatMul", "MEMCPY_ASYNC", "MEMCPY_ASYNC", "Notify Wait", "EVENT_RECORD"])
    >>> kind_of(types, names).to_list()
    [0, 1, 1, 3, 3]
    """
    pairs = pl.DataFrame({"type": types, "name": names}).with_columns(pl.all().fill_null("").str.to_uppercase())
    own = pl.when(pl.col("type").is_in(_UNTYPED)).then("name").otherwise("type")
    kind = (
        pl.when(own.str.contains(_CONTROL))
        .then(pl.lit(CONTROL))
        .when(own.str.contains(_COPY))
        .then(pl.lit(MEMCPY))
        .otherwise(pl.lit(KERNEL))
    )
    return pairs.select(kind.cast(pl.UInt8).alias("kind")).to_series()


COLLECTIVE = re.compile(r"^hcom_([A-Za-z]+?)_?_(?:_?(\d{1,6})_(\d{1,12})(?:_\d+)?)?$")
"""The name of a collective or message: operation, end of the name of its group, its number in this group."""

DTYPES = {
    "INT8": "Char",
    "UINT8": "Byte",
    "INT16": "Short",
    "INT32": "Int",
    "INT64": "Long",
    "UINT64": "Long",
    "UINT16": "Short",
    "UINT32": "Int",
    "FP16": "Half",
    "BFP16": "BFloat16",
    "BF16": "BFloat16",
    "FP32": "Float",
    "FP64": "Double",
    "FP8E4M3": "Float8_e4m3fn",
    "FP8E5M2": "Float8_e5m2",
}
"""HCCL's types of data, as PyTorch calls types of that size."""

_GATHERING, _SCATTERING = ("all_gather",), ("reduce_scatter",)
_EQUAL = ("all_reduce", "broadcast", "send", "recv", "reduce")
_OPERATIONS = {
    "allreduce": "all_reduce",
    "allgather": "all_gather",
    "reducescatter": "reduce_scatter",
    "receive": "recv",
    "alltoall": "all_to_all",
    "alltoallv": "all_to_all",
    "alltoallvc": "all_to_all",
    "batchsendrecv": "send_recv",
}


def operation(name: str) -> tuple[str, str, int | None]:
    """Operation, group and number of a collective by its name; the name as operation where it says neither.

    >>> operation("hcom_allReduce__586_12_1"), operation("hcom_receive__303_4"), operation("all_to_all")
    (('all_reduce', '586', 12), ('recv', '303', 4), ('all_to_all', '', None))
    """
    found = COLLECTIVE.match(name)
    if found is None:
        return name, "", None
    kind = found[1].lower()
    return _OPERATIONS.get(kind, kind), found[2] or "", int(found[3]) if found[3] else None


def elements(operation: pl.Expr, count: pl.Expr, ranks: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """Elements that go in and come out on one rank.

    HCCL counts what a rank sends of an all_gather, and what it receives of a reduce_scatter; null where it counts
    something else or the size of the group is not known.
    """
    whole = count * ranks
    same = operation.is_in(_EQUAL)
    into = pl.when(same | operation.is_in(_GATHERING)).then(count).when(operation.is_in(_SCATTERING)).then(whole)
    out = pl.when(same | operation.is_in(_SCATTERING)).then(count).when(operation.is_in(_GATHERING)).then(whole)
    return into, out
