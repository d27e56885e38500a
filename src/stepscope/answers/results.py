"""What was kept of earlier commands, as the web app shows it: results of checks, and predictions that were tested."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stepscope.checking import history
from stepscope.checking.baselines import Baseline
from stepscope.checking.outcome import EXIT_CODES, NONE, NS, STEP
from stepscope.checking.sentences import figure_text
from stepscope.messages import Message
from stepscope.messages.rendering import in_every_language
from stepscope.proving.experience import LEAST, Experience, experience
from stepscope.proving.ledger import Entry, coverage
from stepscope.proving.proof import INSIDE, LESS, MORE, UNCLEAR, Span

MOST_RUNS = 500
"""The newest of a history: more are no picture, and looking for changes takes a second for each thousand."""

MOST_PREDICTIONS = 2000

_LONGEST_TEXT = 300

AIMED_PCT = 80
"""Of the ranges of savings so many are meant to hold what comes."""

Linked = Callable[[str, float], Mapping[str, Any]]
"""The run that a path names, as it was at a moment."""


def history_document(entries: Sequence[Mapping[str, Any]], figure: str, linked: Linked) -> dict[str, Any]:
    """One figure of all runs of a history, one setup apart from the other.

    Args:
        figure: its key, as in the history; the step time where no run has it.
    """
    shown = entries[-MOST_RUNS:]
    known = _figures(shown)
    chosen = figure if figure in known else STEP
    setups = list({_key(one["setup"]): one["setup"] for one in shown}.values())
    numbers = {_key(one): number for number, one in enumerate(setups)}
    places = [numbers[_key(one["setup"])] for one in shown]
    return {
        "figure": chosen,
        "figures": [
            {"name": name, "unit": unit, "title": in_every_language(_short(history.figure_title(name)))}
            for name, unit in known.items()
        ],
        "runs": [_run(one, place, chosen, known[chosen], linked) for one, place in zip(shown, places, strict=True)],
        "left_out": len(entries) - len(shown),
        "setups": [_setup(one, number, shown, places, chosen) for number, one in enumerate(setups)],
        "least_runs": history.LEAST_RUNS,
        "outcomes": {one: in_every_language(Message(f"gate-outcome-{one}")) for one in EXIT_CODES},
    }


def _figures(entries: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Figures that a run has, with their units; the step time first."""
    names = sorted({name for one in entries for name in one["figures"]})
    units = {name: unit for one in entries for name, unit in one["units"].items()}
    return {STEP: NS} | {name: units.get(name, NONE) for name in names}


def _key(facts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(facts.items()))


def _setup(
    facts: Mapping[str, str], number: int, shown: Sequence[Mapping[str, Any]], places: Sequence[int], figure: str
) -> dict[str, Any]:
    """A setup: how many runs it has, how many of them have the figure, and where that changed."""
    rows = [row for row, place in enumerate(places) if place == number]
    alike = [shown[row] for row in rows]
    with_it = sum(figure == STEP or figure in one["figures"] for one in alike)
    found = history.changes(alike, figure) if len(alike) >= history.LEAST_RUNS and with_it == len(alike) else []
    return {
        "facts": {name: _cut(value) for name, value in facts.items()},
        "runs": len(alike),
        "with_figure": with_it,
        "changes": [
            {
                "run": rows[one.run],
                "before": one.before,
                "after": one.after,
                "text": in_every_language(history.change_message(one, len(alike))),
            }
            for one in found
        ],
    }


def _run(one: Mapping[str, Any], setup: int, figure: str, unit: str, linked: Linked) -> dict[str, Any]:
    value = one["step_ns"] if figure == STEP else one["figures"].get(figure)
    limit = one["limits"].get(figure)
    return {
        "at_s": one["at_s"],
        "label": _cut(one["label"]),
        "setup": setup,
        "outcome": one["outcome"],
        "value": value,
        "text": figure_text(value, unit),
        "range": one["step_range_ns"] if figure == STEP else None,
        "figure_outcome": one["outcomes"].get(figure),
        "limit": limit,
        "limit_text": figure_text(limit, unit),
        "at_least": figure in one["at_least"],
        "recordings": [dict(linked(path, one["at_s"])) for path in one["recordings"][:8]],
    }


def ledger_document(entries: Sequence[Entry], linked: Linked) -> dict[str, Any]:
    """Predictions, newest first, and how often their ranges held what came."""
    newest = sorted(entries, key=lambda one: -one.at_s)
    covered = coverage(entries)
    return {
        "predictions": [_prediction(one, linked) for one in newest[:MOST_PREDICTIONS]],
        "left_out": max(len(newest) - MOST_PREDICTIONS, 0),
        "aimed_pct": AIMED_PCT,
        "all": _covered(covered[-1], entries) if covered else None,
        "kinds": [_covered(one, entries) for one in covered[:-1]],
        "later": list(map(_later, experience(entries))),
        "least": LEAST,
        "outcomes": {one: in_every_language(Message(f"proof-outcome-{one}")) for one in (INSIDE, LESS, MORE, UNCLEAR)},
    }


def _covered(row: Any, entries: Sequence[Entry]) -> dict[str, Any]:
    some = [one for one in entries if row.finding in (None, one.finding)]
    return {
        "finding": row.finding and _cut(row.finding),
        "count": row.count,
        "inside": row.inside,
        "unclear": row.unclear,
        "error_pct": row.error_pct,
        "largest_pct": max(abs(one.promised_pct.best - one.came_pct.best) for one in some),
    }


def _later(one: Experience) -> dict[str, Any]:
    """By what the ranges of later predictions are multiplied; null as long as too few tests were conclusive."""
    factor = one.tested.factor if one.tested else None
    return {"finding": _cut(one.finding), "device": _cut(one.device), "known": one.known, "factor": factor}


def _prediction(one: Entry, linked: Linked) -> dict[str, Any]:
    return {
        "at_s": one.at_s,
        "finding": _cut(one.finding),
        "confidence": _cut(one.confidence),
        "promised": _ends(one.promised_pct),
        "came": _ends(one.came_pct),
        "outcome": one.outcome,
        "from_zero": not one.came_pct.contains(0.0),
        "device": _cut(one.device),
        "label": _cut(one.label),
        "before": dict(linked(one.before, one.at_s)),
        "after": dict(linked(one.after, one.at_s)),
    }


def _ends(span: Span) -> list[float]:
    return [span.low, span.best, span.high]


def baseline_document(one: Baseline) -> dict[str, Any]:
    """A saved baseline."""
    facts = {name: _cut(value) for name, value in one.setup.items()}
    return {"name": one.name, "saved_s": one.saved, "recordings": len(one.paths), "facts": facts}


def check_commands(path: str) -> list[str]:
    """What begins a history: the baseline, then a check that is kept."""
    check = ["stepscope", "check", "NEW", "--baseline", "main", "--history", path, "--label", "COMMIT"]
    return [shlex.join(["stepscope", "baseline", "save", "main", "BASE"]), shlex.join(check)]


def prove_command(path: str) -> str:
    """What begins a ledger."""
    return shlex.join(["stepscope", "prove", "BEFORE", "AFTER", "--finding", "ID", "--ledger", path])


def _short(title: Message | str) -> Message | str:
    return _cut(title) if isinstance(title, str) else title


def _cut(text: str) -> str:
    """Names of files may be of any length; a page shows no more than this."""
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"
