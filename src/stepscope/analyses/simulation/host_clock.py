"""A thread of the host as a clock: intervals between events, in each of which it worked or waited.

An interval lies between two neighbouring timestamps at which something on the thread began or ended. It is the finest
grain that a recording has: the profiler recorded something at each of these timestamps and at no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.critical_path.threads import HOST_TABLES, host_threads
from stepscope.numeric.intervals import Ints, contains, covered_before, distinct, union
from stepscope.numeric.worked import worked_until
from stepscope.store.profile import Rank

Floats = npt.NDArray[np.float64]


class Placed(NamedTuple):
    """Moments among those of a clock: the interval that each lies in, and the share of it that has passed."""

    interval: Ints
    share: Floats


@dataclass(frozen=True)
class HostClock:
    """The intervals of one thread in the window that is timed.

    Attributes:
        thread: its number, as in `threads.Threads`.
        at: moments that bound the intervals, sorted, in ns; one more than there are intervals.
        length: how long the thread worked in each interval, in ns; 0 where it waited.
        python: whether each interval lies between events of Python functions, and of nothing else.
        held_up: intervals in which the profiler held the thread up for a buffer of its own, and for how long, in ns.
    """

    thread: int
    at: Ints
    length: Ints
    python: Flags
    held_up: tuple[Ints, Ints] = (np.empty(0, np.int64), np.empty(0, np.int64))

    def of_program(self) -> Ints:
        """How long the thread worked in each interval, without the profiler's requests for buffers."""
        held, spent = self.held_up
        if len(held) == 0:
            return self.length
        left = self.length.copy()
        left[held] = np.maximum(0, left[held] - spent)
        return left

    def worked(self, until: Ints, pace: Floats) -> Ints:
        """Work from the beginning of the window to some moments, in ns.

        Args:
            until: the moments.
            pace: by interval, by what its length is multiplied.
        """
        worked: Ints = np.rint(self.worked_exactly(until, pace)).astype(np.int64)
        return worked

    def worked_exactly(self, until: Ints, pace: Floats) -> Floats:
        """The same before it is rounded to whole ns."""
        return self.worked_by(self.placed(until), pace)

    def placed(self, until: Ints) -> Placed:
        """Some moments among the clock's own: looked for once, asked for after each edit."""
        if len(self.length) == 0:
            return Placed(np.zeros(len(until), np.int64), np.zeros(len(until)))
        interval = np.clip(np.searchsorted(self.at, until, side="right") - 1, 0, len(self.length) - 1)
        passed = np.clip(until, self.at[0], self.at[-1]) - self.at[interval]
        share: Floats = np.divide(passed, np.diff(self.at)[interval], dtype=np.float64)
        return Placed(interval, share)

    def worked_by(self, placed: Placed, pace: Floats) -> Floats:
        """Work from the beginning of the window to some moments, before it is rounded to whole ns."""
        if len(self.length) == 0:
            return np.zeros(len(placed.interval))
        return worked_until(self.length, pace, placed.interval, placed.share)

    def recorded(self, until: Ints) -> Floats:
        """Work from the beginning of the window to some moments as recorded, in ns."""
        placed = self.placed(until)
        if len(self.length) == 0:
            return placed.share
        part: Floats = self._before[placed.interval] + placed.share * self.length[placed.interval]
        return part

    @cached_property
    def _before(self) -> Ints:
        """Work before each interval."""
        return np.cumsum(self.length) - self.length

    def inside(self, start: Ints, end: Ints) -> Floats:
        """Share of each interval that lies in a union of intervals, 0 to 1."""
        covered = np.diff(covered_before(union(start, end), self.at))
        return np.asarray(covered / np.maximum(1, np.diff(self.at)))


def host_clock(
    rank: Rank, thread: int, window: tuple[int, int], waits: tuple[Ints, Ints], turns: Ints, given: Ints
) -> HostClock:
    """The clock of a thread.

    Args:
        window: first and last moment.
        waits: start and end of the calls in which the thread waited for the GPU.
        turns: moments at which it went on after waiting for another thread. It is taken to have waited since
            something of its own last began or ended, or since another thread last waited for it.
        given: moments at which another thread went on after waiting for this one.
    """
    first, last = window
    frames, others = _moments(rank, thread)
    others = np.concatenate([others, turns, given, [first, last]])
    at = np.concatenate([frames, others])
    at = distinct(at[(at >= first) & (at <= last)])
    length = np.diff(at)
    length[contains(union(*waits), at[:-1])] = 0
    length[np.searchsorted(at, turns) - 1] = 0
    if thread != host_threads(rank).main:
        # Before its first and behind its last event a thread that others start has nothing to do.
        length[:1] = length[-1:] = 0
    return HostClock(thread, at, length, _between_frames(at, frames, others))


def _between_frames(at: Ints, frames: Ints, others: Ints) -> Flags:
    """Which intervals lie between moments of frames at which nothing else began or ended."""
    if len(frames) == 0:  # as where no stacks were recorded
        return np.zeros(max(0, len(at) - 1), np.bool_)
    others = np.sort(others)
    only_frames: Flags = others[np.minimum(np.searchsorted(others, at), len(others) - 1)] != at
    return only_frames[:-1] & only_frames[1:]


def _moments(rank: Rank, thread: int) -> tuple[Ints, Ints]:
    """Moments at which a Python function, and at which anything else of the thread began or ended, in ns."""
    threads = host_threads(rank)
    gpu = rank.trace.codes(lambda text: text == "gpu_user_annotation")
    frames: list[Ints] = []
    others: list[Ints] = []
    for table in HOST_TABLES:
        number, times = threads.numbered(rank, table)
        mine = number == thread
        if table == "annotation":
            mine &= ~rank.trace.marked(table, gpu, "category")
        start = times["start_ns"].to_numpy()[mine]
        kind = frames if table == "python" else others
        kind += [start, start + times["duration_ns"].to_numpy()[mine]]
    memory = rank.trace.frame("memory", ["process", "thread", "start_ns"])
    others.append(memory["start_ns"].to_numpy()[threads.numbers(memory) == thread])
    return np.concatenate(frames), np.concatenate(others)
