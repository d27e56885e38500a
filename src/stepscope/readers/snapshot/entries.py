"""The history of the allocator: one entry for each thing it did, device by device."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from stepscope.numeric.pickle_machine import DICT, LIST, Ints
from stepscope.readers.snapshot.stacks import Stacks
from stepscope.readers.snapshot.values import Values
from stepscope.schema import STORE_TABLES

_KEYS = (
    "action",
    "addr",
    "device_free",
    "size",
    "stream",
    "time_us",
    "frames",
    "compile_context",
    "user_metadata",
    "pool_id",
)
_PART = 1 << 17


class Entries:
    """The entries of all devices.

    Attributes:
        count: how many there are, those that are none included.
        damaged: entries that are none.
        timed: whether any has a time.
        repeated: whether one history stands for several devices, as no recorder writes it.
    """

    def __init__(self, values: Values, histories: int | None) -> None:
        self.count = self.damaged = 0
        self.timed = False
        self._values = values
        lists, kinds = values.members(histories) if histories is not None else (np.empty(0, np.int64), None)
        self._lists = (
            [int(one) if kind == LIST else None for one, kind in zip(lists, kinds, strict=True)]
            if kinds is not None
            else []
        )
        filled = [one for one in self._lists if one is not None and values.machine.size[one]]
        self.repeated = len(set(filled)) < len(filled)

    def tables(self, stacks: Stacks) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield the table ``memory_trace`` in parts."""
        for device, history in enumerate(self._lists):
            if history is None:
                continue
            values, kinds = self._values.members(history)
            self.damaged += int(np.count_nonzero(kinds != DICT))
            entries, events = values[kinds == DICT], self.count + np.flatnonzero(kinds == DICT)
            self.count += len(values)
            for at in range(0, len(entries), _PART):
                yield "memory_trace", self._frame(entries[at : at + _PART], events[at : at + _PART], device, stacks)

    def _frame(self, entries: Ints, events: Ints, device: int, stacks: Stacks) -> pl.DataFrame:
        values = self._values
        values.note_unknown("entry", entries, _KEYS)
        free = values.sizes(entries, "device_free")
        columns = {
            "event": pl.Series(events),
            "device": pl.repeat(device, len(entries), dtype=pl.Int64, eager=True),
            "action": values.words(entries, "action"),
            "address": values.numbers(entries, "addr"),
            "bytes": values.sizes(entries, "size"),
            "stream": values.numbers(entries, "stream", least=-(1 << 62)),
            "time_ns": values.times(entries, "time_us"),
            "stack": stacks.numbers(values.lists(entries, "frames")),
            "pool": values.pairs(entries, "pool_id"),
            "compile_context": values.words(entries, "compile_context"),
            "user_metadata": values.words(entries, "user_metadata"),
            "free_bytes": free,
        }
        self.timed = self.timed or bool(columns["time_ns"].is_not_null().any())
        return pl.DataFrame(columns, schema=STORE_TABLES["memory_trace"])
