"""Answers to the questions of the app about a timeline: from parameters as texts to JSON values or bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stepscope.timeline import asking
from stepscope.timeline.asking import Parameters
from stepscope.timeline.timeline import Timeline

Answer = dict[str, Any] | bytearray
"""What becomes JSON, or binary data as it is."""


def answer_tracks(timeline: Timeline, parameters: Parameters) -> Answer:
    """All tracks; see `Timeline.answer_tracks`."""
    return timeline.answer_tracks(parameters.get("packed", "1") not in ("0", "false"))


def answer_window(timeline: Timeline, parameters: Parameters) -> Answer:
    """Cells of the lanes asked for, or of all."""
    t0, t1 = asking.window(parameters)
    lanes = asking.numbers(parameters, "lanes", timeline.lanes)
    return timeline.window(t0, t1, asking.pixels(parameters), lanes)


def answer_names(timeline: Timeline, parameters: Parameters) -> Answer:
    """Texts of some names."""
    codes = asking.numbers(parameters, "codes", len(timeline.names))
    return {"names": timeline.texts([] if codes is None else codes.tolist())}


ANSWERS: dict[str, Callable[[Timeline, Parameters], Answer]] = {
    "tracks": answer_tracks,
    "window": answer_window,
    "names": answer_names,
}
"""What can be asked, by the last part of the path."""
