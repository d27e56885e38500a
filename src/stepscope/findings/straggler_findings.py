"""Findings about the job as a whole: ranks that the others wait for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.ranks import causes
from stepscope.analyses.ranks.slower_clock import CLOCK
from stepscope.analyses.ranks.waiting import shared_calls
from stepscope.analyses.ranks.without_straggler import WithoutStraggler, without_stragglers
from stepscope.analyses.simulation.changes.straggling import WORD
from stepscope.findings.tested import as_tested
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.store.profile import Profile, Rank

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
    """A row of the table ``findings`` for each selected straggler; none where one rank was recorded."""
    return [_row(profile, one) | _longest(profile, one.rank) for one in without_stragglers(profile)]


def late_ranges(profile: Profile, rank: Rank) -> tuple[Ints, Ints]:
    """Start and end in ns, on the rank's clock, of what its own work took longer than that of the others.

    Each ends with the begin of a collective that the others waited for it in.
    """
    calls = shared_calls(profile).filter((pl.col("rank") == rank.number) & (pl.col("late_ns") > 0))
    calls = calls.filter(rank.inside(calls["start_ns"]))
    end = calls["start_ns"].to_numpy()
    return end - calls["late_ns"].to_numpy(), end


def _longest(profile: Profile, number: int) -> dict[str, int | None]:
    """The columns that say when it was late for longest."""
    rank = next(one for one in profile.ranks if one.number == number)
    start, end = late_ranges(profile, rank)
    if len(start) == 0:
        return {"start_ns": None, "end_ns": None}
    longest = int(np.argmax(end - start))
    return {"start_ns": int(start[longest]), "end_ns": int(end[longest])}


def _row(profile: Profile, one: WithoutStraggler) -> dict[str, Any]:
    saving, share = one.saving_ns, one.saving_pct
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
        "per_sample": False,
        **_sure(profile, one),
        "method": Message("method-straggler").encoded(),
        **_advice(one.late),
        "what_if": f"{WORD}:{one.rank}",
        "evidence": _evidence(one.late).encoded(),
        "spent_ns": saving.best,
        "change": "",
        "links": " ".join(_LINKS),
    }


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


def _sure(profile: Profile, one: WithoutStraggler) -> dict[str, str]:
    """The columns that say how sure the saving is."""
    wide = one.saving_pct.high - one.saving_pct.low > _WIDE_POINTS
    several = one.other is not None
    confidence = "low" if several else "medium" if wide or one.has_stages else "high"
    reason = as_tested(profile, FINDING_ID, _reason(one, wide))
    return {"confidence": confidence, "confidence_reason": reason.encoded()}


def _reason(one: WithoutStraggler, wide: bool) -> Message:
    if one.other is not None:
        return Message("confidence-other-straggler", rank=one.other)
    if one.has_stages:
        return Message("confidence-other-stages")
    if wide:
        return Message("confidence-wide-range", points=_WIDE_POINTS)
    return Message("confidence-narrow-range", points=_WIDE_POINTS)
