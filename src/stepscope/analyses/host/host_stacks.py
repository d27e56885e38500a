"""Ranges, Python functions and operators of each host thread, nested in one another: what a flame graph stacks.

Which one is innermost follows from times alone, as on the timeline. Of events with one start and one end a Python
function lies around a range, and that around an operator. A Python function whose return the profiler missed ends with
its caller (`callers`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.host.callers import callers
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.autograd import backward_pass
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE, HostNesting, number_lanes
from stepscope.store.profile import Rank
from stepscope.store.step_detection import PROFILER_FRAME
from stepscope.store.ties import settle
from stepscope.store.trace import Trace

Flags: TypeAlias = npt.NDArray[np.bool_]

KINDS = ("python", "annotation", "operator")
"""Tables whose events are stacked, those that lie outside first."""

_TIES = ("python_id", "external_id", "external_id")
_TIE_BITS = 50
_STEP = r"^ProfilerStep#\d+$"

_AGENT = r"(?:^|[/\\])stepscope_agent[/\\]\w+\.py\("
"""A frame of `stepscope record` in the job, whose folder has another name in each recording."""

_PROFILER = f"{PROFILER_FRAME}|{_AGENT}|_record_function_(?:enter|exit)"
_IN_PROFILER = r"torch[/\\]_ops\.py\(\d+\): __call__$"
"""Frames in which a profiler begins or ends a range, and what they call for it: it misses that many of them return, so
that a step would lie inside the one before."""


@dataclass(frozen=True)
class HostStacks:
    """The events, nested; arrays by event: those of `KINDS`, one table behind the other.

    Attributes:
        host: the nesting.
        name: code of each event's name; negative for what is no frame: the range of a step, whose name differs from
            step to step, a range on the GPU, and Python functions of the profiler.
        kind: place of each event's table in `KINDS`.
        backward: the nesting's parents, but of a backward function its forward operator, where that is known.
    """

    host: HostNesting
    name: Ints
    kind: Ints
    backward: Ints

    @property
    def codes(self) -> Ints:
        """Name and kind of each event as one number, `NOBODY` of what is no frame: what frames are told apart by."""
        return np.where(self.name < 0, NOBODY, self.name * len(KINDS) + self.kind)


@per_rank(unlimited=True)
def host_stacks(rank: Rank) -> HostStacks:
    """The stacks of a rank; of all of it, whatever is selected."""
    from stepscope.numeric.nesting import nest

    trace = rank.trace
    rows = [trace.rows(table) for table in KINDS]
    kind = np.repeat(np.arange(len(KINDS)), rows)
    start, end, tie = (np.concatenate([column(rank, table) for table in KINDS]) for column in (_starts, _ends, _ties))
    lanes, thread = number_lanes(pl.concat([trace.frame(table, PLACE) for table in KINDS]))
    nesting = nest(thread, start, end, tie, partial(_settled, trace, np.cumsum([0, *rows])))
    name = np.concatenate([_names(trace, table) for table in KINDS])
    parent = nesting.parent.astype(np.int64)
    name[: rows[0]][_of_profiler(trace, name[: rows[0]], parent[: rows[0]])] = NOBODY
    return HostStacks(
        HostNesting(lanes, thread, start, end, nesting), name, kind, _forward_parents(rank, parent, sum(rows[:2]))
    )


def _of_profiler(trace: Trace, name: Ints, parent: Ints) -> Flags:
    """Which Python functions are the profiler's."""
    is_own, is_called = np.zeros((2, len(trace.texts) + 1), np.bool_)
    is_own[trace.codes(lambda text: text.str.contains(_PROFILER)).to_numpy()] = True
    is_called[trace.codes(lambda text: text.str.contains(_IN_PROFILER)).to_numpy()] = True
    inside = (parent >= 0) & (parent < len(name))
    return is_own[name] | (is_called[name] & inside & is_own[name[np.where(inside, parent, 0)]])


def _settled(trace: Trace, first: Ints, rows: Ints, groups: Ints) -> Ints:
    """Ranks of events that times and ties leave undecided, by group: those of a group are of one table.

    Args:
        first: number of the first event of each table.
    """
    inside = np.zeros(len(rows), np.int64)
    for table, begin, end in zip(KINDS, first[:-1], first[1:], strict=True):
        own = (rows >= begin) & (rows < end)
        if own.any():
            inside[own] = settle(trace, table, rows[own] - begin, groups[own])
    ranks = np.empty(len(rows), np.int64)
    ranks[np.lexsort((inside, groups))] = np.arange(len(rows))
    return ranks


def _starts(rank: Rank, table: str) -> Ints:
    return rank.trace.integers(table, "start_ns")


def _ends(rank: Rank, table: str) -> Ints:
    if table == "python" and rank.trace.rows(table):
        return callers(rank.nesting(table))[1]
    return rank.trace.integers(table, "start_ns") + rank.trace.integers(table, "duration_ns")


def _ties(rank: Rank, table: str) -> Ints:
    number = rank.trace.integers(table, _TIES[KINDS.index(table)], missing=-1)
    ties: Ints = (KINDS.index(table) << _TIE_BITS) + np.clip(number, -1, (1 << _TIE_BITS) - 2)
    return ties


def _names(trace: Trace, table: str) -> Ints:
    frame = trace.frame(table, ["name", "category"] if table == "annotation" else ["name"])
    names = frame["name"].cast(pl.Int64).fill_null(NOBODY)
    if table == "annotation":
        steps = trace.codes(lambda text: text.str.contains(_STEP)).implode()
        gpu = trace.codes(lambda text: text == "gpu_user_annotation").implode()
        no_frame = frame["name"].is_in(steps).fill_null(True) | frame["category"].is_in(gpu).fill_null(False)
        names = names.set(no_frame, NOBODY)
    return names.to_numpy()


def _forward_parents(rank: Rank, parent: Ints, first: int) -> Ints:
    """Parents with the forward operator of each outermost operator of a backward function.

    Args:
        first: number of the first operator.
    """
    if rank.trace.rows("operator") == 0:
        return parent
    backward = backward_pass(rank)
    function, forward = backward.function.astype(np.int64), backward.origin.astype(np.int64)
    own = parent[first:] - first
    inside = (function >= 0) & (forward >= 0)
    outermost = inside & ((own < 0) | (function[np.maximum(own, 0)] < 0))
    found = parent.copy()
    found[first:][outermost] = forward[outermost] + first
    return found
