"""What ``stepscope telemetry`` writes: a JSON value a line, see `stepscope.capture.telemetry.lines`.

The first says which counters each group of samples holds, lists are samples, objects hold counters that come and go.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from stepscope.readers.telemetry.samples import SAMPLE
from stepscope.readers.telemetry.tables_of_text import cells, suffixed

VERSION = "stepscope_telemetry"
_KNOWN = 1
_GPU = re.compile(r"gpu(\d{1,4})\.(.+)", re.DOTALL)
_GROUP = re.compile(r"\w{1,40}")
_TIMES = ("time_ns", "monotonic_ns")
_MOST_COUNTERS = 20_000
_LONGEST = 200


@dataclass
class Said:
    """What the file says beside its samples.

    Attributes:
        host: name of the machine, "" where it does not say.
        refused: counters that could not be had, each with the reason.
    """

    host: str = ""
    refused: dict[str, str] = field(default_factory=dict)


def own_lines(text: str) -> tuple[pl.DataFrame, int, Said]:
    """Samples, how many lines are none, and what is said beside them.

    Raises:
        ValueError: the first line is no header of a version that is known.
    """
    lines = text.splitlines()
    header = json.loads(lines[0])
    groups = header.get("groups") if isinstance(header, dict) else None
    if not isinstance(groups, dict) or header.get(VERSION) != _KNOWN:
        raise ValueError("no header of telemetry")
    said = Said(str(header.get("host") or "")[:_LONGEST])
    rest = pl.Series("line", [line for line in lines[1:] if line.strip()], dtype=pl.String)
    parts, odd = _objects(rest.filter(rest.str.starts_with("{")).to_list(), said)
    is_sample = pl.Series([False] * len(rest), dtype=pl.Boolean)
    for group, columns in groups.items():
        begin = f'["{group}",'
        mine = rest.str.starts_with(begin) & rest.str.ends_with("]")
        names = _names(group, columns)
        is_sample |= mine
        found, wrong = _group(rest.filter(mine).str.slice(len(begin)).str.head(-1).to_list(), names)
        parts += found
        odd += wrong
    odd += int((~is_sample & ~rest.str.starts_with("{")).sum())
    return (pl.concat(parts) if parts else pl.DataFrame(schema=SAMPLE)), odd, said


def _names(group: object, columns: object) -> list[str]:
    """The counters of a group.

    Raises:
        ValueError: they are no list of names, or too many, or two are alike.
    """
    names = columns if isinstance(columns, list) else []
    known = all(isinstance(name, str) and 0 < len(name) <= _LONGEST for name in names)
    is_group = isinstance(group, str) and _GROUP.fullmatch(group)
    if not is_group or not names or not known or len(set(names)) < len(names) or len(names) > _MOST_COUNTERS:
        raise ValueError("no counters of a group")
    return list(names)


def _group(rows: list[str], names: list[str]) -> tuple[list[pl.DataFrame], int]:
    """Samples of one group, a frame for each counter; and how many rows have another number of values."""
    places = [f"#{at}" for at in range(len(names))]
    frame, odd = cells(rows, [*_TIMES, *places], ",")
    time = pl.col("time_ns").cast(pl.Int64, strict=False).alias("time_ns")
    parts = []
    for place, name in zip(places, names, strict=True):
        value = pl.col(place).cast(pl.Float64, strict=False).alias("value")
        gpu, counter = counter_of(name)
        parts.append(frame.select(time, pl.lit(gpu, pl.Int64).alias("gpu"), pl.lit(counter).alias("counter"), value))
    return [part.select(_finite(part)) for part in parts], odd


def _objects(lines: list[str], said: Said) -> tuple[list[pl.DataFrame], int]:
    """Samples of counters that come and go, and how many lines are no object."""
    rows: list[tuple[int | None, int | None, str, float]] = []
    odd = 0
    for line in lines:
        try:
            found = json.loads(line)
            time, values, refused = found.get("time_ns"), found.get("values", {}), found.get("refused", {})
            rows += [(_whole(time), *counter_of(name), float(value)) for name, value in values.items()]
            said.refused |= {str(name)[:_LONGEST]: str(why)[:_LONGEST] for name, why in refused.items()}
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
            odd += 1
    frame = pl.DataFrame(rows, schema=SAMPLE, orient="row")
    return [frame.select(_finite(frame))], odd


def _whole(time: Any) -> int | None:
    return time if type(time) is int and abs(time) < 1 << 63 else None


def _finite(frame: pl.DataFrame) -> list[pl.Expr]:
    """Columns `SAMPLE`, without values that are no numbers."""
    value = pl.when(pl.col("value").is_finite()).then(pl.col("value")).alias("value")
    return [value if name == "value" else pl.col(name) for name in SAMPLE]


def counter_of(name: str) -> tuple[int | None, str]:
    """The GPU of a counter, None of the host, and its name with the unit in parentheses.

    >>> counter_of("gpu3.power_mw"), counter_of("cpu12.busy_pct")
    ((3, 'power (mW)'), (None, 'cpu12.busy (%)'))
    """
    found = _GPU.fullmatch(name)
    return (int(found[1]), suffixed(found[2])) if found else (None, suffixed(name))
