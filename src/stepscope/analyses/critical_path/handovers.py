"""What let each stretch of a critical path begin: how the path came to it from the stretch before."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.path import CriticalPath
from stepscope.numeric.backtrace import BEHIND, LAUNCHING, ON_GPU, ON_HOST, RETURNING, UNKNOWN
from stepscope.numeric.intervals import Ints

HANDOVERS = (
    "stream",
    "event",
    "room",
    "launch",
    "wait",
    "thread",
    "continues",
    "collective",
    "unknown",
    "begin",
)
"""What let a piece begin; a number of it is its place here. The first three are as `activity_dependencies` has them:
the activity before it on its stream, an event of another stream, room on the GPU. ``launch``: its launch; ``wait``: the
end of the GPU work that the host waited for; ``thread``: another thread of the host; ``continues``: what the thread did
before; ``collective``: the arrival of the last rank; ``begin``: the step.
"""

_LAUNCH, _WAIT, _THREAD, CONTINUES, COLLECTIVE, _UNKNOWN, BEGIN = range(3, 10)


def handovers(path: CriticalPath) -> Ints:
    """Number in `HANDOVERS` of each stretch of a path."""
    window, kind, place, _, _ = path.stretches
    count = len(kind)
    # Stretches of a window stand latest first: what lies before one in time is behind it in the list.
    earlier = np.minimum(np.arange(count) + 1, max(count - 1, 0))
    first = np.append(window[1:] != window[:-1], True)[:count]
    before = np.where(first, -1, kind[earlier])
    activity = np.where(np.isin(kind, (ON_GPU, BEHIND)), place, 0)
    reason = path.bindings.reason[activity] if len(path.bindings.reason) else np.zeros(count, np.int64)
    behind = np.isin(before, (BEHIND, ON_GPU))
    on_gpu = np.select([behind, np.isin(before, (LAUNCHING, ON_HOST))], [reason, _LAUNCH], _UNKNOWN)
    on_host = np.where(before == ON_HOST, np.where(place == place[earlier], CONTINUES, _THREAD), _WAIT)
    found = np.select(
        [first, kind == ON_GPU, kind == BEHIND, kind == LAUNCHING, kind == ON_HOST, kind == RETURNING],
        [BEGIN, on_gpu, reason, _LAUNCH, on_host, _WAIT],
        _UNKNOWN,
    )
    found[kind == UNKNOWN] = _UNKNOWN
    return found
