"""Steps of many small forward and backward passes: gradient accumulation, and gradients of single samples."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, holding, inside, outermost
from stepscope.findings.detectors.one_call import left_of
from stepscope.findings.detectors.optimizer import STEP_PATTERN
from stepscope.findings.detectors.recurrences import NEAR, PICKS_ROWS, RECURRENT, SPLITS, Loop
from stepscope.findings.detectors.small_parts import are_short
from stepscope.findings.top_level_operators import TopLevelOperators, runs, top_level_operators
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.store.autograd import EVALUATE, backward_pass

_LEAST = 4
"""Passes a step; two or three may be of several models, or of several losses."""

_OWN_GRAPH = 0.8
"""Of the backward functions of a pass, those whose forward operator ran in the same pass."""

_GRADIENT, _ADDS = r"^torch::autograd::AccumulateGrad$", r"^aten::add_?$"

_MOST_NEW = 0.5
"""Of the gradients behind the first pass, those that nothing is added to: each pass trains parameters of its own."""

_TAKES_PART = rf"{PICKS_ROWS}|{SPLITS}|^aten::(?:rand\w*|lift_fresh|stack)$"
"""What gets the data of a pass; without it passes are over the same data, as of the members of an ensemble."""

_CHANGES = r"^aten::(?:_foreach_\w+|sign|clamp\w*|zero_)$"
_COMPUTES = r"^aten::(?:add|sub|rsub|mul|div|neg|pow|exp|sqrt|lerp|addcmul|addcdiv)_?$"
_MOST_COMPUTED = 2
"""Operators between passes, as to scale the data and to add up the loss. More of them, or such as change weights or
inputs, make each pass depend on the one before: inner loops of meta-learning, attacks, sampling."""

_DETACHES = r"^aten::detach_?$"

_PASSES = (2, 1, 1)
"""That are left, by effort: memory may have no room for the whole batch."""

_MARGIN = 9.0
"""Points, as of loops of operators."""


def detect(case: Case) -> list[Cause]:
    """A cause for them on a CPU; on a GPU small_batch.py is about what they are made of."""
    if case.on_gpu:
        return []
    calls = top_level_operators(case)
    passes = [
        found for found in _equal_passes(case, calls) if are_short(case, calls, slice(found.first, found.last + 1))
    ]
    if not passes or 2 * len(passes) < case.model.steps:
        return []
    ranges = calls.along(passes)
    if _recomputes(case, ranges):
        return []  # calls inside a checkpoint's function are taken for its work
    behind_first = calls.along([replace(found, first=found.first + found.length) for found in passes])
    return [_cause(case, calls, ranges, passes)] if _accumulate(case, ranges, behind_first) else []


def _equal_passes(case: Case, calls: TopLevelOperators) -> list[Loop]:
    """In each step the longest row of passes, forward and backward, that call the same operators."""
    engine, code, part = calls.named(case, f"^{EVALUATE}"), calls.name.to_numpy(), np.cumsum(calls.begins)
    ends = np.flatnonzero(engine & ~np.append(engine[1:] & ~calls.begins[1:], False))
    found = []
    for number in np.unique(part[ends]).tolist():
        row = _longest_row(code, ends[part[ends] == number])
        if row is None:
            continue
        before = row.first - row.length  # The first pass: where it begins no other one ends.
        if (
            before >= 0
            and part[before] == number
            and (code[before:][: row.length] == code[row.first :][: row.length]).all()
        ):
            row = replace(row, first=before, times=row.times + 1)
        if row.times >= _LEAST:
            found += _on_their_own(case, calls, engine, row)
    return found


def _on_their_own(case: Case, calls: TopLevelOperators, engine: Flags, row: Loop) -> list[Loop]:
    """The row, where each pass is over its own part of the data and needs no other one, as far as its operators tell.

    A backward pass goes through what was computed in its own turn, rather than through one graph for all, as those of
    several losses of one forward pass do.
    """
    places = row.first + np.flatnonzero(engine[row.first : row.last + 1])
    forward = backward_pass(case.rank).forward[calls.row[places]]
    known = forward != NOBODY
    turn = row.first + (places - row.first) // row.length * row.length
    start = case.rank.trace.frame("operator", ["start_ns"])["start_ns"].to_numpy()[np.maximum(forward, 0)]
    own = known & (start >= calls.ranges.start[turn])
    if not known.any() or own[known].mean() < _OWN_GRAPH:
        return []
    final = row.last + 1 - row.length
    begins = int(start[own & (turn == final)].min(initial=int(calls.ranges.start[row.last])))
    graph = final + max(0, int(np.searchsorted(calls.ranges.start[final : row.last + 1], begins, side="right")) - 1)
    between = slice(final, graph)
    split = calls.named(case, SPLITS)[max(0, row.first - NEAR) : row.first].any()
    parts = split or calls.named(case, _TAKES_PART)[between].any()
    changes = calls.named(case, _CHANGES)[between].any()
    computes = calls.named(case, _COMPUTES)[between].sum() > _MOST_COMPUTED
    carries = _carries_state(case, calls, slice(final, row.last + 1))
    return [row] if parts and not (changes or computes or carries) else []


def _carries_state(case: Case, calls: TopLevelOperators, turn: slice) -> bool:
    """Whether a pass begins with the state that a recurrent layer had in the one before: truncated backpropagation."""
    return bool(calls.named(case, _DETACHES)[turn].any() and calls.named(case, RECURRENT)[turn].any())


def _recomputes(case: Case, ranges: Ranges) -> bool:
    """Whether a forward pass runs again inside of some ranges, for activation checkpointing."""
    recomputed = case.rows("operator", backward_pass(case.rank).recomputed)
    return bool(inside(ranges, recomputed.thread, recomputed.start).any())


def _longest_row(code: Ints, ends: Ints) -> Loop | None:
    """The longest row of passes between some ends that call the same operators; None where no two do."""
    passes = [code[one + 1 : other + 1].tobytes() for one, other in pairwise(ends.tolist())]
    same = np.array([one == other for one, other in pairwise(passes)], np.bool_)
    first, last = runs(same, np.zeros(len(same), np.bool_))
    if len(first) == 0:
        return None
    most = int(np.argmax(last - first))
    begin, end = int(first[most]), int(last[most]) + 2
    return Loop(int(ends[begin]) + 1, int(ends[end]), int(ends[begin + 1] - ends[begin]), end - begin)


def _accumulate(case: Case, ranges: Ranges, behind_first: Ranges) -> bool:
    """Whether all passes are for the same update: gradients are added up, or not left in parameters at all."""
    updates = outermost(case.named(STEP_PATTERN, "annotation", "operator", "python"))
    if inside(ranges, updates.thread, updates.start).any():
        return False
    gradients = case.named(_GRADIENT, "operator")
    gradients = gradients.chosen(inside(behind_first, gradients.thread, gradients.start))
    adds = case.named(_ADDS, "operator")
    added = holding(gradients, adds.thread, adds.start)
    return bool(len(added) == 0 or added.mean() >= 1 - _MOST_NEW)


def _cause(case: Case, calls: TopLevelOperators, ranges: Ranges, passes: list[Loop]) -> Cause:
    times = round(float(np.median([found.times for found in passes])))
    spent = case.host_ns(ranges)
    left = left_of(case, calls, ranges, times, _PASSES)

    def fix(edit: Edit, effort: int) -> Edit:
        return slowed(edit, shares(case.model, ranges), left[effort])

    return Cause(
        id="micro-batches",
        category="launching",
        title=Message("finding-micro-batches-title", times=times, spent_ns=round(spent)),
        fix=fix,
        claims=ranges,
        spent_ns=spent,
        advice=Message("finding-micro-batches-advice"),
        change="loss(model(batch), y).backward()  # was: for x, y in micro_batches: loss(model(x), y).backward()",
        links=(
            "https://docs.pytorch.org/tutorials/intermediate/per_sample_grads.html",
            "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
        ),
        unknown=Message("finding-micro-batches-unknown"),
        margin=_MARGIN,
        where=case.where(ranges),
        count=float(times),
    )
