"""Texts of a log, each stored once, and values of JSON that may be anything."""

from __future__ import annotations

from typing import Any

_MOST_INT = 1 << 62
_LONGEST = 1 << 14
MOST_BYTES = 256 << 20
"""Of all texts that are kept of one log."""


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


def us_to_ns(value: Any) -> int | None:
    """Microseconds, whole or not, as nanoseconds; None of what is no time.

    >>> us_to_ns(1795647281714756.0), us_to_ns(12), us_to_ns(-1), us_to_ns("1")
    (1795647281714756000, 12000, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1 << 52:
        return None
    return int(value) * 1000 + round((value - int(value)) * 1000)


def s_to_ns(value: Any) -> int | None:
    """Seconds as nanoseconds, to the microsecond; None of what is no time."""
    known = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1 << 32
    return round(value * 1_000_000) * 1000 if known else None


def compile_id(said: dict[str, Any]) -> str | None:
    """What names the compilation that a record is of; None of none.

    >>> compile_id({"frame_id": 2, "frame_compile_id": 1}), compile_id({"compiled_autograd_id": 0}), compile_id({})
    ('2/1', '!0', None)
    """
    frame, again, outer = (whole(said.get(key)) for key in ("frame_id", "frame_compile_id", "compiled_autograd_id"))
    inner = f"{frame}/{again}" if frame is not None and again is not None else ""
    if outer is None:
        return inner or None
    return f"!{outer}/{inner}" if inner else f"!{outer}"
