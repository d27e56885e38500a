"""What is sampled: readings of one or several counters, in groups that are read together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Python 3.8 could not evaluate them.
    Value = int | float | None
    Call = Callable[[], Sequence[Value]]
else:
    Value = Call = object

_STRIKES = 5
"""What fails so many times in a row is not asked again."""


class Refused(Exception):
    """A counter that cannot be had.

    Attributes:
        why: in a few words.
        is_final: it need not be asked again.
    """

    def __init__(self, why: str, is_final: bool = True) -> None:
        super().__init__(why)
        self.why, self.is_final = why, is_final


class Reading:
    """One question and the counters that it answers.

    Args:
        names: of the counters, as ``gpu0.power_mw``.
        call: gives a value for each.
    """

    def __init__(self, names: Sequence[str], call: Call) -> None:
        self.names = tuple(names)
        self._call: Call | None = call
        self._failures = 0

    def values(self, refused: dict[str, str]) -> Sequence[Value]:
        """The values, null where there are none.

        Args:
            refused: is told the counters that will not be asked again, and why.
        """
        none: list[Value] = [None] * len(self.names)
        if self._call is None:
            return none
        try:
            values = self._call()
            self._failures = 0
            return values
        except Refused as error:
            self._failures += 1
            if error.is_final or self._failures >= _STRIKES:
                self._call = None
                refused.update(dict.fromkeys(self.names, error.why))
        except (OSError, ValueError, IndexError, KeyError) as error:
            # A file of the kernel that is not there, not readable or not as expected.
            self._call = None
            why = getattr(error, "strerror", None) or type(error).__name__
            refused.update(dict.fromkeys(self.names, why))
        return none


class Group:
    """Readings that are taken together.

    Args:
        name: of its lines.
        least_interval_ns: it is read no more often than this.

    Attributes:
        columns: names of the counters that answered when they were first asked.
    """

    def __init__(self, name: str, least_interval_ns: int, readings: Sequence[Reading]) -> None:
        self.name, self.least_interval_ns = name, least_interval_ns
        self._readings = list(readings)
        self.columns: tuple[str, ...] = ()
        self._due_ns = 0

    def probe(self, refused: dict[str, str]) -> None:
        """Ask everything once, and leave out what is refused."""
        asked = [(reading, reading.values(refused)) for reading in self._readings]
        self._readings = [reading for reading, _ in asked if reading.names[0] not in refused]
        self.columns = tuple(name for reading in self._readings for name in reading.names)

    def is_due(self, now_ns: int) -> bool:
        """Whether it is time to read it, by the monotonic clock; says so once for each time."""
        if now_ns < self._due_ns or not self._readings:
            return False
        # A little early is in time: the loop's ticks and these intervals need not fall together.
        self._due_ns = now_ns + self.least_interval_ns * 19 // 20
        return True

    def wait(self, now_ns: int) -> None:
        """Read it for the first time when its interval has passed: rates over a shorter time would say nothing."""
        self._due_ns = now_ns + self.least_interval_ns

    def read(self, refused: dict[str, str]) -> list[Value]:
        """A value for each of `columns`."""
        return [value for reading in self._readings for value in reading.values(refused)]


class Rate:
    """How fast a count grows, a second; null where it went back, as counters do that start anew."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._last: tuple[int, float] | None = None

    def of(self, count: float, scale: float = 1.0) -> Value:
        now, last = self._clock(), self._last
        self._last = (now, count)
        if last is None or now <= last[0] or count < last[1]:
            return None
        return round((count - last[1]) * scale * 1e9 / (now - last[0]), 3)
