"""Long unions made one, in one pass over both; a module of its own, so that short ones do not load numba."""

from __future__ import annotations

import numpy as np

from stepscope.numeric.compiling import compiled, writable
from stepscope.numeric.intervals import Union


def merged(one: Union, other: Union) -> Union:
    """Union of two unions."""
    start, end = _merged(*(writable(times) for times in (*one, *other)))
    return start, end


@compiled
def _merged(a_start, a_end, b_start, b_end):
    start = np.empty(len(a_start) + len(b_start), np.int64)
    end = np.empty(len(start), np.int64)
    count = i = j = 0
    while i < len(a_start) or j < len(b_start):
        if j == len(b_start) or (i < len(a_start) and a_start[i] <= b_start[j]):
            begin, stop = a_start[i], a_end[i]
            i += 1
        else:
            begin, stop = b_start[j], b_end[j]
            j += 1
        if count > 0 and begin <= end[count - 1]:
            end[count - 1] = max(end[count - 1], stop)
        else:
            start[count], end[count] = begin, stop
            count += 1
    return start[:count].copy(), end[:count].copy()
