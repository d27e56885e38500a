"""Findings about the job as a whole: ranks that the others wait for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from stepscope import analyses
from stepscope.analyses.ranks import causes
from stepscope.analyses.ranks.stragglers import STRAGGLER
from stepscope.analyses.ranks.waiting import exchanges_messages
from stepscope.store.profile import Profile

LATE_RANK = "late-rank"

_WIDE_POINTS, _LARGE_PCT = 20.0, 10.0

_ADVICE = {
    causes.COMPUTE: "Give every rank the same work: even shards and batches, nothing heavy on one rank alone.",
    causes.COPIES: "Copy the same on every rank, from pinned memory, ahead of the step.",
    causes.LOADING: "Look at that rank's loader: its files, its workers, its machine.",
    causes.COLLECTING: "gc.freeze() before the loop and gc.collect() at the same step on every rank.",
    causes.HOST: "Move what only this rank's host does out of the step: logging, evaluation, checkpoints.",
    causes.NOT_RECORDED: "Compare that rank's machine with the others: clocks, power, other processes.",
}
_UNKNOWN = "clocks, power and other processes of that rank's GPU and machine"
_METHOD = "its steps without waiting against those of the other ranks"


def late_rank_rows(profile: Profile) -> list[dict[str, Any]]:
    """A row of the table ``findings`` for each rank that the others wait for; none of a profile of one rank."""
    if len(profile.ranks) < 2:
        return []
    late = analyses.make_table(profile, "stragglers").filter(pl.col("verdict") == STRAGGLER).rows(named=True)
    stages = exchanges_messages(profile)
    return [_row(row, late[1 - min(at, 1)] if len(late) > 1 else None, stages) for at, row in enumerate(late)]


def _row(late: Mapping[str, Any], other: Mapping[str, Any] | None, has_stages: bool) -> dict[str, Any]:
    """A finding.

    Args:
        other: the latest of the other late ranks, which the job waits for when this one is mended.
        has_stages: ranks send each other messages: when this one is mended, the job may wait for another stage.
    """
    saving, unsure, share = late["lateness_ns"], late["uncertainty_ns"], late["lateness_pct"]
    scale = share / saving
    alone = saving - other["lateness_ns"] if other is not None else saving
    low, high = 0 if has_stages else max(0, alone - unsure), saving + unsure
    often = f"late in {late['late_steps']} of {late['steps']} steps, "
    often += f"at {late['votes']} of {late['collectives']} collectives"
    wide = scale * (high - low) > _WIDE_POINTS
    return {
        "rank": late["rank"],
        "id": LATE_RANK,
        "title": f"the other ranks wait for rank {late['rank']} ({late['cause'] or 'no cause found'})",
        "category": "ranks",
        "severity": "high" if share >= _LARGE_PCT else "medium",
        "saving_low_ns": low,
        "saving_ns": saving,
        "saving_high_ns": high,
        "saving_pct": share,
        "saving_low_pct": scale * low,
        "saving_high_pct": scale * high,
        "confidence": "low" if other is not None else "medium" if wide or has_stages else "high",
        "confidence_reason": _reason(other, wide, has_stages),
        "method": _METHOD,
        "advice": _ADVICE.get(late["cause"], _ADVICE[causes.NOT_RECORDED]),
        "unknown": _UNKNOWN,
        "what_if": "",
        "evidence": "; ".join(part for part in (late["detail"], often) if part),
        "spent_ns": saving,
        "change": "",
        "links": "",
    }


def _reason(other: Mapping[str, Any] | None, wide: bool, has_stages: bool) -> str:
    if other is not None:
        return f"only if rank {other['rank']}, which is late too, is mended as well"
    if has_stages:
        return "only as far as other stages of the pipeline are not waited for then"
    size = f"{_WIDE_POINTS:.0f} points"
    return f"the range is wider than {size}" if wide else f"the range is at most {size} wide"
