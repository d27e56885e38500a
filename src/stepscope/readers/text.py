"""Texts of the pool, made readable."""

from __future__ import annotations

import json


def decoded(raw: bytes) -> str:
    r"""Text of a pooled value: JSON containers and quoted values stay JSON, bare strings lose their escapes.

    Bytes that are no UTF-8 and halves of surrogate pairs become U+FFFD. An escape that JSON does not know stays.

    >>> print(decoded(rb"aten\u003a:mm"), decoded(rb'["a\n"]'), decoded(rb"C:\dir"))
    aten::mm ["a\n"] C:\dir
    """
    text = raw.decode("utf-8", "replace")
    if "\\" not in text or _is_json(text):
        return text
    try:
        value = json.loads(f'"{text}"', strict=False)
    except ValueError:
        return text
    return str(value).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_json(text: str) -> bool:
    if text[:1] not in '"[{':
        return False
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True
