"""The operators that the program called itself, in order: those that lie in no other operator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.simulation.edits import Ranges
from stepscope.findings.detector_context import Case, outermost_rows
from stepscope.numeric.intervals import Ints, in_order
from stepscope.numeric.replay import LAUNCH, WAIT, WAIT_ALL, WAIT_STREAM
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_OPERATOR = r"^\w+::"
"""Ranges that a program names itself may be stored as operators; they are looked through."""


class Stretch(Protocol):
    """Places of the first and the last of some operators, as of a loop."""

    @property
    def first(self) -> int: ...

    @property
    def last(self) -> int: ...


@dataclass(frozen=True, eq=False)
class TopLevelOperators:
    """Arrays by operator, thread by thread in the order of time; only threads with a clock.

    Attributes:
        ranges: when, and on which thread.
        row: in the table operator.
        name: code of its name.
        launches: number of calls in it that launched something; 1 where the CPU does all the work.
        waits: whether something in it waited for the GPU.
        begins: whether another thread or another step begins with it.
    """

    ranges: Ranges
    row: Ints
    name: pl.Series
    launches: Ints
    waits: Flags
    begins: Flags

    def named(self, case: Case, pattern: str) -> Flags:
        """Those whose name matches a pattern."""
        return _named(case.rank, self, pattern)

    def texts(self, case: Case, places: Ints) -> list[str]:
        """Names of some, without ``aten::``."""
        names = case.rank.trace.text(self.name.gather(places))
        return names.fill_null("?").str.replace(r"^aten::", "").to_list()

    def input_dims(self, case: Case) -> pl.Series:
        """Code of the shapes of the inputs of each, null where they were not recorded."""
        return case.rank.trace.frame("operator", ["input_dims"])["input_dims"].gather(self.row)

    def together(self, first: Ints, last: Ints) -> Ranges:
        """Ranges from some operators to others of the same threads."""
        return Ranges(self.ranges.thread[first], self.ranges.start[first], self.ranges.end[last])

    def along(self, stretches: Sequence[Stretch]) -> Ranges:
        """Where some stretches run."""
        first, last = (np.array([getattr(one, edge) for one in stretches]) for edge in ("first", "last"))
        return self.together(first, last)


def top_level_operators(case: Case) -> TopLevelOperators:
    """The operators of the timed threads that lie whole in the steps and in no other operator."""
    return _top_level_operators(case.rank, case)


def runs(of: Flags, begins: Flags) -> tuple[Ints, Ints]:
    """First and last place of each run of neighbours that are marked.

    Args:
        of: what is marked.
        begins: where a run ends before this place, even if both are marked.

    >>> import numpy as np
    >>> first, last = runs(np.array([0, 1, 1, 1, 0, 1], bool), np.array([1, 0, 0, 1, 0, 0], bool))
    >>> first.tolist(), last.tolist()
    ([1, 3, 5], [2, 3, 5])
    """
    places = np.flatnonzero(of)
    if len(places) == 0:
        return places, places
    change = (np.diff(places) > 1) | begins[places[1:]]
    return places[np.append(True, change)], places[np.append(change, True)]


@per_rank
def _named(rank: Rank, calls: TopLevelOperators, pattern: str) -> Flags:
    """Detectors ask for the same patterns, loop by loop."""
    codes = rank.trace.codes(lambda text: text.str.contains(pattern))
    return np.isin(calls.name.to_numpy(), codes.to_numpy())


@per_rank
def _top_level_operators(rank: Rank, case: Case) -> TopLevelOperators:
    rank, model = rank.whole, case.model
    codes = rank.trace.codes(lambda text: text.str.contains(_OPERATOR))
    names = rank.trace.frame("operator", ["name"])["name"]
    number, times = host_threads(rank).numbered(rank, "operator")
    start = times["start_ns"].to_numpy()
    end = start + times["duration_ns"].to_numpy()
    mine = rank.trace.marked("operator", codes) & case.timed(number)
    # In the order of nesting, so that of equal ones the outer is taken.
    order = rank.nesting("operator").nesting.order
    row = order[(mine & (start >= model.window[0]) & (end <= model.window[1]))[order]]
    every = Ranges(number[row], start[row], end[row])
    kept = outermost_rows(every)
    ranges, row = every.chosen(kept), row[kept]
    begins = np.append(True, (np.diff(case.step_of(ranges.start)) != 0) | (np.diff(ranges.thread) != 0))[: len(row)]
    launches = _moments(case, ranges, [LAUNCH], 0) if case.on_gpu else np.ones(len(row), np.int64)
    # The moment of a wait is the end of its call.
    waits = _moments(case, ranges, [WAIT, WAIT_STREAM, WAIT_ALL], -1) > 0
    return TopLevelOperators(ranges, row, names.gather(row), launches, waits, begins)


def _moments(case: Case, ranges: Ranges, kinds: list[int], shift: int) -> Ints:
    """How many items of the host of some kinds lie in each range."""
    items = case.model.host.items.filter(pl.col("kind").is_in(kinds))
    thread, at = items["thread"].to_numpy(), items["at"].to_numpy() + shift
    found = np.zeros(len(ranges.start), np.int64)
    for slot, clock in enumerate(case.model.host.clocks):
        moments, of = in_order(at[thread == slot]), ranges.thread == clock.thread
        low, high = (np.searchsorted(moments, edge) for edge in (ranges.start[of], ranges.end[of]))
        found[of] = high - low
    return found
