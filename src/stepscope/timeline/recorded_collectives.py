"""Collectives and messages that flight recorders hold, as events: a track for each process group.

Nothing of them is known of the GPU but what a watchdog saw, so that they stand by themselves; see `record_times`.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.hangs.record_times import COMPLETED, DONE, NOT_STARTED, UNFINISHED, RecordedJob
from stepscope.messages import Message
from stepscope.numeric.depths import Laid
from stepscope.numeric.nested import Ints
from stepscope.store.profile import Rank
from stepscope.timeline import kinds
from stepscope.timeline.events import Group
from stepscope.timeline.names import Names
from stepscope.timeline.record_facts import timed_records
from stepscope.timeline.stored_events import offsets
from stepscope.timeline.tracks import COMMUNICATION, PROCESS_GROUP, Track

_KINDS = {
    COMPLETED: kinds.COLLECTIVE,
    DONE: kinds.COLLECTIVE,
    UNFINISHED: kinds.UNFINISHED,
    NOT_STARTED: kinds.NOT_STARTED,
}

_GROUP = ["group", "description"]


def collective_groups(rank: Rank, names: Names, job: RecordedJob | None) -> list[Group]:
    """Records of a rank's dump that have a time, on a track for each process group.

    Args:
        job: what all dumps of its job tell; None of ranks without a dump.
    """
    if job is None or rank.trace.rows("collective_record") == 0:
        return []
    frame = timed_records(rank, job)
    if len(frame) == 0:
        return []
    kind = frame["outcome"].replace_strict(_KINDS, return_dtype=pl.UInt8)
    source = offsets(rank.trace)["collective_record"] + frame["row"].to_numpy()
    start, end = (frame[column].to_numpy(writable=True) for column in ("start_ns", "end_ns"))
    events = Laid(start, end, names.of_words(frame["call"]), kind.to_numpy(writable=True), source.astype(np.uint32))
    groups = frame.select(_GROUP).unique(maintain_order=True).with_row_index("track")
    track = frame.join(groups, _GROUP, "left", maintain_order="left", nulls_equal=True)["track"]
    tracks = [Track(COMMUNICATION, PROCESS_GROUP, _title(*one)) for one in groups.select(_GROUP).iter_rows()]
    tie: Ints = np.zeros(len(frame), np.int64)
    return [Group(tracks, track.cast(pl.Int32).to_numpy(writable=True), tie, events)]


def _title(group: str, description: str | None) -> Message:
    """A group as a program calls it, with the number or hash that stands for its name."""
    described = description if description not in ("", "undefined") else None
    return Message("lane-group", group=group, description=described)
