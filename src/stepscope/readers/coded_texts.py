"""Texts of a recording, each stored once, and values of JSON that may be anything."""

from __future__ import annotations

from typing import Any

_MOST_INT = 1 << 62
_LONGEST = 1 << 14
MOST_BYTES = 256 << 20
"""Of all texts that are kept of one recording."""


class Texts:
    """Every text, by its code.

    Attributes:
        all: codes by text, in order.
        length: characters of all of them.
    """

    def __init__(self) -> None:
        self.all: dict[str, int] = {}
        self.length = 0

    def code(self, text: str | None) -> int | None:
        """Code of a text; None of none. Very long texts are cut."""
        if text is None:
            return None
        text = text[:_LONGEST].encode("utf-8", "replace").decode()
        if text not in self.all:
            self.all[text] = len(self.all)
            self.length += len(text)
        return self.all[text]


def whole(value: Any) -> int | None:
    """A whole number; None for anything else."""
    known = isinstance(value, int) and not isinstance(value, bool) and -_MOST_INT < value < _MOST_INT
    return value if known else None


def text(value: Any) -> str | None:
    """A text; None for anything else."""
    return value if isinstance(value, str) and value else None
