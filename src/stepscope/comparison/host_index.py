"""How much faster or slower the host as a whole was in one recording than in another.

Between two recordings of one program all of the host's work differs by a common factor, of a third in half of the pairs
measured: another clock, a neighbour, the profiler. That says nothing of the program, so rows of the host are compared
with what this factor leaves of them. The factor is the median of the ratios of rows that are called equally often,
weighted by their times.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stepscope.comparison.sampled import Floats

LEAST_ROWS = 8
"""Of fewer rows no factor is determined."""

MOST_PER_CALL_NS = 100_000
"""Calls that take longer do work of their own, as operators on the CPU do: they say nothing of the host's speed."""


def host_index(first: Floats, other: Floats, alike: npt.NDArray[np.bool_], calls: Floats) -> float | None:
    """Logarithm of the factor between two recordings; None where too few rows tell.

    Args:
        first, other: work of the host by row, in ns a step.
        alike: rows that both recordings call equally often.
        calls: of each row, a step.

    >>> some = np.full(9, 1000.0)
    >>> round(float(np.exp(host_index(some, 1.2 * some, some > 0, some / 100))), 3)
    1.2
    """
    tells = alike & (first > 0) & (other > 0) & (np.maximum(first, other) <= MOST_PER_CALL_NS * calls)
    if tells.sum() < LEAST_ROWS:
        return None
    ratio, weight = np.log(other[tells] / first[tells]), first[tells] + other[tells]
    order = np.argsort(ratio, kind="stable")
    reached = np.cumsum(weight[order])
    # From both ends, so that exchanging the recordings changes nothing but the sign.
    low = ratio[order][np.searchsorted(reached, 0.5 * reached[-1], side="left")]
    back = np.cumsum(weight[order][::-1])
    high = ratio[order][::-1][np.searchsorted(back, 0.5 * back[-1], side="left")]
    return float(low + high) / 2
