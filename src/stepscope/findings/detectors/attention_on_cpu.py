"""Unfused attention on a CPU, recognized by the order of the operators that the program calls.

A product, at most scales, masks and casts, a softmax or what one is made of, at most dropout, and a product again; in
the backward pass the gradients of the same. Other programs have no exponentials between products of matrices.
"""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause
from stepscope.findings.detectors.attention_remedy import remedy
from stepscope.findings.top_level_operators import TopLevelOperators, top_level_operators
from stepscope.messages import Message

_PRODUCT = r"^aten::(?:bmm|baddbmm|matmul)$|^autograd::engine::evaluate_function: (?:Bmm|Baddbmm)Backward\d+$"
_SOFTMAX = r"^aten::(?:_?softmax|exp)$|^autograd::engine::evaluate_function: (?:Softmax|Exp)Backward\d+$"
_BETWEEN = (
    r"^aten::(?:div|mul|add|sub|rsub|neg|masked_fill|where|tril|triu|ones|zeros|full|arange|eq|ne|lt|le|gt|ge|logical_not"
    r"|bitwise_not|amax|max|sum|exp|expand|expand_as|view|reshape|unsqueeze|transpose|permute|contiguous|clone|to"
    r"|type_as|dropout|bernoulli)_?$"
    r"|^autograd::engine::evaluate_function: (?:Div|Mul|Add|Sub|Rsub|Neg|MaskedFill|Where|Amax|Max|Sum|Exp|Expand|View"
    r"|UnsafeView|Clone|Transpose|Permute|Unsqueeze|T|ToCopy|NativeDropout)Backward\d+$"
)
_MOST_BETWEEN = 16

_LEFT = (0.7, 0.35, 0.15)
"""What a fused operator takes of the time from product to product, by effort: it writes no matrix of scores."""

_MARGIN = 12.0
"""Points: how long the sequences are decides, and differs from program to program."""


def detect(case: Case) -> list[Cause]:
    """A cause where the CPU, not a GPU, computes attention so."""
    if case.on_gpu:
        return []
    calls = top_level_operators(case)
    product, between = calls.named(case, _PRODUCT), calls.named(case, _BETWEEN)
    chains = _chains(calls, product, np.flatnonzero(calls.named(case, _SOFTMAX)).tolist(), between)
    if not chains:
        return []
    ranges = calls.together(*np.array(chains).T)
    return [_cause(case, ranges)]


def _chains(calls: TopLevelOperators, product: Flags, softmax: list[int], between: Flags) -> list[tuple[int, int]]:
    """First and last product around each softmax."""
    found: list[tuple[int, int]] = []
    for place in softmax:
        if found and place <= found[-1][1]:
            continue
        first, last = (_reach(calls, product, between, place, way) for way in (-1, 1))
        if first is not None and last is not None and (not found or first > found[-1][1]):
            found.append((first, last))
    return found


def _reach(calls: TopLevelOperators, product: Flags, between: Flags, place: int, way: int) -> int | None:
    """The next product in one direction, with nothing but what belongs to attention before it."""
    for at in range(place + way, place + way * (_MOST_BETWEEN + 1), way):
        if not 0 <= at < len(product) or calls.begins[max(at, at - way)]:
            return None
        if product[at]:
            return at
        if not between[at]:
            return None
    return None


def _cause(case: Case, ranges: Ranges) -> Cause:
    what, spent = remedy(case, ranges), case.host_ns(ranges)

    def fix(edit: Edit, effort: int) -> Edit:
        return slowed(edit, shares(case.model, ranges), _LEFT[effort])

    return Cause(
        id="unfused-attention",
        category="attention",
        title=Message("finding-unfused-attention-title-order", spent_ns=round(spent)),
        fix=fix,
        claims=ranges,
        spent_ns=spent,
        advice=what.advice,
        unknown=Message("finding-unfused-attention-unknown"),
        change=what.change,
        links=what.links,
        margin=_MARGIN,
        where=case.where(ranges),
        count=case.a_step(float(len(ranges.start))),
    )
