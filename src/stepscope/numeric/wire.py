"""Fields of messages in the wire format of Protocol Buffers, found without a schema.

A field is four numbers: its number, its wire type, and two that depend on the type: of `VARINT`, `FIXED64` and
`FIXED32` the bits of the value and 0, of `BYTES` where its bytes start and end. ``buf`` is bytes (uint8). Source of the
format: https://protobuf.dev/programming-guides/encoding/.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric.compiling import hot, inner
from stepscope.numeric.little_endian import little

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types. Groups (3 and 4) are of an old form of the format and count as damage."""

NO_VALUE, TEXT, FLOAT32, FLOAT64, UINT32, UINT64, MALFORMED = 0, 1, 2, 3, 4, 5, -1
"""Kinds of values of a metric; the positive ones are numbers of fields, too."""

_LONGEST_VARINT = 10
_LARGEST_NUMBER = (1 << 29) - 1


@inner
def varint_at(buf, at, end):
    """The 64 bits of the varint at ``at`` and the index behind it; index -1 where it does not end."""
    bits = np.int64(0)
    for shift in range(_LONGEST_VARINT):
        if at >= end:
            return np.int64(0), -1
        byte = np.int64(buf[at])
        at += 1
        bits |= (byte & 127) << (7 * shift)
        if byte < 128:
            return bits, at
    return np.int64(0), -1


@inner
def field_at(buf, at, end):
    """The field at ``at``: number, wire type, two numbers, and the index behind it; index -1 where it is none."""
    key, at = varint_at(buf, at, end)
    number, kind = key >> 3, key & 7
    if at < 0 or number < 1 or number > _LARGEST_NUMBER:
        return number, kind, np.int64(0), np.int64(0), -1
    if kind == VARINT:
        bits, at = varint_at(buf, at, end)
        return number, kind, bits, np.int64(0), at
    if kind == BYTES:
        size, at = varint_at(buf, at, end)
        if at < 0 or size < 0 or size > end - at:
            return number, kind, np.int64(0), np.int64(0), -1
        return number, kind, np.int64(at), np.int64(at + size), at + size
    width = 8 if kind == FIXED64 else 4
    if (kind != FIXED64 and kind != FIXED32) or end - at < width:
        return number, kind, np.int64(0), np.int64(0), -1
    return number, kind, little(buf, at, width), np.int64(0), at + width


@hot
def message_fields(buf, at, end, out):
    """Write the next fields of a message, at most as many as ``out`` has rows of four numbers.

    Returns:
        How many were written, and the index behind the last; index -1 where what follows is no field.
    """
    rows = 0
    while at < end and rows < len(out):
        number, kind, first, second, at = field_at(buf, at, end)
        if at < 0:
            return rows, -1
        out[rows, 0], out[rows, 1], out[rows, 2], out[rows, 3] = number, kind, first, second
        rows += 1
    return rows, at


@inner
def _value(buf, at, end):
    """The kind of a metric's value, and two numbers as of a field; where several are set the last one holds."""
    found, low, high = NO_VALUE, np.int64(0), np.int64(0)
    while at < end:
        number, kind, first, second, at = field_at(buf, at, end)
        if at < 0:
            return MALFORMED, low, high
        is_text = number == TEXT and kind == BYTES
        is_float = (number == FLOAT32 and kind == FIXED32) or (number == FLOAT64 and kind == FIXED64)
        if is_text or is_float or ((number == UINT32 or number == UINT64) and kind == VARINT):
            found, low, high = number, first, second
    return found, low, high


@hot
def metric_values(buf, spans, out):
    """The name and the value of each metric of a kernel.

    Args:
        spans: where each message starts and ends, in ``buf``.
        out: written, five numbers of each: number of the name, kind of the value, two numbers as of a field, and of
            how many instances the metric has values of their own.
    """
    for row in range(len(spans)):
        at, end = spans[row, 0], spans[row, 1]
        name, kind, low, high, instances = np.int64(0), NO_VALUE, np.int64(0), np.int64(0), 0
        while at < end:
            number, wire, first, second, at = field_at(buf, at, end)
            if at < 0:
                kind = MALFORMED
                break
            if number == 1 and wire == VARINT:
                name = first
            elif number == 2 and wire == BYTES:
                kind, low, high = _value(buf, first, second)
                if kind == MALFORMED:
                    break
            elif number == 3 and wire == BYTES:
                instances += 1
        out[row, 0], out[row, 1], out[row, 2], out[row, 3], out[row, 4] = name, kind, low, high, instances


@hot
def instance_values(buf, spans, out):
    """What each instance of a metric is of, and its value.

    Args:
        spans: where each message starts and ends, in ``buf``.
        out: written, four numbers of each: kind and first number of what it is of, and of its value; see
            `metric_values`.
    """
    for row in range(len(spans)):
        at, end = spans[row, 0], spans[row, 1]
        out[row] = 0
        while at < end:
            number, wire, first, second, at = field_at(buf, at, end)
            if at < 0:
                out[row, 0] = MALFORMED
                break
            if wire == BYTES and (number == 1 or number == 2):
                kind, low, _ = _value(buf, first, second)
                out[row, 2 * number - 2], out[row, 2 * number - 1] = kind, low
