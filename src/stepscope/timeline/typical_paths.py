"""The critical paths that a report holds: those of a typical step, of the job and of each rank."""

from __future__ import annotations

from typing import Any

from stepscope.store.profile import Profile
from stepscope.timeline.excerpts import typical_step
from stepscope.timeline.path_answer import answer_path
from stepscope.timeline.timeline import open_timeline

_PIXELS = 2000
"""So many pieces of a path, twice of each, are told apart."""

MOST_PATHS = 9
"""Of the job and of its first eight ranks, as a report draws the steps of these event by event."""


def typical_paths(profile: Profile) -> list[dict[str, Any]]:
    """Answers of `answer_path` about the step of median length: first that of the job, then of each rank."""
    timeline = open_timeline(profile)
    found: list[dict[str, Any]] = []
    for rank in timeline.profile.ranks:
        step = typical_step(rank)
        if step is None or len(found) == MOST_PATHS:
            continue
        shift = next(part.shift for part in timeline.parts if timeline.profile.ranks[part.rank] is rank)
        window = (step[1] - shift - timeline.origin_ns, step[2] - shift - timeline.origin_ns)
        for of in (rank.number,) if found else (None, rank.number):
            path = answer_path(timeline, window, _PIXELS, of, (step[0], step[0]), True)
            found += [path] if path["state"] == "ok" else []
    return found
