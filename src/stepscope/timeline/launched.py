"""What an operator launched on the GPU, as rows of the timeline's lanes."""

from __future__ import annotations

from typing import Any

import numpy as np

from stepscope.numeric.ancestry import nearest, open_ancestor
from stepscope.numeric.nested import Ints
from stepscope.store.linking import links
from stepscope.store.profile import Rank
from stepscope.timeline.binary_format import frame
from stepscope.timeline.event_search import stored_indices
from stepscope.timeline.timeline import Timeline

_WAYS = (True, False)
"""Whether little-used streams are packed: who asks shows them one way."""


def launched_rows(timeline: Timeline, operator: str) -> bytearray:
    """Kernels, copies and memsets that the table of operators counts in the GPU total of an operator.

    Returns:
        A binary answer: a column ``row``, ascending in each lane; ``lanes`` has where those of a lane lie in it.
    """
    lanes: list[dict[str, Any]] = []
    found = [np.empty(0, np.int64)]
    at = 0
    for index, rank in enumerate(timeline.profile.ranks):
        part = next(part for part in timeline.parts if part.rank == index)
        rows = _launched_inside(rank, operator)
        places = np.unique(np.concatenate([stored_indices(timeline, index, "activity", rows, way) for way in _WAYS]))
        first = part.lanes["lane_first"]
        lane_of = np.searchsorted(first, places, side="right") - 1
        found.append(places - first[lane_of])
        for lane, count in zip(*np.unique(lane_of, return_counts=True), strict=True):
            lanes.append({"lane": part.first_lane + int(lane), "offset": at, "count": int(count)})
            at += int(count)
    data, views = frame({"lanes": lanes}, {"row": "u32"}, at)
    views["row"][:] = np.concatenate(found)
    return data


def _launched_inside(rank: Rank, operator: str) -> Ints:
    """Rows of table ``activity`` that were launched while an operator of this name was open around their launch."""
    trace = rank.trace
    if trace.rows("operator") == 0 or trace.rows("activity") == 0:
        return np.empty(0, np.int64)
    wanted = np.zeros(trace.rows("operator"), np.bool_)
    wanted[trace.rows_with("operator", trace.codes(lambda text: text == operator))] = True
    launches = links(trace).select("operator", "launch_start_ns").with_row_index("row").drop_nulls("operator")
    host = rank.nesting("operator")
    row, at, around = (launches[name].to_numpy().astype(np.int64) for name in ("row", "launch_start_ns", "operator"))
    parent = host.nesting.parent.astype(np.int64)
    inside: Ints = row[open_ancestor(nearest(wanted, parent), parent, host.end, around, at) >= 0]
    return inside
