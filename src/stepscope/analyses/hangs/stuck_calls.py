"""In each process group the first collective that some rank has not completed, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from stepscope.analyses.hangs.calls import calls_of, first_difference
from stepscope.analyses.hangs.hang import (
    NO_DUMP,
    NONE_COMPLETED,
    NONE_STARTED,
    NOT_COMPLETED,
    NOT_ENTERED,
    NOT_STARTED,
    UNFINISHED,
    UNKNOWN_MEMBERS,
    Hang,
    Ranks,
    Values,
)
from stepscope.analyses.hangs.records import DEFAULT, SCHEDULED


@dataclass(frozen=True)
class Dumps:
    """What is known of the dumps themselves.

    Attributes:
        first_ns: of each rank with a dump the time of its first record, None where nothing was overwritten before it.
        entered: of each rank whose dump leaves out what has completed the highest number that it may have entered.
        until_ns: the last time in any of them.
        stateful: backends whose records say that a collective was started.
    """

    first_ns: Mapping[int, int | None]
    entered: Mapping[int, int]
    until_ns: int | None
    stateful: frozenset[str]


def stuck_calls(records: pl.DataFrame, dumps: Dumps) -> Iterator[Hang]:
    """A hang of each group that has one, in order of groups."""
    for group in calls_of(records).partition_by("group", "members", maintain_order=True):
        found = _first(group, dumps)
        if found is not None:
            yield found


def _first(calls: pl.DataFrame, dumps: Dumps) -> Hang | None:
    """The first call of a group that hangs or that ranks do not agree on."""
    open_ = calls.filter(~pl.col("done"))["number"]
    difference = first_difference(calls)
    if len(open_) == 0 and difference is None:
        return None
    stuck = None if len(open_) == 0 else int(open_.min())  # type: ignore[arg-type]  # of numbers
    if difference is None or (stuck is not None and stuck < difference[0]):
        return _stuck(calls, stuck or 0, dumps)
    return _differing(calls, *difference, dumps)


def _stuck(calls: pl.DataFrame, number: int, dumps: Dumps) -> Hang:
    """What became of one call on every rank of its group."""
    here = _recorded(calls, number)
    base = _base(calls, number, here, dumps)
    cause, suspects = _cause(base, here, dumps)
    last = max((here[rank] for rank in base.waiting), key=lambda row: row["created_ns"] or 0)
    return replace(base, cause=cause, suspects=suspects, source=last["source"], stack=last["stack"])


def reached(calls: pl.DataFrame, number: int, dumps: Dumps) -> Hang:
    """How far each rank of a group came with a call that some rank recorded, whether it hangs or not: no cause."""
    return _base(calls, number, _recorded(calls, number), dumps)


def _recorded(calls: pl.DataFrame, number: int) -> dict[int, dict[str, Any]]:
    return {row["rank"]: row for row in calls.filter(pl.col("number") == number).iter_rows(named=True)}


def _base(calls: pl.DataFrame, number: int, here: Mapping[int, Mapping[str, Any]], dumps: Dumps) -> Hang:
    """A hang without its cause."""
    row = next(iter(here.values()))
    members = tuple(int(one) for one in calls["members"][0].split(","))
    beyond = dict(calls.group_by("rank").agg(pl.col("number").max()).iter_rows())
    entered = min((one["created_ns"] for one in here.values() if one["created_ns"] is not None), default=None)
    passed = [rank for rank in members if rank not in here and beyond.get(rank, -1) > number]
    silent = [rank for rank in members if rank in dumps.first_ns and rank not in here and rank not in passed]
    unknown = [rank for rank in silent if _lost(dumps.first_ns[rank], entered) or dumps.entered.get(rank, -1) >= number]
    waiting = tuple(sorted(rank for rank, one in here.items() if not one["done"]))
    times = [here[rank]["created_ns"] for rank in waiting or here if here[rank]["created_ns"] is not None]
    later = calls.filter((pl.col("number") > number) & ~pl.col("done"))["number"].n_unique()
    return replace(
        hang_of(row, members, dumps),
        number=number,
        missing=tuple(rank for rank in silent if rank not in unknown),
        waiting=waiting,
        finished=tuple(sorted([*passed, *(rank for rank, one in here.items() if one["done"])])),
        absent=tuple(rank for rank in members if rank not in dumps.first_ns),
        unknown=tuple(unknown),
        queued=later,
        since_ns=max(times, default=None),
        sizes=row["sizes"],
        dtypes=row["dtypes"],
    )


def hang_of(row: Mapping[str, Any], members: Ranks, dumps: Dumps) -> Hang:
    """What any record of a call or message says of its hang; neither its cause nor what its ranks did."""
    return Hang(
        group=row["group"],
        description=row["description"] or "",
        members=members,
        said=bool(row["said"]),
        number=None,
        collective=row["collective"],
        cause="",
        until_ns=dumps.until_ns,
        timeout_ns=row["timeout_ns"],
    )


def _lost(first_ns: int | None, entered_ns: int | None) -> bool:
    """Whether a dump begins after others entered a call, so that its own record of it may have been overwritten."""
    return first_ns is not None and (entered_ns is None or first_ns > entered_ns)


def _cause(base: Hang, here: Mapping[int, Mapping[str, Any]], dumps: Dumps) -> tuple[str, Ranks]:
    """Why a call hangs, and the ranks that the evidence points at."""
    if base.missing:
        return NOT_ENTERED, base.missing
    if not base.said and base.description != DEFAULT:
        return UNKNOWN_MEMBERS, ()
    if base.absent or base.unknown:
        return NO_DUMP, (*base.absent, *base.unknown)
    if not dumps.stateful & {row["backend"] for row in here.values()}:
        return UNFINISHED, base.waiting if base.finished else ()
    scheduled = tuple(rank for rank in base.waiting if here[rank]["state"] == SCHEDULED)
    if scheduled:
        all_of_them = len(scheduled) == len(base.members)
        return (NONE_STARTED, ()) if all_of_them else (NOT_STARTED, scheduled)
    return (NOT_COMPLETED, base.waiting) if base.finished else (NONE_COMPLETED, ())


def _differing(calls: pl.DataFrame, number: int, cause: str, column: str, dumps: Dumps) -> Hang:
    """A call in which ranks differ; suspected are the fewest that have something of their own."""
    here = _recorded(calls, number)
    shown = "sizes" if column == "elements" else column
    ranks: dict[str, list[int]] = {}
    for rank, row in sorted(here.items()):
        ranks.setdefault(str(row[column]), []).append(rank)
    ordered = sorted(ranks.values(), key=lambda several: (len(several), several))
    values = tuple(Values(str(here[several[0]][shown]), tuple(several)) for several in ordered)
    fewest = values[0].ranks if len(values) > 2 or 2 * len(values[0].ranks) < len(here) else ()
    row = here[ordered[0][0]]
    base = _base(calls, number, here, dumps)
    common = here[ordered[-1][0]]["collective"]
    return replace(
        base, cause=cause, suspects=fewest, values=values, collective=common, source=row["source"], stack=row["stack"]
    )
