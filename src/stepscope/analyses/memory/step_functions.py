"""Step functions of time: at each moment the sum of the weights of the intervals that are open."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stepscope.numeric.intervals import Ints

Floats = npt.NDArray[np.float64]

_ONE = 1 << 40
"""A weight of one in whole numbers, so that a sum does not depend on the order in which weights come and go."""


class Levels:
    """Intervals ``[start, end)`` in ns, sorted once, to be weighted in several ways.

    >>> levels = Levels(np.array([0, 5]), np.array([10, 10]))
    >>> levels.over(np.array([0.5, 0.75]), np.array([0, 0]), np.array([5, 20]), cap=1.0)
    array([2.5, 7.5])
    """

    def __init__(self, start: Ints, end: Ints) -> None:
        at = np.concatenate([start, end])
        self._order = np.argsort(at, kind="stable")
        self._at = at[self._order]

    def over(self, weight: Floats, start: Ints, end: Ints, cap: float | None = None) -> Floats:
        """Integral, over each ``[start, end)``, of the sum of the weights of the intervals open at a moment.

        Args:
            weight: of each interval, finite, from 0 to 1,000.
            start, end: any intervals, in ns.
            cap: the sum counts at most this much.

        Returns:
            One number for each ``[start, end)``, in ns times weight.
        """
        if len(self._at) == 0:
            return np.zeros(len(start), np.float64)
        value = self.steps(weight, cap)[1]
        before = np.concatenate([[0.0], np.cumsum(value[:-1] * np.diff(self._at))])

        def until(times: Ints) -> Floats:
            index = np.searchsorted(self._at, times, side="right") - 1
            return np.where(index >= 0, before[index] + value[index] * (times - self._at[index]), 0.0)

        return until(end) - until(start)

    def steps(self, weight: Floats, cap: float | None = None) -> tuple[Ints, Floats]:
        """Moments at which intervals begin or end, in order, and the sum of the weights from each on.

        Moments that repeat have their sum at the last of them; between them no time passes.
        """
        whole = np.round(weight * _ONE).astype(np.int64)
        value = np.cumsum(np.concatenate([whole, -whole])[self._order]) / _ONE
        return self._at, value if cap is None else np.minimum(value, cap)
