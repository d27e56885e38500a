"""Unfused attention: separate GEMMs and a softmax, whose score matrix goes through memory several times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.needs import NEEDS
from stepscope.analyses.roofline.models import MATRIX_KINDS
from stepscope.analyses.roofline.models.modelled import call_of_each, modelled
from stepscope.analyses.roofline.peaks import rank_peaks
from stepscope.analyses.simulation.edits import Ranges, shares, slowed, stretched
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause
from stepscope.findings.detectors.attention_order import cause_by_order, unfused_by_order
from stepscope.findings.detectors.attention_remedy import remedy
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.store.json_text import json_value
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_SOFTMAX = r"^aten::(?:_softmax|softmax|_softmax_backward_data|_log_softmax)$"
_IN_PARTS = r"^aten::exp$"
"""What a softmax in single operators has of its own."""

_LEAST_LENGTH = 128
_OF_PEAK = (0.25, 0.4, 0.55)
"""Share of the peak that fused attention reaches, by effort; causal attention needs half of the work."""


@dataclass(frozen=True)
class _Unfused:
    """Unfused attention.

    Attributes:
        size: length of its square matrices.
        products, others: activities that are products with them, and those that are not.
        operators: host ranges of the others.
        flops: of the products.
    """

    size: int
    products: Flags
    others: Flags
    operators: Ranges
    flops: float


def detect(case: Case) -> list[Cause]:
    """A cause where a softmax goes over square matrices that products of matrices made."""
    if not NEEDS["shapes"].present(case.rank.whole):
        return cause_by_order(case)
    peak = rank_peaks(case.profile, case.rank.whole).figures.get("bf16")
    found = _unfused(case)
    if found is None or peak is None:
        return []
    duration, size = case.model.gpu.activities.duration, found.size
    total = float(duration[found.products | found.others].sum())
    of_products, spent = float(duration[found.products].sum()), case.a_step(total)

    def fix(edit: Edit, effort: int) -> Edit:
        new = min(total, 1e9 * found.flops / (_OF_PEAK[effort] * peak))
        edit = slowed(edit, shares(case.model, found.operators), 0.0)
        edit = stretched(edit, found.others, 0)
        return stretched(edit, found.products, np.where(found.products, new / max(1.0, of_products), 1.0))

    what = remedy(case, found.operators)
    return [
        Cause(
            id="unfused-attention",
            category="attention",
            title=Message("finding-unfused-attention-title-size", size=size, spent_ns=round(spent)),
            fix=fix,
            claims=found.operators,
            spent_ns=spent,
            advice=what.advice,
            change=what.change,
            links=what.links,
            where=case.where(found.operators),
            count=case.a_step(float((found.products | found.others).sum())),
        )
    ]


def attended(case: Case) -> Flags:
    """Activities that are part of unfused attention: its products, and what lies between them."""
    if not NEEDS["shapes"].present(case.rank.whole):
        products, others, _ = unfused_by_order(case)
        return products | others
    found = _unfused(case)
    return np.zeros(len(case.model.gpu.rows), np.bool_) if found is None else found.products | found.others


def _unfused(case: Case) -> _Unfused | None:
    rank = case.rank.whole
    length = _square_lengths(rank)
    sizes = _sizes(rank, length, _SOFTMAX)
    sizes = sizes if len(sizes) else _sizes(rank, length, _IN_PARTS)
    if len(sizes) == 0:
        return None
    touched = np.isin(length, sizes)
    which = call_of_each(rank).gather(case.model.gpu.rows).fill_null(-1).to_numpy()
    mine = (which >= 0) & touched[np.maximum(which, 0)]
    calls = modelled(rank).calls.filter(pl.col("kind").is_in(MATRIX_KINDS) & pl.col("flops").is_not_null())
    products = np.isin(which, calls["row"].to_numpy()) & mine
    if not products.any() or not (mine & ~products).any():
        return None
    flops = float(calls.filter(pl.col("row").is_in(np.unique(which[products])))["flops"].sum())
    plain = touched & ~np.isin(np.arange(len(touched)), calls["row"].to_numpy())
    return _Unfused(int(sizes.max()), products, mine & ~products, case.rows("operator", plain), flops)


def _sizes(rank: Rank, length: Ints, pattern: str) -> Ints:
    """Lengths of the square matrices that operators of some name work on."""
    codes = rank.trace.codes(lambda text: text.str.contains(pattern)).implode()
    named = rank.trace.frame("operator", ["name"])["name"].is_in(codes).fill_null(False).to_numpy()
    sizes = np.unique(length[named])
    return sizes[sizes >= _LEAST_LENGTH]


@per_rank
def _square_lengths(rank: Rank) -> Ints:
    """By operator call, the largest length of square matrices, in stacks of them, among its inputs; 0 without one."""
    codes = rank.trace.occurring("operator", "input_dims")
    lengths = np.array(_squares(rank.trace.text(codes).to_list()), np.int64)
    return rank.trace.by_text("operator", "input_dims", codes, lengths)


def _squares(texts: list[str]) -> list[int]:
    """The same of texts of inputs."""
    return [max((_square(shape) for shape in _shapes(text)), default=0) for text in texts]


def _shapes(text: str) -> list[Any]:
    try:
        shapes = json_value(text)
    except ValueError:
        return []
    return shapes if isinstance(shapes, list) else []


def _square(shape: Any) -> int:
    sized = isinstance(shape, list) and len(shape) >= 3 and all(isinstance(one, int) for one in shape)
    return int(shape[-1]) if sized and shape[-1] == shape[-2] else 0
