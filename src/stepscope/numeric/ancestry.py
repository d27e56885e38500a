"""Ways up through nested intervals."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stepscope.numeric.compiling import compiled, writable
from stepscope.numeric.nested import Ints, Rows, at


def nearest(wanted: npt.NDArray[np.bool_], parent: Ints | Rows) -> Ints:
    """Row of the nearest wanted one on each row's way up, itself included, or `NOBODY`.

    Args:
        wanted: by row.
        parent: row of each row's parent, or `NOBODY`; without cycles.
    """
    found: Ints = _nearest(writable(np.asarray(wanted, np.bool_)), writable(np.asarray(parent, np.int64)))
    return found


def open_ancestor(wanted: Ints, parent: Ints, end: Ints, row: Ints, times: Ints) -> Ints:
    """The nearest wanted row on each row's way up that is open at its time; below it some may have ended early.

    Args:
        wanted: the `nearest` one of each row.
        parent, end: of all rows.
        row: where each way begins, or `NOBODY`.
    """
    row = at(wanted, row)
    while True:
        closed = np.flatnonzero((row >= 0) & (end[row] <= times))
        if len(closed) == 0:
            return row
        row[closed] = at(wanted, parent[row[closed]])


@compiled
def _nearest(wanted, parent):
    n = len(parent)
    # -2: not known yet. Each row is settled once, so that the ways together are as long as the rows are many.
    found = np.full(n, -2, np.int64)
    for i in range(n):
        top = np.int64(i)
        while top >= 0 and found[top] == -2 and not wanted[top]:
            top = parent[top]
        answer = np.int64(-1)
        if top >= 0:
            if found[top] == -2:
                found[top] = top
            answer = found[top]
        row = np.int64(i)
        while row != top:
            found[row] = answer
            row = parent[row]
    return found
