"""What a caller chose of a profile, in whatever form it was written: ranks and steps."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable

from stepscope.errors import BadRequest
from stepscope.messages import Message

_MOST = (1 << 63) - 1


def chosen_ranks(value: object) -> list[int] | None:
    """One rank or several, as numbers or as text, as a list; None for all.

    Raises:
        BadRequest: it is neither.
    """
    if value is None:
        return None
    number = _number(value)
    if number is not None:
        return [number]
    several = None if isinstance(value, (str, bytes)) else _listed(value)
    numbers = [_number(one) for one in several] if several is not None else [None]
    known = [one for one in numbers if one is not None]
    if len(known) < len(numbers):
        tried = Message("open-cannot-show-rank", rank=_shown(value))
        raise BadRequest(tried, Message("open-no-rank-number"), Message("open-rank-example"))
    return known


def chosen_steps(value: object) -> tuple[int, int] | None:
    """One step, first and last, or a text like ``3:5``, as first and last; None for all.

    Raises:
        BadRequest: it is none of these, or the last comes before the first.
    """
    if value is None:
        return None
    number = _number(value)
    if number is not None:
        return number, number
    match = re.fullmatch(r"([0-9]{1,18}):([0-9]{1,18})", value.strip()) if isinstance(value, str) else None
    parts = match.groups() if match else _listed(value) or []
    numbers = [_number(part) for part in parts]
    tried, example = Message("open-cannot-show-step", step=_shown(value)), Message("open-step-example")
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None or isinstance(value, bytes):
        raise BadRequest(tried, Message("open-no-step-number"), example)
    if numbers[1] < numbers[0]:
        raise BadRequest(tried, Message("open-steps-backwards"), example)
    return numbers[0], numbers[1]


def checked_part(value: object) -> tuple[int | None, int | None] | None:
    """From and to in ns, each None for an open end; None for everything.

    Raises:
        BadRequest: it is no such pair, or the end does not come behind the beginning.
    """
    if value is None:
        return None
    parts = _listed(value) or []
    ends = [None if part is None else _number(part) for part in parts]
    tried, example = Message("open-cannot-read-part", part=_shown(value)), Message("open-part-example")
    if len(parts) != 2 or any(end is None and part is not None for end, part in zip(ends, parts, strict=True)):
        raise BadRequest(tried, Message("open-no-part"), example)
    begin, end = ends
    if (begin or 0) < 0 or (end is not None and end <= (begin or 0)):
        raise BadRequest(tried, Message("open-part-backwards"), example)
    return begin, end


def _number(value: object) -> int | None:
    """A whole number of any kind (not a truth value), or its text; None where it is none."""
    if isinstance(value, str):
        return int(value) if re.fullmatch(r"\s*[0-9]{1,18}\s*", value) else None
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        number = operator.index(value)
    except TypeError:
        return None
    return number if -_MOST <= number <= _MOST else None


def _listed(value: object) -> list[object] | None:
    return list(value) if isinstance(value, Iterable) and not isinstance(value, (str, bytes)) else None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
