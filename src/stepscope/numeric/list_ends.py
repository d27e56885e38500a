"""Where a list of JSON ends, found piece by piece."""

from __future__ import annotations

from stepscope.numeric.compiling import hot

_QUOTE, _BACKSLASH = 34, 92
_OPEN_BRACE, _CLOSE_BRACE, _OPEN_BRACKET, _CLOSE_BRACKET = 123, 125, 91, 93


@hot
def list_end(buf, start, depth, in_string, escaped):
    """Go on through the text of a list.

    Args:
        buf: bytes (uint8).
        start: where to go on.
        depth: open brackets and braces there, that of the list included.
        in_string, escaped: whether a string is open there, and whether a backslash stands in front.

    Returns:
        Where the bracket stands that closes the list, or -1; where the last element ended, or -1; and depth, in_string
        and escaped at the end.
    """
    element = -1
    for at in range(start, len(buf)):
        byte = buf[at]
        if in_string:
            if escaped:
                escaped = False
            elif byte == _BACKSLASH:
                escaped = True
            elif byte == _QUOTE:
                in_string = False
        elif byte == _QUOTE:
            in_string = True
        elif byte in (_OPEN_BRACE, _OPEN_BRACKET):
            depth += 1
        elif byte in (_CLOSE_BRACE, _CLOSE_BRACKET):
            depth -= 1
            if depth == 0:
                return at, element, depth, in_string, escaped
            if depth == 1:
                element = at + 1
    return -1, element, depth, in_string, escaped
