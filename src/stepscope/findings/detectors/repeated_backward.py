"""Backward passes that go through a graph again: `retain_graph=True`, and a pass for each loss."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.simulation.edits import Ranges, launched_inside, ranges_of, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause, holding, outermost
from stepscope.findings.detectors.loop_gradients import gradients_of
from stepscope.findings.detectors.one_call import left_of
from stepscope.findings.top_level_operators import runs, top_level_operators
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY, at
from stepscope.store.autograd import ACCUMULATES, EVALUATE, backward_pass
from stepscope.store.profile import Rank

_NEAR = 8
"""Operators between the passes for two rows of a Jacobian, at most."""

_PAGE = "https://docs.pytorch.org/docs/stable/generated/torch.Tensor.backward.html"
_OF_LOSSES = (
    Message("finding-repeated-backward-advice"),
    "(loss + extra).backward()  # was: loss.backward(retain_graph=True); extra.backward()",
    (_PAGE,),
)
_NEEDED = r"^aten::(?:norm|linalg_vector_norm|div_?|dot|vdot|mv|mm|bmm|matmul)$"
"""Between passes that start from one another, as those of a power iteration or of conjugate gradients."""

_OF_ROWS = (
    Message("finding-repeated-backward-advice-rows"),
    (
        "rows = torch.autograd.grad(y, x, grad_outputs=torch.eye(n), is_grads_batched=True, create_graph=True)\n"
        "# was: [torch.autograd.grad(y[i], x, create_graph=True) for i in range(n)]"
    ),
    (_PAGE, "https://docs.pytorch.org/docs/stable/generated/torch.func.jacrev.html"),
)
"""Advice, change and pages, of several losses and of the rows of a Jacobian."""


def detect(case: Case) -> list[Cause]:
    """A cause where, in half of the steps, nodes of a graph are evaluated that were evaluated before.

    Where derivatives are differentiated, only among passes for derivatives of the same order: those of higher ones have
    to go through the graph of the lower ones, too.
    """
    rank = case.rank.whole
    rows = rank.trace.rows_with("operator", rank.trace.codes(lambda text: text.str.starts_with(EVALUATE)))
    began = rank.trace.frame("operator", ["start_ns"])["start_ns"].to_numpy()[rows]
    found, times = _evaluated_again(rank, rows, began), 1
    if len(found) and _differentiates_twice(rank):
        again, times = _of_derivatives(case, rows, began)
    else:
        again = ranges_of(case.rank, case.model, "operator", found)
    if len(again.start) == 0:
        return []
    # Where a pass makes a graph itself, that has a backward pass as well.
    again = outermost(again.and_those(gradients_of(case, top_level_operators(case), again, of_parameters=False)))
    steps = len(np.unique(case.step_of(again.start)))
    return [_cause(case, again, times)] if 2 * steps >= case.model.steps else []


def _evaluated_again(rank: Rank, rows: Ints, began: Ints) -> Ints:
    """Which of the engine's events evaluate a node again, with the gradients that they complete.

    A node is known by the forward operator that made it. Gradients (`AccumulateGrad`) are of the function before them.

    Args:
        rows: of the engine's events, in file order.
        began: when each began, or its pass: what begins together is of one pass.
    """
    trace, forward = rank.trace, backward_pass(rank).forward
    adds = trace.marked("operator", trace.codes(lambda text: text.str.ends_with(ACCUMULATES)))[rows]
    made = rows[~adds & (forward[rows] != NOBODY)]
    if len(np.unique(forward[made])) == len(made):
        return np.empty(0, np.int64)
    frame = trace.frame("operator", ["process", "thread", "start_ns", "sequence"], keep=False)
    frame = frame.select(pl.all().gather(rows)).with_columns(row=rows, node=forward[rows], began=began)
    frame = frame.sort("start_ns", maintain_order=True)
    again = pl.col("began") > pl.col("began").min().over("node", "sequence")
    again = pl.when((pl.col("sequence") >= 0) & (pl.col("node") != NOBODY)).then(again)
    frame = frame.with_columns(again.forward_fill().over("process", "thread").alias("again"))
    return frame.filter("again")["row"].to_numpy()


def _of_derivatives(case: Case, rows: Ints, began: Ints) -> tuple[Ranges, int]:
    """What is evaluated again among passes of the same order, and how many passes one for all rows replaces: of higher
    orders only passes near one another, whole. For arguments see `_orders`."""
    order, began = _orders(case, rows, began)
    every = [rows[:0]]
    for one in np.unique(order).tolist():
        mine = order == one
        every.append(_evaluated_again(case.rank.whole, rows[mine], began[mine]))
    found = np.concatenate(every)
    first = ranges_of(case.rank, case.model, "operator", np.intersect1d(found, rows[order == 1]))
    near, times = _passes_of_rows(case, ranges_of(case.rank, case.model, "operator", found))
    return first.and_those(near), times


def _orders(case: Case, rows: Ints, began: Ints) -> tuple[Ints, Ints]:
    """Order of the derivatives that each of the engine's events is for: 1 where its pass goes through nothing but what
    the program computed, one more than that of the highest pass whose graph it goes through. And when that pass began:
    passes that follow one another with nothing between are one, in which nothing of a higher order is gone through
    again.

    Args:
        rows: of the engine's events, in file order.
        began: when each began.
    """
    calls, passes = top_level_operators(case), backward_pass(case.rank.whole)
    first, last = _passes(case)
    begin = calls.ranges.start[first]
    forward = passes.forward[calls.row]
    derived = (forward != NOBODY) & (passes.function[np.maximum(forward, 0)] != NOBODY)
    made = case.rank.trace.frame("operator", ["start_ns"])["start_ns"].to_numpy()[np.maximum(forward, 0)]
    of = np.maximum(np.searchsorted(begin, made, side="right") - 1, 0)
    order = np.ones(len(first), np.int64)
    number = np.full(len(passes.forward), NOBODY, np.int64)
    for place, (one, other) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        through = of[one : other + 1][derived[one : other + 1]]
        order[place] += order[through].max(initial=0)
        number[calls.row[one : other + 1]] = place if order[place] > 1 else NOBODY
    higher = number[rows] != NOBODY
    return np.where(higher, at(order, number[rows]), 1), np.where(higher, at(begin, number[rows]), began)


def _passes(case: Case) -> tuple[Ints, Ints]:
    """First and last place of the engine's events of each pass among the operators, in the order of time."""
    calls = top_level_operators(case)
    first, last = runs(calls.named(case, f"^{EVALUATE}"), calls.begins)
    by_time = np.argsort(calls.ranges.start[first], kind="stable")
    return first[by_time], last[by_time]


def _passes_of_rows(case: Case, again: Ranges) -> tuple[Ranges, int]:
    """Passes that go through something again right behind another one, with what picks a row out for them, from the end
    of that one on, on the thread of the passes themselves; and how many passes one could be of. None where some start
    from one another."""
    calls = top_level_operators(case)
    first, last = _passes(case)
    of, before = first[1:], last[:-1]
    ranges = Ranges(calls.ranges.thread[of], calls.ranges.end[before], calls.ranges.end[last[1:]])
    mine = (of - before <= _NEAR + 1) & (ranges.thread == calls.ranges.thread[before])
    mine &= holding(ranges, again.thread, again.start)
    needed = np.concatenate([[0], np.cumsum(calls.named(case, _NEEDED))])
    if (needed[of] > needed[before + 1])[mine].any():
        return NOWHERE, 1
    return ranges.chosen(np.flatnonzero(mine)), 1 + round(case.a_step(float(mine.sum())))


def _differentiates_twice(rank: Rank) -> bool:
    """Whether operators of the backward pass make a graph themselves, but for a forward pass that is run again."""
    numbers = rank.trace.frame("operator", ["sequence", "forward_thread"], keep=False)
    makes_nodes = ((numbers["sequence"] >= 0) & ~(numbers["forward_thread"] > 0).fill_null(False)).fill_null(False)
    passes = backward_pass(rank)
    return bool((makes_nodes.to_numpy() & (passes.function != NOBODY) & ~passes.recomputed & ~passes.hook).any())


def _cause(case: Case, again: Ranges, times: int) -> Cause:
    """The cause.

    Args:
        times: passes that one for all rows replaces; 1 for those of several losses.
    """
    which = launched_inside(case.rank, case.model, again)
    spent = max(case.gpu_ns(which), case.host_ns(again))
    advice, change, links = _OF_ROWS if times > 1 else _OF_LOSSES
    # One pass for all rows computes as much as theirs, that of their sum no more than one of them: halfway.
    left = left_of(case, top_level_operators(case), again, times)[1] / 2 if times > 1 else 0.0

    def fix(edit: Edit, effort: int) -> Edit:
        if effort == 0:
            return edit  # Each pass may be needed by itself, as where gradients of tasks are weighed: nothing shows it.
        if effort == 1 and left:
            return slowed(edit, shares(case.model, again), left)
        return case.removed(slowed(edit, shares(case.model, again), 0.0), again, which)

    return Cause(
        id="repeated-backward",
        category="host",
        title=Message("finding-repeated-backward-title", spent_ns=round(spent)),
        fix=fix,
        claims=again,
        spent_ns=spent,
        advice=advice,
        change=change,
        links=links,
        unknown=Message(f"finding-repeated-backward-unknown{'-rows' if times > 1 else ''}"),
        where=case.where(again),
        count=case.a_step(float(len(again.start))),
    )
