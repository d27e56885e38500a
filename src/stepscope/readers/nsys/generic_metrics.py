"""Metrics of the GPU as schemas 2.x hold them: a JSON object of all metrics for each moment, in ``GENERIC_EVENTS``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import polars as pl

from stepscope.numeric.sqlite_rows import INTEGER, TEXT
from stepscope.readers.nsys.columns import Events
from stepscope.readers.nsys.export import Export

Tables = Iterator[tuple[str, pl.DataFrame]]

_WANTED = {"timestamp": INTEGER, "rawTimestamp": INTEGER, "typeId": INTEGER, "data": TEXT}
_SOURCE = "GpuMetrics"
_GPU_BITS = 255
_SHARE = re.compile(r"(.*(?:Active|Issue|Throughput|Bandwidth|Idle|Stall).*?)(?: \[.*\])?")
"""Metrics that are percentages: whole numbers up to 100."""

_MOST_METRICS = 200


def generic_metric_tables(export: Export, events: Events) -> Tables:
    """Parts of the stored table ``counter``."""
    kinds = _kinds(export)
    for frame in export.rows("GENERIC_EVENTS", _WANTED) if kinds else ():
        mine = frame.filter(pl.col("typeId").is_in(kinds))
        texts = [text.decode("utf-8", "replace") for text in export.texts_of(mine["data"].drop_nulls())]
        samples = mine.filter(pl.col("data").is_not_null()).with_columns(pl.Series("json", texts, pl.String))
        for name in _names(samples):
            yield from events.table("counter", _samples(samples, name, events))


def _kinds(export: Export) -> list[int]:
    """Types of events that are samples of metrics of GPUs."""
    sources = []
    for number, data in export.values("GENERIC_EVENT_SOURCES", ["sourceId", "data"]):
        if _object(data).get("Name") == _SOURCE:
            sources.append(number)
    types = export.values("GENERIC_EVENT_TYPES", ["typeId", "sourceId"])
    return [kind for kind, source in types if isinstance(kind, int) and source in sources]


def _names(samples: pl.DataFrame) -> list[str]:
    """Every metric of some samples, as the first of each type has them."""
    first = samples.unique("typeId", keep="first", maintain_order=True)["json"]
    names = [name for text in first for name in _object(text)]
    return list(dict.fromkeys(names))[:_MOST_METRICS]


def _samples(samples: pl.DataFrame, name: str, events: Events) -> pl.DataFrame:
    """The samples of one metric."""
    path = f"$[{json.dumps(name)}]"
    gpu = pl.concat_str(pl.lit("GPU "), pl.col("typeId") & _GPU_BITS, pl.lit(" Counters"))
    value = pl.col("json").str.json_path_match(path).cast(pl.Float64, strict=False)
    made = samples.with_columns(
        pl.coalesce("timestamp", "rawTimestamp").alias("start_ns"), value.alias("value"), gpu.alias("gpu")
    ).filter(pl.col("json").str.contains(json.dumps(name), literal=True))
    return made.with_columns(
        pl.when(pl.col("value") >= 0).then("value").alias("value"),
        events.codes(made["gpu"]).alias("process"),
        events.code(_named(name)).alias("name"),
        events.code("gpu_metrics").alias("category"),
        events.code("").alias("key"),
    )


def _named(name: str) -> str:
    """A name with its unit as other recorders write it.

    >>> _named("SM Active"), _named("PCIe TX Throughput"), _named("GPC Clock Frequency")
    ('SM Active (%)', 'PCIe TX Throughput (%)', 'GPC Clock Frequency')
    """
    found = _SHARE.fullmatch(name)
    return f"{found[1]} (%)" if found else name


def _object(data: object) -> dict[str, object]:
    """A JSON object, empty where it is none."""
    try:
        found = json.loads(data) if isinstance(data, str) else {}
    except (ValueError, RecursionError):
        found = {}
    return found if isinstance(found, dict) else {}
