"""Times of all ranks on one clock: what the timeline and the moments of tables are counted on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from stepscope.analyses.hangs.record_times import dump_spans
from stepscope.analyses.ranks.alignment import rank_shifts
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile


@dataclass(frozen=True)
class JobClock:
    """The clock that times of all ranks are told on.

    Attributes:
        begin_ns, end_ns: first start and last end of everything timed, on it; moments are told from the former on.
        shifts: what is taken off a rank's own times, in ns, for each rank whose clock is another. A clock's drift is
            left out: a shift holds in the middle of the recording.
    """

    begin_ns: int
    end_ns: int
    shifts: Mapping[int, int] = field(default_factory=dict)

    def origin(self, rank: int) -> int:
        """The moment from which moments of a rank are told, on the rank's own clock."""
        return self.begin_ns + self.shifts.get(rank, 0)


def job_shifts(profile: Profile) -> Mapping[int, int]:
    """See `JobClock.shifts`."""
    if len(profile.everyone.ranks) < 2:
        return {}
    return {rank: shift for rank, shift in rank_shifts(profile).items() if shift}


@per_profile
def job_clock(profile: Profile) -> JobClock:
    """The clock of a profile, whatever of it is selected."""
    shifts = job_shifts(profile)
    ranks = [rank for rank in profile.ranks if rank.span != (0, 0)]
    begins = [begin for begin, _ in dump_spans(profile).values()]
    if not ranks and begins:  # of calls, of which no work is timed: so that there is a begin and no length
        return JobClock(min(begins), min(begins), shifts)
    if not shifts or not ranks:
        return JobClock(*profile.span, shifts)
    own = [(*rank.span, shifts.get(rank.number, 0)) for rank in ranks]
    return JobClock(min(begin - shift for begin, _, shift in own), max(end - shift for _, end, shift in own), shifts)
