"""Whether a loop works on one small part of something after another, rather than on layers or parameters."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.simulation.edits import Ranges
from stepscope.findings.detector_context import Case
from stepscope.findings.detectors.optimizer import ACCUMULATES
from stepscope.findings.detectors.recurrences import (
    JOINS,
    NEAR,
    PICKS_ROWS,
    SPLITS,
    Loop,
    is_recurrence,
    like_layers,
    picks_or_joins,
    short_kernels,
)
from stepscope.findings.top_level_operators import TopLevelOperators

UNSURE_LEAST = 24
"""Repetitions, at least, where no stacks name the modules."""

_MOST_KINDS = 6
"""Different operators in the turns of a loop that are not all the same."""

_SHORT_NS, _SHORT_LAUNCHING_NS = 100_000, 300_000
"""An operator that takes longer has enough to work on; and where a GPU does the work, and it only launches."""

_WEIGHTED = r"^aten::(?:linear|addmm|mm|bmm|matmul|einsum|conv\d?d?|convolution)$"
_WEIGHTED_BACKWARD = (
    r"^autograd::engine::evaluate_function: (?:Addmm|Mm|Bmm|Baddbmm|Convolution|MkldnnConvolution)\w*Backward\d+$"
)
_GRADIENT = r"^torch::autograd::AccumulateGrad$"

_READS = r"^aten::(?:item|_local_scalar_dense|is_nonzero)$"
_TAKES_APART = r"^aten::unbind$"
"""What iterating over a tensor calls first."""


def in_parts(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether a repetition works on a small part of something."""
    around = slice(loop.first, loop.last + 1)
    if not _short(case, calls, around):
        return False
    if calls.named(case, ACCUMULATES)[around].any():
        return False  # a parameter has one gradient in a backward pass: what repeats with it are layers
    if _reads_elements(case, calls, loop):
        return True
    ranges = calls.together(np.array([loop.first]), np.array([loop.last]))
    if case.on_gpu and (is_recurrence(case, calls, loop) or not short_kernels(case, ranges)):
        return False
    if case.on_gpu and not calls.launches[around].any() and not _picks(case, calls, loop):
        return False  # bookkeeping, such as a cast of what has the type
    layers = False if _shares_weights(case, calls, loop) else _layers(case, calls, loop, ranges)
    return not layers and picks_or_joins(case, calls, loop) and (layers is False or loop.times >= UNSURE_LEAST)


def until_joined(case: Case, calls: TopLevelOperators) -> list[Loop]:
    """Loops whose turns differ, as those of augmentations that are drawn for each image: a few kinds of small operators
    in any order, between one that takes a tensor to pieces and one that joins the pieces."""
    splits, joins = calls.named(case, SPLITS), calls.named(case, JOINS)
    # Layers have weights, and each of theirs has a gradient.
    layered = calls.named(case, _WEIGHTED) | calls.named(case, ACCUMULATES)
    part, edges = np.cumsum(calls.begins), np.flatnonzero(splits | joins)
    found = []
    for split, join in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        first, last = split + 1, join - 1
        if not (splits[split] and joins[join] and part[split] == part[join]):
            continue
        kinds = calls.name[first : last + 1].n_unique()
        if last + 1 - first < 2 * UNSURE_LEAST or kinds > _MOST_KINDS:
            continue
        if layered[first : last + 1].any() or not _short(case, calls, slice(first, last + 1)):
            continue
        ranges = calls.together(np.array([first]), np.array([last]))
        if not case.on_gpu or short_kernels(case, ranges):
            found.append(Loop(first, last, kinds, (last + 1 - first) // kinds, even=False))
    return found


def _short(case: Case, calls: TopLevelOperators, around: slice) -> bool:
    """Whether operators are too short to have enough to work on."""
    most = _SHORT_LAUNCHING_NS if case.on_gpu else _SHORT_NS
    return bool(np.median((calls.ranges.end - calls.ranges.start)[around]) <= most)


def _layers(case: Case, calls: TopLevelOperators, loop: Loop, ranges: Ranges) -> bool | None:
    """Whether repetitions are layers; on a GPU, whose models are deep, also where only weights say so."""
    layers = like_layers(case, calls, loop, ranges)
    return True if layers is None and case.on_gpu and _has_weights(case, calls, loop) else layers


def _picks(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    return bool(calls.named(case, PICKS_ROWS)[loop.first : loop.first + loop.length].any())


def _has_weights(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    return bool(calls.named(case, _WEIGHTED)[loop.first : loop.first + loop.length].any())


def _reads_elements(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether values are read one by one: of nothing but reads, or each of a piece that was taken apart in front."""
    reads = calls.named(case, _READS)
    around = slice(loop.first, loop.last + 1)
    taken = calls.named(case, _TAKES_APART)[max(0, loop.first - NEAR) : loop.first + loop.length]
    only = reads[around].all() and not case.on_gpu  # there each is a wait, which synchronisation.py is about
    return bool(only or (taken.any() and reads[loop.first : loop.first + loop.length].any()))


def _shares_weights(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether repetitions surely work with the same parameters, as layers never do.

    A parameter gets one gradient in a backward pass, however often it was used: there are fewer gradients than
    repetitions, though each repetition has weights and a backward pass.
    """
    gradients = case.a_step(float(len(case.named(_GRADIENT, "operator").start)))
    backward = case.a_step(float(calls.named(case, _WEIGHTED_BACKWARD).sum()))
    return _has_weights(case, calls, loop) and 0 < gradients < loop.times <= backward
