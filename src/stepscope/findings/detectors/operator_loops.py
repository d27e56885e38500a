"""Loops on the CPU that call the same operators for one small part of a tensor after another."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.analyses.simulation.unprofiled import unprofiled
from stepscope.findings.detector_context import NOWHERE, Case, Cause, inside, outermost
from stepscope.findings.detectors.optimizer import ACCUMULATES, STEP_PATTERN
from stepscope.findings.detectors.recurrences import NEAR, Loop, like_layers, picks_or_joins, repeating, with_backward
from stepscope.findings.top_level_operators import TopLevelOperators, top_level_operators
from stepscope.messages import Message
from stepscope.store.autograd import EVALUATE

_LEAST = 12
"""Repetitions; deep models have a dozen equal layers, which their modules tell apart."""

_UNSURE_LEAST = 24
"""The same where no stacks name the modules."""

_SHORT_NS = 100_000
"""An operator that takes longer has enough to work on."""

_CALLING_NS, _SMALL_NS = 8_000, 33_000
"""What calling a small operator takes without the profiler, with what Python does around it; and up to what it has so
little work that a large operator does it much faster. Work beyond that takes as long in any."""

_OF_SMALL, _OF_LARGE = (0.5, 0.2, 0.1), (1.0, 0.9, 0.6)
"""What is left of such work, by effort."""

_RECURRENT = r"^aten::(?:gru|lstm|rnn_tanh|rnn_relu)(?:_cell)?$"
_OF_RECURRENT = (0.9, 0.65, 0.3)
"""What is left where each repetition is a time step of such a layer, by effort: on a CPU the layer for a whole sequence
runs the same steps, forward and backward, only without Python between them."""

_MARGIN = 9.0
"""Points: what replaces a loop differs more from program to program than what only goes away."""

_CALLS = (8, 2, 1)
"""Repetitions' worth of calls that are left, by effort."""

_BESIDE = (
    r"^aten::(?:unbind|stack|cat)$"
    r"|^autograd::engine::evaluate_function: (?:Unbind|Stack|Cat|Split|SplitWithSizes|Chunk)Backward\d+$"
)

_MOST_OF_GRAPH, _NODE_NS = 0.7, 1_000
"""Share of the backward functions from which the graph is the loops'; and what a node of it takes, at most."""

_WEIGHTED = r"^aten::(?:linear|addmm|mm|bmm|matmul|einsum|conv\d?d?|convolution)$"
_WEIGHTED_BACKWARD = (
    r"^autograd::engine::evaluate_function: (?:Addmm|Mm|Bmm|Baddbmm|Convolution|MkldnnConvolution)\w*Backward\d+$"
)
_GRADIENT = r"^torch::autograd::AccumulateGrad$"

_READS = r"^aten::(?:item|_local_scalar_dense|is_nonzero)$"
_TAKES_APART = r"^aten::unbind$"
"""What iterating over a tensor calls first."""


def detect(case: Case) -> list[Cause]:
    """A cause where the CPU, not a GPU, runs such loops, their backward pass included."""
    if case.on_gpu:
        return []
    calls = top_level_operators(case)
    taken = outermost(case.named(STEP_PATTERN, "annotation", "operator", "python")).and_those(case.loading())
    every = [loop for loop in repeating(calls, _LEAST) if not _elsewhere(calls, loop, taken)]
    forward = [loop for loop in every if _in_parts(case, calls, loop)]
    if not forward:
        return []
    loops = with_backward(case, calls, forward, every)
    first, last = (np.array([getattr(loop, edge) for loop in loops]) for edge in ("first", "last"))
    ranges = calls.together(first, last)
    where = case.where(ranges.chosen(np.arange(len(forward))))
    ranges = ranges.and_those(_splits_and_joins(case, calls, loops)).and_those(_graph(case, calls, ranges))
    return [_cause(case, calls, outermost(ranges), max(forward, key=lambda loop: loop.times * loop.length), where)]


def _elsewhere(calls: TopLevelOperators, loop: Loop, taken: Ranges) -> bool:
    one = calls.ranges.chosen(np.array([loop.first]))
    return bool(inside(taken, one.thread, one.start)[0])


def _in_parts(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether a repetition works on a small part of something."""
    around = slice(loop.first, loop.last + 1)
    if np.median((calls.ranges.end - calls.ranges.start)[around]) > _SHORT_NS:
        return False
    if calls.named(case, ACCUMULATES)[around].any():
        return False  # a parameter has one gradient in a backward pass: what repeats with it are layers
    if _reads_elements(case, calls, loop):
        return True
    ranges = calls.together(np.array([loop.first]), np.array([loop.last]))
    layers = False if _shares_weights(case, calls, loop) else like_layers(case, calls, loop, ranges)
    return not layers and picks_or_joins(case, calls, loop) and (layers is False or loop.times >= _UNSURE_LEAST)


def _reads_elements(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether values are read one by one: of nothing but reads, or each of a piece that was taken apart in front."""
    reads = calls.named(case, _READS)
    around = slice(loop.first, loop.last + 1)
    taken = calls.named(case, _TAKES_APART)[max(0, loop.first - NEAR) : loop.first + loop.length]
    return bool(reads[around].all() or (taken.any() and reads[loop.first : loop.first + loop.length].any()))


def _shares_weights(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether repetitions surely work with the same parameters, as layers never do.

    A parameter gets one gradient in a backward pass, however often it was used: there are fewer gradients than
    repetitions, though each repetition has weights and a backward pass.
    """
    weighted = calls.named(case, _WEIGHTED)[loop.first : loop.first + loop.length].any()
    gradients = case.a_step(float(len(case.named(_GRADIENT, "operator").start)))
    backward = case.a_step(float(calls.named(case, _WEIGHTED_BACKWARD).sum()))
    return bool(weighted) and 0 < gradients < loop.times <= backward


def _splits_and_joins(case: Case, calls: TopLevelOperators, loops: list[Loop]) -> Ranges:
    """What takes a tensor to pieces around a loop and puts the results together, in the backward pass, too."""
    around, part = np.zeros(len(calls.row), np.bool_), np.cumsum(calls.begins)
    for loop in loops:
        near = slice(max(0, loop.first - NEAR), loop.last + 1 + NEAR)
        around[near] |= part[near] == part[loop.first]
    return calls.ranges.chosen(around & calls.named(case, _BESIDE))


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
    names = calls.texts(case, np.arange(largest.first, largest.first + largest.length))
    spent = case.host_ns(ranges)
    small, large = _work(case, calls, ranges)
    recurrent = calls.named(case, _RECURRENT)[largest.first : largest.last + 1].any()

    def fix(edit: Edit, effort: int) -> Edit:
        left = _CALLS[effort] / largest.times + _OF_SMALL[effort] * small + _OF_LARGE[effort] * large
        return slowed(edit, shares(case.model, ranges), _OF_RECURRENT[effort] if recurrent else min(1.0, left))

    return Cause(
        id="operator-loop",
        category="launching",
        title=Message(
            "finding-operator-loop-title",
            times=largest.times,
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


def _work(case: Case, calls: TopLevelOperators, ranges: Ranges) -> tuple[float, float]:
    """Shares of the operators' time in some ranges that are not their calls: of small work, and of what goes beyond.

    What takes a tensor to pieces and joins the results is no work: one call for all needs no pieces.
    """
    which = inside(ranges, calls.ranges.thread, calls.ranges.start)
    mine = calls.ranges.chosen(which)
    pace = unprofiled(case.rank, case.model).edits[0].pace
    took = np.zeros(len(mine.start))
    for clock, own in zip(case.model.host.clocks, pace, strict=True):
        of = mine.thread == clock.thread
        took[of] = clock.worked(mine.end[of], own) - clock.worked(mine.start[of], own)
    total = max(1.0, float(took.sum()))
    took[calls.named(case, _BESIDE)[which]] = 0.0
    small = np.clip(took - _CALLING_NS, 0, _SMALL_NS - _CALLING_NS)
    return float(small.sum()) / total, float(np.maximum(took - _SMALL_NS, 0).sum()) / total
