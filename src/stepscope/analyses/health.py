"""How far a trace can be trusted. Comes before any number.

Each check is a small function of a rank that returns a `Check` or None where it does not apply. What cannot be shown
because it was not recorded is a warning that names the profiler option that records it.
"""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from stepscope.analyses.checks import gpu, plausible, reading, steps
from stepscope.analyses.checks.across import across
from stepscope.analyses.checks.check import Check
from stepscope.analyses.checks.recorded import RECORDED
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank


def health(profile: Profile) -> pl.DataFrame:
    """One row per check and rank (rank null for the whole profile), columns of `schema.TABLES` ``health``."""
    rows: list[dict[str, object]] = []
    for rank in profile.ranks:
        for make in _CHECKS:
            check = make(rank)
            if check is not None:
                rows.append({"rank": rank.number, **vars(check)})
    return pl.concat([of_profile(profile), pl.DataFrame(rows, schema=TABLES["health"].schema)])


def of_profile(profile: Profile) -> pl.DataFrame:
    """The rows of the profile as a whole, which come first."""
    rows: list[dict[str, object]] = [{"rank": None, **vars(check)} for check in across(profile)]
    return pl.DataFrame(rows, schema=TABLES["health"].schema)


_CHECKS: list[Callable[[Rank], Check | None]] = [
    reading.events,
    reading.complete,
    reading.damaged,
    reading.broken,
    reading.clock,
    plausible.times,
    plausible.kernel_details,
    gpu.gpu_activity,
    gpu.linked,
    gpu.lost_activity,
    gpu.attributed,
    steps.steps_found,
    steps.steps_repeated,
    steps.steps_cut,
    steps.inside_steps,
    steps.host_ahead,
    reading.overlapping,
    gpu.communication,
    reading.unknown,
    reading.overhead,
    *RECORDED,
]
