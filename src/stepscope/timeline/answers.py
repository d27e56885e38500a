"""Answers to the questions of the app about a timeline: from parameters as texts to JSON values or bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stepscope.store.selection import chosen_steps
from stepscope.timeline import query_params
from stepscope.timeline.areas import area_facts
from stepscope.timeline.event_search import Event, event_at
from stepscope.timeline.facts import cell_facts, event_facts
from stepscope.timeline.launched import launched_rows
from stepscope.timeline.marks import answer_marks
from stepscope.timeline.name_search import next_event, search_names
from stepscope.timeline.path_answer import answer_path
from stepscope.timeline.query_params import Parameters
from stepscope.timeline.related_events import MOST_ACTIVITIES, flows_of
from stepscope.timeline.role_names import names_of_role
from stepscope.timeline.row_search import named_places
from stepscope.timeline.simulated_answer import answer_simulated, changes_of
from stepscope.timeline.timeline import Timeline

Answer = dict[str, Any] | bytearray
"""What becomes JSON, or binary data as it is."""


def answer_tracks(timeline: Timeline, parameters: Parameters) -> Answer:
    """All tracks; see `Timeline.answer_tracks`."""
    return timeline.answer_tracks(query_params.packed(parameters))


def answer_window(timeline: Timeline, parameters: Parameters) -> Answer:
    """Cells of the lanes asked for, or of all."""
    t0, t1 = query_params.window(parameters)
    lanes = query_params.numbers(parameters, "lanes", timeline.lanes)
    return timeline.window(t0, t1, query_params.pixels(parameters), lanes)


def answer_counters(timeline: Timeline, parameters: Parameters) -> Answer:
    """Counters of the tracks asked for, or all."""
    t0, t1 = query_params.window(parameters)
    tracks = query_params.numbers(parameters, "tracks", timeline.track_numbers)
    return timeline.counter_bins(t0, t1, query_params.pixels(parameters), tracks)


def answer_names(timeline: Timeline, parameters: Parameters) -> Answer:
    """Texts of some names."""
    codes = query_params.numbers(parameters, "codes", len(timeline.names))
    return {"names": timeline.texts([] if codes is None else codes.tolist())}


def answer_cell(timeline: Timeline, parameters: Parameters) -> Answer:
    """What is in a cell."""
    lane, first, count = (query_params.whole(parameters, name) for name in ("lane", "first", "count"))
    return cell_facts(timeline, lane, first, count, query_params.limit(parameters, 100))


def answer_event(timeline: Timeline, parameters: Parameters) -> Answer:
    """Everything about an event."""
    return event_facts(_event(timeline, parameters))


def answer_flows(timeline: Timeline, parameters: Parameters) -> Answer:
    """Arrows from and to an event."""
    return flows_of(_event(timeline, parameters), query_params.limit(parameters, MOST_ACTIVITIES))


def answer_area(timeline: Timeline, parameters: Parameters) -> Answer:
    """What happened in a stretch of time."""
    t0, t1 = query_params.window(parameters)
    return area_facts(timeline, t0, t1, query_params.numbers(parameters, "tracks", timeline.track_numbers))


def answer_search(timeline: Timeline, parameters: Parameters) -> Answer:
    """Names that hold a text."""
    return search_names(
        timeline, parameters.get("q", ""), query_params.limit(parameters, 50), query_params.packed(parameters)
    )


def answer_named(timeline: Timeline, parameters: Parameters) -> Answer:
    """Names of the kernels of a kind or a collective."""
    return names_of_role(timeline, parameters.get("role", ""), parameters.get("value", ""))


def answer_launched(timeline: Timeline, parameters: Parameters) -> Answer:
    """Rows of what an operator launched on the GPU."""
    return launched_rows(timeline, parameters.get("operator", ""))


def answer_next(timeline: Timeline, parameters: Parameters) -> Answer:
    """The next event of a name, or the one before."""
    event = _event(timeline, parameters)
    direction = -1 if query_params.whole(parameters, "direction", 1) < 0 else 1
    tracks = query_params.numbers(parameters, "tracks", timeline.track_numbers)
    found = next_event(event, query_params.whole(parameters, "code"), direction, tracks, parameters.get("every") == "1")
    return {"place": found.place() if found is not None else None}


def answer_places(timeline: Timeline, parameters: Parameters) -> Answer:
    """Events of a kind and name, longest first."""
    steps = chosen_steps(parameters.get("step") or None)
    limit, packed = query_params.limit(parameters, 100), query_params.packed(parameters)
    at = query_params.whole(parameters, "at") if parameters.get("at") else None
    return named_places(timeline, parameters.get("kind", ""), parameters.get("name", ""), limit, steps, packed, at)


def answer_of_path(timeline: Timeline, parameters: Parameters) -> Answer:
    """The critical path of steps, as a window shows it."""
    steps = chosen_steps(parameters.get("step") or None)
    rank = query_params.whole(parameters, "rank") if parameters.get("rank") else None
    packed = query_params.packed(parameters)
    return answer_path(timeline, query_params.window(parameters), query_params.pixels(parameters), rank, steps, packed)


def answer_of_simulated(timeline: Timeline, parameters: Parameters) -> Answer:
    """The simulated step after changes, as a window shows it."""
    changes = changes_of(parameters.get("changes", ""))
    steps = chosen_steps(parameters.get("step") or None)
    rank = query_params.whole(parameters, "rank") if parameters.get("rank") else None
    window, pixels = query_params.window(parameters), query_params.pixels(parameters)
    return answer_simulated(timeline, window, pixels, changes, rank, steps, query_params.packed(parameters))


def answer_of_marks(timeline: Timeline, parameters: Parameters) -> Answer:
    """Every finding with its occurrences."""
    return answer_marks(timeline)


def _event(timeline: Timeline, parameters: Parameters) -> Event:
    return event_at(
        timeline,
        query_params.whole(parameters, "lane"),
        query_params.whole(parameters, "row"),
        query_params.packed(parameters),
    )


ANSWERS: dict[str, Callable[[Timeline, Parameters], Answer]] = {
    "tracks": answer_tracks,
    "window": answer_window,
    "counters": answer_counters,
    "names": answer_names,
    "cell": answer_cell,
    "event": answer_event,
    "flows": answer_flows,
    "area": answer_area,
    "search": answer_search,
    "named": answer_named,
    "launched": answer_launched,
    "next": answer_next,
    "places": answer_places,
    "path": answer_of_path,
    "simulated": answer_of_simulated,
    "marks": answer_of_marks,
}
"""What can be asked, by the last part of the path."""
