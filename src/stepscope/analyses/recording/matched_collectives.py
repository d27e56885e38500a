"""Checks of what ranks share: are their collectives matched, and do their clocks agree with them?"""

from __future__ import annotations

import polars as pl

from stepscope.analyses.hangs.records import is_flight_recorder
from stepscope.analyses.ranks.alignment import APART, WALL, rank_clocks
from stepscope.analyses.ranks.operations import TOGETHER
from stepscope.analyses.ranks.waiting import coverage, shared_calls
from stepscope.analyses.recording.check import OK, WARNING, Check
from stepscope.messages import Message
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
    detail = Message("check-matched", lost=lost, calls=share.calls, partly=share.matched - share.complete)
    whole = pct >= _ENOUGH_PCT and share.complete == share.matched
    value = Message("check-matched-share", share_pct=pct)
    return Check("matched_collectives", OK if whole else WARNING, value, detail)


def common_clock(profile: Profile) -> Check | None:
    """Whether ranks share a clock, what is taken off where they do not, and whether that fits their collectives."""
    if all(map(is_flight_recorder, profile.ranks)):
        return Check("common_clock", OK, Message("check-clock-wall"), Message("check-clock-wall-detail"))
    clocks = rank_clocks(profile)
    known = {rank: clock for rank, clock in clocks.items() if clock.method not in (APART, WALL)}
    unsure = max((clock.uncertainty_ns or 0) for clock in known.values())
    largest = max(abs(clock.offset_ns) for clock in known.values())
    wrong, of = _contradicted(profile)
    if of == 0:
        return None
    value = Message("check-clock-offsets", offset_ns=largest) if largest else Message("check-clock-one")
    if len(known) < 2:
        value = Message("check-clock-apart")
    apart = [rank for rank, clock in clocks.items() if clock.method == APART]
    contradicted = 100.0 * wrong > _CONTRADICTED_PCT * of
    far = largest >= _FAR_NS and not contradicted
    detail = Message(
        "check-clock-detail",
        corrected=largest > 0,
        unsure_ns=unsure,
        collectives=of,
        apart=as_ranges(apart) if apart else None,
        apart_count=len(apart),
        contradicted=wrong if contradicted else None,
        far=far,
    )
    return Check("common_clock", WARNING if apart or contradicted or far else OK, value, detail)


def _contradicted(profile: Profile) -> tuple[int, int]:
    """Collectives that need all ranks, which one leaves before another comes, and how many there are."""
    calls = shared_calls(profile).filter(pl.col("op").is_in(list(TOGETHER)) & (pl.col("seen") > 1))
    unsure = max(((clock.uncertainty_ns or 0) for clock in rank_clocks(profile).values()), default=0)
    spans = calls.group_by("collective").agg((pl.col("at_ns").max() - pl.col("until_ns").min()).alias("apart_ns"))
    return int((spans["apart_ns"] > unsure).sum()), len(spans)
