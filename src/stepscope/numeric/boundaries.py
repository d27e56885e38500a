"""Where an object of the array begins or the array ends, found without reading from the front."""

from __future__ import annotations

from stepscope.numeric.bytescan import is_blank, skip_blanks
from stepscope.numeric.compiling import hot, inner

_QUOTE, _COLON, _COMMA = 34, 58, 44
_OPEN_BRACE, _CLOSE_BRACE, _CLOSE_BRACKET = 123, 125, 93


@hot
def last_boundary(buf, start, end):
    """Index of the ``{`` of the last ``} , { "letter`` in ``buf[start:end]``, or -1.

    In valid JSON this sequence is never inside a string: the quote after the brace would end the string and be
    followed by one of ``, : ] }``, not by a letter. So it always separates two objects.
    """
    at = end - 1
    while at > start:
        if buf[at] == _OPEN_BRACE and _has_key(buf, at, end):
            comma = _before(buf, at, start)
            if comma >= start and buf[comma] == _COMMA:
                brace = _before(buf, comma, start)
                if brace >= start and buf[brace] == _CLOSE_BRACE:
                    return at
        at -= 1
    return -1


@hot
def next_candidate(buf, at, floor, end):
    """Index of the first ``{`` from ``at`` on that may begin an object of the array, or -1.

    A key follows and no colon precedes it. It may also begin an object further down, in a list.
    """
    while at < end:
        if buf[at] == _OPEN_BRACE and _has_key(buf, at, end):
            before = _before(buf, at, floor)
            if before < floor or buf[before] != _COLON:
                return at
        at += 1
    return -1


@hot
def closes_array(buf, at, end):
    """Whether the ``]`` at ``at`` ends the array: 1 yes, 0 no, -1 when the bytes end before one can tell.

    Behind the array comes a key, or a brace and no comma; anything else is a stray bracket between two objects.
    """
    at = skip_blanks(buf, at + 1, end)
    if at < end and buf[at] == _COMMA:
        at = skip_blanks(buf, at + 1, end)
    if at < end and buf[at] == _CLOSE_BRACE:
        at = skip_blanks(buf, at + 1, end)
        if at < end:
            return 0 if buf[at] == _COMMA else 1
    if at >= end:
        return -1
    return 1 if buf[at] == _QUOTE else 0


@hot
def array_end(buf, at, end):
    """Index of the first ``]`` from ``at`` on that follows an object and ends the array, or -1."""
    floor = at
    while at < end:
        if buf[at] == _CLOSE_BRACKET and closes_array(buf, at, end) != 0:
            before = _before(buf, at, floor)
            if before >= floor and buf[before] == _CLOSE_BRACE:
                return at
        at += 1
    return -1


@inner
def _has_key(buf, brace, end):
    at = skip_blanks(buf, brace + 1, end)
    if at + 1 >= end or buf[at] != _QUOTE:
        return False
    letter = buf[at + 1] | 32
    return letter >= 97 and letter <= 122


@inner
def _before(buf, at, floor):
    """Index of the last byte before ``at`` that is not blank; ``floor - 1`` when there is none."""
    at -= 1
    while at >= floor and is_blank(buf[at]):
        at -= 1
    return at
