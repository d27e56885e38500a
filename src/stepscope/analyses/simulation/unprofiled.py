"""The steps of a rank without the profiler, timed once for all who compare with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stepscope.analyses.simulation.bottleneck_sides import (
    COMMUNICATION,
    COMPUTE,
    COPIES,
    DATA_LOADING,
    HOST,
    binding_shares,
)
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.measured_steps import measured_step
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.analyses.simulation.profiler_overhead import slowdown, slowdowns
from stepscope.analyses.simulation.ranges import Range
from stepscope.analyses.simulation.typical_steps import step_spread, typical_pace
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_REPEATS_PCT = {HOST: 5.0, DATA_LOADING: 12.0, COMPUTE: 4.0, COMMUNICATION: 10.0, COPIES: 13.0}
"""By what binds, how much steps differ from run to run beyond what the profiler overhead leaves open: a GPU keeps its
clock, memory and disks of the host are shared with others."""

_SOLVED = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0)
"""Amounts of the usual overhead between which the one that gives a measured step is looked for."""


@dataclass(frozen=True)
class Unprofiled:
    """Steps without what the profiler adds: as far as is known, at the most and at the least of it.

    Attributes:
        edits: that take it away.
        step_ns: time of a step after each.
        mean_ns: the same as the first, of the mean step instead of the typical one.
        measured: time of a step measured without the profiler, None where the recording has none.
    """

    edits: tuple[Edit, ...]
    step_ns: tuple[float, ...]
    mean_ns: float
    measured: Range | None


@per_rank
def unprofiled(rank: Rank, model: StepModel) -> Unprofiled:
    """The rank's steps without the profiler; ``model`` is `step_model` of it."""
    as_recorded = model.unchanged().pace
    typical = typical_pace(rank, model)
    measured = measured_step(rank)
    slow = slowdowns(rank)
    mean = slow[0].removed(model, as_recorded)
    if measured is None:
        edits = tuple(one.removed(model, typical) for one in slow)
    else:
        edits = _solved(rank, model, typical, (measured.best, measured.low, measured.high))
    times = tuple(model.step_ns(edit) for edit in edits)
    return Unprofiled(edits, times, model.step_ns(mean), measured)


def unprofiled_step(rank: Rank, model: StepModel) -> Range:
    """Time of a step without profiler overhead, in ns: measured, or estimated."""
    base = unprofiled(rank, model)
    if base.measured is not None:
        return base.measured
    spread = [base.step_ns[0] * share for share in step_spread(rank)]
    return around_steps(rank, model, (*base.step_ns, base.mean_ns, *spread))


def around_steps(rank: Rank, model: StepModel, step_ns: Sequence[float]) -> Range:
    """Times of a step, the first as the best; the margin is that of what binds the rank's steps."""
    shares = unprofiled_shares(rank, model)
    total = sum(shares.values())
    pct = sum(shares[side] * own for side, own in _REPEATS_PCT.items()) / total if total else max(_REPEATS_PCT.values())
    return Range.around(step_ns, pct / 100 * step_ns[0])


@per_rank
def unprofiled_shares(rank: Rank, model: StepModel) -> dict[str, float]:
    """By side, how much of these steps it bounds (see `binding_shares`)."""
    return binding_shares(rank, model, unprofiled(rank, model).edits[0])


def _solved(rank: Rank, model: StepModel, typical: Sequence[Floats], step_ns: Sequence[float]) -> tuple[Edit, ...]:
    """Edits that take away as much overhead as gives each of some step times, or comes nearest to it."""
    usual = slowdown(rank)
    times = [model.step_ns(usual.scaled(amount).removed(model, typical)) for amount in _SOLVED]
    # More overhead, shorter steps; `interp` wants what rises.
    amounts = np.interp(step_ns, times[::-1], _SOLVED[::-1])
    return tuple(usual.scaled(float(amount)).removed(model, typical) for amount in amounts)
