"""Loops that call the same operators for one small part of a tensor after another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from stepscope.analyses.simulation.edits import Ranges, gathered, launched_inside, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause, inside, outermost
from stepscope.findings.detectors.loop_gradients import gradients_of
from stepscope.findings.detectors.one_call import BESIDE, CALLS, OF_LARGE, OF_SMALL, left_of
from stepscope.findings.detectors.optimizer import STEP_PATTERN
from stepscope.findings.detectors.recurrences import NEAR, RECURRENT, Loop, repeating
from stepscope.findings.detectors.small_parts import UNSURE_LEAST, in_parts, until_joined, without_weights
from stepscope.findings.top_level_operators import TopLevelOperators, top_level_operators
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.store.autograd import EVALUATE

_LEAST = 12
"""Repetitions; deep models have a dozen equal layers, which their modules tell apart."""

_SMALL_KERNEL_NS = 10_000
"""Up to this the work of a kernel is so little that a large one does it much faster."""

_OF_RECURRENT = (0.9, 0.65, 0.3)
"""What is left where each repetition is a time step of a recurrent layer, by effort: on a CPU the layer for a whole
sequence runs the same steps, forward and backward, only without Python between them."""

_MARGIN = 9.0
"""Points: what replaces a loop differs more from program to program than what only goes away."""

_MOST_OF_GRAPH, _NODE_NS = 0.7, 1_000
"""Share of the backward functions from which the graph is the loops'; and what a node of it takes, at most."""


def detect(case: Case) -> list[Cause]:
    """A cause for such loops, their backward pass included; on a GPU only those of kernels as small."""
    calls = top_level_operators(case)
    taken = outermost(case.named(STEP_PATTERN, "annotation", "operator", "python")).and_those(case.loading())
    repeated, joined = _nested(calls, repeating(case.rank, calls, _LEAST, launching=False)), until_joined(case, calls)
    every, others = ([loop for loop in found if not _elsewhere(calls, loop, taken)] for found in (repeated, joined))
    even = [loop for loop in every if in_parts(case, calls, loop)]
    uneven = [loop for loop in others if not _covered(loop, even)]
    left = (loop for loop in every if loop not in even and not _covered(loop, uneven))
    few = [loop for loop in left if without_weights(case, calls, loop)]
    forward = uneven + even + few
    if not forward:
        return []
    loops = calls.along(forward)
    around = loops.and_those(_splits_and_joins(case, calls, forward))
    ranges = around.and_those(gradients_of(case, calls, around, of_parameters=True))
    ranges = ranges.and_those(_graph(case, calls, ranges))
    largest = max(forward, key=lambda loop: loop.times * loop.length)
    cause = _cause(case, calls, outermost(ranges), largest, case.where(loops))
    return [cause if len(few) < len(forward) else _perhaps(cause)]


def _perhaps(cause: Cause) -> Cause:
    """The same, where nothing shows that no turn needs the one before: so few may be steps of a solver."""
    return replace(cause, fix=lambda edit, effort: cause.fix(edit, effort) if effort else edit)


def _covered(loop: Loop, others: list[Loop]) -> bool:
    """Whether half of a loop, or more, lies in others."""
    common = (min(other.last, loop.last) + 1 - max(other.first, loop.first) for other in others)
    return 2 * sum(max(0, operators) for operators in common) >= loop.last + 1 - loop.first


def _nested(calls: TopLevelOperators, loops: list[Loop]) -> list[Loop]:
    """Loops, of which those of a few turns that follow one another and repeat the same, as the inner ones of two nested
    loops do, are one."""
    part, code = np.cumsum(calls.begins), calls.name.cast(pl.Int64).to_numpy()
    found: list[Loop] = []
    last: Loop | None = None
    for loop in sorted(loops, key=lambda loop: loop.first):
        near = last and loop.first - last.last <= NEAR + 1 and part[loop.first] == part[last.first]
        if last and near and loop.times < UNSURE_LEAST and _repeats(code, loop) == _repeats(code, last):
            found[-1] = replace(found[-1], last=loop.last, times=found[-1].times + loop.times)
        else:
            found.append(loop)
        last = loop
    return found


def _repeats(code: Ints, loop: Loop) -> list[int]:
    """Names (codes) of the operators of a turn, in an order that does not depend on where it begins."""
    return sorted(code[loop.first : loop.first + loop.length].tolist())


def _elsewhere(calls: TopLevelOperators, loop: Loop, taken: Ranges) -> bool:
    one = calls.ranges.chosen(np.array([loop.first]))
    return bool(inside(taken, one.thread, one.start)[0])


def _splits_and_joins(case: Case, calls: TopLevelOperators, loops: list[Loop]) -> Ranges:
    """What takes a tensor to pieces around a loop and puts the results together."""
    around, part = np.zeros(len(calls.row), np.bool_), np.cumsum(calls.begins)
    for loop in loops:
        near = slice(max(0, loop.first - NEAR), loop.last + 1 + NEAR)
        around[near] |= part[near] == part[loop.first]
    return calls.ranges.chosen(around & calls.named(case, BESIDE))


def _graph(case: Case, calls: TopLevelOperators, loops: Ranges) -> Ranges:
    """Where the autograd graph of the loops is looked through before the backward pass, and freed behind it."""
    function = calls.named(case, f"^{EVALUATE}")
    in_loops = inside(loops, calls.ranges.thread, calls.ranges.start)
    step = case.step_of(calls.ranges.start)
    parts = [NOWHERE]
    for number in np.unique(step[function]).tolist():
        mine = np.flatnonzero(function & (step == number))
        nodes = int(in_loops[mine].sum())
        if nodes < _MOST_OF_GRAPH * len(mine):
            continue
        first, last = mine[0], mine[-1]
        edges = calls.ranges
        if first > 0:
            before = max(int(edges.end[first - 1]), int(edges.start[first]) - nodes * _NODE_NS)
            parts.append(Ranges(edges.thread[[first]], np.array([before]), edges.start[[first]]))
        if last + 1 < len(edges.start):
            behind = min(int(edges.start[last + 1]), int(edges.end[last]) + nodes * _NODE_NS)
            parts.append(Ranges(edges.thread[[last]], edges.end[[last]], np.array([behind])))
    return Ranges(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("thread", "start", "end")))


def _cause(case: Case, calls: TopLevelOperators, ranges: Ranges, largest: Loop, where: str) -> Cause:
    last = largest.first + largest.length - 1 if largest.even else largest.last
    names = calls.texts(case, np.arange(largest.first, last + 1))
    spent = case.host_ns(ranges)
    left = left_of(case, calls, ranges, largest.times)
    recurrent = calls.named(case, RECURRENT)[largest.first : largest.last + 1].any()

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, ranges), (_OF_RECURRENT if recurrent else left)[effort])
        return _on_gpu(case, edit, ranges, largest.times, effort) if case.on_gpu else edit

    return Cause(
        id="operator-loop",
        category="launching",
        title=Message(
            "finding-operator-loop-title" if largest.even else "finding-operator-loop-title-pieces",
            times=largest.times if largest.even else len(names),
            operators=list(dict.fromkeys(names))[:4],
            spent_ns=round(spent),
        ),
        fix=fix,
        claims=ranges,
        spent_ns=spent,
        advice=Message("finding-operator-loop-advice"),
        change="y = torch.bmm(x, w)  # was: torch.stack([x[i] @ w[i] for i in range(n)])",
        links=(
            "https://docs.pytorch.org/docs/stable/generated/torch.vmap.html",
            "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
        ),
        unknown=Message("finding-operator-loop-unknown"),
        margin=_MARGIN,
        where=where,
        count=case.a_step(float(len(ranges.start))),
    )


def _on_gpu(case: Case, edit: Edit, ranges: Ranges, times: int, effort: int) -> Edit:
    """The edit with few kernels in place of those of the loops, and with their values read at once."""
    which = launched_inside(case.rank, case.model, ranges)
    took = edit.activities.duration[which]
    small = float(np.minimum(took, _SMALL_KERNEL_NS).sum())
    left = OF_SMALL[effort] * small + OF_LARGE[effort] * (float(took.sum()) - small)
    few = round(which.sum() * min(1.0, CALLS[effort] / times))
    return case.freed(gathered(edit, which, few, left / max(1.0, float(took.sum()))), ranges)
