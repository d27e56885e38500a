"""Annotations that hold others, as JSON: each distinct one once, however many events have it."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

from stepscope.readers.perfetto.fields import values_of

_KEYS, _VALUES = 3, 29
_DEEPEST, _MOST_PARTS = 40, 100_000

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
        for number, content in values_of(data):
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
        for number, content in values_of(data):
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
        for number, content in values_of(data):
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
