"""Events that a report tells everything about: those that its tables and its search lead to."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from stepscope.answers.timeline_answers import in_words
from stepscope.store.profile import Profile
from stepscope.timeline import open_timeline
from stepscope.timeline.event_search import event_at
from stepscope.timeline.facts import event_facts
from stepscope.timeline.related_events import MOST_ACTIVITIES, flows_of
from stepscope.timeline.stored_rows import read_ahead

MAX_SECONDS = 3.0
"""Where telling takes long, as with very many events of each name, fewer are told of."""


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
