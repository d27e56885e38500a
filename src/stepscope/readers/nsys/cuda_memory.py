"""Allocations and releases of memory by CUDA."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER
from stepscope.readers.nsys.columns import Events
from stepscope.readers.nsys.export import Export
from stepscope.readers.nsys.gpu import MEMORY_KINDS

Tables = Iterator[tuple[str, pl.DataFrame]]

_TABLE = "CUDA_GPU_MEMORY_USAGE_EVENTS"
_NEEDED = ("start", "bytes", "memoryOperationType")
_WANTED = dict.fromkeys((*_NEEDED, "globalPid", "deviceId", "memKind"), INTEGER)
_KINDS = {number: name.lower().replace(" ", "-") for number, name in MEMORY_KINDS.items()}


def cuda_memory_tables(export: Export, events: Events) -> Tables:
    """Parts of the stored table ``cuda_memory``. Addresses and names of variables are not read."""
    if not set(_NEEDED) <= set(export.columns(_TABLE)):
        return
    for frame in export.rows(_TABLE, _WANTED):
        kind = pl.col("memKind").replace_strict(_KINDS, default="unknown", return_dtype=pl.String)
        made = frame.with_columns(
            events.processes.parts(frame, "globalPid"),
            pl.col("start").alias("start_ns"),
            pl.col("deviceId").alias("device"),
            pl.col("memoryOperationType").alias("operation"),
            events.codes(frame.select(kind).to_series()).alias("kind"),
        )
        yield from events.table("cuda_memory", made)
