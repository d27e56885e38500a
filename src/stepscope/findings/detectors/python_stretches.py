"""Where the program's own Python works: stretches between PyTorch's operators, and functions made of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.host.enclosing import rows_at
from stepscope.analyses.host.source import frames
from stepscope.analyses.simulation.edits import Ranges
from stepscope.analyses.simulation.host_clock import Floats, HostClock
from stepscope.analyses.simulation.unprofiled import unprofiled
from stepscope.findings.detector_context import Case, inside
from stepscope.findings.detectors.python_functions import python_functions
from stepscope.numeric.ancestry import nearest
from stepscope.numeric.intervals import Ints, union
from stepscope.numeric.nested import NOBODY

_LEAST_NS, _MOST_LEAST_NS = 20_000, 1_000_000
_LEAST_SHARE = 0.01
"""Of the step, and in ns: a shorter stretch is how Python calls PyTorch."""


@dataclass(frozen=True)
class OwnPython:
    """Where the program's own Python works.

    Attributes:
        ranges: the stretches, and the calls of functions that are mostly Python.
        function: the function that most of it is in, as recorded.
        share: of the time, how much is in that function.
    """

    ranges: Ranges
    function: str
    share: float


def own_python(case: Case, others: list[Ranges], waits: str) -> OwnPython | None:
    """Stretches of the main thread that come again in the steps; None without any, or without stacks.

    Args:
        others: ranges that belong to something else.
        waits: pattern of the frames in which a thread waits.
    """
    if case.rank.trace.rows("python") == 0 or not case.model.host.clocks:
        return None
    clock = case.model.host.clocks[0]
    base = unprofiled(case.rank, case.model)
    length = clock.length * base.edits[0].pace[0]
    free = _outside(case, clock, others) & (clock.length > 0)
    owner = np.full(len(length), NOBODY, np.int64)
    owner[free] = _owners(case, clock, np.flatnonzero(free), waits)
    least = np.clip(_LEAST_SHARE * base.step_ns[0], _LEAST_NS, _MOST_LEAST_NS)
    which = _long_stretches(owner, length, free, float(least))
    step = np.searchsorted(case.model.edges, clock.at[:-1], side="right")
    which &= _recurring(owner, step, which, case.model.steps)
    calls = python_functions(case, clock, owner, base.edits[0].pace[0])
    which |= (owner >= 0) & inside(calls, np.full(len(length), clock.thread), clock.at[:-1])
    if not which.any():
        return None
    return _found(case, clock, np.flatnonzero(which), calls, owner, length)


def _outside(case: Case, clock: HostClock, others: list[Ranges]) -> Flags:
    """Which intervals of a clock lie in no operator, no call and none of some ranges."""
    thread = np.full(len(clock.length), clock.thread)
    free = np.ones(len(clock.length), np.bool_)
    for taken in (case.rows("operator"), case.rows("runtime"), case.loading(), *others):
        free &= ~inside(taken, thread, clock.at[:-1])
    return free


def _owners(case: Case, clock: HostClock, which: Ints, waits: str) -> Ints:
    """Name (code) of the program's function that works in some intervals; `NOBODY` where a framework's does, or waits.

    Python's own library works for whoever calls it. What the training loop itself does between its calls is nobody's:
    it may be waiting as well.
    """
    found = frames(case.rank.whole)
    place = host_threads(case.rank).places.filter(pl.col("number") == clock.thread).head(1)
    at = clock.at[which]
    process, thread = (place[name].gather(np.zeros(len(at), np.uint32)) for name in ("process", "thread"))
    inner = rows_at(found.host, process, thread, at)
    names = pl.DataFrame({"name": found.name}).join(found.names, "name", "left", maintain_order="left")
    own, other = (names[kind].fill_null(False).to_numpy() for kind in ("is_user", "is_framework"))
    row = found.open_ancestor(nearest(own | other, found.caller), inner, at)
    code = found.name.gather(np.maximum(row, 0)).cast(pl.Int64).fill_null(NOBODY).to_numpy()
    waiting = case.rank.trace.codes(lambda text: text.str.contains(waits))
    waits_here = found.name.gather(np.maximum(inner, 0)).is_in(waiting.implode()).fill_null(False).to_numpy()
    longest = float(np.diff(case.model.edges).min())
    loop = (row == inner) & (found.end[row] - found.host.start[row] >= longest)
    known = (row >= 0) & own[np.maximum(row, 0)] & ~loop
    return np.where(known & ~(waits_here & (inner >= 0)), code, NOBODY)


def _long_stretches(owner: Ints, length: Floats, free: Flags, least: float) -> Flags:
    """Which owned intervals lie in stretches, between what is not free, with as much owned time as is worth it."""
    stretch = np.cumsum(~free)
    owned = np.bincount(stretch, np.where(owner >= 0, length, 0.0))
    return (owner >= 0) & (owned[stretch] >= least)


def _recurring(owner: Ints, step: Ints, which: Flags, steps: int) -> Flags:
    """Which intervals are of functions that work in half of the steps or more."""
    seen = pl.DataFrame({"owner": owner[which], "step": step[which]}).unique()["owner"].value_counts()
    often = seen.filter(2 * pl.col("count") >= steps)["owner"].to_numpy()
    return np.isin(owner, often)


def _found(case: Case, clock: HostClock, which: Ints, calls: Ranges, owner: Ints, length: Floats) -> OwnPython:
    spent = pl.DataFrame({"owner": owner[which], "time": length[which]}).group_by("owner").sum()
    spent = spent.with_columns(case.rank.trace.text(spent["owner"].cast(pl.UInt32)).alias("name"))
    spent = spent.sort("time", "name", descending=[True, False])  # groups come in any order, in which sums may differ
    most = spent.row(0, named=True)
    start, end = union(np.append(clock.at[which], calls.start), np.append(clock.at[which + 1], calls.end))
    ranges = Ranges(np.full(len(start), clock.thread), start, end)
    return OwnPython(ranges, str(most["name"]), most["time"] / float(spent["time"].sum()))
