"""The fields of a message of a report, of which the layout is known."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from stepscope.numeric.wire import BYTES, FIXED32, FIXED64, VARINT, message_fields

_AT_ONCE = 4096
_WIDTHS = {FIXED64: 8, FIXED32: 4}

Allowed = Mapping[int, "Allowed | None"]
"""Which fields of a message to copy, by number: None for all of it, or which fields of the message in it."""

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]


class MalformedReport(ValueError):
    """What should be a message is none."""


class Fields:
    """The fields of one message, in order. Of a field that occurs several times where one is asked for, the last holds.

    Args:
        buffer: bytes of which the message is a part.
        start, end: where it stands; None for the whole buffer.

    Raises:
        MalformedReport: these bytes are no message.
    """

    def __init__(self, buffer: Bytes, start: int = 0, end: int | None = None) -> None:
        self.buffer = buffer
        self._rows = _fields(buffer, start, len(buffer) if end is None else end)

    def spans(self, number: int) -> Ints:
        """Where the bytes of each field of a number start and end: an array of pairs."""
        rows = self._rows
        return np.ascontiguousarray(rows[(rows[:, 0] == number) & (rows[:, 1] == BYTES)][:, 2:])

    def parts(self, number: int) -> list[Fields]:
        """The messages in the fields of a number."""
        return [Fields(self.buffer, start, end) for start, end in self.spans(number).tolist()]

    def part(self, number: int) -> Fields:
        """The message in a field; an empty one where there is none."""
        found = self.spans(number)[-1:].tolist()
        return Fields(self.buffer, *found[0]) if found else Fields(self.buffer, 0, 0)

    def texts(self, number: int) -> list[str]:
        """The texts of the fields of a number; bytes that are no UTF-8 become U+FFFD."""
        spans = self.spans(number).tolist()
        return [self.buffer[start:end].tobytes().decode("utf-8", "replace") for start, end in spans]

    def text(self, number: int) -> str:
        """A text, "" where there is none."""
        return next(reversed(self.texts(number)), "")

    def whole(self, number: int) -> int | None:
        """A number that is not negative; None where there is none."""
        bits = self._last(number, VARINT)
        return None if bits is None else bits % (1 << 64)

    def real(self, number: int) -> float | None:
        """A 64-bit float; None where there is none."""
        bits = self._last(number, FIXED64)
        return None if bits is None else float(np.int64(bits).view(np.float64))

    def copied(self, allowed: Allowed) -> bytes:
        """The message with some of its fields, in their order."""
        parts = []
        for number, wire, first, second in self._rows.tolist():
            if number not in allowed:
                continue
            if wire == BYTES:
                inner = allowed[number]
                data = (
                    self.buffer[first:second].tobytes()
                    if inner is None
                    else Fields(self.buffer, first, second).copied(inner)
                )
                parts.append(field_of(number, data))
            else:
                bits = first % (1 << 64)
                value = bits.to_bytes(8, "little")[: _WIDTHS[wire]] if wire in _WIDTHS else varint(bits)
                parts.append(varint(number << 3 | wire) + value)
        return b"".join(parts)

    def _last(self, number: int, wire: int) -> int | None:
        rows = self._rows
        found = rows[(rows[:, 0] == number) & (rows[:, 1] == wire)]
        return int(found[-1, 2]) if len(found) else None


def varint(number: int) -> bytes:
    """A number that is not negative, as messages hold it.

    >>> varint(300)
    b'\\xac\\x02'
    """
    parts = []
    while number >= 128:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def field_of(number: int, data: bytes) -> bytes:
    """A field that holds a text or a message."""
    return varint(number << 3 | BYTES) + varint(len(data)) + data


def _fields(buffer: Bytes, at: int, end: int) -> Ints:
    """Four numbers of each field, see `numeric.wire`."""
    pieces = []
    room = np.empty((min(_AT_ONCE, max(1, end - at)), 4), np.int64)
    while at < end:
        rows, at = message_fields(buffer, at, end, room)
        if at < 0:
            raise MalformedReport("a message ends within a field")
        pieces.append(room[:rows].copy())
    return np.concatenate(pieces) if pieces else np.empty((0, 4), np.int64)
