"""Annotations that hold others, as JSON: each distinct one once, however many events have it."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

_KEYS, _VALUES = 3, 29
_DEEPEST, _MOST_PARTS = 40, 100_000
_VARINT, _FIXED64, _BYTES = 0, 1, 2

Named = Callable[[int, int], str]
"""The text that a kind and a number stand for where an annotation was written; "" for none."""


def rendered(data: bytes, named: Named) -> str:
    """The value of an annotation as JSON.

    Args:
        data: the annotation.
        named: see `Named`.
    """
    return json.dumps(_Rendering(named).value(data, 0), ensure_ascii=False)


class _Rendering:
    def __init__(self, named: Named) -> None:
        self._named = named
        self._parts = 0

    def value(self, data: bytes, depth: int) -> Any:
        """A value; None where it is too deep, too long or none."""
        # An array without values says nothing but that it is there.
        found: Any = None if data else []
        members: dict[str, Any] = {}
        items: list[Any] = []
        for number, content in _fields(data):
            self._parts += 1
            if depth > _DEEPEST or self._parts > _MOST_PARTS:
                return None
            if number == 11 and isinstance(content, bytes):
                members[self._name(content)] = self.value(content, depth + 1)
                found = members
            elif number == 12 and isinstance(content, bytes):
                items.append(self.value(content, depth + 1))
                found = items
            elif number == 8 and isinstance(content, bytes):
                found = self._old(content, depth + 1)
            elif number in (2, 3, 4, 5, 6, 7, 9, 17):
                found = self._plain(number, content)
        return found

    def _name(self, data: bytes) -> str:
        name = ""
        for number, content in _fields(data):
            if number == 1 and isinstance(content, int):
                name = self._named(_KEYS, content)
            elif number == 10 and isinstance(content, bytes):
                name = content.decode("utf-8", "replace")
        return name

    def _plain(self, number: int, content: int | bytes) -> Any:
        if isinstance(content, bytes):
            return content.decode("utf-8", "replace")
        if number == 2:
            return content != 0
        if number == 17:
            return self._named(_VALUES, content)
        if number == 5:
            value = struct.unpack("<d", content.to_bytes(8, "little"))[0]
            return value if value - value == 0 else str(value)
        return content - (1 << 64) if number == 4 and content >= 1 << 63 else content

    def _old(self, data: bytes, depth: int) -> Any:
        """The form before 2021: a kind of its own, keys and values apart."""
        keys: list[str] = []
        values: list[Any] = []
        items: list[Any] = []
        scalar: Any = None
        for number, content in _fields(data):
            self._parts += 1
            if depth > _DEEPEST or self._parts > _MOST_PARTS:
                return None
            if number == 2 and isinstance(content, bytes):
                keys.append(content.decode("utf-8", "replace"))
            elif number in (3, 4) and isinstance(content, bytes):
                (values if number == 3 else items).append(self._old(content, depth + 1))
            elif number in (5, 6, 7, 8):
                scalar = self._plain({5: 4, 6: 5, 7: 2, 8: 6}[number], content)
        return dict(zip(keys, values, strict=False)) if keys else items or scalar


def _fields(data: bytes) -> list[tuple[int, int | bytes]]:
    """Numbers and values of fields; those behind damage are left out."""
    found: list[tuple[int, int | bytes]] = []
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        wire = key & 7
        content: int | bytes | None = None
        if at >= 0 and wire == _VARINT:
            content, at = _varint(data, at)
        elif at >= 0 and wire == _FIXED64 and at + 8 <= len(data):
            content, at = int.from_bytes(data[at : at + 8], "little"), at + 8
        elif at >= 0 and wire == _BYTES:
            size, at = _varint(data, at)
            content, at = (data[at : at + size], at + size) if 0 <= at <= len(data) - size else (None, -1)
        if at < 0 or content is None:
            break
        found.append((key >> 3, content))
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(10):
        if at + place >= len(data):
            break
        value |= (data[at + place] & 127) << (7 * place)
        if data[at + place] < 128:
            return value & ((1 << 64) - 1), at + place + 1
    return 0, -1
