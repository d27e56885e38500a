"""Findings about the job as a whole: ranks that the others wait for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from stepscope import analyses
from stepscope.analyses.ranks import causes
from stepscope.analyses.ranks.slower_clock import CLOCK
from stepscope.analyses.ranks.stragglers import STRAGGLER
from stepscope.analyses.ranks.transfer_variation import transfer_variation_ns
from stepscope.analyses.ranks.waiting import exchanges_messages, shared_calls
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.store.profile import Profile, Rank

_CLOCK = Message("finding-straggler-advice-clock")
FINDING_ID = "straggler"

_WIDE_POINTS, _LARGE_PCT = 20, 10.0

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
    if len(profile.ranks) < 2:
        return []
    late = analyses.make_table(profile, "stragglers").filter(pl.col("verdict") == STRAGGLER).rows(named=True)
    stages = exchanges_messages(profile)
    others = [late[1 - min(at, 1)] if len(late) > 1 else None for at in range(len(late))]
    varies = transfer_variation_ns(profile) if late else 0.0
    rows = [_row(row, other, stages, varies) for row, other in zip(late, others, strict=True)]
    return [row | _longest(profile, row["rank"]) for row in rows]


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


def _row(
    late: Mapping[str, Any], other: Mapping[str, Any] | None, has_stages: bool, varies_ns: float
) -> dict[str, Any]:
    """A finding.

    Args:
        other: the latest of the other stragglers, which the job waits for when this one is fixed.
        has_stages: ranks send each other messages: when this one is fixed, the job may wait for another stage.
        varies_ns: by how much the transfers of a step vary.
    """
    saving, share = late["lateness_ns"], late["lateness_pct"]
    unsure = late["uncertainty_ns"] + round(varies_ns)
    scale = share / saving
    alone = saving - other["lateness_ns"] if other is not None else saving
    low, high = 0 if has_stages else max(0, alone - unsure), saving + unsure
    wide = scale * (high - low) > _WIDE_POINTS
    return {
        "rank": late["rank"],
        "id": FINDING_ID,
        "title": Message("finding-straggler-title", rank=late["rank"], delay_ns=saving, delay_pct=share).encoded(),
        "category": "ranks",
        "severity": "high" if share >= _LARGE_PCT else "medium",
        "saving_low_ns": low,
        "saving_ns": saving,
        "saving_high_ns": high,
        "saving_pct": share,
        "saving_low_pct": scale * low,
        "saving_high_pct": scale * high,
        "at_least": False,
        "per_sample": False,
        **_sure(other, wide, has_stages),
        "method": Message("method-straggler").encoded(),
        **_advice(late),
        "what_if": "",
        "evidence": _evidence(late).encoded(),
        "spent_ns": saving,
        "change": "",
        "links": "",
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


def _sure(other: Mapping[str, Any] | None, wide: bool, has_stages: bool) -> dict[str, str]:
    """The columns that say how sure the saving is."""
    confidence = "low" if other is not None else "medium" if wide or has_stages else "high"
    return {"confidence": confidence, "confidence_reason": _reason(other, wide, has_stages).encoded()}


def _reason(other: Mapping[str, Any] | None, wide: bool, has_stages: bool) -> Message:
    if other is not None:
        return Message("confidence-other-straggler", rank=other["rank"])
    if has_stages:
        return Message("confidence-other-stages")
    if wide:
        return Message("confidence-wide-range", points=_WIDE_POINTS)
    return Message("confidence-narrow-range", points=_WIDE_POINTS)
