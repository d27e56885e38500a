"""What logs of NCCL Inspector say, in sentences: bandwidth, slow communicators and links, who arrives last."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.communication_log.collective_bandwidth import collective_bandwidth
from stepscope.analyses.communication_log.collective_lateness import collective_lateness, last_together
from stepscope.analyses.communication_log.samples import calls, samples
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank

LOGS = "inspector-"
"""How ids of its messages begin."""

_NAMED = 3
_OFTEN_PCT, _WORTH_PCT = 50.0, 5.0
"""So often a rank arrives last that it is named, where that makes so much of the time of the ranks that wait."""


def log_sentences(profile: Profile) -> tuple[Message, ...]:
    """What the logs of all ranks say together; empty without any."""
    found = calls(profile)
    if len(found) == 0:
        return ()
    table, late = collective_bandwidth(profile), collective_lateness(profile)
    slow = table.filter("slow").sort("of_others_pct")
    more = [Message("inspector-slow-more", count=len(slow) - _NAMED)] if len(slow) > _NAMED else []
    said = map(_slow, slow.head(_NAMED).iter_rows(named=True))
    return (*_late(profile, late), *said, *more, *_lead(profile, found, table))


def own_log_sentences(rank: Rank) -> tuple[Message, ...]:
    """What the log of one rank holds."""
    found = samples(Profile((rank.source,), (rank,)))
    return (Message("inspector-rank", calls=len(found), total_ns=int(found["duration_ns"].sum() or 0)),)


def _lead(profile: Profile, found: pl.DataFrame, table: pl.DataFrame) -> list[Message]:
    complete = int(found["complete"].sum())
    largest = table.row(0, named=True)
    said = Message(
        "inspector-calls", calls=len(found), complete_pct=100 * complete / len(found), logs=len(profile.ranks)
    )
    return [Message("inspector-bandwidth", **_row(largest)), said]


def _slow(row: dict[str, Any]) -> Message:
    return Message("inspector-slow", others=row["others_busbw"], of_others_pct=row["of_others_pct"], **_row(row))


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "op": row["op"],
        "communicator": row["name"] or row["communicator"],
        "link": row["link"],
        "from_bytes": row["from_bytes"],
        "to_bytes": 2 * row["from_bytes"],
        "busbw": row["busbw"],
        "calls": row["calls"],
    }


def _late(profile: Profile, late: pl.DataFrame) -> list[Message]:
    """Ranks that arrive last, each in calls of its own, or together in the same ones."""
    worst = late.sort("late_ns", "rank", descending=[True, False]).iter_rows(named=True)
    alone = [row for row in worst if _matters(row["last_pct"], row)][:_NAMED]
    if alone:
        facts = ("rank", "file", "calls", "last_pct", "late_ns")
        return [Message("inspector-late", **{name: row[name] for name in facts}) for row in alone]
    known = {row["rank"]: row for row in late.iter_rows(named=True)}
    for ranks, last_calls, late_ns in last_together(profile).iter_rows():
        row = known[ranks[0]] | {"late_ns": late_ns}
        pct = 100 * last_calls / row["calls"]
        if _matters(pct, row):
            return [Message("inspector-late-together", ranks=ranks, calls=row["calls"], last_pct=pct, late_ns=late_ns)]
    return []


def _matters(last_pct: float, row: dict[str, Any]) -> bool:
    share = 100 * row["late_ns"] / max(1, row["total_ns"] + row["late_ns"])
    return last_pct >= _OFTEN_PCT and share >= _WORTH_PCT
