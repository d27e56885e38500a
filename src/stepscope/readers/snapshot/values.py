"""Decoded values by what they are: dicts by key, as columns of numbers or texts, with what does not fit counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import polars as pl

from stepscope.numeric import pickle_machine
from stepscope.numeric.pickle_machine import ABSENT, BOOL, DICT, EMPTY, INT, LIST, TEXT, TUPLE, Ints, Kinds, Shorts
from stepscope.numeric.pickle_values import items_of, values_of
from stepscope.numeric.pool import SharedPool
from stepscope.readers.snapshot.decoding import Decoding

MOST_BYTES = 1 << 46
"""A size above is no size of memory, and enough of them would not fit into 64 bits together."""

_LATEST_US = (1 << 62) // 1000
_MOST_INT = 1 << 62


class Values:
    """What was decoded of one pickle.

    Attributes:
        odd: values that are not of the kind that their key says, by key.
        unknown: keys that nothing reads, by where they stand, and how many dicts have them.
    """

    def __init__(self, decoding: Decoding) -> None:
        self.machine = decoding.machine
        self.texts: SharedPool = decoding.texts
        self.root = decoding.root
        self.odd: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()
        state = self.machine.state
        self._layouts = int(state[pickle_machine.LAYOUTS])
        known = self.texts.texts(0, len(self.texts)) if len(self.texts) < 1 << 16 else []
        self._code_of = {text: code for code, text in enumerate(known)} if known else {}
        self._places: dict[str, Shorts] = {}
        self._pools: dict[tuple[int, ...], int] = {}

    def code(self, text: str) -> int:
        """Code of a text, which is added where there is none."""
        raw = text.encode()
        if raw not in self._code_of:
            self._code_of[raw] = int(self.texts.add([raw])[0])
        return self._code_of[raw]

    def places(self, key: str) -> Shorts:
        """Of each layout the place of a key, -1 where it has none."""
        if key not in self._places:
            machine, code = self.machine, self.code(key)
            found = np.full(max(1, self._layouts), -1, np.int32)
            keys = machine.layout_keys[: int(machine.state[pickle_machine.LAYOUT_KEYS])]
            for at in np.flatnonzero(keys == code).tolist():
                layout = int(np.searchsorted(machine.layout_start[: self._layouts], at, side="right")) - 1
                found[layout] = at - machine.layout_start[layout]
            self._places[key] = found
        return self._places[key]

    def raw(self, dicts: Ints, key: str) -> tuple[Ints, Kinds]:
        """Numbers and kinds of the values under a key."""
        return values_of(self.machine, dicts, self.places(key))

    def numbers(self, dicts: Ints, key: str, most: int = _MOST_INT, least: int = 0) -> pl.Series:
        """Whole numbers under a key; null where there is none."""
        values, kinds = self.raw(dicts, key)
        good = (kinds == INT) & (values >= least) & (values <= most)
        self._count_odd(key, good | (kinds == ABSENT) | (kinds == EMPTY))
        return _nullable(key, values, good)

    def sizes(self, dicts: Ints, key: str) -> pl.Series:
        """Sizes in bytes."""
        return self.numbers(dicts, key, MOST_BYTES)

    def times(self, dicts: Ints, key: str) -> pl.Series:
        """Times in us as ns."""
        return self.numbers(dicts, key, _LATEST_US) * 1000

    def words(self, dicts: Ints, key: str) -> pl.Series:
        """Codes of texts under a key; null where there is none."""
        values, kinds = self.raw(dicts, key)
        self._count_odd(key, (kinds == TEXT) | (kinds == ABSENT) | (kinds == EMPTY))
        return _nullable(key, values, kinds == TEXT).cast(pl.UInt32)

    def flags(self, dicts: Ints, key: str) -> pl.Series:
        values, kinds = self.raw(dicts, key)
        self._count_odd(key, (kinds == BOOL) | (kinds == ABSENT))
        return _nullable(key, values, kinds == BOOL).cast(pl.Boolean)

    def lists(self, dicts: Ints, key: str) -> Ints:
        """Numbers of the lists under a key, -1 where there is none."""
        values, kinds = self.raw(dicts, key)
        self._count_odd(key, (kinds == LIST) | (kinds == ABSENT) | (kinds == EMPTY))
        return np.where(kinds == LIST, values, -1)

    def pairs(self, dicts: Ints, key: str) -> pl.Series:
        """Codes of texts like ``(0, 1)`` for tuples, or lists, of two numbers under a key."""
        values, kinds = self.raw(dicts, key)
        is_pair = (kinds == TUPLE) | (kinds == LIST)
        is_pair &= self.machine.size[np.where(is_pair, values, 0)] == 2 if len(self.machine.size) else False
        items, item_kinds, _ = items_of(self.machine, values[is_pair])
        both = np.stack([items[::2], items[1::2]], axis=1) if len(items) else np.empty((0, 2), np.int64)
        numbers = (item_kinds[::2] == INT) & (item_kinds[1::2] == INT)
        distinct, inverse = np.unique(both, axis=0, return_inverse=True)
        codes = np.array([self.code(f"({a}, {b})") for a, b in distinct.tolist()], np.int64)
        good = np.zeros(len(dicts), bool)
        good[np.flatnonzero(is_pair)[numbers]] = True
        found = np.zeros(len(dicts), np.int64)
        found[is_pair] = codes[inverse.reshape(-1)] if len(codes) else 0
        self._count_odd(key, good | (kinds == ABSENT) | (kinds == EMPTY))
        return _nullable(key, found, good).cast(pl.UInt32)

    def members(self, number: int) -> tuple[Ints, Kinds]:
        """Items of one list."""
        values, kinds, _ = items_of(self.machine, np.array([number], np.int64))
        return values, kinds

    def under(self, number: int, key: str) -> tuple[int, int]:
        """Kind and number of the value under a key of one dict."""
        values, kinds = self.raw(np.array([number], np.int64), key)
        return int(kinds[0]), int(values[0])

    def note_unknown(self, where: str, dicts: Ints, known: Iterable[str]) -> None:
        """Count the keys of some dicts that are not known."""
        machine = self.machine
        chunks = machine.first[dicts]
        counts = np.bincount(machine.layout[chunks[chunks >= 0]], minlength=1)
        names = set(known)
        for layout, count in ((at, int(counts[at])) for at in np.flatnonzero(counts).tolist()):
            for key in self.keys(layout):
                if key not in names:
                    self.unknown[f"{where}.{key}"] += count

    def frame_dicts(self, key: str) -> Ints:
        """Numbers of all dicts that have a key, wherever they stand."""
        state = self.machine.state
        first = self.machine.first[: int(state[pickle_machine.CONTAINERS])]
        layout = np.where(first >= 0, self.machine.layout[np.maximum(first, 0)] if len(first) else first, -1)
        return np.flatnonzero((layout >= 0) & (self.places(key)[np.maximum(layout, 0)] >= 0))

    def plain(self, number: int) -> dict[str, int | float | str | bool | None]:
        """The plain values of one small dict, by key."""
        found: dict[str, int | float | str | bool | None] = {}
        chunk = int(self.machine.first[number])
        while chunk >= 0:
            start = int(self.machine.start[chunk])
            for place, key in enumerate(self.keys(int(self.machine.layout[chunk]))):
                value, kind = int(self.machine.items[start + place]), int(self.machine.item_kind[start + place])
                if kind not in (LIST, DICT, TUPLE):
                    found[key] = self.plain_value(kind, value)
            chunk = int(self.machine.following[chunk])
        return found

    def plain_value(self, kind: int, value: int) -> int | float | str | bool | None:
        """One value that is no container; None for what is no finite number."""
        if kind == TEXT:
            return self.texts.texts(value, value + 1)[0].decode("utf-8", "replace")
        if kind == pickle_machine.FLOAT:
            number = float(np.array([value], np.int64).view(np.float64)[0])
            return number if np.isfinite(number) else None
        return {BOOL: bool(value), INT: value}.get(kind)

    def keys(self, layout: int) -> list[str]:
        """The keys of the dicts of a layout."""
        start, size = int(self.machine.layout_start[layout]), int(self.machine.layout_size[layout])
        codes = self.machine.layout_keys[start : start + size].tolist()
        return [self.texts.texts(code, code + 1)[0].decode("utf-8", "replace") for code in codes]

    def _count_odd(self, key: str, good: np.ndarray) -> None:
        odd = len(good) - int(np.count_nonzero(good))
        if odd:
            self.odd[key] += odd


def _nullable(name: str, values: Ints, good: np.ndarray) -> pl.Series:
    column = pl.Series(name, values)
    return column if good.all() else column.set(pl.Series(~good), None)
