"""Sums by group."""

from __future__ import annotations

import numpy as np

from stepscope.numeric.intervals import Ints


def sum_by(key: Ints, amount: Ints, count: int) -> Ints:
    """Sum of the amounts of each group, exact; ``key`` numbers the groups from 0 to ``count`` - 1."""
    total = np.zeros(count, np.int64)
    np.add.at(total, key, amount)
    return total
