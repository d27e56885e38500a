"""One call that a dump holds, on all ranks that it needs: where they recorded it, and how far they came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from stepscope.analyses.hangs.calls import calls_of
from stepscope.analyses.hangs.hang import Ranks
from stepscope.analyses.hangs.hangs_of import known_dumps
from stepscope.analyses.hangs.records import RECEIVE, SEND, dumps_of, records
from stepscope.analyses.hangs.stuck_calls import reached
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile


@dataclass(frozen=True)
class OnRanks:
    """How far ranks came with a call.

    Attributes:
        rows: of each rank that recorded it the row in its stored table.
        missing, waiting, finished, absent, unknown: see `Hang`.
    """

    rows: Mapping[int, int] = field(default_factory=dict)
    missing: Ranks = ()
    waiting: Ranks = ()
    finished: Ranks = ()
    absent: Ranks = ()
    unknown: Ranks = ()


def on_ranks(profile: Profile, rank: int, row: int) -> OnRanks | None:
    """What became on every rank of the call that a row of a rank's stored table holds; None where the dumps do not say
    which records of other ranks are of the same call, as of messages whose counterpart may have been overwritten."""
    found = _numbered(profile)
    mine = found.row(by_predicate=(pl.col("rank") == rank) & (pl.col("row") == row), named=True)
    if mine["p2p"]:
        return _of_message(profile, found, mine)
    same = found.filter(_of_group(mine) & ~pl.col("p2p") & (pl.col("number") == mine["number"]))
    calls = _calls(profile)[mine["group"], mine["members"]]
    call = reached(calls, mine["number"], known_dumps(profile))
    return OnRanks(_rows(same, mine), call.missing, call.waiting, call.finished, call.absent, call.unknown)


@per_profile
def _numbered(profile: Profile) -> pl.DataFrame:
    """All records, each with its row in the stored table of its rank."""
    return records(profile).with_columns(pl.int_range(pl.len()).over("rank").alias("row"))


@per_profile
def _calls(profile: Profile) -> dict[tuple[Any, ...], pl.DataFrame]:
    return calls_of(records(profile)).partition_by("group", "members", as_dict=True)


def _of_group(mine: Mapping[str, Any]) -> pl.Expr:
    return pl.col("group").eq(mine["group"]) & pl.col("members").eq(mine["members"])


def _rows(same: pl.DataFrame, mine: Mapping[str, Any]) -> dict[int, int]:
    """A row of each rank: of operations that were coalesced into one call that in the same place."""
    place = same.filter(pl.col("rank") == mine["rank"])["row"].to_list().index(mine["row"])
    by_rank = same.group_by("rank", maintain_order=True).agg("row").iter_rows()
    return {rank: rows[place] if place < len(rows) else rows[0] for rank, rows in by_rank}


def _of_message(profile: Profile, found: pl.DataFrame, mine: Mapping[str, Any]) -> OnRanks | None:
    """A message on both sides. Numbers of messages are each rank's own, so that they are counted: from the first one on
    where both dumps hold all, else among those that are pending (see `stuck_messages`)."""
    members = [int(one) for one in mine["members"].split(",")]
    places = mine["from_place"], mine["to_place"]
    if any(place is None or place >= len(members) for place in places):
        return None
    sides = {SEND: members[places[0]], RECEIVE: members[places[1]]}
    other = RECEIVE if mine["collective"] == SEND else SEND
    if sides[mine["collective"]] != mine["rank"] or sides[other] == mine["rank"]:
        return None
    dumped = {one.rank: one for one in dumps_of(profile)}
    if sides[other] not in dumped:
        return OnRanks({}, absent=(sides[other],))
    whole = not any(dumped[rank].overwritten or dumped[rank].only_active for rank in sides.values())
    if not whole and mine["done"]:
        return None
    between = (pl.col("from_place") == places[0]) & (pl.col("to_place") == places[1])
    own = found.filter(_of_group(mine) & pl.col("p2p") & between & (pl.lit(whole) | ~pl.col("done")))
    kept = {
        side: own.filter((pl.col("collective") == side) & (pl.col("rank") == rank)).select("row", "done").rows()
        for side, rank in sides.items()
    }
    place = [row for row, _ in kept[mine["collective"]]].index(mine["row"])
    pair = [(mine["rank"], mine["row"], mine["done"])]
    pair += [(sides[other], *one) for one in kept[other][place : place + 1]]
    return OnRanks(
        {rank: row for rank, row, _ in pair},
        missing=(sides[other],) if len(pair) == 1 else (),
        waiting=tuple(sorted(rank for rank, _, done in pair if not done)),
        finished=tuple(sorted(rank for rank, _, done in pair if done)),
    )
