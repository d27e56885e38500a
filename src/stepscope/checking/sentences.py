"""What a check says first, as messages of the catalogue ``gate``."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.checking.outcome import BUDGET, COUNT, FINE, NS, REGRESSED, STEP, UNKNOWN, Check, Verdict
from stepscope.comparison.sentences import cause_message
from stepscope.messages import Message
from stepscope.messages.quantities import bytes_text, time_text

_MOST_NAMED = 3


def sentences(found: Verdict) -> list[Message]:
    """The outcome and what decided it, in one sentence; then what differs in how both sides were recorded."""
    return [_first(found), *_cause(found), *_setup(found)]


def _first(found: Verdict) -> Message:
    if found.outcome == FINE:
        return Message("gate-fine", parts=list(_fine(found)))
    told = sorted(found.of(found.outcome), key=lambda one: one.kind != STEP)  # what one asks for first
    clauses = [check_clause(one) for one in told[:_MOST_NAMED]]
    if found.outcome == UNKNOWN and found.refused:
        clauses.insert(0, Message("gate-refused"))
    name = "gate-regressed" if found.outcome == REGRESSED else "gate-unknown"
    return Message(name, parts=clauses, more=max(len(told) - _MOST_NAMED, 0))


def _cause(found: Verdict) -> Iterator[Message]:
    """The largest cause of a step that is not fine."""
    step = next((one for one in found.checks if one.kind == STEP), None)
    if step is None or step.outcome == FINE or found.comparison is None:
        return
    longer = [cause for cause in found.comparison.attribution.causes if cause.effect_ns > 0]
    if longer:
        yield Message("gate-cause", cause=cause_message(longer[0]), size_ns=round(longer[0].effect_ns))


def _fine(found: Verdict) -> Iterator[Message]:
    kinds = [one.kind for one in found.checks]
    for one in found.checks:
        if one.kind == STEP:
            yield Message("gate-fine-step", base_ns=round(one.base or 0), new_ns=round(one.new or 0))
    if COUNT in kinds:
        yield Message("gate-fine-counts", of_pct=found.count_tolerance_pct)
    if BUDGET in kinds:
        yield Message("gate-fine-budgets", count=kinds.count(BUDGET))


def check_clause(one: Check) -> Message:
    """A check that is not fine, in a clause."""
    base, new = figure_text(one.base, one.unit), figure_text(one.new, one.unit)
    if one.kind == BUDGET:
        limit = figure_text(one.limit, one.unit)
        return Message("gate-clause-budget", what=one.title, new=new, limit=limit, least=one.at_least, why=one.why)
    return Message("gate-clause", what=one.title, base=base or None, new=new, why=one.why)


def _setup(found: Verdict) -> Iterator[Message]:
    unknown = Message("diff-fact-unknown")
    for one in found.setup:
        yield Message(f"diff-fact-{one.what}", base=one.base or unknown, new=one.new or unknown)
    if found.refused:
        yield Message("gate-allow-setup")


def figure_text(value: float | None, unit: str) -> str:
    """A figure of a check with its unit.

    >>> figure_text(1500, "ns"), figure_text(2.5, "none"), figure_text(1001.0, "none"), figure_text(None, "ns")
    ('1.50 us', '2.5', '1,001', '')
    """
    if value is None:
        return ""
    if unit == NS:
        return time_text(value)
    if unit == "bytes":
        return bytes_text(value)
    return f"{value:,.4g} %" if unit == "pct" else f"{value:,.0f}" if value == round(value) else f"{value:,.4g}"
