"""Two sides compared: the step, what it is made of, and what the host and the GPU did in it, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.comparison.host_index import host_index
from stepscope.comparison.recorded import IDLE, PHASE, SIDE, compared_steps
from stepscope.comparison.sampled import KEY, STEP, Floats, Sampled, sampled
from stepscope.comparison.testing import CHANGED, GONE, NEW, SAME, UNKNOWN, Flags, outcomes, tested
from stepscope.comparison.work import GPU, HOST, WAIT
from stepscope.numeric.intervals import Ints
from stepscope.store.profile import Rank

GPU_FLOOR, HOST_FLOOR = 0.01, 0.10
"""Least that a row differs between two recordings of one program, as a standard deviation of the logarithm of its ratio."""

_OF_GPU = {"compute", "communication", "memcpy", "memset"}
_WHOLE = (SIDE, PHASE)


@dataclass(frozen=True)
class Comparison:
    """What differs between two sides.

    Attributes:
        base, new: a rank of each recording.
        index: logarithm of how much slower the host as a whole is on the new side; None where nothing tells.
        expected_ns: what a step of the base would take on a host as fast as that of the new side.
        rows: columns level, of, key, base_ns, new_ns, delta_ns, expected_ns, low_ns, high_ns, smallest_ns, base_calls,
            new_calls, status.
    """

    base: tuple[Rank, ...]
    new: tuple[Rank, ...]
    index: float | None
    rows: pl.DataFrame


def compare(base: Sequence[Rank], new: Sequence[Rank]) -> Comparison:
    """Compare one rank of each recording of two sides."""
    keys, before, after = sampled(base, new)
    index = _index(keys, before, after)
    shift = _shifts(keys, index)
    return Comparison(tuple(base), tuple(new), index.factor, _rows(keys, before, after, index, shift))


@dataclass(frozen=True)
class _Index:
    """Logarithms of the host's factor, by recording, against the first of the base; zeros where nothing tells."""

    base: Floats
    new: Floats
    known: bool

    @property
    def factor(self) -> float | None:
        return float(self.new.mean() - self.base.mean()) if self.known else None


def _index(keys: pl.DataFrame, before: Sampled, after: Sampled) -> _Index:
    host = (keys["of"] == HOST).to_numpy()
    first, calls = before.mean[host, 0], before.calls[host, 0]

    def of(side: Sampled) -> list[float | None]:
        columns = range(side.recordings)
        return [host_index(first, side.mean[host, at], side.calls[host, at] == calls, calls) for at in columns]

    found = of(before), of(after)
    if any(one is None for side in found for one in side):
        return _Index(np.zeros(before.recordings), np.zeros(after.recordings), known=False)
    return _Index(*(np.array(side, np.float64) for side in found), known=True)


def _shifts(keys: pl.DataFrame, index: _Index) -> tuple[Floats, Floats]:
    """What the logarithms of each side are lowered by: of rows of the host, by their recordings' factors."""
    host = (keys["of"] == HOST).to_numpy().astype(np.float64)
    return host[:, None] * (index.base - index.base.mean())[None, :], host[:, None] * (index.new - index.base.mean())[
        None, :
    ]


def _rows(
    keys: pl.DataFrame, before: Sampled, after: Sampled, index: _Index, shift: tuple[Floats, Floats]
) -> pl.DataFrame:
    from scipy.special import stdtrit

    base, new = (side.mean.mean(axis=1) for side in (before, after))
    level, of = keys["level"].to_numpy(), keys["of"].to_numpy()
    family = keys.select(pl.struct("level", "of").rank("dense").cast(pl.Int64)).to_series().to_numpy()
    kind = keys.select(pl.col("of").rank("dense").cast(pl.Int64)).to_series().to_numpy()
    calls = [side.calls.mean(axis=1) for side in (before, after)]
    step = float(base[level == STEP][0]), float(new[level == STEP][0])
    found = tested(before, after, shift, _floors(keys, base, step[0], index), kind, calls[0] == calls[1])
    expected = base * np.exp((shift[1].mean(axis=1) - shift[0].mean(axis=1)))
    changed, same = outcomes(found, family, expected, max(step))
    reach = stdtrit(found.freedom, 0.975) * found.error
    status = np.select(
        [(base == 0) & (new == 0), base == 0, new == 0, changed, same], [SAME, NEW, GONE, CHANGED, SAME], UNKNOWN
    )
    both = (base > 0) & (new > 0)
    low, high = (np.where(both, expected * np.expm1(found.difference + by), new - expected) for by in (-reach, reach))
    whole = _rounded(keys, base), _rounded(keys, new)
    return keys.with_columns(
        pl.Series("base_ns", whole[0]),
        pl.Series("new_ns", whole[1]),
        pl.Series("delta_ns", whole[1] - whole[0]),
        pl.Series("expected_ns", np.rint(expected).astype(np.int64)),
        pl.Series("low_ns", np.rint(low).astype(np.int64)),
        pl.Series("high_ns", np.rint(high).astype(np.int64)),
        pl.Series("smallest_ns", np.rint(np.where(both, expected * np.expm1(reach), 0)).astype(np.int64)),
        pl.Series("base_calls", calls[0]).fill_nan(None),
        pl.Series("new_calls", calls[1]).fill_nan(None),
        pl.Series("p", found.p).fill_nan(None),
        pl.Series("status", status),
    )


def _floors(keys: pl.DataFrame, base: Floats, step: float, index: _Index) -> Floats:
    """Least standard deviation of a recording's logarithm, by row."""
    level, of, key = (keys[name].to_numpy() for name in KEY)
    on_gpu = (of == GPU) | ((level == SIDE) & np.isin(key, list(_OF_GPU)))
    host = max(HOST_FLOOR, abs(index.factor or 0.0))
    floor = np.where(on_gpu, GPU_FLOOR, np.where(of == HOST, HOST_FLOOR, host))
    # A step, and a phase of it, varies with the host by as much of it as the GPU idles in.
    busy = base[(level == SIDE) & np.isin(key, list(_OF_GPU))].sum() / max(step, 1.0)
    mixed = np.hypot(busy * GPU_FLOOR, (1 - busy) * host)
    floor = np.where((level == STEP) | (level == PHASE), mixed, floor)
    return floor / np.sqrt(2)


def _rounded(keys: pl.DataFrame, values: Floats) -> Ints:
    """Values as whole numbers; those of a level that divides the step sum to it."""
    level = keys["level"].to_numpy()
    whole = np.rint(values).astype(np.int64)
    step = int(whole[level == STEP][0])
    for one in _WHOLE:
        parts = np.flatnonzero(level == one)
        whole[parts] = largest_remainders(values[parts], step)
    return whole


def largest_remainders(values: Floats, total: int) -> Ints:
    """Whole numbers near some values that sum to a total near their sum.

    >>> largest_remainders(np.array([1.4, 1.4, 1.2]), 4).tolist()
    [2, 1, 1]
    """
    floor = np.floor(values).astype(np.int64)
    order = np.argsort(-(values - floor), kind="stable")
    floor[order[: total - int(floor.sum())]] += 1
    return floor


__all__ = ["IDLE", "WAIT", "Comparison", "Flags", "compare", "compared_steps"]
