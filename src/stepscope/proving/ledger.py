"""Predictions that were tested, a line of JSON each: promised, came, and whether that lay inside the range."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stepscope.comparison.setups import setup
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.proving.proof import INSIDE, LESS, MORE, UNCLEAR, Proof, Recorded, Span
from stepscope.store.json_lines import append_line, read_lines
from stepscope.store.profile import Rank

FILE = os.path.join(".stepscope", "ledger.jsonl")


@dataclass(frozen=True)
class Entry:
    """A prediction that was tested.

    Attributes:
        label: what the fix was called; "" without.
        factor, recorded: as of `Proof`; of entries of earlier versions 1, and none.
    """

    at_s: float
    finding: str
    confidence: str
    promised_pct: Span
    came_pct: Span
    outcome: str
    device: str
    before: str
    after: str
    factor: float = 1.0
    recorded: tuple[Recorded, ...] = ()
    label: str = ""


def remember(path: str, proof: Proof, rank: Rank, label: str = "") -> None:
    """Append a proof to a ledger.

    Args:
        rank: whose recording after the fix it is.
        label: what to call the fix, as a commit.

    Raises:
        OSError: the file cannot be written.
    """
    append_line(
        path,
        {
            "at_s": time.time(),
            "finding": proof.finding,
            "confidence": proof.confidence,
            "promised_pct": _ends(proof.promised_pct),
            "factor": round(proof.factor, 3),
            "recorded": proof.recorded,
            "came_pct": _ends(proof.came_pct),
            "outcome": proof.outcome,
            "step_source": [proof.before.source, proof.after.source],
            "setup": setup(rank),
            "label": label,
            "before": proof.sources[0],
            "after": proof.sources[1],
        },
    )


def _ends(span: Span) -> list[float]:
    return [round(value, 3) for value in (span.low, span.best, span.high)]


def read_ledger(path: str) -> tuple[list[Entry], int]:
    """The entries of a ledger in their order, and how many lines are none.

    Raises:
        BadRequest: it cannot be read.
    """
    try:
        lines, broken = read_lines(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadRequest(Message("proof-cannot-read", path=path), reason, Message("proof-make-one")) from error
    known = [_entry(line) for line in lines]
    return [one for one in known if one is not None], broken + known.count(None)


def _entry(value: Mapping[str, Any]) -> Entry | None:
    try:
        promised, came = _span(value["promised_pct"]), _span(value["came_pct"])
        at_s, outcome = float(value["at_s"]), value["outcome"]
        texts = [str(value[name]) for name in ("before", "after")]
        facts = value["setup"]
        factor = float(value.get("factor", 1.0))
        if outcome not in (INSIDE, LESS, MORE, UNCLEAR) or not (math.isfinite(at_s) and 0 < factor < math.inf):
            return None
        head = (at_s, str(value["finding"]), str(value["confidence"]), promised, came, outcome)
        recorded = tuple((int(base), int(events)) for base, events in value.get("recorded", ()))
        label = str(value.get("label", ""))
        return Entry(*head, str(facts.get("device", "")), texts[0], texts[1], factor, recorded, label)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None


def _span(values: Sequence[Any]) -> Span:
    low, best, high = (float(value) for value in values)
    if not all(map(math.isfinite, (low, best, high))):
        raise ValueError("not finite")
    return Span(low, best, high)


@dataclass(frozen=True)
class Coverage:
    """How often ranges held what came.

    Attributes:
        finding: their id, or None for all.
        unclear: of how many it is unknown, as what came is not known well enough.
        error_pct: median of the distance between promised and came, in points.
    """

    finding: str | None
    count: int
    inside: int
    unclear: int
    error_pct: float


def coverage(entries: Sequence[Entry]) -> list[Coverage]:
    """Of each kind of finding, by how often it was tested, and of all of them last."""
    by_kind: dict[str, list[Entry]] = {}
    for entry in entries:
        by_kind.setdefault(entry.finding, []).append(entry)
    rows = [_covered(name, some) for name, some in sorted(by_kind.items(), key=lambda one: (-len(one[1]), one[0]))]
    return [*rows, _covered(None, entries)] if entries else []


def _covered(finding: str | None, entries: Sequence[Entry]) -> Coverage:
    errors = sorted(abs(entry.promised_pct.best - entry.came_pct.best) for entry in entries)
    middle = (errors[(len(errors) - 1) // 2] + errors[len(errors) // 2]) / 2
    inside, unclear = (sum(entry.outcome == one for entry in entries) for one in (INSIDE, UNCLEAR))
    return Coverage(finding, len(entries), inside, unclear, middle)
