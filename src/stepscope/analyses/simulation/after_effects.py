"""What work leaves behind for the work after it: caches that hold its data instead of theirs.

Operators that follow Python, a sleep or a loop of other operators take longer until the caches hold their own data
again. A step without that work is therefore shorter by more than the work itself. How much was measured on a CPU: the
same steps with and without planted work, section by section.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.analyses.simulation.model import Edit, StepModel

_OF_REMOVED = (0.0, 0.1, 0.2)
"""How much the rest gets shorter, as a share of the removed work, by effort."""

_OF_REST = (0.0, 0.06, 0.12)
"""The same as a share of the rest, at most."""


_LONG_NS = 5_000_000
"""What runs longer without a pause replaces the contents of the caches by itself, 32 MB within 3 ms."""


def without_after_effects(model: StepModel, before: Edit, after: Edit, effort: int) -> Edit:
    """An edit that removed work of the host, with what that work made longer as short as it is by itself.

    Args:
        before, after: the edit without and with the removal.
        effort: as for a fix (see `Cause`); 0 leaves the edit as it is.
    """
    kept, removed = 0.0, 0.0
    for clock, old, new in zip(model.host.clocks, before.pace, after.pace, strict=True):
        left = float((clock.length * new).sum())
        kept += left
        removed += max(0.0, float((clock.length * old).sum()) - left)
    if kept <= 0 or removed <= 0:
        return after
    factor = 1 - min(_OF_REST[effort], _OF_REMOVED[effort] * removed / kept)
    pace = (
        np.where(clock.length * new > _LONG_NS, new, factor * new)
        for clock, new in zip(model.host.clocks, after.pace, strict=True)
    )
    return replace(after, pace=tuple(pace))
