"""The kernels of one collective on all ranks: what belongs to a communication kernel beside its launch."""

from __future__ import annotations

import re
from typing import Any

import polars as pl

from stepscope.analyses.ranks.matching import matched_calls
from stepscope.analyses.ranks.waiting import shared_calls
from stepscope.timeline.event_search import Event, stored_event

MOST_PARTNERS = 64
"""Other ranks' kernels that are listed: jobs have thousands."""

_FACTS = ("collective", "op", "group", "ranks", "last_rank", "transfer_ns", "wait_ns")


def collective_of(event: Event) -> dict[str, Any] | None:
    """What is known of the collective that a kernel is a part of; None for what is none, or has no known partner.

    Returns:
        Of `shared_calls` ``collective``, ``op``, ``group``, ``ranks``, ``last_rank``, and of this rank's kernel
        ``transfer_ns`` and ``wait_ns``; ``matched``, ranks whose kernel was found; ``partners``, the kernels of the
        others, that of the last rank first, then those of the nearest ranks: ``rank``, ``wait_ns`` and the place.
    """
    table, row = event.source
    if table != "activity" or len(event.timeline.profile.ranks) < 2:
        return None
    calls = shared_calls(event.timeline.profile)
    mine = calls.filter((pl.col("rank") == event.rank.number) & (pl.col("row") == row))
    if len(mine) == 0:
        return None
    facts = mine.select(_FACTS).row(0, named=True)
    all_ranks = calls.filter(pl.col("collective") == facts["collective"])
    return facts | {"matched": all_ranks["rank"].n_unique(), "partners": _partners(event, all_ranks)}


def _partners(event: Event, calls: pl.DataFrame) -> list[dict[str, Any]]:
    others = calls.filter(pl.col("rank") != event.rank.number).select(
        "rank", "row", "wait_ns", (pl.col("rank") == pl.col("last_rank")).alias("last")
    )
    near = (pl.col("rank") - event.rank.number).abs()
    others = others.sort(~pl.col("last"), near, "rank").head(MOST_PARTNERS)
    index = {rank.number: number for number, rank in enumerate(event.timeline.profile.ranks)}
    found = []
    for rank, row, wait, _ in others.iter_rows():
        kernel = stored_event(event.timeline, index[rank], "activity", row, event.packed) if rank in index else None
        if kernel is not None:
            found.append({"rank": rank, "wait_ns": wait, **kernel.place()})
    return found


def lone_collective(event: Event) -> dict[str, Any] | None:
    """Why a communication kernel has no known partner; None for one that has, and for what is none.

    Returns:
        ``ranks``: those on which none was found, of its group where that was recorded; ``why``: "early" where all that
        they recorded began later, "late" where all of it ended earlier, else "differs".
    """
    table, row = event.source
    profile = event.timeline.profile
    if table != "activity" or len(profile.ranks) < 2:
        return None
    calls = matched_calls(profile)
    mine = calls.filter((pl.col("rank") == event.rank.number) & (pl.col("row") == row))
    if len(mine) == 0 or mine["collective"][0] is not None:
        return None
    members = {int(number) for number in re.findall(r"\d+", mine["members"][0] or "")}
    others = [rank.number for rank in profile.ranks if rank.number != event.rank.number]
    ranks = [rank for rank in others if rank in members] or others
    return {"ranks": ranks, "why": _why_alone(event, calls.filter(pl.col("rank").is_in(ranks)))}


def _why_alone(event: Event, theirs: pl.DataFrame) -> str:
    """How the communication kernels of other ranks lie to one that has no partner among them."""
    timeline = event.timeline
    shift = {timeline.profile.ranks[part.rank].number: part.shift for part in timeline.parts}
    own = theirs["rank"].replace_strict(shift, return_dtype=pl.Int64)
    starts, ends = theirs["start_ns"] - own, theirs["end_ns"] - own
    begin, end = event.moment, event.moment + event.end - event.start
    if len(theirs) and starts.min() > begin and ends.min() > end:  # type: ignore[operator]
        return "early"
    return "late" if len(theirs) and starts.max() < begin and ends.max() < end else "differs"  # type: ignore[operator]


def partner_flows(event: Event) -> tuple[list[dict[str, Any]], int]:
    """Links from a kernel to the same collective's kernels on other ranks, and how many there are in all.

    Each goes from the earlier arrival to the later; ``last`` says whether it ends at the rank that arrived last.
    """
    collective = collective_of(event)
    if collective is None:
        return [], 0
    mine = event.place()
    flows = []
    for partner in collective["partners"]:
        place = {key: partner[key] for key in mine}
        ends_last = partner["rank"] == collective["last_rank"]
        before = ends_last or (event.rank.number != collective["last_rank"] and mine["start"] <= place["start"])
        first, then = (mine, place) if before else (place, mine)
        last = collective["last_rank"] in (partner["rank"], event.rank.number)
        flows.append({"kind": "collective", "from": first, "to": then, "last": last})
    return flows, int(collective["matched"]) - 1
