"""What the detectors look at, a rank's steps ready to be simulated, and what they return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.host.source import calling_at, source_at
from stepscope.analyses.simulation.edits import Ranges, loading, named_ranges, ranges_of
from stepscope.analyses.simulation.estimates import SAVING_POINTS
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.findings.code_lines import calling_line
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints, contains, in_order, union
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank

NOWHERE = Ranges(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64))


@dataclass(frozen=True)
class Case:
    """A rank under examination."""

    profile: Profile
    rank: Rank
    model: StepModel

    def named(self, pattern: str, *tables: str) -> Ranges:
        """Ranges of host tables whose name matches a pattern."""
        return _named(self.rank, self.model, pattern, tables)

    def loading(self) -> Ranges:
        """Ranges of the data loader in the steps."""
        return loading(self.rank, self.model)

    def calls(self, pattern: str) -> Ranges:
        """Runtime calls whose name matches a pattern."""
        return self.named(pattern, "runtime")

    def rows(self, table: str, which: Flags | None = None) -> Ranges:
        """Ranges of a host table's rows, of all or of some."""
        return ranges_of(self.rank, self.model, table, which)

    def kernel_names(self) -> pl.Series:
        """Name of each activity of the model."""
        return self.rank.trace.text(self.rank.whole.activity["name"].gather(self.model.gpu.rows))

    def kernels(self, matches: Callable[[pl.Expr], pl.Expr]) -> Flags:
        """Activities of the model of whose name an expression over the text is true."""
        trace, rows = self.rank.trace, self.model.gpu.rows
        return trace.marked("activity", trace.codes(matches))[rows]

    @property
    def on_gpu(self) -> bool:
        """Whether the steps launch anything; else the CPU does all the work."""
        return len(self.model.gpu.rows) > 0

    def timed(self, thread: Ints) -> Flags:
        """Which threads have a clock."""
        return np.isin(thread, [clock.thread for clock in self.model.host.clocks])

    def items_inside(self, ranges: Ranges) -> Flags:
        """Which items of the host end inside ranges of their thread."""
        clocks = np.array([clock.thread for clock in self.model.host.clocks])
        items = self.model.host.items
        # The moment of an item is the end of its call, and the ranges are half-open.
        return inside(ranges, clocks[items["thread"].to_numpy()], items["at"].to_numpy() - 1)

    def freed(self, edit: Edit, ranges: Ranges) -> Edit:
        """The edit where the host no longer waits inside some ranges."""
        return replace(edit, freed=edit.freed | self.items_inside(ranges))

    def removed(self, edit: Edit, ranges: Ranges, activities: Flags) -> Edit:
        """The same, and without some activities, which the ranges launch."""
        return replace(self.freed(edit, ranges), gone=edit.gone | activities)

    def where(self, ranges: Ranges) -> str:
        """Line of the user's code in which most of the time of some ranges began, "" without one."""
        places = host_threads(self.rank).places.sort("number")[np.maximum(ranges.thread, 0)]
        if len(ranges.start) == 0 or (ranges.thread < 0).all():
            return ""
        lines = source_at(self.rank.whole, places["process"], places["thread"], ranges.start)
        frame = pl.DataFrame({"line": lines, "time": ranges.end - ranges.start}).drop_nulls()
        frame = frame.group_by("line").agg(pl.col("time").sum()).sort("time", "line", descending=[True, False])
        if len(frame) == 0:
            return ""
        most = str(frame["line"][0])
        mine = (lines == most).fill_null(False)
        of = mine.to_numpy()
        length = (ranges.end - ranges.start)[of]
        places = places.filter(mine)
        pair = calling_at(self.rank.whole, places["process"], places["thread"], ranges.start[of], length)
        return (pair and calling_line(pair.caller, pair.ran_before, pair.callee)) or most

    def worked(self, ranges: Ranges) -> Ints:
        """How long the thread of each range worked in it, waits left out, in ns; 0 on threads that have no clock."""
        found = np.zeros(len(ranges.start), np.int64)
        for clock in self.model.host.clocks:
            mine = ranges.thread == clock.thread
            low, high = (clock.recorded(edge[mine]) for edge in (ranges.start, ranges.end))
            found[mine] = np.rint(high - low)
        return found

    def gpu_ns(self, which: Flags) -> float:
        """Time of some activities, for one step."""
        return self.a_step(float(self.model.gpu.activities.duration[which].sum()))

    def host_ns(self, ranges: Ranges) -> float:
        """Work inside some ranges that do not overlap, for one step."""
        return self.a_step(float(self.worked(ranges).sum()))

    def step_of(self, at: Ints) -> Ints:
        """Number of the step that each moment lies in or behind, counted from 1; 0 before all."""
        return np.searchsorted(np.sort(self.rank.steps["start_ns"].to_numpy()), at, side="right")

    def a_step(self, total: float) -> float:
        """A sum over the steps, for one of them."""
        return total / self.model.steps


@per_rank
def _named(rank: Rank, model: StepModel, pattern: str, tables: tuple[str, ...]) -> Ranges:
    """Detectors ask for the same names, some of them loop by loop."""
    recorded = [table for table in tables if rank.trace.rows(table)]
    if not recorded:
        return NOWHERE
    codes = rank.trace.names(lambda text: text.str.contains(pattern))
    return named_ranges(rank, model, codes, recorded)


def inside(ranges: Ranges, thread: Ints, at: Ints) -> Flags:
    """Which moments of threads lie in one of the ranges of the same thread."""
    found = np.zeros(len(at), np.bool_)
    for number in np.intersect1d(ranges.thread, thread).tolist():
        mine, of = thread == number, ranges.thread == number
        found[mine] = contains(union(ranges.start[of], ranges.end[of]), at[mine])
    return found


def holding(ranges: Ranges, thread: Ints, at: Ints) -> Flags:
    """Which ranges contain one of some moments of threads."""
    found = np.zeros(len(ranges.start), np.bool_)
    for number in np.unique(thread).tolist():
        moments = in_order(at[thread == number])
        low, high = (np.searchsorted(moments, edge) for edge in (ranges.start, ranges.end))
        found |= (ranges.thread == number) & (high > low)
    return found


def time_inside(ranges: Ranges, others: Ranges) -> Ints:
    """How long others, none of which lies in another one, take in each range: those of its thread that begin in it."""
    found = np.zeros(len(ranges.start), np.int64)
    for number in np.unique(others.thread).tolist():
        own = np.flatnonzero(others.thread == number)
        own = own[np.argsort(others.start[own], kind="stable")]
        until = np.concatenate([[0], np.cumsum(others.end[own] - others.start[own])])
        mine = ranges.thread == number
        low, high = (np.searchsorted(others.start[own], edge[mine]) for edge in (ranges.start, ranges.end))
        found[mine] = until[high] - until[low]
    return found


def outermost(ranges: Ranges) -> Ranges:
    """Ranges that lie in no other one of their thread; of equal ones the first."""
    return ranges.chosen(outermost_rows(ranges))


def _by_time(ranges: Ranges) -> Ints:
    """Places of ranges thread by thread in the order of time, of equal starts the longest first."""
    thread, start, end = (np.diff(edge) for edge in (ranges.thread, ranges.start, ranges.end))
    if ((thread > 0) | ((thread == 0) & ((start > 0) | ((start == 0) & (end <= 0))))).all():  # as they mostly are
        return np.arange(len(ranges.start))
    return np.lexsort((-ranges.end, ranges.start, ranges.thread))


def outermost_rows(ranges: Ranges) -> Ints:
    """Which ranges lie in no other one of their thread, thread by thread in the order of time."""
    order = _by_time(ranges)
    thread, end = ranges.thread[order], ranges.end[order]
    keep = np.ones(len(order), np.bool_)
    for number in np.unique(thread).tolist():
        mine = np.flatnonzero(thread == number)
        reach = np.maximum.accumulate(end[mine])
        keep[mine[1:]] = end[mine[1:]] > reach[:-1]
    return order[keep]


@dataclass(frozen=True, kw_only=True)
class Observation:
    """Something seen in the steps.

    Attributes:
        id: names it, the same in every run.
        category: what kind of thing it is.
        title: what was seen, in a sentence without a saving.
        claims: ranges of the host that belong to it.
        spent_ns: time that it takes a step, on whichever side.
        advice: what to do.
        unknown: what the recording does not show about it; None for nothing.
        where: file and line, "" where that is not known.
        count: how many times a step.
        change: lines to change in the program, as they would be, with what they were behind them.
        links: pages of documentation.
    """

    id: str
    category: str
    title: Message
    claims: Ranges
    spent_ns: float
    advice: Message
    unknown: Message | None = None
    where: str = ""
    count: float = 0.0
    change: str = ""
    links: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Note(Observation):
    """Something to know, from which no saving is promised."""


_SIMULATED = Message("method-simulated")


@dataclass(frozen=True, kw_only=True)
class Cause(Observation):
    """Something that may make the steps longer, with what they would be without it.

    Attributes:
        fix: the edit, for an effort of 0 (hardly helps), 1 (as it usually goes) or 2 (at best).
        per_sample: the saving is of each sample's time; the step itself becomes longer.
        most_pct: the most that such a fix can save, in per cent of the step.
        general: true of most programs, rather than a defect of this one.
        unsure: it is unknown whether the simulated fix applies.
        varies: how much of it the fix saves differs from program to program, or from step to step.
        method: how it was simulated.
        margin: how many points the saving differs from run to run, and from one program to another.
        displaces: the removed work displaces data of what follows it from the caches (see `without_after_effects`).
    """

    fix: Callable[[Edit, int], Edit]
    per_sample: bool = False
    most_pct: float = 100.0
    general: bool = False
    unsure: bool = False
    varies: bool = False
    method: Message = _SIMULATED
    margin: float = SAVING_POINTS
    displaces: bool = True
