"""Checks of what ranks share: are their collectives matched, and do their clocks agree with them?"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.ranks.alignment import APART, rank_clocks
from stepscope.analyses.ranks.operations import TOGETHER
from stepscope.analyses.ranks.waiting import coverage, shared_calls
from stepscope.analyses.recording.check import OK, WARNING, Check
from stepscope.store.profile import Profile, as_ranges

_ENOUGH_PCT = 95.0
_CONTRADICTED_PCT = 1.0
_FAR_NS = 1_000_000_000


def matched_collectives(profile: Profile) -> Check | None:
    """Share of communication kernels whose partners on other ranks were found."""
    share = coverage(profile)
    if share.calls == 0:
        return None
    pct = 100.0 * share.matched / share.calls
    lost = share.calls - share.matched
    detail = f"{lost:,} of {share.calls:,} communication kernels have no partner on another rank"
    if share.complete < share.matched:
        detail += f", {share.matched - share.complete:,} lack those of some ranks of their group"
    whole = pct >= _ENOUGH_PCT and share.complete == share.matched
    return Check("matched_collectives", OK if whole else WARNING, f"{pct:.1f} %", detail)


def common_clock(profile: Profile) -> Check | None:
    """Whether ranks share a clock, what is taken off where they do not, and whether that fits their collectives."""
    clocks = rank_clocks(profile)
    known = {rank: clock for rank, clock in clocks.items() if clock.method != APART}
    unsure = max((clock.uncertainty_ns or 0) for clock in known.values())
    largest = max(abs(clock.offset_ns) for clock in known.values())
    wrong, of = _contradicted(profile)
    if of == 0:
        return None
    value = f"offsets up to {_time(largest)}" if largest else "one clock"
    alone = len(known) < 2
    value = "not joined" if alone else value
    detail = f"sure to {_time(unsure)}, from the ends of {of:,} collectives"
    if largest:
        detail = f"taken off where ranks are compared; {detail}"
    apart = [rank for rank, clock in clocks.items() if clock.method == APART]
    if apart:
        detail += f"; no collective joins rank {as_ranges(apart)} to the others"
    if 100.0 * wrong > _CONTRADICTED_PCT * of:
        detail += f"; in {wrong:,} of them a rank leaves before another comes: matching or clocks are wrong there"
        return Check("common_clock", WARNING, value, detail)
    if largest >= _FAR_NS:
        detail += "; clocks of machines are hardly ever so far apart: are these ranks of one run?"
        return Check("common_clock", WARNING, value, detail)
    return Check("common_clock", WARNING if apart else OK, value, detail)


def _contradicted(profile: Profile) -> tuple[int, int]:
    """Collectives that need all ranks, which one leaves before another comes, and how many there are."""
    calls = shared_calls(profile).filter(pl.col("op").is_in(list(TOGETHER)) & (pl.col("seen") > 1))
    unsure = max(((clock.uncertainty_ns or 0) for clock in rank_clocks(profile).values()), default=0)
    spans = calls.group_by("collective").agg((pl.col("at_ns").max() - pl.col("until_ns").min()).alias("apart_ns"))
    return int((spans["apart_ns"] > unsure).sum()), len(spans)


def _time(nanoseconds: int) -> str:
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds} ns"
