"""What the verdict on a rank is made of: how long a step took as recorded, and shares of it.

Where the steps can be simulated, a step took what the table ``step_time`` says, the mean of them all: that is what
every saving and the time without the profiler are compared with. Where they cannot, it is the median of single steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.steps.steps import gpu_windows
from stepscope.analyses.steps.unions import rank_unions
from stepscope.numeric.intervals import Ints, Union, covered_within, length, merge
from stepscope.store.profile import Rank

MEAN, MEDIAN = "mean", "median"

UNEVEN = 1.5
"""Single steps differ much from this many times the median: then the mean says little, and the median is told too."""

BACKLOG_SHARE = 0.25
"""A GPU that ends this share of a step after the host has work waiting: gaps in it are the GPU's own."""

UNRECORDED = "unrecorded_ns"
"""The part of a step that is none of the others, where operators were not recorded."""

_HOST_PARTS = ("runtime_ns", "data_loading_ns", "cpu_ns", "other_ns")


@dataclass(frozen=True)
class StepLength:
    """How long a step took as recorded.

    Attributes:
        ns: the time.
        steps: how many steps it was taken over.
        averaged: ``mean`` or ``median`` of them.
        median_ns: the median beside a mean of steps that differ much, else None.
    """

    ns: int
    steps: int
    averaged: str = MEDIAN
    median_ns: int | None = None


@dataclass(frozen=True)
class GpuFacts:
    """A step's length, its mean on the GPU's clock, and shares of that in per cent.

    ``lead_ns`` is the time of a single step before its GPU begins anything; 0 of several.
    """

    step: StepLength
    gpu_ns: int
    busy_pct: float
    compute_pct: float
    exposed_pct: float
    copies_pct: float
    backlog: bool
    lead_ns: int = 0


def step_length(single: Ints, again: Mapping[str, Any] | None) -> StepLength:
    """How long a step took.

    Args:
        single: time of each single step.
        again: the rank's row of the table ``step_time``, if its steps could be timed again.
    """
    median_ns = int(np.median(single))
    if again is None:
        return StepLength(median_ns, len(single))
    recorded_ns = int(again["recorded_ns"])
    # the first step has no length on the GPU's clock, but is part of the mean
    longest = max(recorded_ns, int(single.max()))
    uneven = len(single) > 1 and again["steps"] > 2 and longest > UNEVEN * median_ns
    return StepLength(recorded_ns, again["steps"], MEAN, median_ns if uneven else None)


def gpu_facts(rank: Rank, whole: pl.DataFrame, again: Mapping[str, Any] | None) -> GpuFacts:
    """The facts of a rank with GPU activity, over its whole steps."""
    windows = gpu_windows(whole)
    single = windows[1] - windows[0]
    compute, communication, memory = rank_unions(rank)
    kernels = merge(compute, communication)
    busy, worked, computed = (_share(of, windows) for of in (merge(kernels, memory), kernels, compute))
    backlog = bool((whole["lag_ns"].fill_null(0) > BACKLOG_SHARE * np.median(single)).all())
    step = step_length(single, again)
    lead = _lead_ns(windows, merge(kernels, memory)) if len(single) == 1 else 0
    return GpuFacts(step, round(single.mean()), busy, computed, worked - computed, busy - worked, backlog, lead)


def host_shares(rank: Rank, table: pl.DataFrame) -> dict[str, float]:
    """Share of each part of the host's steps, in per cent; without operators nothing tells Python from them."""
    total = max(1, int(table["duration_ns"].sum()))
    shares = {name: 100.0 * int(table[name].sum()) / total for name in _HOST_PARTS}
    if rank.trace.rows("operator") == 0:
        shares[UNRECORDED] = shares.pop("other_ns")
    return shares


def _lead_ns(window: Union, busy: Union) -> int:
    """From the beginning of a single window to the first work in it."""
    begin, end = int(window[0][0]), int(window[1][0])
    first = int(np.searchsorted(busy[1], begin, side="right"))
    return max(0, min(end, int(busy[0][first])) - begin) if first < len(busy[0]) else end - begin


def _share(of: Union, windows: Union) -> float:
    return 100.0 * int(covered_within(of, *windows).sum()) / max(1, length(windows))
