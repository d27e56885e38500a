"""Files of JSON objects, one a line: appended to by several processes, read whatever they hold."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

LONGEST_LINE = 1 << 20


def append_line(path: str, value: Mapping[str, Any]) -> None:
    """Add an object in one write, so that lines of several processes do not mix; a missing folder is made.

    Raises:
        OSError: the file cannot be written.
    """
    line = json.dumps(value, ensure_ascii=True, allow_nan=False) + "\n"
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(handle, line.encode())
    finally:
        os.close(handle)


def read_lines(path: str) -> tuple[list[dict[str, Any]], int]:
    """The objects of a file in their order, and how many lines are none; empty lines do not count.

    Raises:
        OSError: the file cannot be read.
    """
    found: list[dict[str, Any]] = []
    broken = 0
    with open(path, "rb") as file:
        while line := file.readline(LONGEST_LINE):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                value = None
            if isinstance(value, dict):
                found.append(value)
            else:
                broken += bool(line.strip())
    return found, broken
