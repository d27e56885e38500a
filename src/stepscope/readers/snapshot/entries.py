"""The history of the allocator: one entry for each thing it did, device by device."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from stepscope.numeric.pickle_machine import DICT, LIST, Ints
from stepscope.readers.snapshot.stacks import Stacks
from stepscope.readers.snapshot.time_range import OTHER, bounds_of, kept_entries, kind_of
from stepscope.readers.snapshot.values import Values
from stepscope.readers.sources import Between
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
        left_out: entries that are not in the part of the time that is wanted.
        part: that part: time of the first entry of all, from and to, in ns; None for all of it.
        repeated: whether one history stands for several devices, as no recorder writes it.
    """

    def __init__(self, values: Values, histories: int | None, between: Between | None = None) -> None:
        self.count = self.damaged = self.left_out = 0
        self.timed = False
        self.part: tuple[int, int, int] | None = None
        self._values = values
        lists, kinds = values.members(histories) if histories is not None else (np.empty(0, np.int64), None)
        self._lists = (
            [int(one) if kind == LIST else None for one, kind in zip(lists, kinds, strict=True)]
            if kinds is not None
            else []
        )
        filled = [one for one in self._lists if one is not None and values.machine.size[one]]
        self.repeated = len(set(filled)) < len(filled)
        if between is not None:
            span = self._span_ns()
            self.part = None if span is None else (span[0], *bounds_of(*span, between))

    def tables(self, stacks: Stacks) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield the table ``memory_trace`` in parts."""
        for device, history in enumerate(self._lists):
            if history is None:
                continue
            values, kinds = self._values.members(history)
            self.damaged += int(np.count_nonzero(kinds != DICT))
            entries, events = values[kinds == DICT], self.count + np.flatnonzero(kinds == DICT)
            self.count += len(values)
            kept = self._kept(entries)
            self.left_out += len(entries) - len(kept)
            entries, events = entries[kept], events[kept]
            for at in range(0, len(entries), _PART):
                yield "memory_trace", self._frame(entries[at : at + _PART], events[at : at + _PART], device, stacks)

    def _span_ns(self) -> tuple[int, int] | None:
        """When the first and the last entry with a time were made; None where none has one."""
        ends: list[int] = []
        for history in (one for one in self._lists if one is not None):
            for dicts in self._parts(self._dicts(history)):
                known = self._values.times(dicts, "time_us").drop_nulls()
                ends += [int(known.min()), int(known.max())] if len(known) else []  # type: ignore[arg-type]
        return (min(ends), max(ends)) if ends else None

    def _dicts(self, history: int) -> Ints:
        values, kinds = self._values.members(history)
        dicts: Ints = values[kinds == DICT]
        return dicts

    @staticmethod
    def _parts(entries: Ints) -> Iterator[Ints]:
        """Some entries at a time: what is made of all of them on the way is as large as what it is made from."""
        return (entries[at : at + _PART] for at in range(0, len(entries), _PART))

    def _kept(self, entries: Ints) -> Ints:
        """Places of the entries that are wanted."""
        if self.part is None:
            return np.arange(len(entries))
        values, told = self._values, self._values.odd.copy()
        kind, address, at_ns = np.empty(len(entries), np.uint8), *(np.empty(len(entries), np.int64) for _ in range(2))
        kinds: dict[int | None, int] = {None: OTHER}
        for number, part in enumerate(self._parts(entries)):
            where = slice(number * _PART, number * _PART + len(part))
            words = values.words(part, "action")
            for code in words.unique().drop_nulls().to_list():
                text = values.texts.texts(code, code + 1)[0].decode("utf-8", "replace")
                kinds.setdefault(code, kind_of(text))
            kind[where] = words.replace_strict(kinds, return_dtype=pl.UInt8).to_numpy()
            address[where] = values.numbers(part, "addr").fill_null(-1).to_numpy()
            at_ns[where] = values.times(part, "time_us").fill_null(-1).to_numpy()
        values.odd = told  # those that are kept are counted when they are read
        return np.flatnonzero(kept_entries(kind, address, at_ns, self.part[1:]))

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
