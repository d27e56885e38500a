"""All hangs of a profile, what the others follow from first."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from stepscope.analyses.hangs.hang import (
    DIFFERENT,
    IN_CYCLE,
    NONE_COMPLETED,
    NONE_STARTED,
    NOT_STARTED,
    OTHER_ORDER,
    Hang,
)
from stepscope.analyses.hangs.records import dumps_of, last_time_ns, records, stateful_backends
from stepscope.analyses.hangs.stuck_calls import Dumps, stuck_calls
from stepscope.analyses.hangs.stuck_messages import stuck_messages
from stepscope.store.memo import per_profile
from stepscope.store.profile import Profile

_ORDER = (*DIFFERENT, IN_CYCLE, OTHER_ORDER, "not_entered", NOT_STARTED, "not_completed", "unfinished", "none_started")


@per_profile
def hangs_of(profile: Profile) -> tuple[Hang, ...]:
    """Hangs in the order in which they are to be read: by cause, those that follow from others last."""
    found = records(profile)
    if len(found) == 0:
        return ()
    dumps = known_dumps(profile)
    hangs = [*stuck_calls(found, dumps), *stuck_messages(found, dumps)]
    hangs = _in_cycles(_in_other_order(hangs, found))
    follows = _following(hangs)
    hangs = [replace(one, follows=at in follows) for at, one in enumerate(hangs)]
    places = {cause: place for place, cause in enumerate(_ORDER)}
    keyed = [(one.follows, places.get(one.cause, len(places)), at) for at, one in enumerate(hangs)]
    return tuple(hangs[at] for *_, at in sorted(keyed))


@per_profile
def known_dumps(profile: Profile) -> Dumps:
    """What is known of the dumps of a profile."""
    found = records(profile)
    firsts = dict(found.group_by("rank").agg(pl.col("created_ns").min()).iter_rows())
    dumps = dumps_of(profile)
    known = {one.rank: firsts.get(one.rank) if one.overwritten else None for one in dumps}
    entered = {one.rank: one.most_entered for one in dumps if one.only_active}
    return Dumps(known, entered, last_time_ns(found), stateful_backends(found))


def blocking(hangs: Sequence[Hang]) -> list[set[int]]:
    """Of each hang the others in which ranks wait that it lacks."""
    return [
        {at for at, other in enumerate(hangs) if at != own and set(one.missing) & set(other.waiting)}
        for own, one in enumerate(hangs)
    ]


def _following(hangs: Sequence[Hang]) -> set[int]:
    """Hangs whose missing ranks all wait elsewhere, and not for each other."""
    others = blocking(hangs)
    return {at for at, one in enumerate(hangs) if others[at] and one.cause == "not_entered" and _all_wait(one, hangs)}


def _all_wait(one: Hang, hangs: Sequence[Hang]) -> bool:
    waiting = {rank for other in hangs if other is not one for rank in other.waiting}
    return set(one.missing) <= waiting


def _in_cycles(hangs: list[Hang]) -> list[Hang]:
    """The same, with those told apart whose ranks wait for each other: each lacks a rank that waits in the next."""
    others = blocking(hangs)
    found = list(hangs)
    for at, one in enumerate(hangs):
        cycle = _cycle(at, others)
        if cycle:
            first = cycle.index(min(cycle))  # each says the same of its circle
            cycle = cycle[first:] + cycle[:first]
            found[at] = replace(one, cause=IN_CYCLE, cycle=tuple(hangs[place] for place in cycle))
    return found


def _cycle(start: int, others: Sequence[set[int]]) -> list[int]:
    """The shortest way from a hang back to itself; empty where there is none."""
    came: dict[int, int] = {}
    front = [start]
    while front:
        reached = []
        for at in front:
            for other in sorted(others[at]):
                if other == start:
                    return _way(at, start, came)
                if other not in came:
                    came[other] = at
                    reached.append(other)
        front = reached
    return []


def _way(at: int, start: int, came: dict[int, int]) -> list[int]:
    way = [at]
    while way[-1] != start:
        way.append(came[way[-1]])
    return way[::-1]


def _in_other_order(hangs: list[Hang], found: pl.DataFrame) -> list[Hang]:
    """The same, with pairs told apart that all their ranks entered, but in different orders."""
    whole = {NONE_COMPLETED, NOT_STARTED, NONE_STARTED, "not_completed"}
    own = [(at, one) for at, one in enumerate(hangs) if one.number is not None and one.cause in whole]
    result = list(hangs)
    for (first, one), (second, two) in itertools.combinations(own, 2):
        before, after = _orders(one, two, found)
        if before and after and OTHER_ORDER not in (result[first].cause, result[second].cause):
            pair = (one, two)
            for at, hang in ((first, one), (second, two)):
                suspects = tuple(sorted({*before, *after}))
                result[at] = replace(hang, cause=OTHER_ORDER, suspects=suspects, cycle=pair)
    return result


def _orders(one: Hang, two: Hang, found: pl.DataFrame) -> tuple[list[int], list[int]]:
    """Ranks that called one before the other, and those that called it after."""
    places = []
    for hang in (one, two):
        same = (pl.col("group") == hang.group) & (pl.col("number") == hang.number) & ~pl.col("p2p")
        rows = found.filter(same).group_by("rank").agg(pl.col("event").min())
        places.append(dict(rows.iter_rows()))
    shared = sorted(set(one.waiting) & set(two.waiting) & places[0].keys() & places[1].keys())
    before = [rank for rank in shared if places[0][rank] < places[1][rank]]
    return before, [rank for rank in shared if rank not in before]
