"""Which rank each trace is."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from stepscope.readers.sources import Source
from stepscope.store.duplicates import Claim, superseded
from stepscope.store.memory_budget import Holding
from stepscope.store.profile import FROM_NAME, FROM_ORDER, FROM_TRACE, Rank, Skipped, time_base
from stepscope.store.step_detection import whole_span
from stepscope.store.trace import Trace

RANK_IN_NAME = re.compile(r"(?<![A-Za-z0-9])(rank[\W_]*)(\d{1,9})", re.IGNORECASE)
"""How names say a rank: the word, and the number."""


def numbered(opened: Sequence[tuple[Source, Trace]]) -> tuple[tuple[Rank, ...], tuple[Skipped, ...]]:
    """Give every trace its rank: as recorded, else by file name, else the lowest free number.

    Of several files of one rank one is taken, see `store.duplicates`; the others are returned with the reason.
    """
    known = [_own_number(source, trace) for source, trace in opened]
    reasons = _superseded(opened, known)
    skipped = tuple(Skipped(opened[at][0].path, reason) for at, reason in sorted(reasons.items()))
    kept = [at for at in range(len(opened)) if at not in reasons]
    numbers: dict[int, tuple[int, str]] = {}
    used: set[int] = set()
    for wanted in (FROM_TRACE, FROM_NAME):
        for at in kept:
            number, origin = known[at]
            if number is not None and origin == wanted and number not in used:
                used.add(number)
                numbers[at] = number, origin
    free = (number for number in itertools.count() if number not in used)
    numbers |= {at: (next(free), FROM_ORDER) for at in kept if at not in numbers}
    holding = Holding()
    ranks = [Rank(numbers[at][0], opened[at][1], opened[at][0].path, numbers[at][1], holding=holding) for at in kept]
    return tuple(sorted(ranks, key=lambda rank: rank.number)), skipped


def _superseded(opened: Sequence[tuple[Source, Trace]], known: Sequence[tuple[int | None, str]]) -> dict[int, str]:
    said = [found for found in known if found[0] is not None]
    if len(set(said)) == len(said):
        return {}  # the usual case, in which no trace need be asked for its span
    claims = []
    for (source, trace), (number, origin) in zip(opened, known, strict=True):
        start, end = whole_span(trace)
        base = time_base(trace)
        claims.append(Claim(source.path, number, origin == FROM_TRACE, base + start, base + end, trace.events))
    return superseded(claims)


def _own_number(source: Source, trace: Trace) -> tuple[int | None, str]:
    recorded = trace.head.get("distributedInfo", {}).get("rank")
    if isinstance(recorded, int) and not isinstance(recorded, bool) and recorded >= 0:
        return recorded, FROM_TRACE
    named = RANK_IN_NAME.findall(source.name)
    return (int(named[-1][1]), FROM_NAME) if named else (None, FROM_ORDER)


def own_rank(source: Source, trace: Trace) -> Rank | None:
    """The rank that a trace is by itself, or None where that depends on what it is opened with."""
    number, origin = _own_number(source, trace)
    return Rank(number, trace, source.path, origin) if number is not None else None
