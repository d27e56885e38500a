"""Decimal text to the nearest float64, to the last bit.

`numbers.parse_float` is faster and may be off by one unit in the last place. The method is that of Lemire, "Number
Parsing at a Gigabyte per Second" (2021): 128 bits of a power of five decide nearly every rounding.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric.compiling import inner
from stepscope.numeric.numbers import EXACT, INVALID, decimal_shape

UNSURE = 3
"""How a number was read, beside those of `numbers`: it is one, but more digits are needed than are looked at here."""

_REACH = 64
"""Powers of ten from ``-_REACH`` to ``_REACH`` are in the table; beyond them numbers are `UNSURE`."""

_MOST_DIGITS = 19
_MINUS, _DOT = 45, 46


def _power_of_five(exponent: int) -> int:
    """The first 128 bits of ``5**exponent``, rounded as the method asks for."""
    if exponent >= 0:
        power = int(5**exponent)
        length = power.bit_length()
        return power << (128 - length) if length <= 128 else power >> (length - 128)
    power = int(5**-exponent)
    bits = (power - 1).bit_length()
    scaled = (1 << (bits + 127 if exponent >= -27 else 2 * bits + 128)) // power + 1
    return scaled >> max(0, scaled.bit_length() - 128)


_POWERS = np.array(
    [[power >> 64, power & (2**64 - 1)] for power in map(_power_of_five, range(-_REACH, _REACH + 1))], np.uint64
)
_ONE, _THREE = np.uint64(1), np.uint64(3)
_HALF_WORD, _LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
_TOP_BIT, _TOP_SHIFT = np.uint64(1 << 63), np.uint64(63)
_UNDECIDED = np.uint64(0x1FF)
_FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
_SPARE_BITS = np.uint64(64 - 52 - 3)
_HIDDEN_BIT, _TWICE_HIDDEN = np.uint64(1 << 52), np.uint64(1 << 53)
_FRACTION = np.uint64((1 << 52) - 1)


@inner
def _product(a, b):
    """Upper and lower 64 bits of a product."""
    a_low, a_high = a & _LOW_HALF, a >> _HALF_WORD
    b_low, b_high = b & _LOW_HALF, b >> _HALF_WORD
    crossed, other = a_low * b_high, a_high * b_low
    middle = ((a_low * b_low) >> _HALF_WORD) + (crossed & _LOW_HALF) + (other & _LOW_HALF)
    return a_high * b_high + (crossed >> _HALF_WORD) + (other >> _HALF_WORD) + (middle >> _HALF_WORD), a * b


@inner
def _nearest(mantissa, power):
    """Bits of the float64 nearest to ``mantissa * 10**power`` with a mantissa above 0, and `EXACT` or `UNSURE`."""
    shift = np.int64(0)
    while mantissa & _TOP_BIT == 0:
        mantissa = mantissa << _ONE
        shift += 1
    high, low = _product(mantissa, _POWERS[power + _REACH, 0])
    if high & _UNDECIDED == _UNDECIDED:
        more, _ = _product(mantissa, _POWERS[power + _REACH, 1])
        low = low + more
        if low < more:
            high = high + _ONE
    if low == _FULL and (power < -27 or power > 55):
        return np.uint64(0), UNSURE
    upper = high >> _TOP_SHIFT
    bits = high >> (upper + _SPARE_BITS)
    exponent = ((217706 * power) >> 16) + 63 + np.int64(upper) - shift + 1023
    # Exactly between two: the even one is right.
    if low <= _ONE and power >= -4 and power <= 23 and bits & _THREE == _ONE and bits << (upper + _SPARE_BITS) == high:
        bits = bits - _ONE
    bits = (bits + (bits & _ONE)) >> _ONE
    if bits >= _TWICE_HIDDEN:
        bits = _HIDDEN_BIT
        exponent += 1
    return (bits & _FRACTION) | (np.uint64(exponent) << np.uint64(52)), EXACT


@inner
def exact_float_bits(buf, start, stop):
    """Bits of the float64 nearest to the decimal in ``buf[start:stop]``, and `EXACT`, `UNSURE` or `INVALID`."""
    at = start
    negative = at < stop and buf[at] == _MINUS
    if negative:
        at += 1
    digits_stop, before_point, digits, exponent, status = decimal_shape(buf, at, stop)
    if status == INVALID:
        return np.uint64(0), INVALID
    sign = _TOP_BIT if negative else np.uint64(0)
    mantissa, kept = np.uint64(0), np.int64(0)
    for i in range(at, digits_stop):
        if buf[i] == _DOT:
            continue
        if mantissa != 0 or buf[i] != 48:
            kept += 1
            if kept > _MOST_DIGITS:
                return np.uint64(0), UNSURE
        mantissa = mantissa * np.uint64(10) + np.uint64(buf[i] - 48)
    if mantissa == 0:
        return sign, EXACT
    power = before_point + exponent - digits
    if power < -_REACH or power > _REACH:
        return np.uint64(0), UNSURE
    bits, status = _nearest(mantissa, power)
    return bits | sign, status
