"""Who called each Python frame, and until when it was open, where the profiler missed that some returned.

A frame whose return was missed is recorded until another return, or the recording's end, closes it. It then outlasts
its caller, which no call does: it is taken to end with its caller. Frames that begin later lie inside it by time alone;
their caller is the next frame further out that is still open.
"""

from __future__ import annotations

import numpy as np

from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.nesting import HostNesting

_MOST_ROUNDS = 16


def callers(host: HostNesting) -> tuple[Ints, Ints]:
    """Row of each frame's caller, or `NOBODY`; and each frame's end, not after its caller's."""
    inside = host.nesting.parent.astype(np.int64)
    end = host.end
    caller = _open_at_start(inside, host.start, end)
    if not (host.nesting.sticks_out.any() or (caller != inside).any()):
        return inside, end
    # An end that moves may close a caller, and another caller may move an end; the profiler misses few returns.
    for _ in range(_MOST_ROUNDS):
        trimmed = _earliest(host.end, caller)
        if np.array_equal(trimmed, end):
            break
        end = trimmed
        caller = _open_at_start(inside, host.start, end)
    return caller, end


def _open_at_start(inside: Ints, start: Ints, end: Ints) -> Ints:
    """The nearest row further out that is open where each row begins."""
    found = inside.copy()
    rows = np.flatnonzero(found != NOBODY)
    while len(rows):
        rows = rows[end[found[rows]] <= start[rows]]
        found[rows] = inside[found[rows]]
        rows = rows[found[rows] != NOBODY]
    return found


def _earliest(end: Ints, caller: Ints) -> Ints:
    """The least end on each row's way out, its own included."""
    # The last place stands for nobody, who never ends.
    least: Ints = np.append(end, np.iinfo(np.int64).max)
    up = np.append(caller, NOBODY)
    while True:
        least = np.minimum(least, least[up])
        further = up[up]
        if np.array_equal(further, up):
            break
        up = further
    found: Ints = least[: len(end)]
    return found
