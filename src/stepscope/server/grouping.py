"""Which trace files are the ranks of one job, and which are runs of their own.

Files are ranks of one job when their paths are alike but for the number behind "rank" in the file's or its folder's
name, or when they say so themselves (``distributedInfo`` with one world size and different ranks) and their names are
alike but for numbers. Files as ``tensorboard_trace_handler`` names them (``HOST_PID.TIME.pt.trace.json``) are put
together in order of time: a worker that comes a second time begins another span, which is an entry of its own. Dumps of
the flight recorder that differ in the last number of their names are of one job, and so are all logs of NCCL Inspector
in a folder, which name no rank. Logs of torch.compile end in letters at random: those of a folder that name a rank are
of one job. What another recorder wrote belongs to the job of its folder where that holds only one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from stepscope.readers.compile_log.format import RECORDER as TORCH_COMPILE
from stepscope.readers.flight_recorder.format import RECORDER as FLIGHT_RECORDER
from stepscope.readers.nccl_inspector.format import RECORDER as NCCL_INSPECTOR
from stepscope.readers.registry import recorders
from stepscope.store.rank_assignment import RANK_IN_NAME
from stepscope.store.spans import HANDLER_NAME

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Member:
    """A file that opens: path relative to the folder served, the rank and world size its head names, if any."""

    path: str
    rank: int | None = None
    world: int | None = None
    recorder: str = ""

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def worker(self) -> tuple[str, int] | None:
        """Worker and time of a file as ``tensorboard_trace_handler`` names it."""
        match = HANDLER_NAME.match(self.path.rpartition("/")[2])
        return (match["worker"], int(match["time"])) if match else None


@dataclass(frozen=True)
class Group:
    """The files of one entry of the list.

    Attributes:
        ranks: one file for each rank, in order of ranks.
        beside: what other recorders wrote of the same job.
        span: which of how many recordings of the same processes it is, or None where it is the only one.
    """

    ranks: tuple[Member, ...]
    beside: tuple[Member, ...] = ()
    span: tuple[int, int] | None = None

    @property
    def worker(self) -> str:
        """Host and process of its first file, "" where its name does not say."""
        first = self.ranks[0].worker
        return first[0] if first else ""


def grouped(members: Sequence[Member]) -> list[Group]:
    """Files by job and span; each in one group."""
    known = recorders()
    by_recorder: dict[str, list[Member]] = defaultdict(list)
    for member in members:
        by_recorder[member.recorder].append(member)
    groups: list[Group] = []
    for recorder in sorted(by_recorder, key=lambda one: (known.index(one) if one in known else len(known), one)):
        of_recorder = [Group(tuple(files)) for files in _jobs(by_recorder[recorder])]
        groups = _beside(groups, of_recorder) if groups else _with_spans(of_recorder)
    return sorted(groups, key=lambda group: group.ranks[0].path)


def _beside(groups: list[Group], more: list[Group]) -> list[Group]:
    """Put the jobs of another recorder beside those that are known, where their folder holds one of these."""
    of_folder: dict[str, list[int]] = defaultdict(list)
    for at, group in enumerate(groups):
        of_folder[group.ranks[0].folder].append(at)
    found, alone = list(groups), []
    for group in more:
        places = of_folder[group.ranks[0].folder]
        if len(places) == 1:
            found[places[0]] = replace(found[places[0]], beside=(*found[places[0]].beside, *group.ranks))
        else:
            alone.append(group)
    return found + alone


def _with_spans(groups: list[Group]) -> list[Group]:
    """The same groups; those of the same workers say which span they are, in order of time."""
    alike: dict[tuple[str, tuple[str, ...]], list[Group]] = defaultdict(list)
    for group in groups:
        workers = [member.worker for member in group.ranks]
        names = tuple(sorted(worker[0] for worker in workers if worker is not None))
        if len(names) == len(workers):
            alike[group.ranks[0].folder, names].append(group)
    spans: dict[str, tuple[int, int]] = {}
    for several in alike.values():
        for number, group in enumerate(sorted(several, key=_begin), start=1):
            if len(several) > 1:
                spans[group.ranks[0].path] = (number, len(several))
    return [replace(group, span=spans.get(group.ranks[0].path)) for group in groups]


def _begin(group: Group) -> tuple[int, str]:
    first = group.ranks[0].worker
    return (first[1] if first else 0, group.ranks[0].path)


def _jobs(members: Sequence[Member]) -> list[list[Member]]:
    """Files of one recorder by job, each job's in order of their ranks."""
    by_key: dict[tuple[str, ...], list[Member]] = defaultdict(list)
    for member in members:
        by_key[_key(member)].append(member)
    groups: list[list[Member]] = []
    for key, alike in by_key.items():
        if len(alike) == 1 or key[0] == "single":
            groups.extend([one] for one in alike)
        elif key[0] == "folder":
            groups.append(alike)
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
    if member.recorder == TORCH_COMPILE and rank_in_path(name) is not None:
        return ("folder", folder)
    if (known or rank_in_path(member.path) is not None) and HANDLER_NAME.match(name):
        return ("handler", folder, world)
    if rank_in_path(member.path) is not None:
        return ("named", pattern(member.path), world)
    if member.recorder == FLIGHT_RECORDER and not known:
        return ("folder", folder, re.sub(r"\d+(?=\D*$)", "#", name))
    if member.recorder == NCCL_INSPECTOR:
        return ("folder", folder)
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
        return member.worker[1] if member.worker else 0

    groups: list[list[Member]] = []
    for member in sorted(alike, key=lambda one: (moment(one), one.path)):
        if not groups or _number(member) in {_number(other) for other in groups[-1]}:
            groups.append([])
        groups[-1].append(member)
    return groups
