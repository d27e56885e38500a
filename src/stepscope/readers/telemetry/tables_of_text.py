"""Logs that are tables: ``nvidia-smi --query-gpu``, ``nvidia-smi dmon``, and CSV with a column of time."""

from __future__ import annotations

import io
import re
from collections import Counter

import polars as pl

from stepscope.readers.telemetry.samples import SAMPLE, as_number

_TIME_FORMATS = ("%Y/%m/%d %H:%M:%S%.f", "%Y%m%d %H:%M:%S", "%Y-%m-%d %H:%M:%S%.f")
_IDENTITY = ("index", "gpu", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "name", "gpu_name", "serial", "timestamp")
_MOST_GPUS = 1 << 20
_HEADED = re.compile(r"(.*\S)\s*\[([^\]]+)\]")
_SUFFIXES = {
    "_pct": "%",
    "_bytes_per_s": "B/s",
    "_bytes": "B",
    "_mw": "mW",
    "_w": "W",
    "_mj": "mJ",
    "_j": "J",
    "_c": "C",
    "_mhz": "MHz",
    "_kbps": "KB/s",
    "_mbps": "MB/s",
    "_gbps": "GB/s",
    "_mib": "MiB",
    "_mb": "MB",
    "_gib": "GiB",
}
_DMON_UNITS = {"MB/s": "MB/s", "MB": "MiB", "C": "C", "W": "W", "%": "%", "MHz": "MHz"}


def queried(text: str) -> tuple[pl.DataFrame, int]:
    """Samples of ``nvidia-smi --query-gpu=... --format=csv``, and how many lines are no row of it."""
    lines = [line for line in text.splitlines() if line.strip()]
    header = lines[0]
    rows = [line for line in lines[1:] if line != header]
    names = _distinct([name.strip() for name in header.split(",")])
    frame, odd = cells(rows, names, ",")
    plain = [name.partition(" [")[0] for name in names]
    if "index" in plain:
        frame, wrong = _with_gpu(frame, names[plain.index("index")])
        odd += wrong
    gpu = _numbered(frame, plain)
    time = _time(frame[names[plain.index("timestamp")]])
    counters = {name: _titled(name) for name, short in zip(names, plain, strict=True) if short not in _IDENTITY}
    return _long(frame, time, gpu, counters), odd


def monitored(text: str) -> tuple[pl.DataFrame, int]:
    """Samples of ``nvidia-smi dmon``, and how many lines are no row of it."""
    lines = [line for line in text.splitlines() if line.strip()]
    names = _distinct(lines[0].lstrip("# ").split())
    units = lines[1].lstrip("# ").split() if len(lines) > 1 and lines[1].startswith("#") else []
    frame, odd = cells([" ".join(line.split()) for line in lines if not line.startswith("#")], names, " ")
    frame, wrong = _with_gpu(frame, "gpu")
    odd += wrong
    moment = pl.concat_str([pl.col(name) for name in ("Date", "Time") if name in names] or [pl.lit("")], separator=" ")
    time = _time(frame.select(moment.alias("time")).to_series())
    gpu = frame.select(as_number("gpu").cast(pl.Int64).alias("gpu")).to_series()
    shown = dict(zip(names, units, strict=False))
    counters = {
        name: f"{name} ({_DMON_UNITS[shown[name]]})" if shown.get(name) in _DMON_UNITS else name
        for name in names
        if name not in ("gpu", "Date", "Time")
    }
    return _long(frame, time, gpu, counters), odd


def plain(text: str) -> tuple[pl.DataFrame, int]:
    """Samples of a CSV with a column ``time_ns``, and perhaps ``gpu``; and how many lines are no row of it."""
    lines = [line for line in text.splitlines() if line.strip()]
    names = _distinct([name.strip() for name in lines[0].split(",")])
    frame, odd = cells(lines[1:], names, ",")
    if "gpu" in names:
        frame, wrong = _with_gpu(frame, "gpu")
        odd += wrong
    time = frame.select(pl.col("time_ns").str.strip_chars().cast(pl.Int64, strict=False)).to_series()
    own = frame.select(as_number("gpu").cast(pl.Int64)).to_series() if "gpu" in names else None
    gpu = own if own is not None else pl.Series("gpu", [0] * len(frame), pl.Int64)
    counters = {name: suffixed(name) for name in names if name not in ("time_ns", "gpu")}
    return _long(frame, time, gpu, counters), odd


def cells(rows: list[str], names: list[str], separator: str) -> tuple[pl.DataFrame, int]:
    """Rows as cells, without those that have another number of them."""
    good = [row for row in rows if row.count(separator) == len(names) - 1]
    schema = dict.fromkeys(names, pl.String)
    if not good:
        return pl.DataFrame(schema=schema), len(rows)
    frame = pl.read_csv(
        io.BytesIO("\n".join(good).encode()), has_header=False, separator=separator, quote_char=None, schema=schema
    )
    return frame.select(pl.all().str.strip_chars()), len(rows) - len(good)


def _distinct(names: list[str]) -> list[str]:
    """Headings of columns, each once: a query may ask for one thing twice.

    >>> _distinct(["index", "power.draw [W]", "power.draw [W]"])
    ['index', 'power.draw [W]', 'power.draw#2 [W]']
    """
    count: Counter[str] = Counter()
    found = []
    for name in names:
        count[name] += 1
        plain, bracket, unit = name.partition(" [")
        found.append(name if count[name] == 1 else f"{plain}#{count[name]}{bracket}{unit}")
    return found


def _with_gpu(frame: pl.DataFrame, column: str) -> tuple[pl.DataFrame, int]:
    """The rows whose GPU has a number that one may have, or that are of no GPU; and how many others there are."""
    number = as_number(column)
    known = frame.filter((number.is_between(0, _MOST_GPUS) & (number == number.floor())) | (pl.col(column) == ""))
    return known, len(frame) - len(known)


def _time(texts: pl.Series) -> pl.Series:
    """Moments in ns since 1970, as if the log's zone were UTC: it names none."""
    parsed = [texts.str.strptime(pl.Datetime("ns"), form, strict=False) for form in _TIME_FORMATS]
    return pl.select(pl.coalesce(parsed).cast(pl.Int64).alias("time_ns")).to_series()


def _numbered(frame: pl.DataFrame, plain: list[str]) -> pl.Series:
    """The GPU of each row: its index, else its place among the GPUs that the log names, in order of their names."""
    by_plain = dict(zip(plain, frame.columns, strict=True))
    if "index" in by_plain:
        return frame.select(as_number(by_plain["index"]).cast(pl.Int64).alias("gpu")).to_series()
    named = next(
        (by_plain[name] for name in ("pci.bus_id", "gpu_bus_id", "uuid", "gpu_uuid") if name in by_plain), None
    )
    if named is None:
        return pl.Series("gpu", [0] * len(frame), pl.Int64)
    return frame.select((pl.col(named).rank("dense") - 1).cast(pl.Int64).alias("gpu")).to_series()


def _long(frame: pl.DataFrame, time: pl.Series, gpu: pl.Series, counters: dict[str, str]) -> pl.DataFrame:
    """A row for each sample, columns `SAMPLE`; columns that never have a number are no counters."""
    parts = []
    for name, title in counters.items():
        values = frame.select(as_number(name)).to_series()
        if values.is_not_null().any():
            columns = [time.alias("time_ns"), gpu.alias("gpu"), values.alias("value")]
            parts.append(pl.DataFrame(columns).with_columns(pl.lit(title).alias("counter")).select(*SAMPLE))
    return pl.concat(parts) if parts else pl.DataFrame(schema=SAMPLE)


def _titled(name: str) -> str:
    """A heading of nvidia-smi with its unit in parentheses.

    >>> _titled("power.draw [W]"), _titled("pstate")
    ('power.draw (W)', 'pstate')
    """
    found = _HEADED.fullmatch(name)
    return f"{found[1]} ({found[2]})" if found else name


def suffixed(name: str) -> str:
    """A name that ends in its unit, with the unit in parentheses.

    >>> suffixed("power_mw"), suffixed("throttle_reasons")
    ('power (mW)', 'throttle_reasons')
    """
    for suffix, unit in _SUFFIXES.items():
        if name.endswith(suffix):
            return f"{name.removesuffix(suffix)} ({unit})"
    return name
