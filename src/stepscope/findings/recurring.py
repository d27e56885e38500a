"""Ranges of the host that come again in the steps, as opposed to what the machine did once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.simulation.edits import Ranges
from stepscope.findings.detector_context import Case
from stepscope.numeric.intervals import Ints


def recurring(case: Case, ranges: Ranges) -> Flags:
    """Which ranges come between the same two operators in half of the steps: a thread is late once where the machine
    had other work for its core, which no change of the program fixes."""
    kept = np.zeros(len(ranges.start), np.bool_)
    number, times = host_threads(case.rank).numbered(case.rank, "operator")
    names = case.rank.trace.frame("operator", ["name"])["name"].to_numpy()
    for thread in np.unique(ranges.thread).tolist():
        of, mine = np.flatnonzero(number == thread), np.flatnonzero(ranges.thread == thread)
        start = times["start_ns"].to_numpy()[of]
        end = start + times["duration_ns"].to_numpy()[of]
        last, first = np.argsort(end, kind="stable"), np.argsort(start, kind="stable")
        before = np.searchsorted(end[last], ranges.start[mine], side="right") - 1
        after = np.searchsorted(start[first], ranges.end[mine])
        pairs = np.stack([_name(names[of][last], before), _name(names[of][first], after)])
        _, which, times_seen = np.unique(pairs, axis=1, return_inverse=True, return_counts=True)
        often = times_seen[which.ravel()] >= (case.model.steps + 1) // 2
        # At the ends of the recording one of the two is not in it.
        at_end = [(pairs[1 - side] < 0) & np.isin(pairs[side], pairs[side][often]) for side in (0, 1)]
        kept[mine] = often | at_end[0] | at_end[1]
    return kept


def _name(names: npt.NDArray[np.uint32], at: Ints) -> Ints:
    """Codes of names at some places, -1 beyond their ends."""
    there = (at >= 0) & (at < len(names))
    return np.where(there, np.append(names.astype(np.int64), -1)[np.where(there, at, len(names))], -1)
