"""Backward passes that go through a graph again: `retain_graph=True`, and a pass for each loss."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.simulation.edits import Ranges, launched_inside, ranges_of, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, outermost
from stepscope.findings.detectors.loop_gradients import gradients_of
from stepscope.findings.top_level_operators import top_level_operators
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.autograd import ACCUMULATES, EVALUATE, backward_pass
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank


def detect(case: Case) -> list[Cause]:
    """A cause where, in half of the steps, nodes of a graph are evaluated that were evaluated before."""
    again = ranges_of(case.rank, case.model, "operator", _evaluated_again(case.rank.whole))
    if len(again.start) == 0:
        return []
    # Where the pass makes a graph itself, that has a backward pass as well.
    again = outermost(again.and_those(gradients_of(case, top_level_operators(case), again, of_parameters=False)))
    steps = len(np.unique(case.step_of(again.start)))
    return [_cause(case, again)] if 2 * steps >= case.model.steps else []


@per_rank(whole=True)
def _evaluated_again(rank: Rank) -> Ints:
    """Rows of the engine's events that evaluate a node again, with the gradients that they complete.

    A node is known by the forward operator that made it. Gradients (`AccumulateGrad`) are of the function before them.
    Where a second derivative is taken, its pass goes through nodes of the first one's graph, too: there a node is
    evaluated again from the third time on.
    """
    trace, forward = rank.trace, backward_pass(rank).forward
    rows = trace.rows_with("operator", trace.codes(lambda text: text.str.starts_with(EVALUATE)))
    adds = trace.marked("operator", trace.codes(lambda text: text.str.ends_with(ACCUMULATES)))[rows]
    made = rows[~adds & (forward[rows] != NOBODY)]
    if len(np.unique(forward[made])) == len(made):
        return np.empty(0, np.int64)
    frame = trace.frame("operator", ["process", "thread", "start_ns", "sequence"], keep=False)
    frame = frame.select(pl.all().gather(rows)).with_columns(row=pl.Series(rows), node=pl.Series(forward[rows]))
    frame = frame.sort("start_ns", maintain_order=True)
    before = pl.int_range(pl.len()).over("node", "sequence")
    needed = 2 if _differentiates_twice(rank) else 1
    again = pl.when((pl.col("sequence") >= 0) & (pl.col("node") != NOBODY)).then(before >= needed)
    frame = frame.with_columns(again.forward_fill().over("process", "thread").alias("again"))
    return frame.filter("again")["row"].to_numpy()


def _differentiates_twice(rank: Rank) -> bool:
    """Whether operators of the backward pass make a graph themselves, but for a forward pass that is run again."""
    numbers = rank.trace.frame("operator", ["sequence", "forward_thread"], keep=False)
    makes_nodes = ((numbers["sequence"] >= 0) & ~(numbers["forward_thread"] > 0).fill_null(False)).fill_null(False)
    passes = backward_pass(rank)
    return bool((makes_nodes.to_numpy() & (passes.function != NOBODY) & ~passes.recomputed & ~passes.hook).any())


def _cause(case: Case, again: Ranges) -> Cause:
    which = launched_inside(case.rank, case.model, again)
    spent = max(case.gpu_ns(which), case.host_ns(again))

    def fix(edit: Edit, effort: int) -> Edit:
        if effort == 0:
            return edit  # Each pass may be needed by itself, as where gradients of tasks are weighed: nothing shows it.
        return case.removed(slowed(edit, shares(case.model, again), 0.0), again, which)

    return Cause(
        id="repeated-backward",
        category="host",
        title=Message("finding-repeated-backward-title", spent_ns=round(spent)),
        fix=fix,
        claims=again,
        spent_ns=spent,
        advice=Message("finding-repeated-backward-advice"),
        change="(loss + extra).backward()  # was: loss.backward(retain_graph=True); extra.backward()",
        links=("https://docs.pytorch.org/docs/stable/generated/torch.Tensor.backward.html",),
        unknown=Message("finding-repeated-backward-unknown"),
        where=case.where(again),
        count=case.a_step(float(len(again.start))),
    )
