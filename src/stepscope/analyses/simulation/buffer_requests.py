"""Where the profiler held a thread of the host up: a buffer for its own records was full, and it asked for another one.

The request is made in the call that needs the buffer, by the thread that makes the call. The recording has it as an
event of no thread (process -1), which lies between two of the thread's timestamps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from stepscope.analyses.simulation.host_clock import HostClock
from stepscope.numeric.intervals import Ints
from stepscope.store.profile import Rank

_REQUEST = "Activity Buffer Request"
_NOWHERE = np.iinfo(np.int64).max


def with_requests(rank: Rank, clocks: Sequence[HostClock]) -> tuple[HostClock, ...]:
    """Clocks that know of requests: each lies in the shortest interval of work that holds all of it."""
    start, end = _requests(rank)
    if len(start) == 0:
        return tuple(clocks)
    found = [_holding(clock, start, end) for clock in clocks]
    sizes = np.array([size for _, size in found])
    chosen = np.where(sizes.min(axis=0) < _NOWHERE, sizes.argmin(axis=0), -1)
    return tuple(
        _with(clock, interval[chosen == number], (end - start)[chosen == number])
        for number, (clock, (interval, _)) in enumerate(zip(clocks, found, strict=True))
    )


def _requests(rank: Rank) -> tuple[Ints, Ints]:
    codes = rank.trace.codes(lambda text: text == _REQUEST)
    frame = rank.trace.frame("other", ["name", "start_ns", "duration_ns", "broken"])
    frame = frame.filter(pl.col("name").is_in(codes.implode()).fill_null(False) & (pl.col("broken") == 0))
    frame = frame.drop_nulls(["start_ns", "duration_ns"])
    start = frame["start_ns"].to_numpy()
    return start, start + frame["duration_ns"].to_numpy()


def _holding(clock: HostClock, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """The interval of work that holds each request, and its length: `_NOWHERE` if no interval does."""
    if len(clock.length) == 0:
        return np.zeros(len(start), np.int64), np.full(len(start), _NOWHERE)
    interval = np.clip(np.searchsorted(clock.at, start, side="right") - 1, 0, len(clock.length) - 1)
    inside = (clock.at[interval] <= start) & (end <= clock.at[interval + 1]) & (clock.length[interval] > 0)
    return interval, np.where(inside, clock.length[interval], _NOWHERE)


def _with(clock: HostClock, interval: Ints, spent: Ints) -> HostClock:
    at, of = np.unique(interval, return_inverse=True)
    return replace(clock, held_up=(at, np.bincount(of, spent, len(at)).astype(np.int64)))
