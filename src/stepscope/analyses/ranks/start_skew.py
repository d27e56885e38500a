"""How far apart the ranks begin what was recorded of them.

The profiler starts on each rank when that rank comes to it, and takes a while. So the ranks begin the first recorded
step at different moments, and all wait for the last one in its first collective: time that the job does not lose
without the profiler.
"""

from __future__ import annotations

from dataclasses import dataclass

from stepscope.analyses.ranks.job_clock import job_shifts
from stepscope.store.profile import Profile
from stepscope.store.step_detection import PROFILER


@dataclass(frozen=True)
class StartSkew:
    """The ranks' first recorded steps.

    Attributes:
        spread_ns: from the first rank's beginning to the last one's, on the job's clock.
        last: the rank that begins last.
    """

    spread_ns: int
    last: int


def start_skew(profile: Profile) -> StartSkew | None:
    """The skew of a profile's ranks; None where fewer than two have steps of the profiler's, of one number."""
    shifts = job_shifts(profile)
    first = {
        rank.number: rank.all_steps.ranges.row(0, named=True)
        for rank in profile.everyone.ranks
        if rank.all_steps.source == PROFILER and len(rank.all_steps.ranges)
    }
    if len(first) < 2 or len({row["step"] for row in first.values()}) > 1:
        return None
    begins = {number: int(row["start_ns"]) - shifts.get(number, 0) for number, row in first.items()}
    last = max(begins, key=lambda number: (begins[number], -number))
    return StartSkew(begins[last] - min(begins.values()), last)
