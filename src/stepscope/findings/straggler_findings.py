"""Findings about the job as a whole: ranks that the others wait for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from stepscope.analyses.ranks import causes
from stepscope.analyses.ranks.slower_clock import CLOCK
from stepscope.analyses.ranks.waiting import shared_calls
from stepscope.analyses.ranks.without_straggler import WithoutStraggler, without_stragglers
from stepscope.analyses.simulation.changes.straggling import WORD
from stepscope.messages import Message
from stepscope.store.profile import Profile

_CLOCK = Message("finding-straggler-advice-clock")
FINDING_ID = "straggler"

_WIDE_POINTS, _LARGE_PCT = 20, 10.0

_LINKS = ("https://docs.pytorch.org/tutorials/intermediate/ddp_tutorial.html",)

_ADVICE = {
    causes.COMPUTE: Message("finding-straggler-advice-compute"),
    causes.COPIES: Message("finding-straggler-advice-copies"),
    causes.LOADING: Message("finding-straggler-advice-data-loading"),
    causes.COLLECTING: Message("finding-straggler-advice-garbage-collection"),
    causes.HOST: Message("finding-straggler-advice-host"),
    causes.NOT_RECORDED: Message("finding-straggler-advice-not-recorded"),
}


def straggler_rows(profile: Profile) -> list[dict[str, Any]]:
    """A row of the table ``findings`` for each straggler; none of a profile of one rank."""
    return [_row(one, _longest_wait(profile, one.rank)) for one in without_stragglers(profile)]


def _row(one: WithoutStraggler, waited: tuple[int, int] | None) -> dict[str, Any]:
    """A finding.

    Args:
        waited: the longest time in which the other ranks wait for this one, on its own clock.
    """
    saving, share = one.saving_ns, one.saving_pct
    start_ns, end_ns = waited or (None, None)
    title = Message("finding-straggler-title", rank=one.rank, delay_ns=saving.best, delay_pct=share.best)
    return {
        "rank": one.rank,
        "id": FINDING_ID,
        "title": title.encoded(),
        "category": "ranks",
        "severity": "high" if share.best >= _LARGE_PCT else "medium",
        "saving_low_ns": saving.low,
        "saving_ns": saving.best,
        "saving_high_ns": saving.high,
        "saving_pct": share.best,
        "saving_low_pct": share.low,
        "saving_high_pct": share.high,
        "at_least": False,
        "per_sample": False,
        **_sure(one),
        "method": Message("method-straggler").encoded(),
        **_advice(one.late),
        "what_if": f"{WORD}:{one.rank}",
        "evidence": _evidence(one.late).encoded(),
        "spent_ns": saving.best,
        "start_ns": start_ns,
        "end_ns": end_ns,
        "change": "",
        "links": " ".join(_LINKS),
    }


def _longest_wait(profile: Profile, rank: int) -> tuple[int, int] | None:
    """When the others wait longest for a straggler: from the arrival of most of them to its own, on its clock."""
    steps = [one.steps["step"] for one in profile.ranks if one.number == rank]
    late = shared_calls(profile).filter((pl.col("rank") == rank) & (pl.col("late_ns") > 0))
    late = late.filter(pl.col("step").is_in(steps[0].implode())) if steps else late.clear()
    if len(late) == 0:
        return None
    longest = late.sort("late_ns", "start_ns", descending=[True, False]).row(0, named=True)
    return longest["start_ns"] - longest["late_ns"], longest["start_ns"]


def _advice(late: Mapping[str, Any]) -> dict[str, str]:
    """The columns that say what to do, and what the recording does not hold."""
    if late["detail"] and Message.decoded(late["detail"]).id == CLOCK:
        return {"advice": _CLOCK.encoded(), "unknown": Message("finding-straggler-unknown-clock").encoded()}
    advice = _ADVICE.get(late["cause"], _ADVICE[causes.NOT_RECORDED])
    return {"advice": advice.encoded(), "unknown": Message("finding-straggler-unknown").encoded()}


def _evidence(late: Mapping[str, Any]) -> Message:
    cause = causes.NAMES.get(late["cause"], causes.NAMES[causes.NOT_RECORDED])
    counts = {name: late[name] for name in ("late_steps", "steps", "votes", "collectives")}
    if not late["detail"]:
        return Message("evidence-straggler", cause=cause, **counts)
    return Message("evidence-straggler-detail", cause=cause, detail=Message.decoded(late["detail"]), **counts)


def _sure(one: WithoutStraggler) -> dict[str, str]:
    """The columns that say how sure the saving is."""
    wide = one.saving_pct.high - one.saving_pct.low > _WIDE_POINTS
    several = one.other is not None
    confidence = "low" if several else "medium" if wide or one.has_stages else "high"
    return {"confidence": confidence, "confidence_reason": _reason(one, wide).encoded()}


def _reason(one: WithoutStraggler, wide: bool) -> Message:
    if one.other is not None:
        return Message("confidence-other-straggler", rank=one.other)
    if one.has_stages:
        return Message("confidence-other-stages")
    if wide:
        return Message("confidence-wide-range", points=_WIDE_POINTS)
    return Message("confidence-narrow-range", points=_WIDE_POINTS)
