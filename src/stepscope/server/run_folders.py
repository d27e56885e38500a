"""Which folders of runs, each of one process, are the ranks of one job.

Those that lie in one folder are of one job where each is of another rank, as `stepscope report` of that folder reads
them. Else several jobs wrote there, or a rank is not known: ranks of a job begin together, because their steps wait for
each other, and each comes once.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from stepscope.server.member import Member, pattern

_TOGETHER = timedelta(minutes=1)
"""Clocks of machines differ less, and a job that follows another one takes longer to get to its steps."""

_DIGITS = re.compile(r"(\d+)")


def jobs_of_runs(runs: Sequence[Member]) -> list[list[Member]]:
    """Folders of runs by job."""
    alike: dict[str, list[Member]] = defaultdict(list)
    for run in runs:
        alike[pattern(run.folder)].append(run)
    return [job for several in alike.values() for job in _jobs(several)]


def shared_name(paths: Sequence[str]) -> str:
    """What paths have in common, with a star for what differs in a number.

    >>> shared_name(["out/node_900_20260101_ascend_pt", "out/node_901_20260101_ascend_pt"])
    'out/node_90*_20260101_ascend_pt'
    """
    parts = [_DIGITS.split(path) for path in paths]
    words = {tuple(part[::2]) for part in parts}
    if len(words) > 1:
        return _starred(paths)
    return "".join(map(_starred, zip(*parts, strict=True)))


def _starred(texts: Sequence[str]) -> str:
    """Their common beginning and end, and a star for what is between these."""
    if len(set(texts)) == 1:
        return texts[0]
    begin = _common(texts)
    end = _common([text[len(begin) :][::-1] for text in texts])[::-1]
    return f"{begin}*{end}"


def _common(texts: Sequence[str]) -> str:
    pairs = zip(min(texts), max(texts), strict=False)
    return "".join(first for first, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _jobs(runs: list[Member]) -> list[list[Member]]:
    numbers = [run.number for run in runs]
    if None not in numbers and len(set(numbers)) == len(runs) and len({run.world for run in runs if run.world}) <= 1:
        return [runs]
    jobs: list[list[Member]] = []
    for run in sorted(runs, key=lambda one: (one.worker[1] if one.worker else 0, one.path)):
        if jobs and _belongs(run, jobs[-1]):
            jobs[-1].append(run)
        else:
            jobs.append([run])
    return jobs


def _belongs(run: Member, job: list[Member]) -> bool:
    """Whether a run may be a further rank of a job that began before it."""
    begins = _begin(job[0]), _begin(run)
    if begins[0] is None or begins[1] is None or begins[1] - begins[0] > _TOGETHER:
        return False
    worlds = {one.world for one in (*job, run) if one.world}
    is_new = run.number is None or run.number not in {one.number for one in job}
    workers = {one.worker[0] for one in job if one.worker}
    return len(worlds) <= 1 and is_new and (run.worker is None or run.worker[0] not in workers)


def _begin(run: Member) -> datetime | None:
    """When its recording began, as its name says; None where it does not."""
    try:
        return datetime.strptime(str(run.worker[1])[:14], "%Y%m%d%H%M%S") if run.worker else None  # noqa: DTZ007
    except ValueError:
        return None
