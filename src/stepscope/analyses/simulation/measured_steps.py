"""Step times that were measured without the profiler and stand in the recording: they decide, nothing is estimated."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.simulation.ranges import Range
from stepscope.store.profile import Rank

LEAST_STEPS = 3
_LOW, _HIGH = 0.1, 0.9
"""Of the measured steps, those that the range leaves out: four of five lie inside."""


def measured_step(rank: Rank) -> Range | None:
    """Time of a step as measured, in ns: the median and where four of five lie; None where too few were measured."""
    times = rank.trace.head.get("stepscopeStepTimes", {}).get("unprofiled_ns", [])
    if len(times) < LEAST_STEPS:
        return None
    low, best, high = np.quantile(times, (_LOW, 0.5, _HIGH)).tolist()
    return Range(low, best, high)
