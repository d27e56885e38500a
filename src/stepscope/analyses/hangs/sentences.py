"""A hang in one sentence, what to look at, and how much of the job the dumps cover."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from stepscope.analyses.hangs.hang import IN_CYCLE, NOT_COMPLETED, OTHER_ORDER, Hang, Ranks
from stepscope.analyses.hangs.records import Dump
from stepscope.messages import Message
from stepscope.store.profile import as_ranges

_SAYS = {
    "not_entered": "hang-not-entered",
    "different_collectives": "hang-different-collectives",
    "different_sizes": "hang-different-sizes",
    "different_dtypes": "hang-different-dtypes",
    "not_started": "hang-not-started",
    "none_started": "hang-none-started",
    "not_completed": "hang-not-completed",
    "none_completed": "hang-none-completed",
    "unfinished": "hang-unfinished",
    "no_dump": "hang-no-dump",
    "unknown_members": "hang-unknown-members",
}
_ADVICE = {
    "not_entered": "hang-advice-not-entered",
    IN_CYCLE: "hang-advice-order",
    OTHER_ORDER: "hang-advice-order",
    "different_collectives": "hang-advice-collectives",
    "different_sizes": "hang-advice-sizes",
    "different_dtypes": "hang-advice-sizes",
    "not_started": "hang-advice-not-started",
    "none_started": "hang-advice-not-started",
    "not_completed": "hang-advice-transfer",
    "none_completed": "hang-advice-transfer",
    "unfinished": "hang-advice-transfer",
    "no_dump": "hang-advice-no-dump",
    "unknown_members": "hang-advice-unknown-members",
}


def sentence(one: Hang, records: pl.DataFrame) -> Message:
    """What hangs, which rank is waited for and since when.

    Args:
        records: of all dumps, which tell where a rank that never came was last.
    """
    if one.cause == IN_CYCLE:
        return Message("hang-cycle", parts=[_part(part) for part in one.cycle])
    if one.cause == OTHER_ORDER:
        first, second = one.cycle
        return Message("hang-other-order", ranks=as_ranges(one.suspects), first=call(first), second=call(second))
    return Message(
        _SAYS[one.cause],
        call=call(one),
        since_epoch_ns=one.since_ns,
        members=len(one.members),
        **_ranks("suspects", one.suspects or (one.waiting if one.cause == NOT_COMPLETED else ())),
        **_ranks("waiting", tuple(rank for rank in one.waiting if rank not in one.suspects or one.cause == "no_dump")),
        **_ranks("finished", one.finished),
        kinds=[Message("hang-kind", value=_plain(kind.value), **_ranks("ranks", kind.ranks)) for kind in one.values],
        last=[_last(rank, records) for rank in one.missing[:1]],
        source=_short(one.source),
    )


def advice(one: Hang) -> Message:
    """What to look at."""
    if one.cause == IN_CYCLE and all(part.number is None for part in one.cycle):
        return Message("hang-advice-messages")
    return Message(_ADVICE[one.cause])


def call(one: Hang) -> Message:
    """A collective with its number and group."""
    return Message("hang-call", collective=one.collective, number=one.number, group=one.title)


def _part(one: Hang) -> Message:
    said = (*_ranks("waiting", one.waiting).items(), *_ranks("missing", one.missing).items())
    return Message("hang-cycle-part", call=call(one), **dict(said))


def _ranks(name: str, ranks: Ranks) -> dict[str, str | int]:
    """Two parameters: ranks as a text, and how many they are."""
    return {name: as_ranges(ranks), f"{name}_count": len(ranks)}


def _last(rank: int, records: pl.DataFrame) -> Message:
    """What a rank called last, and where."""
    own = records.filter(pl.col("rank") == rank)
    if len(own) == 0:
        return Message("hang-last-none", rank=rank)
    row = own.sort("created_ns", "event", nulls_last=False).row(-1, named=True)
    title = row["group"] if row["description"] in ("", "undefined", None) else row["description"]
    called = Message("hang-call", collective=_named(row), number=row["number"], group=title)
    return Message("hang-last", rank=rank, call=called, done=row["done"], source=_short(row["source"]))


def _plain(value: str) -> str:
    """The same, of a list of one shape the shape: ``[4, 2]`` of ``[[4, 2]]``."""
    return value[1:-1] if value.startswith("[[") and value.count("[") == 2 else value


def _named(row: dict[str, Any]) -> str:
    """A collective by its name, a message also by the ranks that it goes from and to."""
    members, places = row["members"].split(","), (row["from_place"], row["to_place"])
    if any(place is None or place >= len(members) for place in places):
        return str(row["collective"])
    return f"{row['collective']} {members[places[0]]}->{members[places[1]]}"


def _short(source: str | None) -> str | None:
    """File and line without the folder."""
    return source and source.rpartition("/")[2]


def coverage(hangs: Sequence[Hang], dumps: Sequence[Dump], records: pl.DataFrame) -> list[Message]:
    """How many of how many ranks have a dump, and what the dumps do not say."""
    if not dumps:
        return []
    here = {one.rank for one in dumps}
    members = {int(one) for text in records["members"].unique() for one in text.split(",")} if len(records) else set()
    absent = sorted(members - here)
    said = [Message("hang-coverage", dumps=len(here), ranks=len(members | here), **_ranks("absent", tuple(absent)))]
    lost = [one.rank for one in dumps if one.overwritten]
    if len(records) and not records["said"].all():
        said.append(Message("hang-members-guessed"))
    if lost and hangs:
        said.append(Message("hang-overwritten", **_ranks("ranks", tuple(lost))))
    return said


def nothing_hangs(records: pl.DataFrame) -> Message:
    """That every recorded collective has completed."""
    groups = records.select(pl.struct("group", "members").n_unique()).item() if len(records) else 0
    ranks = records["rank"].n_unique() if len(records) else 0
    return Message("hang-none", records=len(records), groups=groups, ranks=ranks)
