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
    if isinstance(data, int):
        return []
    return [Field(key, content, data[began:ends]) for key, content, began, ends in _parts(data)]


def values_of(data: bytes) -> list[tuple[int, int | bytes]]:
    """Numbers and values of the fields of a message."""
    return [(key >> 3, content) for key, content, _, _ in _parts(data)]


def _parts(data: bytes) -> list[tuple[int, int | bytes, int, int]]:
    """Key and value of each field, and where it begins and ends."""
    found: list[tuple[int, int | bytes, int, int]] = []
    at = 0
    while at < len(data):
        began = at
        key, at = varint(data, at)
        wire = key & 7
        content: int | bytes | None = None
        if at >= 0 and wire == _VARINT:
            content, at = varint(data, at)
        elif at >= 0 and wire == _BYTES:
            size, at = varint(data, at)
            content, at = (data[at : at + size], at + size) if 0 <= at <= len(data) - size else (None, -1)
        elif at >= 0 and wire in _FIXED and at + _FIXED[wire] <= len(data):
            content, at = int.from_bytes(data[at : at + _FIXED[wire]], "little"), at + _FIXED[wire]
        if at < 0 or content is None:
            break
        found.append((key, content, began, at))
    return found


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number, and the index of what is behind it; -1 where it does not end."""
    if at < len(data) and data[at] < 128:
        return data[at], at + 1
    value = 0
    for place in range(10):
        if at + place >= len(data):
            break
        value |= (data[at + place] & 127) << (7 * place)
        if data[at + place] < 128:
            return value & ((1 << 64) - 1), at + place + 1
    return 0, -1
