"""Tables as columns of JSON: moments as offsets, whole numbers that JavaScript can hold, null for what is no number."""

from __future__ import annotations

from typing import Any

import orjson
import polars as pl

from stepscope.analyses.ranks.job_clock import JobClock
from stepscope.schema import MOMENTS, TABLES

_SAFE = 1 << 53
"""Larger whole numbers are not exact in JavaScript."""

_BEYOND_INT64 = 1 << 63
_OPTIONS = orjson.OPT_SERIALIZE_NUMPY


def column_facts(table: str, frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Name, type, whether it is a moment, and one line about each column of a frame of `encoded_columns`."""
    described = TABLES[table].described()
    return [
        {
            "name": name,
            "type": _type(name, frame[name]),
            "moment": name in MOMENTS,
            "description": described[name].description if name in described else "",
        }
        for name in frame.columns
    ]


def with_offsets(frame: pl.DataFrame, clock: JobClock) -> pl.DataFrame:
    """Moments counted from the profile's first one; those in rows of a rank are on the rank's own clock."""
    if clock.shifts and "rank" in frame.columns and len(frame):
        ranks = frame.with_row_index("row of all").partition_by("rank", as_dict=True, maintain_order=True)
        parts = [_counted(part, clock.origin(rank)) for (rank,), part in ranks.items()]
        return pl.concat(parts, how="vertical_relaxed").sort("row of all").drop("row of all")
    return _counted(frame, clock.begin_ns)


def _counted(frame: pl.DataFrame, origin_ns: int) -> pl.DataFrame:
    moments = [name for name in MOMENTS if name in frame.columns]
    return frame.with_columns(_offset(frame[name], origin_ns) for name in moments) if moments else frame


def encoded_columns(frame: pl.DataFrame) -> bytes:
    """The JSON object of a frame's columns, each an array."""
    return orjson.dumps({name: _values(name, frame[name]) for name in frame.columns}, option=_OPTIONS)


def _offset(column: pl.Series, origin_ns: int) -> pl.Series:
    least, most = column.min(), column.max()
    if not isinstance(least, int) or not isinstance(most, int):
        return column
    if most - origin_ns < _BEYOND_INT64 and least - origin_ns >= -_BEYOND_INT64:
        return column - origin_ns
    return column.cast(pl.Float64) - float(origin_ns)  # so far apart that ns mean nothing


def _type(name: str, column: pl.Series) -> str:
    if column.dtype == pl.Boolean:
        return "bool"
    if column.dtype.is_integer():
        return "bigint" if _is_big(name, column) else "int"
    return "float" if column.dtype.is_float() else "text"


def _is_big(name: str, column: pl.Series) -> bool:
    if name in MOMENTS or len(column) == column.null_count():
        return False
    least, most = column.min(), column.max()
    return isinstance(least, int) and isinstance(most, int) and (most > _SAFE or least < -_SAFE)


def _values(name: str, column: pl.Series) -> Any:
    """What orjson writes for a column: an array of numbers without a Python object for each, where there is no null."""
    if column.dtype.is_integer() and _is_big(name, column):
        return column.cast(pl.String).to_list()
    if column.dtype.is_numeric() and column.null_count() == 0:
        return column.to_numpy()
    if column.dtype == pl.String or column.dtype.is_numeric() or column.dtype == pl.Boolean:
        return column.to_list()
    return column.cast(pl.String, strict=False).to_list()
