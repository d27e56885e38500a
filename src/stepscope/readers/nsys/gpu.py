"""Work of the GPU: kernels, copies, memsets, graphs that were launched as a whole, and waits of streams."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER
from stepscope.readers.nsys.columns import Events, timed
from stepscope.readers.nsys.export import Export
from stepscope.schema import KERNEL, MEMCPY, MEMSET

Tables = Iterator[tuple[str, pl.DataFrame]]

_ACTIVITY = ("start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid")
_SHAPES = {"grid": ("gridX", "gridY", "gridZ"), "block": ("blockX", "blockY", "blockZ")}
_SHARED = ("staticSharedMemory", "dynamicSharedMemory")
_DIRECTIONS = {
    1: "HtoD",
    2: "DtoH",
    3: "HtoA",
    4: "AtoH",
    5: "AtoA",
    6: "AtoD",
    7: "DtoA",
    8: "DtoD",
    9: "HtoH",
    10: "PtoP",
    11: "HtoD",
    12: "DtoH",
    13: "DtoD",
}
_UNIFIED = [11, 12, 13]
"""Copies of unified memory, whose kinds of memory an export calls unknown."""

MEMORY_KINDS = {
    0: "Pageable",
    1: "Pinned",
    2: "Device",
    3: "Array",
    4: "Managed",
    5: "Device Static",
    6: "Managed Static",
    7: "Unknown",
}
"""Kinds of memory: numbers of ENUM_CUDA_MEM_KIND, which an export may leave empty."""

_SYNCS = {1: "Event Sync", 2: "Stream Wait Event", 3: "Stream Sync", 4: "Context Sync"}


def gpu_tables(export: Export, events: Events) -> Tables:
    """Parts of the stored tables ``activity`` and ``sync``."""
    yield from _kernels(export, events)
    yield from _graphs(export, events)
    if events.processes.use_gpu:
        events.processes.settle()  # others only copy or set memory
    yield from _copies(export, events)
    yield from _memsets(export, events)
    events.processes.settle()
    yield from _syncs(export, events)


def _rows(export: Export, table: str, *columns: str) -> Iterator[pl.DataFrame]:
    return export.rows(table, dict.fromkeys(columns, INTEGER))


def _placed(frame: pl.DataFrame, events: Events) -> list[pl.Series | pl.Expr]:
    """Columns that every activity has."""
    return [
        *timed(frame),
        *events.of_gpu(frame),
        events.numbers(frame, "deviceId").alias("process"),
        events.numbers(frame, "streamId").alias("thread"),
        pl.col("deviceId").alias("device"),
        pl.col("contextId").alias("context"),
        pl.col("streamId").alias("stream"),
    ]


def _kernels(export: Export, events: Events) -> Tables:
    shapes = [name for parts in _SHAPES.values() for name in parts]
    names = ("demangledName", "shortName", "registersPerThread", *_SHARED)
    for frame in _rows(export, "CUPTI_ACTIVITY_KIND_KERNEL", *_ACTIVITY, *names, *shapes):
        events.processes.on_gpu(frame)
        name = events.strings(frame, "demangledName").fill_null(events.strings(frame, "shortName"))
        of_shape = [events.codes(_shape(frame, parts)).alias(column) for column, parts in _SHAPES.items()]
        made = frame.with_columns(
            *_placed(frame, events),
            *of_shape,
            name.alias("name"),
            events.code("kernel").alias("category"),
            pl.lit(KERNEL).alias("activity"),
            pl.col("registersPerThread").alias("registers"),
            pl.sum_horizontal(*_SHARED).alias("shared_bytes"),
        )
        yield from events.table("activity", made)


def _shape(frame: pl.DataFrame, parts: tuple[str, ...]) -> pl.Series:
    """Three numbers as Kineto writes them: ``[8, 1, 1]``."""
    distinct = frame.select(parts).unique()
    text = pl.concat_str(pl.lit("["), pl.concat_str(parts, separator=", "), pl.lit("]")).alias("text")
    return frame.select(parts).join(distinct.with_columns(text), parts, "left", maintain_order="left")["text"]


def _graphs(export: Export, events: Events) -> Tables:
    """Launches of whole graphs: the GPU was busy, and which kernels ran was not recorded."""
    for frame in _rows(export, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", *_ACTIVITY, "graphId"):
        events.processes.on_gpu(frame)
        name = frame.select(pl.concat_str(pl.lit("CUDA graph "), pl.col("graphId").fill_null(0))).to_series()
        made = frame.with_columns(
            *_placed(frame, events),
            events.codes(name).alias("name"),
            events.code("cuda_graph").alias("category"),
            pl.lit(KERNEL).alias("activity"),
        )
        yield from events.table("activity", made)


def _copies(export: Export, events: Events) -> Tables:
    for frame in _rows(export, "CUPTI_ACTIVITY_KIND_MEMCPY", *_ACTIVITY, "bytes", "copyKind", "srcKind", "dstKind"):
        events.processes.on_gpu(frame)
        direction = pl.col("copyKind").replace_strict(_DIRECTIONS, default="Unknown", return_dtype=pl.String)
        managed = pl.col("copyKind").is_in(_UNIFIED)
        memory = [pl.when(managed).then(pl.lit("Managed")).otherwise(_memory(name)) for name in ("srcKind", "dstKind")]
        name = frame.select(pl.format("Memcpy {} ({} -> {})", direction, *memory)).to_series()
        made = frame.with_columns(
            *_placed(frame, events),
            events.codes(name).alias("name"),
            events.code("gpu_memcpy").alias("category"),
            pl.lit(MEMCPY).alias("activity"),
            _bandwidth(),
        )
        yield from events.table("activity", made)


def _memsets(export: Export, events: Events) -> Tables:
    for frame in _rows(export, "CUPTI_ACTIVITY_KIND_MEMSET", *_ACTIVITY, "bytes", "memKind"):
        events.processes.on_gpu(frame)
        name = frame.select(pl.format("Memset ({})", _memory("memKind"))).to_series()
        made = frame.with_columns(
            *_placed(frame, events),
            events.codes(name).alias("name"),
            events.code("gpu_memset").alias("category"),
            pl.lit(MEMSET).alias("activity"),
            _bandwidth(),
        )
        yield from events.table("activity", made)


def _syncs(export: Export, events: Events) -> Tables:
    for frame in _rows(export, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", *_ACTIVITY, "syncType", "eventId"):
        kind = frame.select(pl.col("syncType").replace_strict(_SYNCS, default="Sync", return_dtype=pl.String))
        code = events.codes(kind.to_series())
        made = frame.with_columns(
            *_placed(frame, events),
            code.alias("name"),
            code.alias("sync_kind"),
            events.code("cuda_sync").alias("category"),
            pl.col("eventId").alias("wait_event"),
        )
        yield from events.table("sync", made)


def _memory(column: str) -> pl.Expr:
    return pl.col(column).replace_strict(MEMORY_KINDS, default="Unknown", return_dtype=pl.String)


def _bandwidth() -> pl.Expr:
    length = pl.col("end") - pl.col("start")
    return pl.when(length > 0).then(pl.col("bytes") / length).alias("bandwidth_gb_per_s")
