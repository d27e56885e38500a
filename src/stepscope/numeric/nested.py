"""What nesting finds; without the loops that find it, so that reading a stored result does not load numba."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Rows: TypeAlias = npt.NDArray[np.int32]
"""Row numbers, and numbers of threads."""

FOREVER = (1 << 63) - 1
"""The last moment. Written out: a loop that asks `np.iinfo` needs 140 modules of numba, 0.35 s, when it is loaded."""

NOBODY = -1
"""Row number that stands for "none"."""


class Nesting(NamedTuple):
    """Nesting of ``n`` intervals, each array by row.

    Attributes:
        order: rows sorted by thread, start, length (longest first), tie.
        parent: row of the parent or `NOBODY`.
        depth: number of intervals around it at its start.
        self_ns: time in which the row is its thread's innermost interval.
        sticks_out: ends after its parent.
    """

    order: Rows
    parent: Rows
    depth: Rows
    self_ns: Ints
    sticks_out: npt.NDArray[np.bool_]


def at(values: npt.NDArray[Any], row: Ints | Rows) -> npt.NDArray[Any]:
    """Values of some rows; `NOBODY` or false for the row `NOBODY`."""
    nothing = np.full(1, False if values.dtype == np.bool_ else NOBODY, values.dtype)
    found: npt.NDArray[Any] = np.concatenate([values, nothing])[row]  # `NOBODY` is the last one
    return found
