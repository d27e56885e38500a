"""Having other processes compute what is kept on disk of many ranks, where none did when they were read."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from stepscope.store import cache
from stepscope.store.options import After
from stepscope.store.profile import Profile, Rank
from stepscope.store.task_queue import NoWorkers, work_through
from stepscope.store.trace import Trace
from stepscope.store.worker_pools import crew_for

_SECONDS_A_RESULT, _SECONDS_AN_EVENT = 0.02, 2e-6
"""About what one result of a rank takes on one core."""


@dataclass(frozen=True)
class _Stored:
    """A rank without its events, and what is to be prepared of it."""

    number: int
    folder: Path
    source: str
    origin: str
    after: After


def prepare_ranks(
    profile: Profile,
    files: Sequence[Callable[[Rank], Path]],
    after: After,
    step: Callable[[], None] = lambda: None,
) -> None:
    """Have what is missing of the kept results of some ranks computed in other processes, if that is quicker.

    What is missing afterwards, because it was not worth it or went wrong, is computed where it is asked for.

    Args:
        files: where each result of a rank is kept.
        after: computes and keeps them of a rank; picklable.
        step: called whenever a rank is over.
    """
    missing = [rank for rank in profile.ranks if not all(file(rank).is_file() for file in files)]
    if not missing or not os.access(missing[0].trace.folder, os.W_OK):
        return
    events = sum(rank.trace.events for rank in missing)
    seconds = len(files) * (_SECONDS_A_RESULT * len(missing) + _SECONDS_AN_EVENT * events)
    crew = crew_for(len(missing), seconds, profile.scheduler)
    if crew is None:
        return
    tasks = [_Stored(rank.number, rank.trace.folder.absolute(), rank.source, rank.origin, after) for rank in missing]
    try:
        with closing(work_through(crew, prepare_stored, tasks)) as results:
            for _ in results:
                step()
    except NoWorkers:
        return


def prepare_stored(task: _Stored) -> None:
    """Prepare a rank in a process that does nothing else."""
    if cache.is_sound(task.folder):
        task.after(Rank.of_trace(task.number, Trace(task.folder), task.source, task.origin))
