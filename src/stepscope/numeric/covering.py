"""Which of the nested intervals around a moment stands for a stretch of time."""

from __future__ import annotations

import numpy as np

from stepscope.numeric.compiling import compiled, writable
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY, Rows

CLEARLY = 1.25
"""An interval stands for those inside it where it covers this much more of the stretch."""


def half_covering(parent: Rows, start: Ints, end: Ints, row: Ints, begin: Ints, stop: Ints) -> Ints:
    """The deepest interval that covers half of each stretch, of a row and those around it; `NOBODY` where none does.

    Args:
        parent, start, end: of the intervals.
        row: where to begin for each stretch, or `NOBODY`.
        begin, stop: of the stretches, in ns.
    """
    found: Ints = _half_covering(*(writable(array) for array in (parent, start, end, row, begin, stop)))
    return found


@compiled
def _half_covering(parent, start, end, row, begin, stop):
    found = np.full(len(row), NOBODY, np.int64)
    for i in range(len(row)):
        at = np.int64(row[i])
        while at >= 0 and 2 * (min(end[at], stop[i]) - max(start[at], begin[i])) < stop[i] - begin[i]:
            at = np.int64(parent[at])
        found[i] = at
    return found


def standing_for(
    parent: Rows, start: Ints, end: Ints, row: Ints, at: Ints, begin: Ints, stop: Ints
) -> tuple[Ints, Ints, Ints]:
    """Of the intervals open at a moment: the one to name, the outermost, and how much of the stretch that covers.

    Args:
        parent, start, end: of the intervals.
        row: the innermost one at each moment, or `NOBODY`.
        at: the moments, in ns.
        begin, stop: of the stretches, in ns.
    """
    arrays = (parent, start, end, row, at, begin, stop)
    named, root, covered = _standing_for(*(writable(array) for array in arrays))
    return named, root, covered


@compiled
def _standing_for(parent, start, end, row, at, begin, stop):
    named = np.full(len(row), NOBODY, np.int64)
    root = np.full(len(row), NOBODY, np.int64)
    covered = np.zeros(len(row), np.int64)
    for i in range(len(row)):
        if row[i] < 0:
            continue
        named[i] = root[i] = row[i]
        most = last = min(end[row[i]], stop[i]) - max(start[row[i]], begin[i])
        around = np.int64(parent[row[i]])
        while around >= 0:
            if end[around] > at[i]:
                root[i] = around
                last = min(end[around], stop[i]) - max(start[around], begin[i])
                if last > CLEARLY * most:
                    named[i], most = around, last
            around = np.int64(parent[around])
        covered[i] = last
    return named, root, covered
