"""The lanes and counters of a rank: those kept beside its store, or else made now.

What makes them loads compiled code; what was kept needs none of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from stepscope.analyses.hangs.record_times import RecordedJob
from stepscope.store.profile import Rank
from stepscope.store.result_cache import kept_file
from stepscope.timeline.lane_file import Saved, load
from stepscope.timeline.lanes import LaneSet

EVENT_STEPS = 3
"""Steps of making lanes of events: read, laid out, with coarser levels in the file."""


def _events_file(rank: Rank, job: RecordedJob | None = None) -> Path:
    return kept_file(rank.trace.folder, f"timeline.events{_of_job(job)}", "bin")


def _of_job(job: RecordedJob | None) -> str:
    """Names what lanes of a dump depend on beside it: one dump may be opened with others of its job, and alone."""
    if job is None:
        return ""
    told = f"{job.until_ns} {' '.join(sorted(job.stateful))}"
    return f"-{hashlib.sha256(told.encode()).hexdigest()[:12]}"


def _idle_file(rank: Rank) -> Path:
    return kept_file(rank.trace.folder, "timeline.idle", "bin")


KEPT_FILES = (_events_file, _idle_file)
"""Where lanes of a rank are kept; its counters may be of recordings beside it, too."""


def keep_lanes(rank: Rank) -> None:
    """Make and keep the lanes of a rank, in a process that does nothing else."""
    for make in (event_lanes, idle_lanes):
        with suppress(Exception):  # it fails again, and says why, where somebody asks for it
            make(rank)


def event_lanes(rank: Rank, step: Callable[[], None] = lambda: None, job: RecordedJob | None = None) -> LaneSet:
    """Lanes of all timed events of a rank.

    Args:
        step: called after each of `EVENT_STEPS`, where they have to be made.
        job: what all dumps of its job tell, of a rank whose trace is one.
    """
    path = _events_file(rank, job)
    found = load(path)
    if found is not None:
        return LaneSet.of(found)
    from stepscope.timeline.lane_layout import make_event_lanes

    return make_event_lanes(rank, path, step, job)


def idle_lanes(rank: Rank) -> LaneSet:
    """A lane for the idle time of each GPU of a rank, selected or not."""
    path = _idle_file(rank)
    found = load(path)
    if found is not None:
        return LaneSet.of(found)
    from stepscope.timeline.idle_lanes import make_idle_lanes

    return make_idle_lanes(rank.whole, path)


def counters(rank: Rank) -> Saved:
    """The counters of a rank, selected or not."""
    path = kept_file(rank.trace.folder, f"timeline.counters{rank.beside}", "bin")
    found = load(path)
    if found is not None:
        return found
    from stepscope.timeline.counter_series import make_counters

    return make_counters(rank.whole, path)
