"""Unfused attention recognized by the order of the work, where the sizes of its matrices were not recorded.

Nothing but attention computes a batch of products, at most scales, masks and casts it, takes the softmax, at most drops
some of it, and multiplies it again. Fused kernels and the operators that choose among them never look like that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.simulation.edits import Ranges, shares, slowed, stretched
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import NOWHERE, Case, Cause, inside
from stepscope.findings.detectors.attention_remedy import remedy
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints

_PRODUCT = r"^aten::(?:bmm|baddbmm|_baddbmm_mkl_)$"
_SOFTMAX = r"^aten::_softmax$"
_GRADIENT = r"^aten::_softmax_backward_data$"
_EXPONENTIAL, _NEGATIVE = r"^aten::exp$", r"^aten::neg$"
"""What a softmax in single operators has of its own; and its backward pass, as the gradient of a quotient."""
_BETWEEN = (
    r"^aten::(?:div|mul|add|sub|neg|masked_fill|where|copy|native_dropout|native_dropout_backward|_masked_scale|bernoulli"
    r"|fill|zero|clone|tril|triu|eq|ne|lt|le|gt|ge|logical_not|bitwise_not|slice_backward|amax|max|sum)_?$"
)
_FUSED = r"scaled_dot_product|flash_attn|flash_attention|efficient_attention"
"""Operators that choose how attention is computed: what happens in them is not manual attention."""

_OTHER, _IS_BETWEEN, _IS_PRODUCT, _IS_SOFTMAX, _IS_GRADIENT, _IS_EXPONENTIAL, _IS_NEGATIVE = range(7)
_MOST_BETWEEN, _MOST_IN_PARTS = 10, 20
"""Calls from the softmax to the outermost product, at most; and where it is in single operators."""

_FUSED_TIME = (1.4, 0.8, 0.4)
"""Time of a fused kernel over that of the products that it replaces, by effort. A kernel of products with short rows
spends most of its time on writing the matrix of weights; the fused one repeats a product in the backward pass, and does
half of the work where attention is causal."""


@dataclass(frozen=True)
class _Calls:
    """Calls of operators that launched something, in order, thread after thread.

    Attributes:
        kind: of each call.
        thread, start, end: of the operator.
        of: by activity of the model, the number of its call, -1 outside operators.
    """

    kind: Ints
    thread: Ints
    start: Ints
    end: Ints
    of: Ints


def unfused_by_order(case: Case) -> tuple[Flags, Flags, Ranges]:
    """Activities that are GEMMs of unfused attention, those between the products, and the host's ranges."""
    calls = _launching_calls(case)
    forward = _around(calls, _IS_SOFTMAX, 1, _MOST_BETWEEN)
    backward = _around(calls, _IS_GRADIENT, 2, _MOST_BETWEEN) if forward else []
    if not forward:
        forward = _around(calls, _IS_EXPONENTIAL, 1, _MOST_IN_PARTS)
        backward = _around(calls, _IS_NEGATIVE, 2, _MOST_IN_PARTS) if forward else []
    count = len(calls.kind)
    chosen = np.zeros(count, np.bool_)
    ranges = []
    for first, last in forward + backward:
        chosen[first : last + 1] = True
        ranges.append((calls.thread[first], *_between(calls, first, last)))
    product = chosen & (calls.kind == _IS_PRODUCT)
    mine = np.append(chosen, False)[calls.of]
    products = np.append(product, False)[calls.of]
    claims = Ranges(*(np.array(part, np.int64) for part in zip(*ranges, strict=True))) if ranges else NOWHERE
    return products, mine & ~products, claims


def cause_by_order(case: Case) -> list[Cause]:
    """A cause where products, a softmax and products follow one another."""
    products, others, claims = unfused_by_order(case)
    spent = case.gpu_ns(products | others)
    if not products.any() or not others.any():
        return []

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, claims), 0.0)
        edit = stretched(edit, others, 0)
        return stretched(edit, products, np.where(products, _FUSED_TIME[effort], 1.0))

    what = remedy(case, claims)
    return [
        Cause(
            id="unfused-attention",
            category="attention",
            title=Message("finding-unfused-attention-title-order", spent_ns=round(spent)),
            fix=fix,
            claims=claims,
            spent_ns=spent,
            advice=what.advice,
            unknown=Message("finding-unfused-attention-unknown"),
            change=what.change,
            links=what.links,
            where=case.where(claims),
            count=case.a_step(float((products | others).sum())),
        )
    ]


def _launching_calls(case: Case) -> _Calls:
    operators = case.rank.trace.frame("operator", ["name", "start_ns", "duration_ns"])
    row = case.rank.whole.activity["operator"].gather(case.model.gpu.rows).cast(pl.Int64).fill_null(-1).to_numpy()
    thread = case.model.gpu.thread
    at = gpu_queue(case.rank.whole).call_start[case.model.gpu.rows]
    order = np.lexsort((at, thread))
    order = order[row[order] >= 0]
    new = np.append(True, np.diff(row[order]) != 0)[: len(order)]
    of = np.full(len(row), -1, np.int64)
    of[order] = np.cumsum(new) - 1
    first = order[new]
    start = operators["start_ns"].to_numpy()[row[first]]
    end = start + operators["duration_ns"].to_numpy()[row[first]]
    kind = _kinds(case, operators["name"].gather(row[first]))
    kind[inside(case.named(_FUSED, "operator"), thread[first], start)] = _OTHER
    return _Calls(kind, thread[first], start, end, of)


def _kinds(case: Case, names: pl.Series) -> Ints:
    kind = np.full(len(names), _OTHER, np.int64)
    patterns = (_BETWEEN, _PRODUCT, _SOFTMAX, _GRADIENT, _EXPONENTIAL, _NEGATIVE)
    for number, pattern in enumerate(patterns, _IS_BETWEEN):
        codes = case.rank.trace.codes(lambda text, pattern=pattern: text.str.contains(pattern))  # type: ignore[misc]
        kind[names.is_in(codes.implode()).fill_null(False).to_numpy()] = number
    return kind


def _around(calls: _Calls, middle: int, products: int, most: int) -> list[tuple[int, int]]:
    """First and last call of each chain around a call of some kind, with so many products on either side."""
    found: list[tuple[int, int]] = []
    for place in np.flatnonzero(calls.kind == middle).tolist():
        first, last = (_reach(calls, place, way, products, most) for way in (-1, 1))
        if first is not None and last is not None and (not found or first > found[-1][1]):
            found.append((first, last))
    return found


def _reach(calls: _Calls, place: int, way: int, products: int, most: int) -> int | None:
    """The last of so many products in one direction, with nothing but what belongs to attention before it."""
    at = place
    for _ in range(most):
        at += way
        if not 0 <= at < len(calls.kind) or calls.thread[at] != calls.thread[place]:
            return None
        if calls.kind[at] == _IS_PRODUCT:
            products -= 1
            if products == 0:
                return at
        elif calls.kind[at] == _OTHER:
            return None
    return None


def _between(calls: _Calls, first: int, last: int) -> tuple[int, int]:
    """The host's time between the products on either side."""
    kind = calls.kind[first : last + 1]
    middle = first + int(np.flatnonzero(kind >= _IS_SOFTMAX)[0])
    products = first + np.flatnonzero(kind == _IS_PRODUCT)
    before, after = products[products < middle], products[products > middle]
    return int(calls.end[before[-1]]), int(calls.start[after[0]])
