"""What may be asked about a timeline, as it arrives from outside: texts, checked."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np

from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.numeric.nested import Ints

Parameters = Mapping[str, str]

_MOST = (1 << 63) - 1
_MOST_PIXELS = 1 << 16
_MOST_LISTED = 10_000


def whole(parameters: Parameters, name: str, default: int | None = None) -> int:
    """A whole number; one with a fraction is rounded down.

    Raises:
        BadRequest: it is missing, or no number.
    """
    text = parameters.get(name, "").strip()
    if text == "" and default is not None:
        return default
    if re.fullmatch(r"[+-]?\d{1,30}", text):
        return min(max(int(text), -_MOST), _MOST)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        found = Message("error-missing", name=name) if text == "" else Message("error-not-a-number", name=name)
        advice = Message("error-assign-example", name=name, example="1000")
        raise BadRequest(Message("error-cannot-read-question"), found, advice)
    return min(max(math.floor(value), -_MOST), _MOST)


def window(parameters: Parameters) -> tuple[int, int]:
    """Begin and end of a window, offsets in ns.

    Raises:
        BadRequest: one of them is missing, or the end comes first.
    """
    t0, t1 = whole(parameters, "t0"), whole(parameters, "t1")
    if t1 < t0:
        found, advice = Message("error-ends-before"), Message("error-window-order")
        raise BadRequest(Message("error-cannot-show-window"), found, advice)
    return t0, t1


def packed(parameters: Parameters) -> bool:
    """Whether little-used streams are packed together."""
    return parameters.get("packed", "1") not in ("0", "false")


def pixels(parameters: Parameters) -> int:
    """Width of the screen in pixels, in sensible bounds."""
    return min(max(whole(parameters, "px", 1000), 1), _MOST_PIXELS)


def limit(parameters: Parameters, default: int) -> int:
    """How much to list, in sensible bounds: one answer could otherwise hold every event of a recording.

    Raises:
        BadRequest: it is no number.
    """
    return min(max(whole(parameters, "limit", default), 0), _MOST_LISTED)


def numbers(parameters: Parameters, name: str, most: int) -> Ints | None:
    """Ascending numbers below ``most``, from a text like ``0-12,40``; None where it is missing.

    Raises:
        BadRequest: the text is none of that kind.
    """
    text = parameters.get(name)
    if text is None:
        return None
    # Where ranges begin and end, so that many long ones cost no more than a few short ones.
    change = np.zeros(most + 1, np.int64)
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,18})(?:\s*-\s*(\d{1,18}))?\s*", part)
        if match is None:
            if part.strip() == "":
                continue
            advice = Message("error-assign-example", name=name, example="0-3,7")
            raise BadRequest(Message("error-cannot-read-question"), Message("error-not-numbers", name=name), advice)
        low = int(match.group(1))
        high = int(match.group(2) or low)
        if low <= high:
            change[min(low, most)] += 1
            change[min(high + 1, most)] -= 1
    return np.flatnonzero(np.cumsum(change[:most]))
