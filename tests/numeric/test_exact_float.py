"""Decimal text is read as the float64 that Python's own reader finds."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stepscope.numeric.bytescan import PADDING
from stepscope.numeric.compiling import hot
from stepscope.numeric.exact_float import UNSURE, exact_float_bits
from stepscope.numeric.numbers import EXACT, INVALID


@hot
def _bits(buf, stop):
    return exact_float_bits(buf, 0, stop)


def read(text: str) -> tuple[float, int]:
    """The float of a text and how it was read."""
    data = text.encode()
    bits, status = _bits(np.frombuffer(data + bytes(PADDING), np.uint8).copy(), len(data))
    return struct.unpack("<d", struct.pack("<Q", int(bits)))[0], int(status)


decimals = st.builds(
    lambda sign, digits, point, exponent: f"{sign}{digits[:point] or '0'}.{digits[point:] or '0'}e{exponent}",
    st.sampled_from(["", "-"]),
    st.text("0123456789", min_size=1, max_size=24),
    st.integers(0, 24),
    st.integers(-400, 400),
)


@pytest.mark.long
@settings(max_examples=2000)
@given(decimals | st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.integers(-(2**70), 2**70).map(str))
@example("9007199254740993")
@example("4503599627370496.5")
@example("4503599627370497.5")
@example("6929495644600919.5")
@example("1.00000000000000011102230246251565")
@example("-0.0")
@example("9223372036854775808e55")
def test_a_decimal_is_the_nearest_float_or_is_said_to_be_unsure(text: str) -> None:
    found, status = read(text)
    assert status in (EXACT, UNSURE)
    if status == EXACT:
        assert (found, math.copysign(1, found)) == (float(text), math.copysign(1, float(text)))


@pytest.mark.long
@settings(max_examples=2000)
@given(st.floats(1e-40, 1e40))
def test_what_python_writes_is_never_unsure(value: float) -> None:
    for text in (repr(value), repr(-value), f"{value:.3f}" if value < 1e15 else repr(value)):
        assert read(text) == (float(text), EXACT)


@pytest.mark.parametrize(
    "text", ["", "-", ".", "e5", "1e", "1e+", "+1", "nan", "inf", "0x10", "1_000", " 1", "1 ", "--1"]
)
def test_what_is_no_decimal_is_invalid(text: str) -> None:
    assert read(text)[1] == INVALID
