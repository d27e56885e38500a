"""Results of many checks, a line of JSON each, and where their figures changed for good.

A change is looked for by binary segmentation: where the rank test of Mann and Whitney ("On a test of whether one of two
random variables is stochastically larger than the other", 1947), corrected for all places that were tried (Bonferroni),
tells two parts of a series apart, it is split where both lie closest to their medians, and each part is looked at
again. Ranks and medians, because figures of runs have outliers and no normal distribution. Libraries of change points
have no wheels for all of Python 3.10 to 3.14, or bring clients of many services.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stepscope.checking.outcome import COUNT, EXIT_CODES, NS, STEP, UNKNOWN, Verdict
from stepscope.checking.sentences import figure_text
from stepscope.comparison.recorded import compared_steps
from stepscope.comparison.setups import setup
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.json_lines import read_lines
from stepscope.store.profile import Profile

LEAST_RUNS = 20
"""Of fewer runs of one setup no change is looked for."""

_LEAST_PART = 5
"""Runs on either side of a change: the smallest p-value of five against fifteen is 0.0001."""

_LEVEL = 0.01

_LAST_DAY_S = 4e9
"""The year 2096: a moment that a damaged file holds may be beyond every calendar."""


@dataclass(frozen=True)
class Change:
    """From which run on a figure is another.

    Attributes:
        figure, unit: its name, and what it is counted in.
        run: place of the first run behind it, from 0.
        label, at_s: of that run.
        before, after: medians of the runs since the change before, and until the next one.
        p: of the test, corrected.
    """

    figure: str
    unit: str
    run: int
    label: str
    at_s: float
    before: float
    after: float
    p: float


def entry(found: Verdict, profiles: Sequence[Profile], label: str) -> dict[str, Any]:
    """What is remembered of a check."""
    named = {STEP if one.kind == STEP else f"{one.kind}:{one.name}": one for one in found.checks}
    known = {name: one for name, one in named.items() if one.new is not None and one.kind != STEP}
    lengths = [compared_steps(profile.ranks[0]).length for profile in profiles]
    times = [float(one.mean()) for one in lengths]
    return {
        "at_s": time.time(),
        "label": label,
        "outcome": found.outcome,
        "setup": setup(profiles[0].ranks[0]),
        "recordings": list(found.sources),
        "step_ns": round(sum(times) / len(times)),
        "step_range_ns": [int(min(one.min() for one in lengths)), int(max(one.max() for one in lengths))],
        "figures": {name: one.new for name, one in known.items()},
        "units": {name: one.unit for name, one in known.items()},
        "outcomes": {name: one.outcome for name, one in named.items()},
        "limits": {name: one.limit for name, one in named.items() if one.limit is not None},
        "at_least": [name for name, one in named.items() if one.at_least],
    }


def read(path: str) -> tuple[list[dict[str, Any]], int]:
    """The entries of a history in their order, and how many lines are none.

    Raises:
        BadRequest: it cannot be read.
    """
    try:
        lines, broken = read_lines(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadRequest(Message("gate-cannot-read-history", path=path), reason, Message("gate-other-file")) from error
    known = [_entry(line) for line in lines]
    return [one for one in known if one is not None], broken + known.count(None)


def _entry(value: Mapping[str, Any]) -> dict[str, Any] | None:
    try:
        figures, limits = _numbers(value["figures"]), _numbers(value.get("limits", {}))
        times = {"at_s": float(value["at_s"]), "step_ns": float(value["step_ns"])}
        low, high = (float(one) for one in value.get("step_range_ns") or [times["step_ns"]] * 2)
        texts = {name: _texts(value[name]) for name in ("setup", "units")}
        outcomes = {key: one for key, one in _texts(value.get("outcomes", {})).items() if one in EXIT_CODES}
        listed = {name: [str(one) for one in value.get(name, [])] for name in ("recordings", "at_least")}
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        return None
    if not np.isfinite([*times.values(), low, high, *figures.values(), *limits.values()]).all():
        return None
    outcome = str(value.get("outcome", ""))
    # Histories of earlier versions lack outcomes of single checks, their limits and the range of steps.
    return {
        **times,
        "label": str(value.get("label", "")),
        "outcome": outcome if outcome in EXIT_CODES else UNKNOWN,
        "step_range_ns": [low, high] if "step_range_ns" in value else None,
        "figures": figures,
        "limits": limits,
        "outcomes": outcomes,
        **texts,
        **listed,
    }


def _numbers(value: Mapping[str, Any]) -> dict[str, float]:
    return {str(key): float(one) for key, one in value.items()}


def _texts(value: Mapping[str, Any]) -> dict[str, str]:
    return {str(key): str(one) for key, one in value.items()}


def sentences(path: str) -> list[Message]:
    """What a history says of the runs with the setup of the last one.

    Raises:
        BadRequest: it cannot be read.
    """
    entries, broken = read(path)
    said = [Message("gate-history-broken", count=broken, path=path)] if broken else []
    alike = [one for one in entries if one["setup"] == entries[-1]["setup"]]
    if len(alike) < LEAST_RUNS:
        return [*said, Message("gate-history-short", least=LEAST_RUNS, count=len(alike))]
    found = changes(alike)
    if not found:
        return [*said, Message("gate-history-same", count=len(alike))]
    return [*said, *(change_message(one, len(alike)) for one in found)]


def figure_title(figure: str) -> Message | str:
    """What a figure of a history is called."""
    kind, _, name = figure.partition(":")
    if kind == STEP:
        return Message("gate-step")
    return Message(f"diff-count-{name}") if kind == COUNT else name or kind


def change_message(one: Change, runs: int) -> Message:
    """A change in a sentence; ``runs`` is how many of this setup there are."""
    what = figure_title(one.figure)
    before, after = (figure_text(value, one.unit) for value in (one.before, one.after))
    day = time.strftime("%Y-%m-%d", time.gmtime(max(0.0, min(one.at_s, _LAST_DAY_S))))
    label = one.label or None
    return Message(
        "gate-history-change", what=what, before=before, after=after, run=one.run + 1, runs=runs, day=day, label=label
    )


def changes(entries: Sequence[Mapping[str, Any]], figure: str | None = None) -> list[Change]:
    """Changes of the step time and of every figure that all of some runs of one setup have, in order of runs.

    Args:
        figure: the only one that is looked at.
    """
    found = []
    for name, values in series(entries).items():
        if figure not in (None, name):
            continue
        places = sorted(_split(values, 0, len(values)))
        edges = [0, *(place for place, _ in places), len(values)]
        for number, (place, p) in enumerate(places):
            before, after = values[edges[number] : place], values[place : edges[number + 2]]
            one = entries[place]
            medians = float(np.median(before)), float(np.median(after))
            unit = one["units"].get(name, "none") if name != STEP else NS
            found.append(Change(name, unit, place, one["label"], one["at_s"], *medians, p))
    return sorted(found, key=lambda one: (one.run, one.figure))


def series(entries: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """Figures by name, in the order of runs: those that every run has."""
    common = set.intersection(*(set(one["figures"]) for one in entries)) if entries else set()
    found = {STEP: np.array([one["step_ns"] for one in entries])}
    return found | {name: np.array([one["figures"][name] for one in entries]) for name in sorted(common)}


def _split(values: np.ndarray, low: int, high: int) -> list[tuple[int, float]]:
    """Places of changes within a part of a series, with their p-values."""
    from scipy.stats import mannwhitneyu

    places = range(low + _LEAST_PART, high - _LEAST_PART + 1)
    if not places or np.ptp(values[low:high]) == 0:
        return []
    parts = [(values[low:place], values[place:high]) for place in places]
    p = min(float(mannwhitneyu(*part).pvalue) for part in parts) * len(parts)
    if p > _LEVEL:
        return []
    # Ranks say that there is a change, but medians say better where: the test is surest near the middle.
    place = places[int(np.argmin([sum(np.abs(one - np.median(one)).sum() for one in part) for part in parts]))]
    return [*_split(values, low, place), (place, p), *_split(values, place, high)]
