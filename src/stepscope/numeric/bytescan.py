"""Byte-level primitives of the JSON scanner: strings, containers, hashes.

Every function works on ``buf`` (uint8) and ``words``, a view of the same memory in which ``words[i]`` is the
little-endian 64-bit integer that starts at byte ``i``. Callers pad ``buf`` by at least `PADDING` bytes, so that
reading a word at the last byte stays inside the allocation.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric.compiling import hot, inner

PADDING = 64
_DEPTH = 60
NULL = np.iinfo(np.int64).min
"""Stands for "no value" in an int64 cell; no time or count of a trace can reach it."""

ONES = np.uint64(0x0101010101010101)
HIGHS = np.uint64(0x8080808080808080)
_QUOTES = np.uint64(0x2222222222222222)
BACKSLASHES = np.uint64(0x5C5C5C5C5C5C5C5C)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
_SHIFT = np.uint64(32)

_QUOTE, _BACKSLASH = 34, 92
_OPEN_BRACE, _CLOSE_BRACE, _OPEN_BRACKET, _CLOSE_BRACKET = 123, 125, 91, 93
_COMMA, _COLON = 44, 58


def words_of(buf: np.ndarray) -> np.ndarray:
    """Unaligned uint64 view of ``buf``: element ``i`` covers the bytes ``i`` to ``i + 7``."""
    return np.ndarray((max(len(buf) - 7, 0),), dtype=np.uint64, buffer=buf.data, strides=(1,))


@inner
def damage_at(at):
    """What stands for an index when there is damage at ``at``: a number below -1; of that number, ``at`` again."""
    return -2 - at


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
            slashes = word ^ BACKSLASHES
            hit = ((quotes - ONES) & ~quotes) | ((slashes - ONES) & ~slashes)
            if hit & HIGHS:
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
def _ends_value(buf, at, end):
    """Whether what follows a string in a container can follow it, as far as the bytes go."""
    at = skip_blanks(buf, at, end)
    return at >= end or buf[at] == _COMMA or buf[at] == _COLON or (buf[at] | 32) == _CLOSE_BRACE


@inner
def container_end(buf, words, at, end):
    """Index after the bracket that closes the container opened at ``at``, -1 without one, `damage_at` if it is damaged.

    In a damaged container brackets and quotes of other objects may be counted. So one that holds objects must be well
    formed; of the others, which are many, only the last bracket and what follows a string is checked.
    """
    start = at
    depth = 0
    has_objects = False
    while at < end:
        byte = buf[at]
        if byte == _QUOTE:
            at = string_end(buf, words, at + 1, end)
            if at < 0:
                return -1
            if not _ends_value(buf, at + 1, end):
                return damage_at(at)
        elif byte == _OPEN_BRACE or byte == _OPEN_BRACKET:
            depth += 1
            has_objects |= byte == _OPEN_BRACE
        elif byte == _CLOSE_BRACE or byte == _CLOSE_BRACKET:
            depth -= 1
            if depth == 0:
                is_good = is_well_formed(buf, words, start, at + 1) if has_objects else byte == _CLOSE_BRACKET
                return at + 1 if is_good else damage_at(at)
        at += 1
    return -1


@inner
def scalar_end(buf, at, end):
    """Index after the number or word at ``at``, or -1 when the buffer ends first."""
    while at < end:
        byte = buf[at]
        if byte == _COMMA or byte == _CLOSE_BRACE or byte == _CLOSE_BRACKET or byte == _QUOTE or is_blank(byte):
            return at
        at += 1
    return -1


_KEY, _AFTER_KEY, _VALUE, _AFTER_VALUE = range(4)
"""What `is_well_formed` expects next."""


@hot
def is_well_formed(buf, words, at, stop):
    """Whether ``buf[at:stop]`` is one container whose brackets, keys, colons and commas stand where JSON has them.

    Forgives what the scanner forgives: commas before a bracket, any word as a value. Beyond `_DEPTH` it does not tell.
    """
    kinds = 1  # a stack of bits, 1 for an object and 0 for a list, below a 1 that marks its bottom
    expected = _VALUE
    while at < stop:
        byte = buf[at]
        if byte == _QUOTE:
            if expected != _KEY and expected != _VALUE:
                return False
            at = string_end(buf, words, at + 1, stop)
            if at < 0:
                return False
            expected += 1
        elif byte == _OPEN_BRACE or byte == _OPEN_BRACKET:
            if expected != _VALUE:
                return False
            if kinds >> _DEPTH:
                return True
            kinds = 2 * kinds + (byte == _OPEN_BRACE)
            expected = _KEY if byte == _OPEN_BRACE else _VALUE
        elif byte == _CLOSE_BRACE or byte == _CLOSE_BRACKET:
            if (kinds & 1) != (byte == _CLOSE_BRACE) or not _may_close(kinds & 1, expected):
                return False
            kinds >>= 1
            expected = _AFTER_VALUE
        elif byte == _COMMA or byte == _COLON:
            if expected != (_AFTER_VALUE if byte == _COMMA else _AFTER_KEY):
                return False
            expected = _KEY if byte == _COMMA and kinds & 1 else _VALUE
        elif not is_blank(byte):
            if expected != _VALUE:
                return False
            at = scalar_end(buf, at, stop) - 1
            expected = _AFTER_VALUE
        at += 1
    return True


@inner
def _may_close(is_object, expected):
    return expected == _AFTER_VALUE or expected == (_KEY if is_object else _VALUE)


@inner
def value_end(buf, words, at, end):
    """Index after the JSON value at ``at``, -1 when it is not complete, `damage_at` where it is damaged."""
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
