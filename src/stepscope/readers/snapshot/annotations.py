"""Ranges that the program named, and profiler steps: a snapshot holds their starts and ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from stepscope.numeric.pickle_machine import DICT
from stepscope.readers.snapshot.values import Values
from stepscope.schema import STORE_TABLES

_KEYS = ("name", "stage", "device", "time_us")
_CATEGORY = "user_annotation"
_LONGEST_NS = 1 << 60


class Annotations:
    """All of them.

    Attributes:
        count: rows that they make: a range is one, a start without an end another.
        damaged: entries that are none.
    """

    def __init__(self, values: Values, annotations: int | None) -> None:
        found, kinds = values.members(annotations) if annotations is not None else (np.empty(0, np.int64), np.empty(0))
        dicts = found[kinds == DICT]
        self.count = 0
        self._values = values
        values.note_unknown("annotation", dicts, _KEYS)
        frame = pl.DataFrame(
            [
                values.words(dicts, "name"),
                values.words(dicts, "stage"),
                values.numbers(dicts, "device", (1 << 31) - 1, -1),
                values.times(dicts, "time_us").alias("at_ns"),
            ]
        )
        good = pl.col("stage").is_in([values.code("START"), values.code("END")]) & pl.col("at_ns").is_not_null()
        self._edges = frame.filter(good & pl.col("name").is_not_null())
        self.damaged = len(found) - len(self._edges)

    def tables(self, first_event: int) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield whole ranges as ``annotation``, what has no other end as ``other``."""
        ranges, single = self._paired()
        self.count = len(ranges) + len(single)
        category = self._values.code(_CATEGORY)
        phases = {True: self._values.code("B"), False: self._values.code("E")}
        if ranges:
            rows = sorted(ranges, key=lambda row: (row[1], -row[2]))
            columns = {
                "event": range(first_event, first_event + len(rows)),
                "category": [category] * len(rows),
                "name": [row[0] for row in rows],
                "start_ns": [row[1] for row in rows],
                "duration_ns": [row[2] for row in rows],
            }
            yield "annotation", _frame("annotation", columns)
        if single:
            columns = {
                "event": range(first_event + len(ranges), first_event + self.count),
                "phase": [phases[is_start] for _, _, is_start in single],
                "category": [category] * len(single),
                "name": [name for name, _, _ in single],
                "start_ns": [at for _, at, _ in single],
                "broken": [0] * len(single),
            }
            yield "other", _frame("other", columns)

    def _paired(self) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, bool]]]:
        """Ranges (name, start, length), and starts and ends (name, time, whether a start) without their other one.

        An end closes the latest open range of its name and device.
        """
        start_code = self._values.code("START")
        opened: dict[tuple[int, int], list[int]] = defaultdict(list)
        ranges, single = [], []
        for name, stage, device, at in self._edges.iter_rows():
            key = (name, -1 if device is None else device)
            if stage == start_code:
                opened[key].append(at)
            elif opened[key] and 0 <= at - opened[key][-1] < _LONGEST_NS:
                began = opened[key].pop()
                ranges.append((name, began, at - began))
            else:
                single.append((name, at, False))
        single += [(name, at, True) for (name, _), several in opened.items() for at in several]
        return ranges, single


def _frame(table: str, columns: Mapping[str, object]) -> pl.DataFrame:
    types = STORE_TABLES[table]
    return pl.DataFrame(columns, schema={name: types[name] for name in columns})
