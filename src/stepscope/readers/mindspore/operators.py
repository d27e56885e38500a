"""Operators and kernels as the GPU's and the CPU's profiler write them: when each ran, and what they add up to.

Times of operators are the host's, on a GPU too: from launch to synchronisation, or to the end of the launch. Kernels
have their own. Which operator launched a kernel is in neither.
"""

from __future__ import annotations

import csv
import io
from typing import Any

import polars as pl

_MOST_NS = 1 << 62
_TIMED = {"name": pl.String, "start_ns": pl.Int64, "duration_ns": pl.Int64, "thread": pl.String}
_OPERATOR = r"^(.*);([^;]*);(.*)$"
_KERNEL = r"^(.*);([^;]*);([^;]*);([^;]*)$"

Rows = tuple[pl.DataFrame, int]
"""A frame, and how many lines or entries are none of it."""


def operators(text: str, unit_ns: float) -> Rows:
    """``NAME;SIDE;START_NS,DURATION[,THREAD] ...``, a line for each operator.

    Args:
        unit_ns: of the durations. They have six digits, which a float holds.
    """
    lines = _lines(text)
    parts = lines.str.extract_groups(_OPERATOR).struct.unnest()
    frame = pl.DataFrame({"name": parts["1"], "category": parts["2"], "times": parts["3"].str.split(" ")})
    runs = frame.explode("times").filter(pl.col("name").is_not_null() & (pl.col("times").fill_null("") != ""))
    fields = runs["times"].str.split(",").list
    runs = runs.with_columns(
        fields.get(0, null_on_oob=True).cast(pl.Int64, strict=False).alias("start_ns"),
        _duration(fields.get(1, null_on_oob=True), unit_ns),
        fields.get(2, null_on_oob=True).fill_null("").alias("thread"),
    )
    whole = _whole(runs)
    columns = ["category", *_TIMED]
    return whole.select(columns), len(runs) - len(whole) + parts["1"].null_count()


def kernels(text: str) -> Rows:
    """``NAME;STREAM;START_NS;DURATION_US``, a line for each launch. A name may hold semicolons."""
    parts = _lines(text).str.extract_groups(_KERNEL).struct.unnest()
    frame = pl.DataFrame(
        {
            "name": parts["1"],
            "stream": parts["2"].cast(pl.Int64, strict=False),
            "start_ns": parts["3"].cast(pl.Int64, strict=False),
            "duration_ns": _duration(parts["4"], 1e3),
        }
    )
    whole = _whole(frame)
    return whole, len(frame) - len(whole)


def _lines(text: str) -> pl.Series:
    lines = pl.Series("line", text.split("\n"), dtype=pl.String).str.strip_chars_end("\r ")
    return lines.filter(lines != "")


def _duration(texts: pl.Series, unit_ns: float) -> pl.Series:
    """Durations in ns; null where there is none, or none that can be."""
    value = (texts.cast(pl.Float64, strict=False) * unit_ns).round()
    sound = value.is_finite() & (value >= 0) & (value < _MOST_NS)
    return value.set(~sound.fill_null(False), None).cast(pl.Int64).alias("duration_ns")


def _whole(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows with a name and a time of which the end, too, is one."""
    start = pl.col("start_ns")
    sound = start.is_between(0, _MOST_NS) & pl.col("duration_ns").is_not_null() & pl.col("name").is_not_null()
    return frame.filter(sound.fill_null(False))


def operator_totals(text: str) -> Rows:
    """What the profiler adds up for each operator: host time, and beside it what CUPTI counts for it on a GPU.

    ``gpu_op_detail_info`` is in us, ``cpu_op_detail_info`` in ms, as their headers say.
    """
    rows, odd = [], 0
    for row in csv.DictReader(io.StringIO(text)):
        unit = "us" if "op_total_time(us)" in row else "ms"
        name = row.get("op_full_name") or row.get("full_op_name") or row.get("op_name")
        calls, host = _count(row.get("op_occurrences")), _ns(row.get(f"op_total_time({unit})"), unit)
        if not name or calls is None or host is None:
            odd += 1
            continue
        rows.append(
            {
                "name": name,
                "kind": row.get("op_type") or "",
                "side": row.get("op_side") or "",
                "calls": calls,
                "host_ns": host,
                "activity_ns": _ns(row.get("cuda_activity_cost_time(us)"), "us"),
                "activities": _count(row.get("cuda_activity_call_count")),
            }
        )
    types: dict[str, Any] = dict.fromkeys(("name", "kind", "side"), pl.String)
    types |= dict.fromkeys(("calls", "host_ns", "activity_ns", "activities"), pl.Int64)
    return pl.DataFrame(rows, schema=types), odd


def activity_totals(text: str) -> Rows:
    """What the profiler adds up for each name of a kernel: operator, stream, block and grid are of the first launch.

    Names stand in quotes of which those inside are not doubled, so a row is read from its end.
    """
    lines = _lines(text).to_list()
    rows, odd = [], 0
    for line in lines[1:]:
        row = _activity(line)
        odd += row is None
        rows += [row] if row is not None else []
    types: dict[str, Any] = dict.fromkeys(("name", "kind", "operator", "block", "grid"), pl.String)
    types |= dict.fromkeys(("stream", "calls", "total_ns", "min_ns", "max_ns"), pl.Int64)
    return pl.DataFrame(rows, schema=types), odd


def _activity(line: str) -> dict[str, object] | None:
    quoted = line.startswith('"')
    end = line.rfind('",', 0, _end_of_name(line)) if quoted else line.find(",")
    name, rest = line[1:end] if quoted else line[:end], line[end + (2 if quoted else 1) :]
    try:
        cells = next(csv.reader([rest]), []) if end > 0 else []
    except csv.Error:
        cells = []
    if len(cells) != 10:
        return None
    kind, operator, stream, block, grid, calls, total, _, longest, shortest = cells
    counted, total_ns = _count(calls), _ns(total, "us")
    if counted is None or total_ns is None:
        return None
    return {
        "name": name,
        "kind": kind,
        "operator": operator,
        "block": block,
        "grid": grid,
        "stream": _count(stream),
        "calls": counted,
        "total_ns": total_ns,
        "min_ns": _ns(shortest, "us"),
        "max_ns": _ns(longest, "us"),
    }


def _end_of_name(line: str) -> int:
    """Where to look no further for the end of a name: before the quotes of block and grid, which are the last ones."""
    at = len(line)
    for _ in range(4):
        at = line.rfind('"', 0, at)
        if at < 0:
            return len(line)
    return at


def _ns(text: str | None, unit: str) -> int | None:
    found = _duration(pl.Series([text], dtype=pl.String), 1e3 if unit == "us" else 1e6)
    value: int | None = found[0]
    return value


def _count(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and text.isascii() and len(text) < 18 else None


def host_to_gpu_ns(text: str) -> int:
    """What is added to times of CPU operators to count as those of the GPU do (``start_time``); 0 where unknown."""
    found: dict[str, int] = {}
    for line in text.split("\n"):
        name, _, value = line.partition(":")
        number = _count(value.strip())
        if number is not None:
            found[name.partition("(")[0].strip()] = number
    host, gpu = found.get("host_monotonic_raw_time"), found.get("gpu_start_time")
    return gpu - host if host is not None and gpu is not None else 0
