"""A model that runs more often in a step than its backward pass needs: for an accuracy, a log, a validation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.host.module_calls import MODULE
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause, holding, outermost_rows
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.store.autograd import backward_pass

_ALIKE = 0.9
"""Number of operators of a call beside that of one with a backward pass, at least: the whole model, not a part."""


def detect(case: Case) -> list[Cause]:
    """A cause where the same module is called outermost with and without a backward pass in half of the steps."""
    calls, name = _outermost_modules(case)
    if len(name) == 0:
        return []
    trained, operators = _trained(case, calls), _operators(case, calls)
    step = np.searchsorted(case.model.edges, calls.start, side="right")
    frame = pl.DataFrame({"name": name, "step": step, "trained": trained, "operators": operators})
    least = _ALIKE * pl.col("operators").filter("trained").max().over("name", "step")
    extra = ~pl.col("trained") & (pl.col("operators") >= least).fill_null(False)
    steps = pl.col("step").filter("extra").n_unique().over("name")
    often = frame.with_columns(extra.alias("extra")).select(pl.col("extra") & (2 * steps >= case.model.steps))
    which = often.to_series().to_numpy()
    return [_cause(case, calls.chosen(which))] if which.any() else []


def _outermost_modules(case: Case) -> tuple[Ranges, pl.Series]:
    """Calls of modules in no other module, whole in the steps, on the main thread; and the code of each one's name."""
    clocks = case.model.host.clocks
    if case.rank.trace.rows("python") == 0 or not clocks:
        return NOWHERE, pl.Series([])
    names = case.rank.trace.frame("python", ["name"])["name"]
    rows = case.rank.trace.rows_with("python", case.rank.trace.codes(lambda text: text.str.starts_with(MODULE)))
    number, times = host_threads(case.rank).numbered(case.rank, "python")
    start = times["start_ns"].to_numpy()[rows]
    every = Ranges(number[rows], start, start + times["duration_ns"].to_numpy()[rows])
    first, last = case.model.window
    mine = np.flatnonzero((every.thread == clocks[0].thread) & (every.start >= first) & (every.end <= last))
    kept = mine[outermost_rows(every.chosen(mine))]
    return every.chosen(kept), names.gather(rows[kept])


def _trained(case: Case, calls: Ranges) -> Flags:
    """Which calls hold an operator that has a backward function."""
    forward = case.rows("operator", backward_pass(case.rank).differentiated)
    return holding(calls, forward.thread, forward.start)


def _operators(case: Case, calls: Ranges) -> Ints:
    """How many operators each call holds."""
    every = case.rows("operator")
    start = np.sort(every.start[every.thread == case.model.host.clocks[0].thread])
    found: Ints = np.searchsorted(start, calls.end) - np.searchsorted(start, calls.start)
    return found


def _cause(case: Case, calls: Ranges) -> Cause:
    which = launched_inside(case.rank, case.model, calls)
    spent, count = max(case.gpu_ns(which), case.host_ns(calls)), case.a_step(float(len(calls.start)))

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, calls), 0.0)
        return replace(edit, gone=edit.gone | which, freed=edit.freed | case.items_inside(calls))

    return Cause(
        id="extra-forward",
        category="python",
        title=Message("finding-extra-forward-title", times=count, spent_ns=round(spent)),
        fix=fix,
        claims=calls,
        spent_ns=spent,
        advice=Message("finding-extra-forward-advice"),
        change="correct = (out.argmax(1) == y).sum()  # was: (model(x).argmax(1) == y).sum()",
        links=("https://docs.pytorch.org/docs/stable/generated/torch.no_grad.html",),
        unknown=Message("finding-extra-forward-unknown"),
        where=case.where(calls),
        unsure=True,
        count=count,
    )
