"""Metrics of the GPU, sampled over time, as counters."""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER
from stepscope.readers.nsys.columns import Events
from stepscope.readers.nsys.export import Export
from stepscope.readers.nsys.facts import device_numbers
from stepscope.schema import PART

Tables = Iterator[tuple[str, pl.DataFrame]]

_WANTED = dict.fromkeys(("timestamp", "typeId", "metricId", "value"), INTEGER)
_GPU_BITS = 255
_BRACKETS = re.compile(r"(.*\S)\s*\[([^\]]*)\]")
_UNITS = {"Throughput %": "%", "MHz": "Hz"}
"""Clocks are in Hz, whatever their names say (seen in 2025.3)."""


def metric_tables(export: Export, events: Events) -> Tables:
    """Parts of the stored table ``counter``. What is sampled of a GPU is of each process that used it."""
    owners = _owners(export, events)
    for frame in export.rows("GPU_METRICS", _WANTED):
        named = frame.join(owners, ["typeId", "metricId"], "left", maintain_order="left")
        made = named.with_columns(
            pl.col("timestamp").alias("start_ns"),
            # A share or a mean below zero is no measurement.
            pl.when(pl.col("value") >= 0).then("value").cast(pl.Float64).alias("value"),
            pl.col(PART).fill_null(0),
            events.code("gpu_metrics").alias("category"),
            events.code("").alias("key"),
        )
        yield from events.table("counter", made)


def _owners(export: Export, events: Events) -> pl.DataFrame:
    """Columns typeId, metricId, name, process (codes) and `PART`: a row for each process that used the GPU."""
    known: list[tuple[int, int, str, str, int]] = []
    numbers = {part: device_numbers(export, process) for part, process in events.processes.ranks().items()}
    seen: set[tuple[int, int]] = set()
    for kind, metric, name in export.values("TARGET_INFO_GPU_METRICS", ["typeId", "metricId", "metricName"]):
        if isinstance(kind, int) and isinstance(metric, int) and isinstance(name, str) and (kind, metric) not in seen:
            seen.add((kind, metric))
            for part, gpu in _users(kind & _GPU_BITS, numbers, events.devices):
                known.append((kind, metric, _named(name), f"GPU {gpu} Counters", part))
    types = {"typeId": pl.Int64, "metricId": pl.Int64, "name": pl.String, "process": pl.String, PART: pl.UInt16}
    frame = pl.DataFrame(known, schema=types, orient="row")
    return frame.with_columns(events.codes(frame[column]).alias(column) for column in ("name", "process"))


def _users(gpu: int, numbers: dict[int, dict[int, int]], used: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """The parts that used a GPU, and the number by which each knows it; the first part where none did.

    >>> _users(3, {0: {2: 0}, 1: {3: 0}}, {(0, 0), (1, 0)}), _users(7, {0: {}}, {(0, 0)})
    ([(1, 0)], [(0, 7)])
    """
    found = [(part, own.get(gpu, -1) if own else gpu) for part, own in numbers.items()]
    users = [one for one in found if one in used]
    return users or [(0, numbers.get(0, {}).get(gpu, gpu))]


def _named(name: str) -> str:
    """A name with its unit as other recorders write it.

    >>> _named("SMs Active [Throughput %]"), _named("Pixel Warps in Flight [Avg]"), _named("Plain")
    ('SMs Active (%)', 'Pixel Warps in Flight [Avg]', 'Plain')
    """
    found = _BRACKETS.fullmatch(name)
    unit = _UNITS.get(found[2]) if found else None
    return f"{found[1]} ({unit})" if found and unit else name
