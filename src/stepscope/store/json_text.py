"""Arguments that a recording keeps as JSON, taken apart."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|([][{}])')

_DEEPEST = 100
"""Brackets within brackets. No recorder writes more, and what walks through a value calls itself for each."""


def json_value(text: str, parse_constant: Callable[[str], Any] | None = None) -> Any:
    """Value of a text; ``parse_constant`` makes those of NaN and the infinities, as for `json.loads`.

    Raises:
        ValueError: It is no JSON, or nested deeper than any recorder nests.

    >>> json_value("[[8, 9], []]")
    [[8, 9], []]
    """
    if text.count("[") + text.count("{") > _DEEPEST and _depth(text) > _DEEPEST:
        raise ValueError("nested too deep")
    return json.loads(text, parse_constant=parse_constant)


def _depth(text: str) -> int:
    depth = deepest = 0
    for bracket in _BRACKETS.findall(text):
        if bracket:
            depth += 1 if bracket in "[{" else -1
            deepest = max(deepest, depth)
    return deepest
