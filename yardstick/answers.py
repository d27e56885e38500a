"""What a tool says of a recording, or of two, in a form that all tools are scored by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Range:
    """A figure and how sure the tool is of it: three times the same where it states no range."""

    low: float
    best: float
    high: float


@dataclass(frozen=True)
class Named:
    """A cause that a tool names.

    Attributes:
        cause: an id of docs/tables/findings.md.
        saving_pct: of the step, as stated; None where the tool states none.
        words: as the tool puts it.
    """

    cause: str
    saving_pct: Range | None
    words: str


@dataclass(frozen=True)
class Answer:
    """What a tool says of a recording.

    Attributes:
        version: of the tool.
        step_ms: time of a step; None where it states none.
        side: what bounds the step by the tool's own figures: "host", "gpu", "copies"; "" where it does not say.
        named: causes, the most important one first.
        failed: why there is no answer.
    """

    version: str = ""
    step_ms: Range | None = None
    side: str = ""
    named: tuple[Named, ...] = ()
    failed: str = ""


@dataclass(frozen=True)
class Rows:
    """What a tool says of two recordings.

    Attributes:
        rows: that are compared.
        changed: of these, those that it calls changed, or that the usual rule does where it calls none so.
        step: "changed", "same", "unknown"; "" where the tool says nothing of the step.
        failed: why there is no answer.
    """

    rows: int = 0
    changed: int = 0
    step: str = ""
    failed: str = ""


def answer(text: str) -> Answer:
    """An answer that was printed as JSON."""
    known = json.loads(text)
    named = tuple(Named(each["cause"], _range(each["saving_pct"]), each["words"]) for each in known["named"])
    return Answer(known["version"], _range(known["step_ms"]), known["side"], named, known["failed"])


def _range(known: dict[str, Any] | None) -> Range | None:
    return None if known is None else Range(**known)


def exactly(figure: float) -> Range:
    """A figure without a range."""
    return Range(figure, figure, figure)


def largest(parts: Mapping[str, float]) -> str:
    """The side that takes most, "" if none takes anything."""
    side = max(parts, key=lambda each: parts[each])
    return side if parts[side] > 0 else ""
