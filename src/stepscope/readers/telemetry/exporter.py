"""Pages of DCGM's exporter, in the text format of Prometheus; a file may hold many of them."""

from __future__ import annotations

import re

import polars as pl

from stepscope.readers.telemetry.samples import SAMPLE

_SAMPLE = re.compile(r'(DCGM_FI_\w{1,80})\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\}\s+(\S{1,40})(?:\s+(\d{10,16}))?\s*')
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_HELP = re.compile(r"# HELP (DCGM_FI_\w{1,80}) .*\((?:in |ratio of )?([^()]{1,20})\)\.?\s*")
_MISSING = [(9223372036854774784, 9223372036854775808), (2147483632, 2147483635), (140737488355328, 140737488355331)]
"""Values that stand for none: of 64 bits, of 32 bits, and of floats."""

_UNITS = {"W": "W", "C": "C", "MHz": "MHz", "%": "%", "mJ": "mJ", "MiB": "MiB", "MB": "MB", "us": "us"}


def exported(text: str) -> tuple[pl.DataFrame, int]:
    """Samples of DCGM's exporter, and how many lines are none. Times are null where a page has none."""
    units: dict[str, str] = {}
    rows: list[tuple[int | None, int | None, str, float | None]] = []
    odd = 0
    for line in text.splitlines():
        helped = _HELP.fullmatch(line)
        if helped is not None and helped[2] in _UNITS:
            units[helped[1]] = _UNITS[helped[2]]
        if not line.strip() or line.startswith("#"):
            continue
        found = _SAMPLE.fullmatch(line)
        if found is None:
            odd += 1
            continue
        labels = dict(_LABEL.findall(found[2]))
        time = int(found[4]) * 1_000_000 if found[4] else None
        gpu = int(labels["gpu"]) if labels.get("gpu", "").isdecimal() and len(labels["gpu"]) < 6 else None
        unit = units.get(found[1])
        title = found[1].removeprefix("DCGM_FI_")
        rows.append((time, gpu, f"{title} ({unit})" if unit else title, _value(found[3])))
    return pl.DataFrame(rows, schema=SAMPLE, orient="row"), odd


def _value(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    missing = value != value or any(low <= value <= high for low, high in _MISSING)
    return None if missing else value
