"""A model that runs more often in a step than its backward pass needs: for an accuracy, a log, a validation."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.host.module_calls import MODULE
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause, holding, inside, outermost_rows
from stepscope.findings.detectors.recomputation import CHECKPOINTING
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints, in_order
from stepscope.store.autograd import backward_pass

_ALIKE = 0.9
"""Number of operators of a call beside that of one with a backward pass, at least: the whole model, not a part."""

_PARTS = 4
"""Modules from which a call of as many is the whole model, too: for an evaluation, norms call fewer operators."""


def detect(case: Case) -> list[Cause]:
    """A cause where a module is called outermost with and without a backward pass, in half of the steps.

    With inputs of the same shapes: those of other ones, as in a rollout, have outputs of their own.
    """
    calls, name, modules = _outermost_modules(case)
    if len(name) == 0:
        return []
    operators, inputs = _operators(case, calls)
    step = np.searchsorted(case.model.edges, calls.start, side="right")
    of = {"name": name, "step": step, "inputs": inputs}
    held = {"operators": operators, "modules": modules, "trained": _trained(case, calls)}
    frame = pl.DataFrame(of | held).with_row_index("call")
    needed = pl.col("operators", "modules").max().name.prefix("needed_")
    trained = frame.filter("trained").group_by(*of).agg(needed)
    extra = frame.filter(~pl.col("trained")).join(trained, on=[*of], nulls_equal=True, maintain_order="left")
    whole = (pl.col("modules") >= _PARTS) & (pl.col("modules") == pl.col("needed_modules"))
    extra = extra.filter((pl.col("operators") >= _ALIKE * pl.col("needed_operators")) | whole)
    often = extra.filter(2 * pl.col("step").n_unique().over("name") >= case.model.steps)
    return [_cause(case, calls.chosen(often["call"].to_numpy()))] if len(often) else []


def _outermost_modules(case: Case) -> tuple[Ranges, pl.Series, Ints]:
    """Calls of modules in no other module, whole in the steps, on the main thread; the code of each one's name, and how
    many modules it calls, with itself.

    Without those of checkpoints: run without a backward pass first, they are run again for it.
    """
    clocks = case.model.host.clocks
    if case.rank.trace.rows("python") == 0 or not clocks:
        return NOWHERE, pl.Series([]), np.empty(0, np.int64)
    names = case.rank.trace.frame("python", ["name"])["name"]
    rows = case.rank.trace.rows_with("python", case.rank.trace.codes(lambda text: text.str.starts_with(MODULE)))
    number, times = host_threads(case.rank).numbered(case.rank, "python")
    start = times["start_ns"].to_numpy()[rows]
    every = Ranges(number[rows], start, start + times["duration_ns"].to_numpy()[rows])
    first, last = case.model.window
    mine = np.flatnonzero((every.thread == clocks[0].thread) & (every.start >= first) & (every.end <= last))
    starts = in_order(every.start[mine])
    mine = mine[outermost_rows(every.chosen(mine))]
    kept = mine[~inside(case.named(CHECKPOINTING, "python"), every.thread[mine], every.start[mine])]
    calls = every.chosen(kept)
    before, behind = (np.searchsorted(starts, edge) for edge in (calls.start, calls.end))
    return calls, names.gather(rows[kept]), behind - before


def _trained(case: Case, calls: Ranges) -> Flags:
    """Which calls hold an operator that has a backward function."""
    forward = case.rows("operator", backward_pass(case.rank).differentiated)
    return holding(calls, forward.thread, forward.start)


def _operators(case: Case, calls: Ranges) -> tuple[Ints, pl.Series]:
    """How many operators each call holds; and the code of the first one's shapes, null where they were not recorded."""
    every = case.rows("operator")
    mine = np.flatnonzero(every.thread == case.model.host.clocks[0].thread)
    mine = mine[np.argsort(every.start[mine], kind="stable")]
    first, behind = (np.searchsorted(every.start[mine], edge) for edge in (calls.start, calls.end))
    rows = pl.Series(np.append(mine, 0)[first]).set(pl.Series(first == behind), None)
    shapes = case.rank.trace.frame("operator", ["input_dims"])["input_dims"]
    return behind - first, shapes.gather(rows)


def _cause(case: Case, calls: Ranges) -> Cause:
    which = launched_inside(case.rank, case.model, calls)
    spent, count = max(case.gpu_ns(which), case.host_ns(calls)), case.a_step(float(len(calls.start)))

    def fix(edit: Edit, effort: int) -> Edit:
        if effort == 0:
            return edit  # Its inputs are others, as the next states of double Q-learning: no recording shows it.
        edit = slowed(edit, shares(case.model, calls), 0.0)
        return case.removed(edit, calls, which)

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
        count=count,
    )
