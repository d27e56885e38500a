"""Checks of several ranks together: are they all there, of one run, and of the same steps?

They speak of every rank that was opened, whatever was selected of them, and stand in rows without a rank.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import polars as pl

from stepscope.analyses.hangs.records import is_flight_recorder
from stepscope.analyses.recording.check import OK, WARNING, Check, counted
from stepscope.analyses.recording.matched_collectives import common_clock, matched_collectives
from stepscope.analyses.recording.recording_checks import (
    graph_captures,
    recordings_beside,
    recordings_joined,
    several_processes,
    spans_shown,
)
from stepscope.messages import Message
from stepscope.store.memo import per_rank_on_disk
from stepscope.store.profile import FROM_ORDER, FROM_PROCESS, Profile, Rank, as_ranges, time_base
from stepscope.store.step_detection import PROFILER

FAR_NS = 60 * 10**9
"""Ranks of one run are recorded within a minute of each other; clocks of hosts are off by less, too."""

_NAMED = 5
"""So many files or kinds are named, the others counted."""

_VERSIONS = {
    "nccl_version": "NCCL",
    "torch_version": "PyTorch",
    "pytorch_version": "PyTorch",
    "cuda_runtime_version": "CUDA",
    "hip_runtime_version": "HIP",
}


def across(profile: Profile) -> list[Check]:
    """Every check that does not belong to a rank."""
    made = (skipped_files, spans_shown, several_processes, recordings_joined, recordings_beside, graph_captures)
    checks = [check(profile) for check in made]
    if len(profile.everyone.ranks) > 1:
        checks += [rank_numbers(profile), one_run(profile), same_steps(profile)]
        checks += [matched_collectives(profile), common_clock(profile)]
    return [check for check in [*checks, missing_ranks(profile)] if check is not None]


def skipped_files(profile: Profile) -> Check | None:
    """Files that were found and not read, or that lost against another file of their rank.

    A whole JSON file of another kind, as the settings of a run, takes nothing from what was recorded.
    """
    if not profile.skipped:
        return None
    harmless = all(isinstance(one.reason, Message) and one.reason.id == "reader-other-json" for one in profile.skipped)
    status = OK if harmless else WARNING
    files = [
        Message("check-skipped-file", file=skipped.path.rsplit("/", 1)[-1], reason=skipped.reason)
        for skipped in profile.skipped
    ]
    return Check("skipped_files", status, counted(len(files)), Message("check-skipped", files=_some(files)))


def rank_numbers(profile: Profile) -> Check:
    """Whether the files say which ranks they are."""
    ranks = profile.everyone.ranks
    origins = {rank.origin for rank in ranks} & {FROM_ORDER, FROM_PROCESS}
    guessed = [f"{rank.source.rsplit('/', 1)[-1]} ({rank.number})" for rank in ranks if rank.origin in origins]
    if not guessed:
        return Check("rank_numbers", OK, Message("check-ranks", ranks=len(ranks)), Message("check-ranks-named"))
    value = Message("check-ranks-guessed", guessed=len(guessed), ranks=len(ranks))
    if origins == {FROM_PROCESS}:
        return Check("rank_numbers", WARNING, value, Message("check-ranks-by-process"))
    return Check("rank_numbers", WARNING, value, Message("check-ranks-guessed-detail", files=_some(guessed)))


def missing_ranks(profile: Profile) -> Check | None:
    """Ranks of the job without a file. One rank alone is a choice; gaps between several may be an accident."""
    size = world_size(profile)
    if size is None or size <= len(profile.everyone.ranks):
        return None
    several = len(profile.everyone.ranks) > 1
    missing = _gaps([rank.number for rank in profile.everyone.ranks], size)
    detail = Message("check-ranks-more")
    if missing:
        dumps = all(map(is_flight_recorder, profile.everyone.ranks))
        count = size - len(profile.everyone.ranks)
        detail = Message("check-ranks-missing", missing=missing, count=count, dumps=dumps)
    value = Message("check-of", part=len(profile.everyone.ranks), whole=size)
    return Check("ranks", WARNING if several else OK, value, detail)


def one_run(profile: Profile) -> Check:
    """Whether the files look like one run: the job's size, versions, and when they were recorded."""
    ranks = profile.everyone.ranks
    sizes = _differing({rank.number: _world_size(rank) for rank in ranks})
    found = [Message("check-run-sizes", kinds=sizes)] if sizes else []
    for key, named in _VERSIONS.items():
        values = {rank.number: _distributed(rank).get(key) or rank.trace.head.get(key) for rank in ranks}
        kinds = _differing(values)
        found += [Message("check-run-versions", software=named, kinds=kinds)] if kinds else []
    found += _beyond(ranks)
    other_runs = bool(found)
    found += _apart(ranks, bool(found))
    if not found:
        return Check("one_run", OK, Message("check-yes"), Message("check-run-one"))
    detail = Message("check-run-doubtful-detail", found=found, certain=other_runs)
    return Check("one_run", WARNING, Message("check-run-doubtful"), detail)


def _beyond(ranks: tuple[Rank, ...]) -> list[Message]:
    """Ranks whose number no job of the recorded size has."""
    sizes = [size for size in map(_world_size, ranks) if size is not None]
    beyond = [rank.number for rank in ranks if sizes and rank.number >= max(sizes)]
    return [Message("check-run-beyond", size=max(sizes), ranks=as_ranges(beyond), count=len(beyond))] if beyond else []


def same_steps(profile: Profile) -> Check:
    """Whether all ranks recorded the same steps."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for rank in profile.everyone.ranks:
        numbers = recorded_steps(rank)["step"].to_list()
        kinds[as_ranges(numbers) if numbers else ""].append(rank.number)
    most, *others = sorted(kinds.items(), key=lambda kind: (-len(kind[1]), kind[1]))
    if not others and not most[0]:
        return _as_many_steps(profile)
    if not others:
        return Check("same_steps", OK, Message("check-steps-are", steps=most[0] or None), Message("check-steps-same"))
    differ = [
        Message("check-steps-of-rank", ranks=as_ranges(numbers), count=len(numbers), steps=steps or None)
        for steps, numbers in others
    ]
    whole = len(profile.everyone.ranks)
    return Check(
        "same_steps",
        WARNING,
        Message("check-steps-differ", differing=whole - len(most[1]), ranks=whole),
        Message("check-steps-differ-detail", steps=most[0] or None, others=_some(differ)),
    )


def _as_many_steps(profile: Profile) -> Check:
    """Of ranks without numbered steps only how many there are can be compared."""
    counts: dict[int, list[int]] = defaultdict(list)
    for rank in profile.everyone.ranks:
        counts[rank.step_count].append(rank.number)
    if len(counts) == 1:
        return Check(
            "same_steps", OK, Message("check-steps-are", steps=None), Message("check-steps-as-many", count=min(counts))
        )
    ordered = sorted(counts.items(), key=lambda one: (-len(one[1]), one[1]))
    differing, whole = sum(len(ranks) for _, ranks in ordered[1:]), len(profile.everyone.ranks)
    each = [
        Message("check-steps-count-of", count=count, ranks=as_ranges(ranks), several=len(ranks) > 1)
        for count, ranks in ordered
    ]
    value = Message("check-steps-differ", differing=differing, ranks=whole)
    return Check("same_steps", WARNING, value, Message("check-steps-counts", counts=_some(each)))


@per_rank_on_disk
def recorded_steps(rank: Rank) -> pl.DataFrame:
    """Numbers of a rank's recorded steps, whatever is selected, in ``step``; none where they are not numbered."""
    found = rank.all_steps
    return found.ranges.select("step") if found.source == PROFILER else found.ranges.select("step").clear()


def _gaps(numbers: list[int], size: int) -> list[Message | str]:
    """The ranks below a size that are missing; the size may be any number that a file says.

    >>> _gaps([0, 3, 4], 8), _gaps([1], 10**12)
    (['1-2', '5-7'], ['0', '2-999999999999'])
    """
    around = [-1, *sorted(number for number in set(numbers) if number < size), size]
    gaps = [(before + 1, after - 1) for before, after in pairwise(around) if after - before > 1]
    return _some([str(first) if first == last else f"{first}-{last}" for first, last in gaps])


def _some(found: Sequence[Message | str]) -> list[Message | str]:
    """The first few, and how many more there are."""
    more = [Message("check-more", count=len(found) - _NAMED)] if len(found) > _NAMED else []
    return [*found[:_NAMED], *more]


def _distributed(rank: Rank) -> dict[str, Any]:
    found = rank.trace.head.get("distributedInfo")
    return found if isinstance(found, dict) else {}


def world_size(profile: Profile) -> int | None:
    """How many ranks the job has, as far as its recordings say."""
    return max((size for size in map(_world_size, profile.everyone.ranks) if size is not None), default=None)


def _world_size(rank: Rank) -> int | None:
    size = _distributed(rank).get("world_size")
    return size if isinstance(size, int) and not isinstance(size, bool) else None


def _differing(values: Mapping[int, Hashable]) -> list[Message | str]:
    """How the ranks that say something differ in it; empty where they agree."""
    kinds: dict[Hashable, list[int]] = defaultdict(list)
    for number, value in values.items():
        if value is not None:
            kinds[value].append(number)
    if len(kinds) < 2:
        return []
    ordered = sorted(kinds.items(), key=lambda kind: (-len(kind[1]), kind[1]))
    return _some(
        [
            Message("check-run-kind", value=str(value), ranks=as_ranges(numbers), count=len(numbers))
            for value, numbers in ordered
        ]
    )


def _apart(ranks: Iterable[Rank], doubtful: bool) -> list[Message]:
    """Ranks that were recorded after others had ended; a short time after only where something else is doubtful."""
    spans = sorted((*_when(rank), rank.number) for rank in ranks if rank.span != (0, 0))
    latest, groups, gaps = None, [], []
    for start, end, number in spans:
        if latest is None or start > latest:
            groups.append([number])
            gaps.append(0 if latest is None else start - latest)
        else:
            groups[-1].append(number)
        latest = end if latest is None else max(latest, end)
    doubtful = doubtful or (len(groups) > 1 and _grouped_differently(list(ranks)))
    return [
        _far(after, before, gap)
        for (before, after), gap in zip(pairwise(groups), gaps[1:], strict=True)
        if gap >= FAR_NS or doubtful
    ][:_NAMED]


def _far(later: list[int], earlier: list[int], gap_ns: int) -> Message:
    counts = {"later_count": len(later), "earlier_count": len(earlier)}
    return Message("check-run-apart", later=as_ranges(later), earlier=as_ranges(earlier), gap_ns=gap_ns, **counts)


def _when(rank: Rank) -> tuple[int, int]:
    """When the rank was recorded, in ns since the epoch as far as the file says what its times count from."""
    base = time_base(rank.trace)
    return base + rank.span[0], base + rank.span[1]


def _grouped_differently(ranks: list[Rank]) -> bool:
    """Whether some rank has a process group of which another member knows nothing."""
    distinct: dict[tuple[int, ...], int] = {}
    groups: dict[int, set[int]] = {}
    for rank in ranks:
        listed = _distributed(rank).get("pg_config")
        if isinstance(listed, list) and listed:
            members = [tuple(one.get("ranks") or ()) for one in listed if isinstance(one, dict)]
            groups[rank.number] = {distinct.setdefault(group, len(distinct)) for group in members}
    return any(
        member in groups and number not in groups[member] for group, number in distinct.items() for member in group
    )
