"""Work of a thread up to moments, when each of its intervals takes longer or shorter than recorded."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stepscope.numeric.compiling import compiled, writable
from stepscope.numeric.nested import Ints

_Floats = npt.NDArray[np.float64]


def worked_until(length: Ints, pace: _Floats, interval: Ints, share: _Floats) -> _Floats:
    """Work from the first interval to moments, in ns, not rounded.

    Args:
        length: work in each interval, in ns.
        pace: by interval, by what that is multiplied.
        interval: of each moment, the interval that it lies in.
        share: of each moment, how much of that interval has passed, 0 to 1.

    >>> worked_until(np.array([4, 6]), np.array([1.0, 0.5]), np.array([0, 1]), np.array([0.5, 1.0])).tolist()
    [2.0, 7.0]
    """
    ints = (writable(np.asarray(one, np.int64)) for one in (length, interval))
    floats = (writable(np.asarray(one, np.float64)) for one in (pace, share))
    found: _Floats = _worked_until(*ints, *floats)
    return found


def shortened(length: Ints, program: Ints, pace: _Floats, share: _Floats, most: _Floats) -> _Floats:
    """By what to multiply the length of intervals of which a part was not the program's, and goes.

    Args:
        length: of each interval, in ns; of an empty one ``pace`` is all that is known.
        program: how much of it is taken to be the program's at first, in ns.
        pace: by what each is multiplied before.
        share: of that the part that goes.
        most: but no more of an interval than this, in ns.

    >>> shortened(np.array([10, 90, 0]), np.array([10, 90, 0]), np.ones(3), np.full(3, 0.5), np.full(3, 9.0)).tolist()
    [0.5, 0.9, 1.0]
    """
    ints = (writable(np.asarray(one, np.int64)) for one in (length, program))
    floats = (writable(np.asarray(one, np.float64)) for one in (pace, share, most))
    found: _Floats = _shortened(*ints, *floats)
    return found


@compiled
def _shortened(length, program, pace, share, most):
    # One pass, where arrays for each operation would take several times as long to fill.
    found = pace.copy()
    for i in range(len(length)):
        if length[i] > 0:
            left = program[i] * pace[i]
            found[i] = (left - min(most[i], share[i] * left)) / length[i]
    return found


@compiled
def _worked_until(length, interval, pace, share):
    # One pass, where arrays for the products and their sums would take several times as long to fill.
    before, total = np.empty(len(length)), 0.0
    for i in range(len(length)):
        before[i] = total
        total += length[i] * pace[i]
    found = np.empty(len(interval))
    for i in range(len(interval)):
        at = interval[i]
        found[i] = before[at] + share[i] * (length[at] * pace[at])
    return found
