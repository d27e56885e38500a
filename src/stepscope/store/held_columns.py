"""Columns that are held in memory from the reading of a trace until its tables are made."""

from __future__ import annotations

from collections import defaultdict

import polars as pl

_TIMES = ("name", "process", "thread", "start_ns", "duration_ns")
_ASKED_FIRST = {
    "operator": (*_TIMES, "external_id"),
    "runtime": (*_TIMES, "correlation"),
    "activity": (*_TIMES, "activity", "device", "stream", "context", "correlation", "event", "collective"),
}
"""By table, what every report begins with. Others are read where they are asked for, or never."""


class HeldColumns:
    """Some columns of what is written to a store; none once they take more than ``most_bytes``."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._parts: defaultdict[str, list[pl.DataFrame]] = defaultdict(list)
        self._bytes: int | float = 0

    def add(self, table: str, frame: pl.DataFrame) -> None:
        """Hold what is asked for first of a part of a table."""
        if table not in _ASKED_FIRST or self._bytes > self._most_bytes:
            return
        part = frame.select(name for name in _ASKED_FIRST[table] if name in frame.columns)
        self._parts[table].append(part)
        self._bytes += part.estimated_size()
        if self._bytes > self._most_bytes:
            self._parts.clear()

    def take(self) -> dict[str, pl.DataFrame]:
        """By table, each column in one piece, and no longer held here."""
        found = {}
        while self._parts:
            table, parts = self._parts.popitem()
            if all(part.columns == parts[0].columns for part in parts):
                found[table] = pl.concat(parts, rechunk=True)
        return found
