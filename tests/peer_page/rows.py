"""The rows of a trace file as plain objects, for the recomputations beside this module.

It imports nothing of stepscope. Times stay as the file writes them, in us.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Range = tuple[float, float]


@dataclass(frozen=True)
class Row:
    """A row with a duration. ``start`` and ``end`` in us."""

    number: int
    name: str
    category: str
    place: tuple[str, str]
    start: float
    end: float
    args: dict[str, Any]

    @property
    def duration(self) -> float:
        return self.end - self.start


@cache
def raw_rows(path: Path) -> list[dict[str, Any]]:
    """Every row of the file."""
    with gzip.open(path) as file:
        rows: list[dict[str, Any]] = json.load(file)["traceEvents"]
    return rows


@cache
def timed_rows(path: Path) -> list[Row]:
    """The rows with a duration, profiler's own span left out."""
    return [
        Row(
            number,
            row["name"],
            row["cat"],
            (str(row.get("pid")), str(row.get("tid"))),
            row["ts"],
            row["ts"] + row["dur"],
            row.get("args") or {},
        )
        for number, row in enumerate(raw_rows(path))
        if row.get("ph") == "X" and row["cat"] != "Trace"
    ]


def merged(ranges: Iterable[Range]) -> list[Range]:
    """The union as ranges that do not touch, in order."""
    union: list[Range] = []
    for start, end in sorted(ranges):
        if union and start <= union[-1][1]:
            union[-1] = union[-1][0], max(union[-1][1], end)
        elif end > start:
            union.append((start, end))
    return union


def length(ranges: Iterable[Range]) -> float:
    """Length of the union."""
    return sum(end - start for start, end in merged(ranges))


def common(one: Iterable[Range], other: Iterable[Range]) -> float:
    """Length of what two unions share."""
    left, right = list(one), list(other)
    return length(left) + length(right) - length([*left, *right])


def clipped(ranges: Iterable[Range], window: Range) -> list[Range]:
    """The parts inside a window."""
    inside = [(max(start, window[0]), min(end, window[1])) for start, end in ranges]
    return [(start, end) for start, end in inside if end > start]
