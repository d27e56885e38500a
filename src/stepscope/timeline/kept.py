"""The lanes and counters of a rank: those kept beside its store, or else made now.

What makes them loads compiled code; what was kept needs none of it.
"""

from __future__ import annotations

from stepscope.store.profile import Rank
from stepscope.timeline.lanes import LaneSet
from stepscope.timeline.saved import Saved, load, path_of


def event_lanes(rank: Rank) -> LaneSet:
    """Lanes of all timed events of a rank."""
    path = path_of(rank.trace.folder, "events")
    found = load(path)
    if found is not None:
        return LaneSet.of(found)
    from stepscope.timeline.laying import make_event_lanes

    return make_event_lanes(rank, path)


def idle_lanes(rank: Rank) -> LaneSet:
    """A lane for the idle time of each GPU of a rank, selected or not."""
    path = path_of(rank.trace.folder, "idle")
    found = load(path)
    if found is not None:
        return LaneSet.of(found)
    from stepscope.timeline.idle_lanes import make_idle_lanes

    return make_idle_lanes(rank.whole, path)


def counters(rank: Rank) -> Saved:
    """The counters of a rank, selected or not."""
    path = path_of(rank.trace.folder, "counters")
    found = load(path)
    if found is not None:
        return found
    from stepscope.timeline.counter_series import make_counters

    return make_counters(rank.whole, path)
