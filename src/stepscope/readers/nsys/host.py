"""The host: calls of the CUDA runtime and driver, blocking calls of the C library, the profiler's own work, threads."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER
from stepscope.readers.nsys.columns import Events, timed
from stepscope.readers.nsys.export import Export

Tables = Iterator[tuple[str, pl.DataFrame]]

_CALL = dict.fromkeys(("start", "end", "globalTid", "nameId", "correlationId", "eventClass"), INTEGER)
_DRIVER = 1


def host_tables(export: Export, events: Events) -> Tables:
    """Parts of the stored tables ``runtime``, ``os_call`` and ``other``."""
    for frame in export.rows("CUPTI_ACTIVITY_KIND_RUNTIME", _CALL):
        yield from _calls(frame, events)
    for frame in export.rows("OSRT_API", _CALL):
        yield from _os_calls(frame, events)
    for table in ("PROFILER_OVERHEAD", "CUPTI_ACTIVITY_KIND_OVERHEAD"):
        for frame in export.rows(table, _CALL):
            yield from _overhead(frame, events)


def name_tables(export: Export, events: Events) -> Tables:
    """Parts of the stored table ``label``: names of threads, read last. Those of other programs are left out."""
    for frame in export.rows("ThreadNames", {"nameId": INTEGER, "globalTid": INTEGER}):
        yield from _thread_names(frame.filter(events.processes.known(frame, "globalTid")), events)


def _calls(frame: pl.DataFrame, events: Events) -> Tables:
    is_driver = pl.col("eventClass") == _DRIVER
    category = pl.when(is_driver).then(events.code("cuda_driver")).otherwise(events.code("cuda_runtime"))
    made = frame.with_columns(
        *timed(frame),
        *events.of_host(frame),
        events.correlation(frame, "globalTid"),
        events.functions(frame).alias("name"),
        category.alias("category"),
    )
    yield from events.table("runtime", made)


def _os_calls(frame: pl.DataFrame, events: Events) -> Tables:
    made = frame.with_columns(
        *timed(frame),
        *events.of_host(frame),
        events.strings(frame, "nameId").alias("name"),
        events.code("os_runtime").alias("category"),
    )
    yield from events.table("os_call", made)


def _overhead(frame: pl.DataFrame, events: Events) -> Tables:
    made = frame.with_columns(
        *timed(frame),
        *events.of_host(frame),
        events.strings(frame, "nameId").alias("name"),
        events.code("overhead").alias("category"),
        events.code("X").alias("phase"),
        pl.lit(0).alias("broken"),
    )
    yield from events.table("other", made)


def _thread_names(frame: pl.DataFrame, events: Events) -> Tables:
    made = frame.with_columns(
        *events.of_host(frame),
        events.code("thread_name").alias("name"),
        events.strings(frame, "nameId").alias("label_name"),
        pl.lit(0).alias("start_ns"),
    )
    yield from events.table("label", made)
