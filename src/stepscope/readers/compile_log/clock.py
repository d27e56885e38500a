"""Times of records since 1970.

A line says the time of day by the clock on the wall, without year or zone; payloads of some records hold the time since
1970. The last such pair says how far the one is from the other: zones differ by quarters of an hour.
"""

from __future__ import annotations

from calendar import timegm
from time import gmtime

from stepscope.readers.compile_log.records import Written

_US = 1_000_000
_QUARTER_US = 15 * 60 * _US
_FARTHEST_US = 26 * 3600 * _US
"""Zones are at most 14 hours from UTC; a record is written soon after what it is about."""

_LATEST_US = 1 << 52


class WallClock:
    """What the clock on the wall of the machine is ahead of UTC, as far as that is known."""

    def __init__(self) -> None:
        self._last_us = 0
        self._ahead_us: int | None = None

    def learn(self, written: Written, epoch_us: int) -> None:
        """Take a record that holds its time since 1970 as well."""
        if not 0 < epoch_us < _LATEST_US:
            return
        wall = _nearest(written, epoch_us)
        ahead = round((wall - epoch_us) / _QUARTER_US) * _QUARTER_US
        if abs(ahead) <= _FARTHEST_US:
            self._last_us, self._ahead_us = epoch_us, ahead

    def ns(self, written: Written) -> int | None:
        """When a record was written; None while nothing is known."""
        if self._ahead_us is None:
            return None
        return (_nearest(written, self._last_us + self._ahead_us) - self._ahead_us) * 1000


def _nearest(written: Written, near_us: int) -> int:
    """The wall's time, as if it were UTC, in the year that brings it nearest to another time."""
    year = gmtime(near_us // _US).tm_year
    return min((_wall_us(written, one) for one in (year - 1, year, year + 1)), key=lambda us: abs(us - near_us))


def _wall_us(written: Written, year: int) -> int:
    """The wall's time as if it were UTC; days that no month has run over into the next one."""
    return timegm((year, min(max(written.month, 1), 12), max(written.day, 1), 0, 0, 0)) * _US + written.us
