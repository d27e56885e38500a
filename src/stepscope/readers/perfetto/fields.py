"""Fields of messages of Protocol Buffers in Python: for the few that no compiled code reads."""

from __future__ import annotations

from typing import NamedTuple

_VARINT, _BYTES = 0, 2
_FIXED = {1: 8, 5: 4}
"""Bytes of numbers of one length."""


class Field(NamedTuple):
    """A field of a message.

    Attributes:
        key: its number and how its value is written.
        content: its value: of a message or text its bytes.
        raw: all of it as it stands there.
    """

    key: int
    content: int | bytes
    raw: bytes

    @property
    def number(self) -> int:
        return self.key >> 3


def fields_of(data: int | bytes) -> list[Field]:
    """The fields of a message; those behind damage are left out, and a number has none."""
    found: list[Field] = []
    at = 0
    while isinstance(data, bytes) and at < len(data):
        began = at
        key, at = varint(data, at)
        content: int | bytes | None = None
        if at >= 0 and key & 7 == _VARINT:
            content, at = varint(data, at)
        elif at >= 0 and key & 7 in _FIXED and at + _FIXED[key & 7] <= len(data):
            size = _FIXED[key & 7]
            content, at = int.from_bytes(data[at : at + size], "little"), at + size
        elif at >= 0 and key & 7 == _BYTES:
            size, at = varint(data, at)
            content, at = (data[at : at + size], at + size) if 0 <= at <= len(data) - size else (None, -1)
        if at < 0 or content is None:
            break
        found.append(Field(key, content, data[began:at]))
    return found


def values_of(data: bytes) -> list[tuple[int, int | bytes]]:
    """Numbers and values of the fields of a message."""
    return [(one.number, one.content) for one in fields_of(data)]


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number, and the index of what is behind it; -1 where it does not end."""
    value = 0
    for place in range(10):
        if at + place >= len(data):
            break
        value |= (data[at + place] & 127) << (7 * place)
        if data[at + place] < 128:
            return value & ((1 << 64) - 1), at + place + 1
    return 0, -1
