"""Long waits of the host during which the GPU did nothing that was recorded.

What they wait for is the work of somebody else: a batch that another recording holds, or another process.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stepscope.analyses.idle.waits import MEMORY, blocking_calls
from stepscope.analyses.steps.unions import rank_busy
from stepscope.numeric.intervals import Ints, covered_within
from stepscope.store.profile import Rank

_LONG_NS, _EXPLAINED = 1_000_000, 0.1
"""Of a longer wait the GPU should be busy for more than this share."""


@dataclass(frozen=True)
class UnrecordedWork:
    """Waits for work that was not recorded.

    Attributes:
        name: of the call that waited longest.
        time_ns: of all.
    """

    name: str
    time_ns: int


def is_for_unrecorded_work(rank: Rank, start: Ints, end: Ints) -> npt.NDArray[np.bool_]:
    """Which waits of the host, from ``start`` to ``end`` in ns, are for work that was not recorded."""
    length = end - start
    return (length >= _LONG_NS) & (covered_within(rank_busy(rank.whole), start, end) < _EXPLAINED * length)


def unrecorded_work(rank: Rank) -> UnrecordedWork | None:
    """The waits of a rank's selected steps for work that was not recorded; None without any."""
    calls = blocking_calls(rank)
    calls = calls.filter(rank.inside(calls["start_ns"]) & (calls["kind"] != MEMORY))
    start, end = calls["start_ns"].to_numpy(), calls["end_ns"].to_numpy()
    which = is_for_unrecorded_work(rank, start, end)
    if not which.any():
        return None
    length = (end - start) * which
    return UnrecordedWork(rank.trace.text(calls["name"])[int(length.argmax())], int(length.sum()))
