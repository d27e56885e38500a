"""What a check found as text for a terminal: the outcome in one sentence, then every check that is not fine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stepscope.checking.outcome import FINE, REGRESSED, UNKNOWN, Check, Verdict
from stepscope.checking.sentences import figure_text, sentences
from stepscope.messages import Message, readable
from stepscope.messages.quantities import one_line
from stepscope.messages.rendering import render, say
from stepscope.reporters.display_width import left, wrapped
from stepscope.reporters.sections.text_lines import Line, heading
from stepscope.reporters.table import TextColumn, render_table

_ORDER = (REGRESSED, UNKNOWN, FINE)


def check_lines(found: Verdict, width: int, every: bool = False) -> Iterator[Line]:
    """The verdict in words and one table.

    Args:
        every: list checks that are fine, too.
    """
    if found.baseline is not None:
        yield from _side("gate-side-base", found.baseline, width)
    for source in found.sources:
        yield from _side("gate-side-new", source, width)
    yield Line("")
    for number, sentence in enumerate(sentences(found)):
        style = "strong" if number == 0 else ""
        yield from (Line(line, style) for line in wrapped(one_line(render(sentence)), width, "", "  "))
    shown = [one for one in ordered(found.checks) if every or one.outcome != FINE]
    if shown:
        yield from heading(say("gate-section-checks"), say("gate-section-checks-says"), width)
        yield from (Line(f"  {line}") for line in render_table(_columns(shown), width - 2))
    if shown and len(shown) < len(found.checks):
        yield Line(f"  {say('gate-checks-fine', count=len(found.checks) - len(shown))}", "dim")


def ordered(checks: Sequence[Check]) -> list[Check]:
    """What regressed first, what is fine last."""
    return sorted(checks, key=lambda one: _ORDER.index(one.outcome))


def limit_text(one: Check) -> str:
    """The limit with what it limits."""
    if one.limit is None:
        return ""
    return f"{'>=' if one.at_least else '<='} {figure_text(one.limit, one.unit)}"


def _side(title: str, path: str, width: int) -> Iterator[Line]:
    text = f"{left(say(title), 6)}{readable(path)}"
    yield from (Line(line) for line in wrapped(text, width, "", " " * 6))


def _columns(checks: Sequence[Check]) -> list[TextColumn]:
    def figures(name: str) -> list[str]:
        return [figure_text(getattr(one, name), one.unit) for one in checks]

    columns = [TextColumn(say("gate-title-check"), [title_text(one) for one in checks], False, True)]
    if any(one.base is not None for one in checks):
        columns.append(TextColumn(say("gate-title-base"), figures("base"), True))
    columns.append(TextColumn(say("gate-title-new"), figures("new"), True))
    columns.append(TextColumn(say("gate-title-limit"), [limit_text(one) for one in checks], True))
    outcomes = [say(f"gate-outcome-{one.outcome}") for one in checks]
    return [*columns, TextColumn(say("gate-title-outcome"), outcomes, False)]


def title_text(one: Check) -> str:
    """What was checked, in words."""
    return one_line(render(one.title) if isinstance(one.title, Message) else one.title)
