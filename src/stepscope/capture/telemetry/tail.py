"""The last seconds of a file of telemetry that is still being written (`lines`)."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator
from typing import Any

from stepscope.capture.telemetry.lines import VERSION

_MOST_HEADER_BYTES = 1 << 18
_MOST_BYTES = 4 << 20

Samples = dict[str, list[tuple[int, float]]]
"""Of each counter: time in ns since 1970, and the value."""


def last_seconds(path: str, seconds: float, wanted: Collection[str]) -> Samples:
    """What some counters were in the last seconds of a file, by its own clock; those without a value are left out.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        groups = _groups(file.readline(_MOST_HEADER_BYTES))
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _MOST_BYTES))
        lines = file.read(_MOST_BYTES).splitlines()
    found: Samples = {}
    end = None
    for line in reversed(lines):
        for moment, name, value in _values(line, groups):
            end = moment if end is None else end
            if moment < end - round(seconds * 1e9):
                return _in_order(found)
            if name in wanted and isinstance(value, (int, float)):
                found.setdefault(name, []).append((moment, value))
    return _in_order(found)


def _groups(header: bytes) -> dict[str, list[str]]:
    try:
        said = json.loads(header)
        groups = said["groups"] if VERSION in said else {}
        return {str(name): [str(one) for one in columns] for name, columns in groups.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}


def _values(line: bytes, groups: dict[str, list[str]]) -> Iterator[tuple[int, str, Any]]:
    """Of a line; nothing of one that is cut off."""
    try:
        said = json.loads(line)
    except ValueError:
        return
    if isinstance(said, list) and len(said) > 3 and isinstance(said[1], int):
        for name, value in zip(groups.get(str(said[0]), ()), said[3:], strict=False):
            yield said[1], name, value
    elif isinstance(said, dict) and isinstance(said.get("values"), dict) and isinstance(said.get("time_ns"), int):
        for name, value in said["values"].items():
            yield said["time_ns"], name, value


def _in_order(found: Samples) -> Samples:
    return {name: samples[::-1] for name, samples in found.items()}
