"""Steps that do the same work: as many launches, and operators with the same shapes of inputs.

A recording of a few steps may hold one that logs or a shorter batch, and another recording of the same program two of
them: their means differ by that alone. So the steps of one shape are compared, where both sides have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.comparison.called import called_operators
from stepscope.comparison.launched import launch_steps
from stepscope.comparison.names import nameless_places
from stepscope.comparison.recorded import Limited, compared_steps
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

Hashes = npt.NDArray[np.uint64]

_LEAST_SHARE = 1 / 3
"""A shape that fewer of a recording's steps have does not stand for them: its inputs differ from step to step."""


def of_one_shape(base: Sequence[Rank], new: Sequence[Rank]) -> tuple[list[Rank], list[Rank]]:
    """The ranks, limited to the steps of the shape that most of both sides' steps have.

    As they are where the sides have the same shapes equally often, or no shape that stands for all recordings.
    """
    shapes = [[step_shapes(rank) for rank in side] for side in (base, new)]
    shares = [[_shares(one) for one in side] for side in shapes]
    if _mean_shares(shares[0]) == _mean_shares(shares[1]):
        return list(base), list(new)
    every = [one for side in shares for one in side]
    least = {shape: min(one[shape] for one in every) for shape in every[0] if all(shape in one for one in every)}
    # Of shapes as frequent any, the same one whichever side is the base.
    shape = max(least, key=lambda one: (least[one], sum(each[one] for each in every), one), default=None)
    if shape is None or least[shape] < _LEAST_SHARE:
        return list(base), list(new)
    limited = [
        [_limited(rank, found == shape) for rank, found in zip(side, of, strict=True)]
        for side, of in zip((base, new), shapes, strict=True)
    ]
    return limited[0], limited[1]


def _shares(shapes: Hashes) -> dict[int, float]:
    """Which share of the steps each shape has."""
    return {shape: count / len(shapes) for shape, count in Counter(shapes.tolist()).items()}


def _mean_shares(shares: Sequence[dict[int, float]]) -> dict[int, float]:
    found: Counter[int] = Counter()
    for one in shares:
        found.update(one)
    return {shape: share / len(shares) for shape, share in found.items()}


def _limited(rank: Rank, kept: npt.NDArray[np.bool_]) -> Rank:
    return rank if kept.all() else Limited.to(rank, tuple(compared_steps(rank).number[kept].tolist()))


@per_rank
def step_shapes(rank: Rank) -> Hashes:
    """A number for what each compared step works on: equal ones do the same, in whatever order and whatever time.

    Of the threads that run the steps: what others do in the background falls into any.
    """
    steps = compared_steps(rank)
    launches = launch_steps(rank)
    found = _mixed(np.bincount(launches[launches >= 0], minlength=len(steps)).astype(np.uint64))
    rows = called_operators(rank).filter("runs")
    work = _mixed(_hashed(rank, rows["name"]) * np.uint64(3) + _hashed(rank, rows["input_dims"]))
    np.add.at(found, rows["place"].to_numpy(), work * rows["calls"].to_numpy().astype(np.uint64))
    return found


def _hashed(rank: Rank, codes: pl.Series) -> Hashes:
    """A number for each text, the same in every recording, without places; 0 for none."""
    different = codes.unique().drop_nulls()
    texts = rank.trace.text(different).to_frame("text").select(nameless_places(pl.col("text"))).to_series()
    number = different.to_numpy()
    by_code = np.zeros(int(number.max(initial=0)) + 1, np.uint64)
    by_code[number] = texts.hash(1).to_numpy()
    return np.where(codes.is_null().to_numpy(), np.uint64(0), by_code[codes.fill_null(0).to_numpy()])


def _mixed(values: Hashes) -> Hashes:
    """Numbers so mixed that sums of different ones differ (the end of SplitMix64)."""
    mixed = values.copy()
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))
