"""The timeline of the report: as much of its detail as the page has room for."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from stepscope.answers.cell_encoding import planes
from stepscope.answers.held_events import held_events, longest_of_each_name, never_ended
from stepscope.answers.timeline_answers import in_words, tracks_in_words
from stepscope.messages import Message
from stepscope.reporters.html.parts import QUICK, Part, packed
from stepscope.store.profile import Profile
from stepscope.timeline.excerpts import excerpt
from stepscope.timeline.level_of_detail import coarser
from stepscope.timeline.marks import answer_marks
from stepscope.timeline.simulated_recommendations import simulated_recommendations
from stepscope.timeline.timeline import open_timeline
from stepscope.timeline.typical_paths import typical_paths

MAX_EVENTS = 200
"""Most events that everything is told about."""

_BYTES_PER_CELL = 9.0
"""What a cell takes in the page, as a first guess."""

_TRIES = 5
_FEWEST_CELLS = 2_000
_GOOD_USE = 0.7
"""A share of the room that is well used: not worth another try for more."""


@dataclass
class HeldTimeline:
    """A timeline as parts of the page.

    Attributes:
        parts: its tracks, names, cells, counters and events.
        index: where they are, or None where there is nothing to draw or no room.
        left_out: where its detail ends, a sentence each.
        found: its names, as a search answers them.
    """

    parts: list[Part] = field(default_factory=list)
    index: dict[str, Any] | None = None
    left_out: list[Message] = field(default_factory=list)
    found: dict[str, Any] = field(default_factory=lambda: {"names": []})

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)


def hold_timeline(profile: Profile, budget: int) -> HeldTimeline:
    """Pack the timeline of a profile, in at most some bytes of the page."""
    best = HeldTimeline(left_out=[Message("page-no-timeline")])
    cells = int(budget / _BYTES_PER_CELL)
    for _ in range(_TRIES):
        if cells < _FEWEST_CELLS:
            break
        part = excerpt(profile, cells)
        if not part["tracks"]["tracks"]:
            return HeldTimeline()
        made = _packed(profile, part)
        exact = part["cell_ns"] == 1
        if made.size <= budget and made.size > best.size:
            best = made
        if made.size <= budget and (exact or made.size > _GOOD_USE * budget):
            break
        cells = int(cells * min(4.0, 0.9 * budget / made.size))
    if best.index is not None:
        _tell_events(profile, best, budget)
        _hold(best, budget, "paths", [in_words(path) for path in typical_paths(profile)])
        _hold(best, budget, "occurrences", in_words(answer_marks(open_timeline(profile))))
        _hold(best, budget, "simulated", [in_words(step) for step in simulated_recommendations(profile)])
    return best


def _packed(profile: Profile, found: dict[str, Any]) -> HeldTimeline:
    whole = (found["pieces"][0]["t0"], found["pieces"][0]["t1"]) if found["pieces"] else (0, 0)
    pieces = [*found["pieces"]]
    for piece in found["pieces"]:
        if (piece["t0"], piece["t1"]) == whole:
            pieces += coarser(profile, piece)
    cells = [packed(f"cells{i}", planes(piece["data"]), QUICK) for i, piece in enumerate(pieces)]
    rest = {"tracks": tracks_in_words(found["tracks"]), "names": found["names"], "found": found["found"]}
    counters = found["counters"]
    parts = [packed("timeline", json.dumps(rest).encode()), packed("counters", counters["data"]), *cells]
    index = {
        "timeline": "timeline",
        "counters": {"part": "counters", "t0": counters["t0"], "t1": counters["t1"]},
        "cells": [
            {"part": part.name, **{key: piece[key] for key in ("t0", "t1", "cell_ns")}}
            for part, piece in zip(cells, pieces, strict=True)
        ],
        "events": None,
        "paths": None,
        "occurrences": None,
        "simulated": None,
    }
    return HeldTimeline(parts, index, _ends(found, whole), found["found"])


def _ends(found: dict[str, Any], whole: tuple[int, int]) -> list[Message]:
    """Where the detail of a timeline ends."""
    if found["cell_ns"] == 1:
        return []
    exact = [piece for piece in found["pieces"] if (piece["t0"], piece["t1"]) != whole and piece["cell_ns"] == 1]
    ranges = [Message("page-range", start_ns=one["t0"], end_ns=one["t1"]) for one in exact]
    return [Message("page-merged-events", shorter_ns=found["cell_ns"], exact=bool(ranges), ranges=ranges)]


def _tell_events(profile: Profile, held: HeldTimeline, budget: int) -> None:
    """Add everything about some events, if there is room."""
    told = held_events(profile, [*longest_of_each_name(held.found, MAX_EVENTS), *never_ended(profile, MAX_EVENTS)])
    part = packed("events", json.dumps(told).encode())
    if held.index is not None and held.size + part.size <= budget:
        held.parts.append(part)
        held.index["events"] = part.name


def _hold(held: HeldTimeline, budget: int, name: str, answer: Any) -> None:
    """Add an answer, if there is room."""
    part = packed(name, json.dumps(answer).encode())
    if held.index is not None and answer and held.size + part.size <= budget:
        held.parts.append(part)
        held.index[name] = part.name
