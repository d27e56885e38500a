"""How much faster or slower the host as a whole was in one recording than in others.

Between two recordings of one program all of the host's work differs by a common factor, of a third in half of the
pairs measured: another clock, a neighbour, the profiler. That says nothing of the program, so rows of the host are
compared with this factor taken off. It is the median of the ratios of rows that are called equally often, on a CPU with
the same inputs as far as these were recorded, weighted by their times.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.comparison.sampled import Floats, Sampled
from stepscope.comparison.work import HOST, MODULE, OPERATOR

Flags = npt.NDArray[np.bool_]

LEAST_ROWS = 8
"""Of fewer rows no factor is determined."""

MOST_PER_CALL_NS = 100_000
"""Calls that take longer do work of their own, as operators on the CPU do: they say nothing of the host's speed."""


def host_indices(keys: pl.DataFrame, base: Sampled, new: Sampled, same: Flags) -> tuple[Floats, Floats] | None:
    """Logarithm of each recording's factor against the mean of both sides; None where too few rows tell.

    Args:
        same: see `same_inputs`.
    """
    rows = named_host_rows(keys) & same
    mean, calls = np.hstack([base.typical, new.typical])[rows], np.hstack([base.calls, new.calls])[rows]
    alike = (mean > 0).all(axis=1) & (calls == calls[:, :1]).all(axis=1)
    alike &= mean.max(axis=1, initial=0) <= MOST_PER_CALL_NS * np.nan_to_num(calls[:, 0])
    if alike.sum() < LEAST_ROWS:
        return None
    logs = np.log(mean[alike])
    first, second = logs[:, : base.recordings].mean(axis=1), logs[:, base.recordings :].mean(axis=1)
    middle = (first + second) / 2
    found = np.array([weighted_median(log - middle, np.exp(middle)) for log in logs.T])
    return found[: base.recordings], found[base.recordings :]


def named_host_rows(keys: pl.DataFrame) -> Flags:
    """Rows of the host's functions, ranges, operators and calls: those of modules hold the same time once more."""
    return ((keys["of"] == HOST) & (keys["level"] != MODULE)).to_numpy()


def same_inputs(keys: pl.DataFrame, others: Collection[str]) -> Flags:
    """Rows but those of some operators: of these a side has other inputs, so they do other work, if they are called as
    often."""
    return ~((keys["level"] == OPERATOR) & keys["key"].is_in(list(others))).to_numpy()


def weighted_median(values: Floats, weight: Floats) -> float:
    """The value with half of the weight on either side; between two, their middle.

    >>> weighted_median(np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 1.0]))
    2.0
    >>> weighted_median(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    1.5
    """
    order = np.argsort(values, kind="stable")
    values, weight = values[order], weight[order]
    half = 0.5 * weight.sum() * (1 - 1e-12)
    low = values[np.searchsorted(np.cumsum(weight), half, side="left")]
    high = values[::-1][np.searchsorted(np.cumsum(weight[::-1]), half, side="left")]
    return float(low + high) / 2
