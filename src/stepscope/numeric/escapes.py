r"""One way to write each character of a JSON string: keys, categories and names are compared as bytes.

``"k\u0065rnel"`` and ``"kernel"`` are the same text. Traces hold few escapes but ``\"`` and ``\\``, which stay.
"""

from __future__ import annotations

from stepscope.numeric.bytescan import BACKSLASHES, HIGHS, ONES
from stepscope.numeric.compiling import hot, inner

_BACKSLASH, _QUOTE, _SLASH, _U, _TILDE = 92, 34, 47, 117, 126
_SURROGATES, _LOW_SURROGATES, _BEHIND_SURROGATES = 0xD800, 0xDC00, 0xE000


@hot
def unescape(buf, words, start, stop):
    r"""Replace ``\/`` and each ``\uXXXX`` that JSON does not need by the character, in UTF-8 and in place.

    ``words`` as in `bytescan`. Returns the new stop; the bytes from there on are zeros. Control characters and halves
    of surrogate pairs stay. Nothing is done where ``start`` may be inside an escape.
    """
    if stop - start < 2 or buf[start] == _BACKSLASH or not _has_any(buf, words, start, stop):
        return stop
    at, to = start, start
    while at < stop:
        if buf[at] != _BACKSLASH or at + 1 >= stop:
            buf[to] = buf[at]
            at, to = at + 1, to + 1
            continue
        code, behind = _character(buf, at, stop)
        if code < 0:
            for _ in range(2):
                buf[to] = buf[at]
                at, to = at + 1, to + 1
            continue
        if code == _QUOTE or code == _BACKSLASH:
            buf[to] = _BACKSLASH
            to += 1
        at, to = behind, _write_utf8(buf, to, code)
    buf[to:stop] = 0
    return to


@inner
def _has_any(buf, words, start, stop):
    """Whether there is one; 32 bytes at a time."""
    at = start
    while at < stop - 1:
        behind = min(at + 32, stop - 1)
        if behind < stop - 1:
            hit = _hit(words[at]) | _hit(words[at + 8]) | _hit(words[at + 16]) | _hit(words[at + 24])
            if not hit & HIGHS:
                at = behind
                continue
        for i in range(at, behind):
            if buf[i] == _BACKSLASH and (buf[i + 1] == _U or buf[i + 1] == _SLASH):
                return True
        at = behind
    return False


@inner
def _hit(word):
    slashes = word ^ BACKSLASHES
    return (slashes - ONES) & ~slashes


@inner
def _character(buf, at, stop):
    """Code point of the escape at ``at``, or -1 where it stays, and the index behind it."""
    if buf[at + 1] == _SLASH:
        return _SLASH, at + 2
    code = _unit(buf, at, stop)
    if code < 32 or code == _TILDE + 1:
        return -1, at
    if code < _SURROGATES or code >= _BEHIND_SURROGATES:
        return code, at + 6
    low = _unit(buf, at + 6, stop)
    if code >= _LOW_SURROGATES or low < _LOW_SURROGATES or low >= _BEHIND_SURROGATES:
        return -1, at
    return 0x10000 + ((code - _SURROGATES) << 10) + (low - _LOW_SURROGATES), at + 12


@inner
def _unit(buf, at, stop):
    r"""Value of the ``\uXXXX`` at ``at``, or -1."""
    if at + 6 > stop or buf[at] != _BACKSLASH or buf[at + 1] != _U:
        return -1
    value = 0
    for i in range(at + 2, at + 6):
        digit = int(buf[i]) - 48
        if digit > 9:
            digit = (int(buf[i]) | 32) - 87
            if digit < 10:
                return -1
        if digit < 0 or digit > 15:
            return -1
        value = 16 * value + digit
    return value


@inner
def _write_utf8(buf, to, code):
    if code < 0x80:
        buf[to] = code
        return to + 1
    if code < 0x800:
        buf[to] = 0xC0 | code >> 6
        buf[to + 1] = 0x80 | code & 63
        return to + 2
    if code < 0x10000:
        buf[to] = 0xE0 | code >> 12
        buf[to + 1] = 0x80 | code >> 6 & 63
        buf[to + 2] = 0x80 | code & 63
        return to + 3
    buf[to] = 0xF0 | code >> 18
    buf[to + 1] = 0x80 | code >> 12 & 63
    buf[to + 2] = 0x80 | code >> 6 & 63
    buf[to + 3] = 0x80 | code & 63
    return to + 4
