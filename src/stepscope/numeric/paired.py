"""Pairs of numbers as one number each, to sort by and to search for."""

from __future__ import annotations

import numpy as np

from stepscope.numeric.nested import Ints


def paired(first: Ints, second: Ints) -> Ints:
    """A number for each pair: equal for equal ones, and in their order, by the first and then by the second.

    Args:
        first: from 0.

    >>> numbers = paired(np.array([1, 0, 1, 1]), np.array([-5, 7, 7, -5]))
    >>> np.argsort(numbers, kind="stable").tolist(), bool(numbers[0] == numbers[3])
    ([1, 0, 3, 2], True)
    """
    if len(first) == 0:
        return first
    least = int(second.min())
    span = int(second.max()) - least + 1
    if (int(first.max()) + 1) * span < 1 << 62:
        return first * span + (second - least)
    # Numbers that no recording has are replaced by their rank.
    return first * len(second) + np.unique(second, return_inverse=True)[1]
