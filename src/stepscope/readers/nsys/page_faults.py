"""Page faults of unified memory, on the CPU and on GPUs."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER
from stepscope.readers.nsys.columns import Events
from stepscope.readers.nsys.export import Export

Tables = Iterator[tuple[str, pl.DataFrame]]

_ON_CPU = dict.fromkeys(("start", "globalPid"), INTEGER)
_ON_GPU = dict.fromkeys(("start", "end", "globalPid", "deviceId", "numberOfPageFaults", "faultAccessType"), INTEGER)
_ACCESS = {0: "invalid", 1: "read", 2: "write", 3: "atomic", 4: "prefetch"}
"""Numbers of CUpti_ActivityUnifiedMemoryAccessType."""


def page_fault_tables(export: Export, events: Events) -> Tables:
    """Parts of the stored table ``page_fault``. Addresses are not read."""
    for frame in export.rows("CUDA_UM_CPU_PAGE_FAULT_EVENTS", _ON_CPU):
        made = frame.with_columns(
            events.processes.parts(frame, "globalPid"),
            pl.col("start").alias("start_ns"),
            pl.lit(1).alias("faults"),
            events.code("cpu").alias("category"),
            events.code("").alias("name"),
        )
        yield from events.table("page_fault", made)
    for frame in export.rows("CUDA_UM_GPU_PAGE_FAULT_EVENTS", _ON_GPU):
        access = pl.col("faultAccessType").replace_strict(_ACCESS, default="", return_dtype=pl.String)
        made = frame.with_columns(
            events.processes.parts(frame, "globalPid"),
            pl.col("start").alias("start_ns"),
            (pl.col("end") - pl.col("start")).clip(0).fill_null(0).alias("duration_ns"),
            pl.col("deviceId").alias("device"),
            pl.col("numberOfPageFaults").alias("faults"),
            events.code("gpu").alias("category"),
            events.codes(frame.select(access).to_series()).alias("name"),
        )
        yield from events.table("page_fault", made)
