"""Events that a report tells everything about: those that its tables and its search lead to, and what never ended."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from stepscope.answers.timeline_answers import in_words
from stepscope.store.profile import Profile
from stepscope.timeline import open_timeline
from stepscope.timeline.event_search import event_at, event_of
from stepscope.timeline.facts import event_facts
from stepscope.timeline.kinds import NOT_STARTED, UNFINISHED
from stepscope.timeline.related_events import MOST_ACTIVITIES, flows_of
from stepscope.timeline.stored_rows import read_ahead

MAX_SECONDS = 3.0
"""Where telling takes long, as with very many events of each name, fewer are told of."""

_OPEN = (UNFINISHED, NOT_STARTED)


def held_events(profile: Profile, places: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What the server answers for some events: ``{"lane.row": {"event", "flows"}}``, as many as there is time for."""
    timeline = open_timeline(profile)
    until = time.monotonic() + MAX_SECONDS
    found = {}
    every = [(place, event_at(timeline, place["lane"], place["row"])) for place in places]
    for rank in profile.ranks:
        read_ahead(rank, [event.source for _, event in every if event.rank.number == rank.number])
    for place, event in every:
        if time.monotonic() > until:
            break
        key = f"{place['lane']}.{place['row']}"
        found[key] = {"event": in_words(event_facts(event)), "flows": flows_of(event, MOST_ACTIVITIES)}
    return found


def longest_of_each_name(found: dict[str, Any], most: int) -> Iterator[dict[str, Any]]:
    """Where the longest event of each name lies, names with most time first.

    Args:
        found: names as a search answers them.
    """
    for name in found["names"][:most]:
        yield name["longest"]


def never_ended(profile: Profile, most: int) -> Iterator[dict[str, Any]]:
    """Where collectives of flight recorder dumps lie that did not end, earliest first: reports are about them."""
    timeline = open_timeline(profile)
    lying = [np.flatnonzero(np.isin(part.lanes["kind"][: part.lanes.events], _OPEN)) for part in timeline.parts]
    starts = [part.lanes["start"][index] - part.shift for part, index in zip(timeline.parts, lying, strict=True)]
    number = np.repeat(np.arange(len(lying)), [len(index) for index in lying])
    every = np.concatenate([np.empty(0, np.int64), *lying])
    for at in np.argsort(np.concatenate([np.empty(0, np.int64), *starts]), kind="stable")[:most].tolist():
        yield event_of(timeline, timeline.parts[number[at]], int(every[at])).place()
