"""Texts of the pool, made readable."""

from __future__ import annotations

import json
import re

_LAYOUT = re.compile(r'("(?:[^"\\]|\\.)*")|(,?)(\s+)')


def decoded(raw: bytes) -> str:
    r"""Text of a pooled value: JSON containers and quoted values stay JSON, bare strings lose their escapes.

    Bytes that are no UTF-8 and halves of surrogate pairs become U+FFFD. An escape that JSON does not know stays.
    Containers that are spread over lines, as some tools write traces, are put on one.

    >>> print(decoded(rb"aten\u003a:mm"), decoded(rb'["a\n"]'), decoded(rb"C:\dir"))
    aten::mm ["a\n"] C:\dir
    >>> print(decoded(b"[\n  [\n    8,\n    9\n  ],\n  []\n]"))
    [[8, 9], []]
    """
    text = raw.decode("utf-8", "replace")
    if "\n" in text and text[0] in "[{":
        text = _LAYOUT.sub(_on_one_line, text)
    if "\\" not in text or _is_json(text):
        return text
    try:
        value = json.loads(f'"{text}"', strict=False)
    except ValueError:
        return text
    return str(value).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _on_one_line(found: re.Match[str]) -> str:
    """A string as it is, white space with a line break as one space behind a comma and none elsewhere."""
    if found[1] or "\n" not in found[3]:
        return found[0]
    return ", " if found[2] else ""


def _is_json(text: str) -> bool:
    if text[:1] not in '"[{':
        return False
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True
