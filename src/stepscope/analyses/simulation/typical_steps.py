"""What a step usually takes on the host, where recorded steps of the same work differ.

Steps that do the same have the same events, and still some take longer: another process had the core, the profiler
wrote its buffers out. Without the profiler that is rare, so of such steps the quicker ones say what a step takes.
"""

from __future__ import annotations

import numpy as np

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.needs import is_kineto
from stepscope.analyses.simulation.edits import loading, shares
from stepscope.analyses.simulation.host_clock import Floats, HostClock
from stepscope.analyses.simulation.model import StepModel
from stepscope.analyses.simulation.representative import recorded_rank
from stepscope.analyses.steps.lengths import step_lengths
from stepscope.analyses.steps.steps import step_times, uncut
from stepscope.numeric.intervals import Ints
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

LEAST_STEPS = 3

_UNEVEN = 1.5
"""Steps of which one takes this many times the median do not repeat."""

_QUICK = 0.25
"""Which of the steps is the usual one, from the quickest (0) to the slowest (1). Fitted to steps timed without the
profiler; it matters little, since steps of the same work seldom differ by much."""

_SAME = 0.05
"""How much the number of events differs between steps of the same work; the last one lacks the profiler's own."""

_DISTURBED = 1.5
"""A step that takes this many times the median was disturbed, if few are."""

_FEW = 1 / 3

_ALIKE = 1.7
"""How many times the quickest the slowest of the others may take; more, and steps do not repeat."""


@per_rank
def step_spread(rank: Rank) -> tuple[float, float]:
    """Tenth and ninetieth percentile of the recorded steps over their median; 1 and 1 where steps hardly differ."""
    lengths = step_lengths(uncut(step_times(recorded_rank(rank))))
    usual = float(np.median(lengths)) if len(lengths) else 0.0
    if usual <= 0 or lengths.max() < _UNEVEN * usual:
        return 1.0, 1.0
    low, high = (np.quantile(lengths, (0.1, 0.9)) / usual).tolist()
    return min(1.0, low), max(1.0, high)


def typical_pace(rank: Rank, model: StepModel) -> tuple[Floats, ...]:
    """By clock and interval, by what to multiply the host's work so that steps of the same work take as long.

    Data loading is left as it is: it has a period of its own (the number of workers). So are steps with more or fewer
    events than the others, and all where many take much longer than the rest, or the rest differs as much; and those
    of other recorders than PyTorch's.
    """
    if not is_kineto(rank):
        return model.unchanged().pace
    loads = shares(model, loading(rank, model))
    return tuple(_pace(clock, model.edges, load) for clock, load in zip(model.host.clocks, loads, strict=True))


def _pace(clock: HostClock, edges: Ints, load: Floats) -> Floats:
    # The intervals are in order: the edges are looked for among them, as there are fewer.
    first = np.searchsorted(clock.at[:-1], edges[1:-1])
    step = np.repeat(np.arange(len(edges) - 1), np.diff(first, prepend=0, append=len(clock.length)))
    own = clock.of_program() * (1 - load)
    work = np.bincount(step, own, len(edges) - 1).astype(np.float64)
    events = np.bincount(step, minlength=len(edges) - 1)
    return 1 - (1 - _scale(work, events)[step]) * (1 - load)


def _scale(work: Floats, events: Ints) -> Floats:
    """By step, by what to multiply its work."""
    same = (np.abs(events - np.median(events)) <= _SAME * np.median(events)) & (work > 0)
    disturbed = _disturbed(work, same)
    rest = work[same & ~disturbed]
    if same.sum() < LEAST_STEPS or disturbed.sum() > _FEW * same.sum() or rest.max() > _ALIKE * rest.min():
        return np.ones(len(work))
    usual = float(np.quantile(rest, _QUICK))
    return np.where(same, usual / np.maximum(work, 1), 1.0)


def _disturbed(work: Floats, same: Flags) -> Flags:
    """Which of the steps of the same work took much longer than the others."""
    return same & (work > _DISTURBED * np.median(work[same])) if same.any() else same
