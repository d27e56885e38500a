"""Functions of the program that are Python through and through: what they call of PyTorch is small beside it."""

from __future__ import annotations

import re

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.host.module_calls import MODULE
from stepscope.analyses.host.source import Frames, frames
from stepscope.analyses.simulation.edits import Ranges
from stepscope.analyses.simulation.host_clock import Floats, HostClock
from stepscope.findings.detector_context import Case, holding, inside, outermost, outermost_rows
from stepscope.findings.detectors.optimizer import STEP_PATTERN
from stepscope.numeric.intervals import Ints
from stepscope.store.autograd import EVALUATE

_OWN = 0.6
"""Of a function's time, what is its own Python. A loop over small operators has a third; a function that prepares data
by lists, NumPy or files has four fifths and more."""

_LEAST_NS = 20_000
"""A shorter call is looked through: its caller may do the same many times."""

_LEAST_SHARE = 0.01
_MOST_OF_STEP = 0.9
"""What takes more of it is the step."""

_MODULES, _GRADIENTS = f"^{re.escape(MODULE)}", f"^{EVALUATE}"


def python_functions(case: Case, clock: HostClock, owner: Ints, pace: Floats) -> Ranges:
    """Calls of the program's functions on the main thread that are mostly Python, outermost of each other.

    They run no module, no backward pass and no optimizer, and launch nothing on a GPU: all that is in them is there
    for what the Python prepares or looks at. A function counts that takes 1 % of the step in half of the steps.

    Args:
        clock: of the main thread.
        owner: function that works in each of its intervals, negative where none of the program's does.
        pace: by what the lengths of the intervals are multiplied to be those without the profiler.
    """
    found = frames(case.rank.whole)
    rows = _of_the_program(case, found, clock)
    start, end = found.host.start[rows], found.end[rows]
    own, whole = (
        clock.worked_exactly(end, each) - clock.worked_exactly(start, each)
        for each in (np.where(owner >= 0, pace, 0.0), pace)
    )
    calls = Ranges(np.full(len(rows), clock.thread), start, end)
    which = np.flatnonzero((whole >= _LEAST_NS) & (own >= _OWN * whole))
    which = which[~_runs_the_model(case, calls.chosen(which))]
    which = which[outermost_rows(calls.chosen(which))]
    total = float((clock.length * pace).sum())
    usual = _in_most_steps(case, found.name.gather(rows[which]), start[which], whole[which], total)
    return calls.chosen(which[usual])


def _in_most_steps(case: Case, name: pl.Series, start: Ints, spent: Floats, total: float) -> Flags:
    """Which calls are of functions that take enough of the step in half of the steps."""
    step = np.searchsorted(case.model.edges, start, side="right")
    calls = pl.DataFrame({"name": name, "step": step, "spent": spent})
    enough = pl.col("spent").sum().over("name", "step") >= _LEAST_SHARE * total / case.model.steps
    steps = pl.col("step").filter("enough").n_unique().over("name")
    often = calls.with_columns(enough.alias("enough")).select(2 * steps >= case.model.steps)
    return often.to_series().to_numpy()


def _of_the_program(case: Case, found: Frames, clock: HostClock) -> Ints:
    """Rows of the calls of the program's functions that lie in one step, on a clock's thread."""
    number, _ = host_threads(case.rank).numbered(case.rank, "python")
    user = found.names.filter(found.names["is_user"])["name"]
    mine = found.name.is_in(user.implode()).fill_null(False).to_numpy() & (number == clock.thread)
    mine &= (found.host.start >= clock.at[0]) & (found.end <= clock.at[-1])
    rows: Ints = np.flatnonzero(mine & (found.end - found.host.start < _MOST_OF_STEP * case.model.recorded_ns))
    step = [np.searchsorted(case.model.edges, edge[rows], side="right") for edge in (found.host.start, found.end - 1)]
    chosen: Ints = rows[step[0] == step[1]]
    return chosen


def _runs_the_model(case: Case, calls: Ranges) -> Flags:
    """Which calls lie in a module, or contain one, the backward pass, an optimizer, a launch or the data loader."""
    modules = outermost(case.named(_MODULES, "python"))
    optimizers = outermost(case.named(STEP_PATTERN, "annotation", "operator", "python"))
    backward = outermost(case.named(_GRADIENTS, "operator"))
    parts = [modules, optimizers, backward, case.rows("runtime"), case.loading()]
    inner = np.zeros(len(calls.start), np.bool_)
    for part in parts:
        inner |= holding(calls, part.thread, part.start)
    return inner | inside(modules, calls.thread, calls.start)
