"""Numbers in decimal text: integers, microseconds to exact nanoseconds, floats.

``buf`` is as in `bytescan`.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric.bytescan import is_blank
from stepscope.numeric.compiling import inner

EXACT, ROUNDED, INVALID = 0, 1, 2
"""How a number was read: to the last digit, rounded to a whole ns, or not at all."""

_COMMA, _MINUS, _PLUS, _DOT, _ZERO, _CLOSE_BRACE = 44, 45, 43, 46, 48, 125
_LARGEST_EXPONENT = 1 << 40


@inner
def plain_int(buf, start, end):
    """The short integer at ``start`` and the index after it; index -1 when it is anything else."""
    at = start
    negative = buf[at] == _MINUS
    if negative:
        at += 1
    first = at
    value = 0
    while at < end and at - first < 18:
        digit = np.int64(buf[at]) - 48
        if digit < 0 or digit > 9:
            break
        value = value * 10 + digit
        at += 1
    if at == first or at >= end:
        return 0, -1
    byte = buf[at]
    if byte == _COMMA or byte == _CLOSE_BRACE or is_blank(byte):
        return (-value if negative else value), at
    return 0, -1


@inner
def _is_too_large(value, digit):
    """Whether appending a digit leaves int64."""
    return value > 922337203685477580 or (value == 922337203685477580 and digit > 7)


@inner
def parse_int(buf, start, stop):
    """The integer in ``buf[start:stop]``, also as ``1.0``, and `EXACT`; else 0 and `INVALID`, beyond int64 too."""
    at, stop = start, _without_zeros(buf, start, stop)
    negative = at < stop and buf[at] == _MINUS
    if negative:
        at += 1
    if at >= stop or stop - at > 19 or (buf[at] == _ZERO and stop - at > 1):
        return 0, INVALID
    value = np.int64(0)
    while at < stop:
        digit = np.int64(buf[at]) - 48
        if digit < 0 or digit > 9 or _is_too_large(value, digit):
            return 0, INVALID
        value = value * 10 + digit
        at += 1
    return (-value if negative else value), EXACT


@inner
def _without_zeros(buf, start, stop):
    """Where a number ends without a point and zeros behind it: tools that write traces anew make floats of integers."""
    at = stop
    while at > start + 1 and buf[at - 1] == _ZERO:
        at -= 1
    return at - 1 if at < stop and at > start + 1 and buf[at - 1] == _DOT and buf[at - 2] != _MINUS else stop


@inner
def parse_time(buf, start, stop):
    """Microseconds in decimal text to whole ns, half to even, and how: `EXACT`, `ROUNDED` or `INVALID`."""
    at = start
    negative = False
    if at < stop and buf[at] == _MINUS:
        negative = True
        at += 1
    first = at
    value = 0
    while at < stop and at - first < 15 and 48 <= buf[at] <= 57:
        value = value * 10 + (np.int64(buf[at]) - 48)
        at += 1
    if at > first:
        value *= 1000
        if at == stop:
            return (-value if negative else value), EXACT
        if buf[at] == _DOT and stop - at <= 4:
            at += 1
            scale = 100
            while at < stop and 48 <= buf[at] <= 57:
                value += (np.int64(buf[at]) - 48) * scale
                scale //= 10
                at += 1
            if at == stop:
                return (-value if negative else value), EXACT
    return _parse_long_time(buf, start, stop)


@inner
def _parse_exponent(buf, at, stop):
    negative = False
    if at < stop and (buf[at] == _MINUS or buf[at] == _PLUS):
        negative = buf[at] == _MINUS
        at += 1
    if at >= stop:
        return 0, INVALID
    exponent = 0
    while at < stop:
        digit = np.int64(buf[at]) - 48
        if digit < 0 or digit > 9:
            return 0, INVALID
        exponent = min(exponent * 10 + digit, _LARGEST_EXPONENT)
        at += 1
    return (-exponent if negative else exponent), EXACT


@inner
def decimal_shape(buf, at, stop):
    """Of an unsigned decimal: index after its digits, digits before the point, digits, exponent, status."""
    digits = 0
    before_point = -1
    while at < stop:
        byte = buf[at]
        if 48 <= byte <= 57:
            digits += 1
        elif byte == _DOT and before_point < 0:
            before_point = digits
        else:
            break
        at += 1
    if before_point < 0:
        before_point = digits
    if digits == 0:
        return at, before_point, digits, 0, INVALID
    if at == stop:
        return at, before_point, digits, 0, EXACT
    if buf[at] != 101 and buf[at] != 69:
        return at, before_point, digits, 0, INVALID
    exponent, status = _parse_exponent(buf, at + 1, stop)
    return at, before_point, digits, exponent, status


@inner
def _parse_long_time(buf, start, stop):
    at = start
    negative = at < stop and buf[at] == _MINUS
    if negative:
        at += 1
    digits_stop, before_point, digits, exponent, status = decimal_shape(buf, at, stop)
    if status == INVALID:
        return 0, INVALID
    whole = before_point + exponent + 3  # this many digits make whole nanoseconds
    value, index, half, rest = np.int64(0), 0, np.int64(0), np.int64(0)
    for i in range(at, digits_stop):
        if buf[i] == _DOT:
            continue
        digit = np.int64(buf[i]) - 48
        if index < whole:
            if _is_too_large(value, digit):
                return 0, INVALID
            value = value * 10 + digit
        elif index == whole:
            half = digit
        else:
            rest |= digit
        index += 1
    if value != 0:
        for _ in range(digits, whole):
            if _is_too_large(value, np.int64(0)):
                return 0, INVALID
            value *= 10
    if half > 5 or (half == 5 and (rest != 0 or value % 2 == 1)):
        if _is_too_large(value // 10, value % 10 + 1):
            return 0, INVALID
        value += 1
    return (-value if negative else value), (EXACT if half == 0 and rest == 0 else ROUNDED)


@inner
def parse_float(buf, start, stop):
    """The decimal in ``buf[start:stop]`` as float64, to 1 ulp, and `EXACT`, or 0.0 and `INVALID`.

    Invalid is also what cannot be made to 1 ulp by simple means: with 17 digits below 1e-6 and above 1e38, with 15
    digits below 1e-30 and above 1e58.
    """
    at = start
    negative = at < stop and buf[at] == _MINUS
    if negative:
        at += 1
    digits_stop, before_point, _, exponent, status = decimal_shape(buf, at, stop)
    if status == INVALID:
        return 0.0, INVALID
    mantissa, index, kept = 0, 0, 0
    for i in range(at, digits_stop):
        if buf[i] == _DOT:
            continue
        if mantissa < 90071992547409920:
            mantissa = mantissa * 10 + (np.int64(buf[i]) - 48)
            kept = index + 1
        index += 1
    power = before_point + exponent - kept
    if mantissa == 0:
        return 0.0, EXACT  # -0 too: the bits of -0.0 mean "no value"
    # A power of ten up to 22 and an integer up to 2**53 are exact: one or two roundings, within 1 ulp together.
    if abs(power) > 22 and (abs(power) > 44 or mantissa > 9007199254740992):
        return 0.0, INVALID
    value = float(mantissa)
    first = max(min(power, 22), -22)
    value = _times_power_of_ten(_times_power_of_ten(value, first), power - first)
    return (-value if negative else value), EXACT


@inner
def _times_power_of_ten(value, power):
    return value / 10.0 ** (-power) if power < 0 else value * 10.0**power
