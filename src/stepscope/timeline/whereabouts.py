"""Where an event is: on which track, and in which step."""

from __future__ import annotations

from typing import Any

import numpy as np

from stepscope.store.profile import Rank
from stepscope.timeline.event_search import Event


def whereabouts(event: Event, launch: Event | None) -> dict[str, Any]:
    """Track and step of an event.

    Args:
        launch: the call that launched it, where it is known.

    Returns:
        ``on``: section, kind, title (a message), device, stream and thread of its track; ``step``: the number of the
        step in which it was launched, of what nothing launches in which it begins; None outside of all.
    """
    track = event.track
    members = ("section", "kind", "title", "device", "stream", "thread")
    # What was launched before the recording may run in any step.
    unknown = launch is None and event.source[0] == "activity" and event.rank.trace.rows("runtime") > 0
    moment = event.start if launch is None else launch.start
    return {
        "on": {name: getattr(track, name) for name in members},
        "step": None if unknown else step_at(event.rank, moment),
    }


def step_at(rank: Rank, moment: int) -> int | None:
    """Number of the step that a moment, in ns as the trace has it, lies in."""
    ranges = rank.all_steps.ranges
    at = int(np.searchsorted(ranges["start_ns"].to_numpy(), moment, side="right")) - 1
    if at < 0 or moment >= ranges["end_ns"][at]:
        return None
    return int(ranges["step"][at])
