"""Whether a loop works on one small part of something after another, rather than on layers or parameters."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.simulation.edits import Ranges
from stepscope.findings.detector_context import Case
from stepscope.findings.detectors.loop_gradients import parameters_of
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
from stepscope.numeric.intervals import Ints

UNSURE_LEAST = 24
"""Repetitions, at least, where no stacks name the modules."""

_LEAST_OF_TURN = 3
"""Operators of a turn, at least, where the turns are few."""

_LEAST_UNEVEN = 2 * UNSURE_LEAST
"""Operators of a loop whose turns are not all the same, at least."""

_MOST_KINDS = 6
"""Different operators in the turns of a loop that are not all the same."""

_SHORT_NS, _SHORT_LAUNCHING_NS = 100_000, 300_000
"""An operator that takes longer has enough to work on; and where a GPU does the work, and it only launches."""

_WEIGHTED = r"^aten::(?:linear|addmm|mm|bmm|matmul|einsum|conv\d?d?|convolution)$"
_OF_MODULES = (
    r"^aten::(?:linear|addmm|mm|bmm|baddbmm|matmul|einsum|conv\w*|embedding|embedding_bag|prelu"
    r"|batch_norm|layer_norm|rms_norm|group_norm|instance_norm|gru|lstm|rnn_tanh|rnn_relu|gru_cell|lstm_cell"
    r"|scaled_dot_product_attention)$"
)
"""What layers of models are made of."""
_PLAIN = r"^aten::"
_LINEAR = r"^aten::linear$"
_FEATURES = r"^\[\[(?:\d+, )*(?<taken>\d+)\], \[(?<made>\d+), \d+\]"
"""In the shapes of the inputs of a linear layer: features of each input, and of each output (rows of the weights)."""

_LONGEST_BRANCH, _SURELY = 2, 0.9
"""Operators of a branch, at most; and share of the branches that the shapes say it of, at least."""

_WEIGHTED_BACKWARD = (
    r"^autograd::engine::evaluate_function: (?:Addmm|Mm|Bmm|Baddbmm|Convolution|MkldnnConvolution)\w*Backward\d+$"
)
_GRADIENT = r"^torch::autograd::AccumulateGrad$"

READS = r"^aten::(?:item|_local_scalar_dense|is_nonzero)$"
_TAKES_APART = r"^aten::unbind$"
"""What iterating over a tensor calls first."""


def in_parts(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether a repetition works on a small part of something."""
    around = slice(loop.first, loop.last + 1)
    if not are_short(case, calls, around):
        return False
    if calls.named(case, ACCUMULATES)[around].any():
        return False  # a parameter has one gradient in a backward pass: what repeats with it are layers
    if _reads_elements(case, calls, loop):
        return True
    ranges = calls.along([loop])
    if case.on_gpu and (is_recurrence(case, calls, loop) or not short_kernels(case, ranges)):
        return False
    if case.on_gpu and not calls.launches[around].any() and not _picks(case, calls, loop):
        return False  # bookkeeping, such as a cast of what has the type
    unlike = _shares_weights(case, calls, loop) or _are_branches(case, calls, loop)
    layers = False if unlike else _layers(case, calls, loop, ranges)
    return not layers and picks_or_joins(case, calls, loop) and (layers is False or loop.times >= UNSURE_LEAST)


def without_weights(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether a repetition on a CPU works on a small part of something, though too few are to tell it from layers
    without stacks: each picks a part, nothing in it is what layers are made of, nor may be, as what a library names
    itself, and they hand gradients on to one parameter at most."""
    around, ranges = slice(loop.first, loop.last + 1), calls.along([loop])
    plain = calls.named(case, _PLAIN) & ~calls.named(case, _OF_MODULES)
    if case.on_gpu or loop.length < _LEAST_OF_TURN or not (plain[around].all() and are_short(case, calls, around)):
        return False
    if like_layers(case, calls, loop, ranges) is not None or not _picks(case, calls, loop):
        return False
    return parameters_of(case, calls, ranges) <= 1  # all may work with one, of which each picks a row


def until_joined(case: Case, calls: TopLevelOperators) -> list[Loop]:
    """Loops whose turns differ, as those of augmentations that are drawn for each image, or of nodes of a tree: a few
    kinds of small operators in any order, between one that takes a tensor to pieces and the last that joins them."""
    splits, joins = np.flatnonzero(calls.named(case, SPLITS)), calls.named(case, JOINS)
    part, code = np.cumsum(calls.begins), calls.name.to_numpy()
    found = []
    ends = np.minimum(np.append(splits, len(part))[1:], np.searchsorted(part, part[splits], side="right"))
    long = ends - splits > _LEAST_UNEVEN
    for split, end in zip(splits[long].tolist(), ends[long].tolist(), strict=True):
        first = split + 1
        last = first + _joined_at(code[first:end], joins[first:end]) - 1
        kinds = len(np.unique(code[first : last + 1]))
        if last + 1 - first >= _LEAST_UNEVEN and kinds <= _MOST_KINDS and _is_uneven_loop(case, calls, first, last):
            found.append(Loop(first, last, kinds, (last + 1 - first) // kinds, even=False))
    return found


def _joined_at(code: Ints, joins: Flags) -> int:
    """How many operators stand in front of the one that joins the results: the first of a kind that the turns do not
    call themselves, else the last that a few kinds lead up to."""
    _, begins = np.unique(code, return_index=True)
    begins.sort()
    few = int(begins[_MOST_KINDS + 1]) if len(begins) > _MOST_KINDS + 1 else len(code)
    places = np.flatnonzero(joins[:few])
    new = places[~np.isin(code[places], code[:_LEAST_UNEVEN])]
    return int(new[0]) if len(new) else int(places[-1]) if len(places) else 0


def _is_uneven_loop(case: Case, calls: TopLevelOperators, first: int, last: int) -> bool:
    """Whether a stretch is of small operators, none with a weight of its own, as layers have."""
    around = slice(first, last + 1)
    if calls.named(case, ACCUMULATES)[around].any() or not are_short(case, calls, around):
        return False
    weighted = int(calls.named(case, _WEIGHTED)[around].sum())
    if weighted and not _are_shared(case, calls, weighted):
        return False
    return not case.on_gpu or short_kernels(case, calls.together(np.array([first]), np.array([last])))


def are_short(case: Case, calls: TopLevelOperators, around: slice) -> bool:
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
    """Whether values are read one by one: in each of many turns, or of a piece that was taken apart in front."""
    one = slice(loop.first, loop.first + loop.length)
    reads = calls.named(case, READS)[one]
    if calls.named(case, _TAKES_APART)[max(0, loop.first - NEAR) : one.stop].any():
        return bool(reads.any())
    if case.on_gpu or _has_weights(case, calls, loop):
        return False  # on a GPU each is a wait, which synchronisation.py is about
    return bool(reads.all() or (reads.any() and loop.times >= UNSURE_LEAST))


def _are_branches(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether repetitions are surely linear layers beside one another, as heads of many tasks: none makes as many
    features as the next one takes."""
    one = np.arange(loop.first, loop.first + loop.length)
    linear = one[calls.named(case, _LINEAR)[one]]
    if loop.length > _LONGEST_BRANCH or len(linear) != 1:
        return False
    places = int(linear[0]) + loop.length * np.arange(loop.times)
    sizes = case.rank.trace.text(calls.input_dims(case).gather(places)).str.extract_groups(_FEATURES).struct.unnest()
    unlike = (sizes["taken"] != sizes["made"]).fill_null(False).to_numpy()
    return bool(unlike.mean() >= _SURELY)


def _shares_weights(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether repetitions surely work with the same parameters, as layers never do."""
    return _has_weights(case, calls, loop) and _are_shared(case, calls, loop.times)


def _are_shared(case: Case, calls: TopLevelOperators, times: int) -> bool:
    """Whether weights that are used a number of times are surely fewer.

    A parameter gets one gradient in a backward pass, however often it was used: there are fewer gradients than uses,
    though each use has a backward pass.
    """
    gradients = case.a_step(float(len(case.named(_GRADIENT, "operator").start)))
    backward = case.a_step(float(calls.named(case, _WEIGHTED_BACKWARD).sum()))
    return 0 < gradients < times <= backward
