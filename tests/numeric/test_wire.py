"""Fields of messages: what Python makes of the same bytes, whole, cut and of any kind."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.ncu_building import bytes_field, double_field, float_field, number_field, varint
from stepscope.numeric.wire import (
    BYTES,
    FIXED32,
    FIXED64,
    FLOAT64,
    NO_VALUE,
    UINT64,
    VARINT,
    instance_values,
    message_fields,
)

Field = tuple[int, int, int | bytes]

NUMBERS = st.integers(1, (1 << 29) - 1)
FIELDS = st.one_of(
    st.tuples(NUMBERS, st.just(VARINT), st.integers(0, (1 << 64) - 1)),
    st.tuples(NUMBERS, st.just(BYTES), st.binary(max_size=40)),
    st.tuples(NUMBERS, st.just(FIXED64), st.integers(0, (1 << 64) - 1)),
    st.tuples(NUMBERS, st.just(FIXED32), st.integers(0, (1 << 32) - 1)),
)


def written(field: Field) -> bytes:
    number, kind, value = field
    if isinstance(value, bytes):
        return bytes_field(number, value)
    if kind == VARINT:
        return number_field(number, value)
    return varint(number << 3 | kind) + struct.pack("<Q" if kind == FIXED64 else "<I", value)


def found(data: bytes, room: int = 3) -> tuple[list[Field], bool]:
    """The fields of a message, read with little room at a time, and whether it ends with one."""
    buffer, at, fields = np.frombuffer(data, np.uint8).copy(), 0, list[Field]()
    out = np.empty((room, 4), np.int64)
    while 0 <= at < len(buffer):
        rows, at = message_fields(buffer, at, len(buffer), out)
        for number, kind, first, second in out[:rows].tolist():
            fields.append((number, kind, data[first:second] if kind == BYTES else first % (1 << 64)))
    return fields, at >= 0


@pytest.mark.long
@given(st.lists(FIELDS, max_size=8))
def test_fields_are_what_was_written(fields: list[Field]) -> None:
    assert found(b"".join(map(written, fields))) == (fields, True)


@given(st.lists(FIELDS, min_size=1, max_size=4), st.data())
def test_a_cut_message_ends_with_its_last_whole_field(fields: list[Field], data: st.DataObject) -> None:
    parts = [written(field) for field in fields]
    whole = b"".join(parts)
    cut = data.draw(st.integers(0, len(whole) - 1))
    ends = [sum(map(len, parts[: count + 1])) for count in range(len(parts))]
    kept = sum(end <= cut for end in ends)
    assert found(whole[:cut]) == (fields[:kept], cut == 0 or cut in ends)


@given(st.binary(max_size=200))
def test_any_bytes_are_fields_or_damage(data: bytes) -> None:
    """What was read, written again, is the beginning of the bytes but for numbers of more bytes than they need."""
    fields, is_whole = found(data)
    assert sum(len(written(field)) for field in fields) <= len(data)
    assert is_whole or len(fields) <= len(data)


def test_numbers_of_the_two_sizes_of_floats_keep_their_bits() -> None:
    fields, _ = found(double_field(1, -2.5) + float_field(2, 0.5))
    assert [value for _, _, value in fields] == [
        struct.unpack("<Q", struct.pack("<d", -2.5))[0],
        struct.unpack("<I", struct.pack("<f", 0.5))[0],
    ]


def test_a_length_beyond_the_end_and_groups_are_damage() -> None:
    assert found(b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f") == ([], False)
    assert found(b"\x0a" + varint((1 << 64) - 1)) == ([], False)
    assert found(b"\x0b\x0c") == ([], False)
    assert found(b"\x08" + b"\x80" * 11) == ([], False)


def instances(*messages: bytes) -> list[list[int]]:
    ends = np.cumsum([len(one) for one in messages])
    spans = np.column_stack([ends - [len(one) for one in messages], ends])
    out = np.full((len(messages), 4), -9, np.int64)
    instance_values(np.frombuffer(b"".join(messages), np.uint8).copy(), spans, out)
    return [row[:] for row in out.tolist()]


@pytest.mark.long
@given(st.integers(0, (1 << 63) - 1), st.floats(allow_nan=False))
def test_an_instance_is_of_something_and_has_a_value(setting: int, value: float) -> None:
    own = bytes_field(1, number_field(5, setting)) + bytes_field(2, double_field(3, value))
    bits = int(np.float64(value).view(np.int64))
    half = bytes_field(2, number_field(5, 7))
    assert instances(own, half, b"") == [
        [UINT64, setting, FLOAT64, bits],
        [NO_VALUE, 0, UINT64, 7],
        [NO_VALUE, 0, NO_VALUE, 0],
    ]


@given(st.lists(st.binary(max_size=30), min_size=1, max_size=5))
def test_any_bytes_as_instances_neither_crash_nor_leave_a_row_out(messages: list[bytes]) -> None:
    assert -9 not in [row[0] for row in instances(*messages)]
