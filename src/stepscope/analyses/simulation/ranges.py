"""A best estimate and the range around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Range:
    """A best estimate and the range that contains the value in about four of five cases."""

    low: float
    best: float
    high: float

    @classmethod
    def around(cls, figures: Sequence[float], margin: float) -> Range:
        """The first of some values as the best; the range contains all and a margin."""
        return cls(min(figures) - margin, figures[0], max(figures) + margin)

    @classmethod
    def of_savings(cls, pct: Sequence[float], points: float, most: float, factor: float = 1.0) -> Range:
        """Savings in per cent with a margin of some points; the range that much wider.

        Args:
            most: what can be saved at most.
        """
        found = cls.around(pct, points).wider(factor)
        return cls(*(min(most, end) for end in (found.low, found.best, found.high)))

    def wider(self, factor: float) -> Range:
        """A range of another width, each side a multiple of what it was.

        >>> Range(10, 20, 25).wider(2)
        Range(low=0, best=20, high=30)
        """
        return Range(
            self.best - factor * (self.best - self.low), self.best, self.best + factor * (self.high - self.best)
        )
