"""Pickles as torch::jit::Pickler writes them, by which torch::cuda::_memory_snapshot_pickled() makes snapshots.

Protocol 2. Texts are remembered by their value and fetched again; of lists and dicts only those that several places
hold, and behind their last item, not before the first. Empty lists are filled with nothing, numbers have four widths.
"""

from __future__ import annotations

import struct
from collections import Counter
from typing import Any


def cpp_pickle(value: Any) -> bytes:
    """A value of dicts, lists, tuples, texts, numbers and truths."""
    return bytes([0x80, 2]) + _Pickler(value).written + b"."


class _Pickler:
    def __init__(self, value: Any) -> None:
        self._held: Counter[int] = Counter()
        self._count(value)
        self._memo: dict[Any, int] = {}
        self._next = 0
        self.written = bytearray()
        self._push(value)

    def _count(self, value: Any) -> None:
        if not isinstance(value, (dict, list)):
            return
        self._held[id(value)] += 1
        if self._held[id(value)] == 1:
            for one in value.values() if isinstance(value, dict) else value:
                self._count(one)

    def _push(self, value: Any) -> None:
        key = value if isinstance(value, str) else id(value)
        if isinstance(value, (str, dict, list)) and key in self._memo:
            number = self._memo[key]
            self.written += struct.pack("<cB", b"h", number) if number < 256 else struct.pack("<cI", b"j", number)
            return
        self._push_new(value)
        if isinstance(value, str) or self._held[id(value)] > 1:
            self._memo[key], self._next = self._next, self._next + 1
            number = self._memo[key]
            self.written += struct.pack("<cB", b"q", number) if number < 256 else struct.pack("<cI", b"r", number)

    def _push_new(self, value: Any) -> None:
        if value is None:
            self.written += b"N"
        elif isinstance(value, bool):
            self.written += b"\x88" if value else b"\x89"
        elif isinstance(value, int):
            self.written += _number(value)
        elif isinstance(value, float):
            self.written += struct.pack(">cd", b"G", value)
        elif isinstance(value, str):
            raw = value.encode()
            self.written += struct.pack("<cI", b"X", len(raw)) + raw
        elif isinstance(value, tuple):
            for one in value:
                self._push(one)
            self.written += {1: b"\x85", 2: b"\x86", 3: b"\x87"}[len(value)]
        elif isinstance(value, list):
            self.written += b"]("
            for one in value:
                self._push(one)
            self.written += b"e"
        else:
            self.written += b"}"
            if value:
                self.written += b"("
                for key, one in value.items():
                    self._push(key)
                    self._push(one)
                self.written += b"u"


def _number(value: int) -> bytes:
    if 0 <= value < 1 << 8:
        return struct.pack("<cB", b"K", value)
    if 0 <= value < 1 << 16:
        return struct.pack("<cH", b"M", value)
    if -(1 << 31) <= value < 1 << 31:
        return struct.pack("<ci", b"J", value)
    return struct.pack("<cBq", b"\x8a", 8, value)
