"""Times and numbers of compilations, from JSON that may hold anything."""

from __future__ import annotations

from typing import Any

from stepscope.readers.coded_texts import whole


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
