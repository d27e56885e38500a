"""Proofs and ledgers as text for a terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from stepscope.messages import Message, readable
from stepscope.messages.quantities import one_line
from stepscope.messages.rendering import render, say
from stepscope.proving.experience import LEAST, Experience, experience
from stepscope.proving.ledger import Coverage, Entry, coverage
from stepscope.proving.proof import Proof, Span
from stepscope.proving.sentences import sentences
from stepscope.reporters.display_width import left, wrapped
from stepscope.reporters.sections.text_lines import Line, heading
from stepscope.reporters.table import TextColumn, render_table


def proof_lines(found: Proof, width: int) -> Iterator[Line]:
    """What was promised and what came."""
    for title, path in zip(("proof-before", "proof-after"), found.sources, strict=True):
        text = f"{left(say(title), 8)}{readable(path)}"
        yield from (Line(line) for line in wrapped(text, width, "", " " * 8))
    yield Line("")
    for number, sentence in enumerate(sentences(found)):
        yield from _wrapped(sentence, width, "strong" if number == 0 else "")


def ledger_lines(entries: Sequence[Entry], broken: int, path: str, width: int) -> Iterator[Line]:
    """How often ranges held what came, by kind of finding, then every prediction, newest first."""
    if broken:
        yield from _wrapped(Message("gate-history-broken", count=broken, path=path), width, "warning")
    if not entries:
        yield from _wrapped(Message("proof-empty", path=path), width)
        return
    covered = coverage(entries)
    yield from _wrapped(_held(covered[-1]), width, "strong")
    yield from heading(say("proof-section-kinds"), "", width)
    columns = [
        TextColumn(say("proof-title-finding"), [one.finding or say("proof-all") for one in covered], False),
        TextColumn(say("proof-title-tested"), [str(one.count) for one in covered], True),
        TextColumn(say("proof-title-inside"), [str(one.inside) for one in covered], True),
        TextColumn(say("proof-outcome-unclear"), [str(one.unclear) for one in covered], True),
        TextColumn(say("proof-title-error"), [f"{one.error_pct:.1f}" for one in covered], True),
    ]
    yield from (Line(f"  {line}") for line in render_table(columns, width - 2))
    yield from _experience(entries, width)
    yield from heading(say("proof-section-predictions"), "", width)
    newest = sorted(entries, key=lambda one: -one.at_s)
    labels = [one_line(one.label) for one in newest]
    columns = [
        TextColumn(say("proof-title-date"), [_day(one) for one in newest], False),
        TextColumn(say("proof-title-finding"), [one_line(one.finding) for one in newest], False),
        TextColumn(say("proof-title-promised"), [_range(one.promised_pct) for one in newest], True),
        TextColumn(say("proof-title-came"), [_range(one.came_pct) for one in newest], True),
        TextColumn(say("proof-title-outcome"), [say(f"proof-outcome-{one.outcome}") for one in newest], False),
        *([TextColumn(say("proof-title-label"), labels, False)] if any(labels) else []),
        TextColumn(say("proof-title-after"), [one_line(readable(one.after)) for one in newest], False, True),
    ]
    yield from (Line(f"  {line}") for line in render_table(columns, width - 2))


def _held(every: Coverage) -> Message:
    """How often ranges held what came, and how often that is unknown."""
    outside = every.count - every.inside - every.unclear
    return Message("proof-coverage", count=every.count, inside=every.inside, outside=outside, unclear=every.unclear)


def _experience(entries: Sequence[Entry], width: int) -> Iterator[Line]:
    """By what the ranges of later predictions are multiplied, of each kind and device."""
    found = experience(entries)
    yield from heading(say("proof-section-later"), "", width)
    columns = [
        TextColumn(say("proof-title-finding"), [one_line(one.finding) for one in found], False),
        TextColumn(say("proof-title-device"), [one_line(one.device) or "-" for one in found], False, True),
        TextColumn(say("proof-title-known"), [str(one.known) for one in found], True),
        TextColumn(say("proof-title-factor"), [_factor(one) for one in found], True),
    ]
    yield from (Line(f"  {line}") for line in render_table(columns, width - 2))


def _factor(one: Experience) -> str:
    return f"x{one.tested.factor:.1f}" if one.tested else say("proof-too-few", least=LEAST)


def _day(one: Entry) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(max(0.0, min(one.at_s, 4e9))))


def _range(span: Span) -> str:
    return say("proof-range", low_pct=span.low, best_pct=span.best, high_pct=span.high)


def _wrapped(message: Message, width: int, style: str = "") -> Iterator[Line]:
    yield from (Line(line, style) for line in wrapped(one_line(render(message)), width, "", "  "))
