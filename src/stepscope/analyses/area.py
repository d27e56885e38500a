"""A part of the time of a trace: what ``--between`` shows of tables with `schema.Table.area`."""

from __future__ import annotations

from dataclasses import replace

from stepscope.analyses.ranks.job_clock import job_clock
from stepscope.store.profile import Profile


def in_area(profile: Profile, begin_ns: int, end_ns: int | None) -> Profile:
    """A profile limited to what reaches into a part of its time.

    Args:
        begin_ns, end_ns: from and to, on the clock of all ranks and from its first event on; None for its last.
    """
    clock = job_clock(profile)
    until = clock.end_ns - clock.begin_ns if end_ns is None else end_ns
    origins = [(rank, clock.origin(rank.number)) for rank in profile.ranks]
    ranks = tuple(rank.with_moments((origin + begin_ns, origin + until)) for rank, origin in origins)
    return replace(profile, ranks=ranks, whole=profile.everyone)
