"""How much longer a step gets for each ns of work that is added: of the host, of kernels, of communication, of copies.

A step that is bound by the GPU gets no longer by work of the host, until that takes longer than the GPU. So what one ns
costs is averaged on the way from one side to the other: the steps of a recording are simulated with the work of every
resource between what it is here and what it is on the other side (the integral of Aumann and Shapley, "Values of
non-atomic games", 1974). What the resources cost then sums to the difference of the simulated steps, in whatever
order they are changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from stepscope.analyses.simulation.bottleneck_sides import (
    COMMUNICATION,
    COMPUTE,
    COPIES,
    DATA_LOADING,
    HOST,
    activities_of,
    binding_shares,
)
from stepscope.analyses.simulation.edits import stretched
from stepscope.analyses.simulation.model import Edit, StepModel, step_model
from stepscope.analyses.simulation.representative import examined
from stepscope.store.profile import Rank

RESOURCES = (HOST, COMPUTE, COMMUNICATION, COPIES)

_WAY = (0.125, 0.375, 0.625, 0.875)
"""Points of the way, each for a quarter of it."""

_MOST_TIMES = 20.0
"""A resource is not simulated with more than so many times its work."""


def costs(rank: Rank, here: Mapping[str, float], there: Mapping[str, float]) -> dict[str, float]:
    """By resource, by how much a step of a rank gets longer for each ns of its work.

    Args:
        here, there: work of each resource a step, of this rank and of the other side, in ns.

    Returns:
        A resource without work here is missing, and all are where the steps cannot be simulated.
    """
    one = examined(rank)
    model = step_model(one)
    if model is None:
        return {}
    some = [name for name in RESOURCES if here[name] > 0]
    ratio = {name: min(there[name] / here[name], _MOST_TIMES) for name in some}
    found: dict[str, list[float]] = {name: [] for name in some}
    for at in _WAY:
        factor = {name: 1 + at * (ratio[name] - 1) for name in some}
        edit = _scaled(one, model, factor)
        step_ns = model.step_ns(edit)
        share = binding_shares(one, model, edit, step_ns)
        share[HOST] += share[DATA_LOADING]
        for name in some:
            found[name].append(share[name] / 100 * step_ns / max(factor[name] * here[name], 1.0))
    # A ns of work makes a step longer by one at most, whatever work of the resource is in no frame.
    return {name: min(1.0, float(np.mean(each))) for name, each in found.items()}


def _scaled(rank: Rank, model: StepModel, factor: Mapping[str, float]) -> Edit:
    """The steps with the work of each resource multiplied."""
    edit = model.unchanged()
    if HOST in factor:
        pace = tuple(pace * factor[HOST] for pace in edit.pace)
        edit = Edit(pace, edit.own * factor[HOST], edit.activities, edit.gone, edit.freed)
    for side in (COMPUTE, COMMUNICATION, COPIES):
        if side in factor:
            edit = stretched(edit, activities_of(rank, model, side), max(factor[side], 1e-6))
    return edit


def common_costs(ways: Sequence[tuple[Mapping[str, float], Mapping[str, float]]]) -> dict[str, float]:
    """The mean of all ways by the work that each begins with; 1 where nothing is known.

    A side that has little of a resource does not know where more of it would lie.

    Args:
        ways: costs, and the work of each resource, of one side each.
    """
    found = dict.fromkeys(RESOURCES, 1.0)
    for name in RESOURCES:
        known = [(cost[name], work[name]) for cost, work in ways if name in cost]
        if known:
            each, weights = zip(*known, strict=True)
            found[name] = float(np.average(each, weights=weights))
    return found
