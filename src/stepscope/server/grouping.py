"""Which trace files are the ranks of one job, and which are runs of their own.

Files are ranks of one job when their paths are alike but for the number behind "rank" in the file's or its folder's
name, or when they say so themselves (``distributedInfo`` with one world size and different ranks) and their names are
alike but for numbers. Files as ``tensorboard_trace_handler`` names them (``HOST_PID.TIME.pt.trace.json``) are put
together in order of time: a worker that comes a second time begins another span, which is an entry of its own. Dumps of
the flight recorder that differ in the last number of their names are of one job, and so are all logs of NCCL Inspector
in a folder, which name no rank. Logs of torch.compile end in letters at random: those of a folder that name a rank are
of one job. What another recorder wrote belongs to the job of its folder where that holds only one, or to the last span.
Which folders of runs are of one job, `server.run_folders` decides.
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
from stepscope.server.member import Member, pattern, rank_in_path
from stepscope.server.run_folders import jobs_of_runs
from stepscope.store.spans import HANDLER_NAME

_NUMBER = re.compile(r"\d+")


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
        files = [member for member in by_recorder[recorder] if not member.is_run]
        runs = [member for member in by_recorder[recorder] if member.is_run]
        of_recorder = [Group(tuple(job)) for job in _jobs(files)]
        groups = _beside(groups, of_recorder) if groups else _with_spans(of_recorder)
        groups += _with_spans([Group(tuple(sorted(job, key=_rank_order))) for job in jobs_of_runs(runs)])
    return sorted(groups, key=lambda group: group.ranks[0].path)


def _beside(groups: list[Group], more: list[Group]) -> list[Group]:
    """Put the jobs of another recorder beside those that are known, where their folder holds one of these."""
    of_folder: dict[str, list[int]] = defaultdict(list)
    for at, group in enumerate(groups):
        of_folder[group.ranks[0].folder].append(at)
    found, alone = list(groups), []
    for group in more:
        first = group.ranks[0]
        # A folder of an input pipeline may hold the run that it belongs to.
        inside = of_folder["" if first.path == "." else first.path]
        place = _place(found, inside or of_folder[first.folder])
        if place is None:
            alone.append(group)
        else:
            found[place] = replace(found[place], beside=(*found[place].beside, *group.ranks))
    return found + alone


def _place(groups: list[Group], places: list[int]) -> int | None:
    """Of the groups of a folder the only one, or of spans the last, which the command line shows of that folder."""
    if len(places) == 1:
        return places[0]
    spans = {groups[at].span: at for at in places}
    are_spans = set(spans) == {(number, len(places)) for number in range(1, len(places) + 1)}
    return spans[len(places), len(places)] if places and are_spans else None


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


def _rank_order(member: Member) -> tuple[int, str]:
    number = member.number
    return (-1 if number is None else number, member.path)


def _different_ranks(alike: list[Member]) -> list[list[Member]]:
    """One job if every file is of another rank, by name or as it says; else runs of their own."""
    named = [rank_in_path(member.path) for member in alike]
    numbers = [member.number for member in alike] if None in named else named
    return [alike] if len(set(numbers)) == len(alike) else [[one] for one in alike]


def _in_order_of_time(alike: list[Member]) -> list[list[Member]]:
    def moment(member: Member) -> int:
        return member.worker[1] if member.worker else 0

    groups: list[list[Member]] = []
    for member in sorted(alike, key=lambda one: (moment(one), one.path)):
        if not groups or member.number in {other.number for other in groups[-1]}:
            groups.append([])
        groups[-1].append(member)
    return groups
