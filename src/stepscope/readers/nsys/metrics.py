"""Metrics of the GPU, sampled over time, as counters."""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER
from stepscope.readers.nsys.columns import Events
from stepscope.readers.nsys.database import Database

Tables = Iterator[tuple[str, pl.DataFrame]]

_WANTED = dict.fromkeys(("timestamp", "typeId", "metricId", "value"), INTEGER)
_GPU_BITS = 255
_BRACKETS = re.compile(r"(.*\S)\s*\[([^\]]*)\]")
_UNITS = {"Throughput %": "%", "MHz": "Hz"}
"""Clocks are in Hz, whatever their names say (seen in 2025.3)."""


def metric_tables(database: Database, events: Events) -> Tables:
    """Parts of the stored table ``counter``."""
    names = _names(database, events)
    for frame in database.rows("GPU_METRICS", _WANTED):
        named = frame.join(names, ["typeId", "metricId"], "left", maintain_order="left")
        made = named.with_columns(
            pl.col("timestamp").alias("start_ns"),
            # A share or a mean below zero is no measurement.
            pl.when(pl.col("value") >= 0).then("value").cast(pl.Float64).alias("value"),
            events.code("gpu_metrics").alias("category"),
            events.code("").alias("key"),
        )
        yield from events.table("counter", made)


def _names(database: Database, events: Events) -> pl.DataFrame:
    """Columns typeId, metricId, name and process (codes)."""
    known: list[tuple[int, int, str, str]] = []
    for kind, metric, name in database.values("TARGET_INFO_GPU_METRICS", ["typeId", "metricId", "metricName"]):
        if isinstance(kind, int) and isinstance(metric, int) and isinstance(name, str):
            known.append((kind, metric, _named(name), f"GPU {kind & _GPU_BITS} Counters"))
    types = {"typeId": pl.Int64, "metricId": pl.Int64, "name": pl.String, "process": pl.String}
    frame = pl.DataFrame(known, schema=types, orient="row").unique(["typeId", "metricId"], keep="first")
    return frame.with_columns(events.codes(frame[column]).alias(column) for column in ("name", "process"))


def _named(name: str) -> str:
    """A name with its unit as other recorders write it.

    >>> _named("SMs Active [Throughput %]"), _named("Pixel Warps in Flight [Avg]"), _named("Plain")
    ('SMs Active (%)', 'Pixel Warps in Flight [Avg]', 'Plain')
    """
    found = _BRACKETS.fullmatch(name)
    unit = _UNITS.get(found[2]) if found else None
    return f"{found[1]} ({unit})" if found and unit else name
