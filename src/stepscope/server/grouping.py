"""Which trace files are the ranks of one job, and which are runs of their own.

Files are ranks of one job when their paths are alike but for the number behind "rank" in the file's or its folder's
name, or when they say so themselves (``distributedInfo`` with one world size and different ranks) and their names are
alike but for numbers. Files as ``tensorboard_trace_handler`` names them (``HOST_PID.TIME.pt.trace.json``) are put
together in order of time: a rank that comes a second time begins another recording.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from stepscope.store.rank_assignment import RANK_IN_NAME

_HANDLER = re.compile(r"^(?P<worker>.+)\.(?P<time>\d{10,20})\.pt\.trace\.json(\.gz)?$")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Member:
    """A trace file: path relative to the folder served, and the rank and world size its head names, if any."""

    path: str
    rank: int | None = None
    world: int | None = None


def grouped(members: Sequence[Member]) -> list[list[Member]]:
    """Trace files by job, each job's files in order of their ranks."""
    by_key: dict[tuple[str, ...], list[Member]] = defaultdict(list)
    for member in members:
        by_key[_key(member)].append(member)
    groups: list[list[Member]] = []
    for key, alike in by_key.items():
        if len(alike) == 1 or key[0] == "single":
            groups.extend([one] for one in alike)
        elif key[0] == "handler":
            groups.extend(_in_order_of_time(alike))
        else:
            groups.extend(_different_ranks(alike))
    return sorted((sorted(group, key=_rank_order) for group in groups), key=lambda group: group[0].path)


def rank_in_path(path: str) -> int | None:
    """The number behind "rank" in the name of a file, else of its folder."""
    for part in reversed(path.split("/")[-2:]):
        found = RANK_IN_NAME.findall(part)
        if found:
            return int(found[-1][1])
    return None


def pattern(path: str) -> str:
    """A path with its rank number replaced: what the files of a job share."""
    folder, _, name = path.rpartition("/")
    above, _, last = folder.rpartition("/")
    hidden = [RANK_IN_NAME.sub(r"\1*", part) for part in (last, name)]
    return "/".join(part for part in (above, *hidden) if part)


def _key(member: Member) -> tuple[str, ...]:
    folder, _, name = member.path.rpartition("/")
    world = str(member.world or "")
    known = member.rank is not None and (member.world or 0) > 1
    if (known or rank_in_path(member.path) is not None) and _HANDLER.match(name):
        return ("handler", folder, world)
    if rank_in_path(member.path) is not None:
        return ("named", pattern(member.path), world)
    if known:
        return ("told", folder, _NUMBER.sub("#", name), world)
    return ("single", member.path)


def _number(member: Member) -> int | None:
    return member.rank if member.rank is not None else rank_in_path(member.path)


def _rank_order(member: Member) -> tuple[int, str]:
    number = _number(member)
    return (-1 if number is None else number, member.path)


def _different_ranks(alike: list[Member]) -> list[list[Member]]:
    """One job if every file is of another rank, by name or as it says; else runs of their own."""
    named = [rank_in_path(member.path) for member in alike]
    numbers = [_number(member) for member in alike] if None in named else named
    return [alike] if len(set(numbers)) == len(alike) else [[one] for one in alike]


def _in_order_of_time(alike: list[Member]) -> list[list[Member]]:
    def moment(member: Member) -> int:
        match = _HANDLER.match(member.path.rpartition("/")[2])
        return int(match["time"]) if match else 0

    groups: list[list[Member]] = []
    for member in sorted(alike, key=lambda one: (moment(one), one.path)):
        if not groups or _number(member) in {_number(other) for other in groups[-1]}:
            groups.append([])
        groups[-1].append(member)
    return groups
