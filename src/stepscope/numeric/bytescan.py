"""Byte-level primitives of the JSON scanner: strings, containers, numbers, hashes.

Every function works on ``buf`` (uint8) and ``words``, a view of the same memory in which ``words[i]`` is the
little-endian 64-bit integer that starts at byte ``i``. Callers pad ``buf`` by at least `PADDING` bytes, so that
reading a word at the last byte stays inside the allocation.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric.compiling import inner

PADDING = 64
NULL = np.iinfo(np.int64).min
"""Stands for "no value" in an int64 cell; no time or count of a trace can reach it."""

_ONES = np.uint64(0x0101010101010101)
_HIGHS = np.uint64(0x8080808080808080)
_QUOTES = np.uint64(0x2222222222222222)
_BACKSLASHES = np.uint64(0x5C5C5C5C5C5C5C5C)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
_SHIFT = np.uint64(32)

_QUOTE, _BACKSLASH = 34, 92
_OPEN_BRACE, _CLOSE_BRACE, _OPEN_BRACKET, _CLOSE_BRACKET = 123, 125, 91, 93
_COMMA, _MINUS, _PLUS, _DOT = 44, 45, 43, 46

EXACT, ROUNDED, INVALID = 0, 1, 2
"""How a number was read: to the last digit, rounded to a whole ns, or not at all."""


def words_of(buf: np.ndarray) -> np.ndarray:
    """Unaligned uint64 view of ``buf``: element ``i`` covers the bytes ``i`` to ``i + 7``."""
    return np.ndarray((max(len(buf) - 7, 0),), dtype=np.uint64, buffer=buf.data, strides=(1,))


@inner
def is_blank(byte):
    # NUL too: files padded with zero bytes exist.
    return byte == 32 or byte == 10 or byte == 13 or byte == 9 or byte == 0


@inner
def skip_blanks(buf, at, end):
    while at < end and is_blank(buf[at]):
        at += 1
    return at


@inner
def string_end(buf, words, at, end):
    """Index of the quote that closes the string whose first character is at ``at``, or -1."""
    while at < end:
        while at + 8 <= end:
            word = words[at]
            quotes = word ^ _QUOTES
            slashes = word ^ _BACKSLASHES
            hit = ((quotes - _ONES) & ~quotes) | ((slashes - _ONES) & ~slashes)
            if hit & _HIGHS:
                break
            at += 8
        while at < end and buf[at] != _QUOTE and buf[at] != _BACKSLASH:
            at += 1
        if at >= end:
            return -1
        if buf[at] == _QUOTE:
            return at
        at += 2
    return -1


@inner
def container_end(buf, words, at, end):
    """Index after the bracket that closes the container opened at ``at``, or -1."""
    depth = 0
    while at < end:
        byte = buf[at]
        if byte == _QUOTE:
            at = string_end(buf, words, at + 1, end)
            if at < 0:
                return -1
        elif byte == _OPEN_BRACE or byte == _OPEN_BRACKET:
            depth += 1
        elif byte == _CLOSE_BRACE or byte == _CLOSE_BRACKET:
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return -1


@inner
def scalar_end(buf, at, end):
    """Index after the number or word at ``at``, or -1 when the buffer ends first."""
    while at < end:
        byte = buf[at]
        if byte == _COMMA or byte == _CLOSE_BRACE or byte == _CLOSE_BRACKET or is_blank(byte):
            return at
        at += 1
    return -1


@inner
def value_end(buf, words, at, end):
    """Index after the JSON value at ``at``, or -1 when it is not complete."""
    byte = buf[at]
    if byte == _QUOTE:
        close = string_end(buf, words, at + 1, end)
        return close + 1 if close >= 0 else -1
    if byte == _OPEN_BRACE or byte == _OPEN_BRACKET:
        return container_end(buf, words, at, end)
    return scalar_end(buf, at, end)


@inner
def hash_bytes(words, start, stop, seed):
    h = seed
    at = start
    while at + 8 <= stop:
        h = (h ^ words[at]) * _MULTIPLIER
        h ^= h >> _SHIFT
        at += 8
    rest = stop - at
    if rest > 0:
        tail = words[at] & (_FULL >> np.uint64(64 - 8 * rest))
        h = (h ^ tail) * _MULTIPLIER
        h ^= h >> _SHIFT
    h = (h ^ np.uint64(stop - start)) * _MULTIPLIER
    return h ^ (h >> _SHIFT)


@inner
def same_bytes(words, start, other_words, other_start, length):
    at = 0
    while at + 8 <= length:
        if words[start + at] != other_words[other_start + at]:
            return False
        at += 8
    rest = length - at
    if rest > 0:
        mask = _FULL >> np.uint64(64 - 8 * rest)
        return (words[start + at] & mask) == (other_words[other_start + at] & mask)
    return True


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
def parse_int(buf, start, stop):
    """The integer written in ``buf[start:stop]`` and `EXACT`, or 0 and `INVALID` (also beyond int64)."""
    at = start
    negative = False
    if at < stop and buf[at] == _MINUS:
        negative = True
        at += 1
    if at >= stop or stop - at > 19:
        return 0, INVALID
    value = 0
    while at < stop:
        digit = np.int64(buf[at]) - 48
        if digit < 0 or digit > 9:
            return 0, INVALID
        if value > 922337203685477579:
            return 0, INVALID
        value = value * 10 + digit
        at += 1
    return (-value if negative else value), EXACT


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
        exponent = min(exponent * 10 + digit, 100000)
        at += 1
    return (-exponent if negative else exponent), EXACT


@inner
def _decimal_shape(buf, at, stop):
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
    digits_stop, before_point, digits, exponent, status = _decimal_shape(buf, at, stop)
    if status == INVALID:
        return 0, INVALID
    whole = before_point + exponent + 3  # this many digits make whole nanoseconds
    value, index, half, rest = 0, 0, 0, 0
    for i in range(at, digits_stop):
        if buf[i] == _DOT:
            continue
        digit = np.int64(buf[i]) - 48
        if index < whole:
            if value > 922337203685477579:
                return 0, INVALID
            value = value * 10 + digit
        elif index == whole:
            half = digit
        else:
            rest |= digit
        index += 1
    if value != 0:
        for _ in range(digits, whole):
            if value > 922337203685477579:
                return 0, INVALID
            value *= 10
    if half > 5 or (half == 5 and (rest != 0 or value % 2 == 1)):
        value += 1
    return (-value if negative else value), (EXACT if half == 0 and rest == 0 else ROUNDED)


@inner
def parse_float(buf, start, stop):
    """The decimal in ``buf[start:stop]`` as float64, to 1 ulp, and `EXACT`, or 0.0 and `INVALID`."""
    at = start
    negative = at < stop and buf[at] == _MINUS
    if negative:
        at += 1
    digits_stop, before_point, _, exponent, status = _decimal_shape(buf, at, stop)
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
    if power < -330 or power > 330:
        return 0.0, INVALID
    # One exact power of ten and one operation round correctly while mantissa < 2**53 and |power| <= 22.
    value = float(mantissa) / 10.0 ** (-power) if power < 0 else float(mantissa) * 10.0**power
    if value == 0.0:
        return 0.0, EXACT  # the bits of -0.0 mean "no value"
    return (-value if negative else value), EXACT
