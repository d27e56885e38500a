"""Processes that run, as jobs: those that write into one folder are one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from stepscope.capture.agent.live import FOREIGN
from stepscope.capture.live_files import LOST, Process, read
from stepscope.readers.sources import is_below

_STATES = ("recording", "measuring", "waiting", "done", FOREIGN, LOST)
"""A job is in the first of these that one of its processes is in."""

_FORGOTTEN_NS = 24 * 3600 * 10**9
"""What was lost longer ago is not shown."""


@dataclass(frozen=True)
class Job:
    """Processes that record into one folder.

    Attributes:
        id: the folder, relative to the one that is served.
        folder: where it is.
        processes: those that run, and those that ended without saying so while these ran; by rank.
        now_ns: when they were looked at, since 1970.
    """

    id: str
    folder: str
    processes: tuple[Process, ...]
    now_ns: int

    @property
    def state(self) -> str:
        states = {one.state(self.now_ns) for one in self.processes}
        return next((state for state in _STATES if state in states), LOST)

    @property
    def running(self) -> list[Process]:
        return [one for one in self.processes if not one.is_lost(self.now_ns)]

    @property
    def on_demand(self) -> list[Process]:
        """Those that can be asked for a window."""
        return [one for one in self.running if one.said["on_demand"] and one.said["state"] != FOREIGN]


@dataclass(frozen=True)
class Window:
    """Steps that a job recorded.

    Attributes:
        parts: what each process says of it.
        files: their recordings, where they will be.
        is_whole: no process is still at it.
    """

    parts: tuple[dict[str, Any], ...]
    files: tuple[str, ...]
    is_whole: bool


def found_jobs(root: str, files: Iterable[str], now_ns: int) -> list[Job]:
    """The jobs of a folder that is served, the one begun last first.

    Args:
        root: the folder, its links followed.
        files: of running processes, relative to it.
    """
    folders: dict[str, list[Process]] = {}
    for file in files:
        path = os.path.join(root, file)
        process = read(path) if is_below(path, root) else None
        if process is not None and now_ns - process.said["written_ns"] < _FORGOTTEN_NS:
            folders.setdefault(os.path.dirname(os.path.dirname(file)) or ".", []).append(process)
    jobs = [_job(name, root, processes, now_ns) for name, processes in folders.items()]
    return sorted(
        jobs, key=lambda job: (job.state == LOST, -max(one.said["began_ns"] for one in job.processes), job.id)
    )


def _job(name: str, root: str, processes: Sequence[Process], now_ns: int) -> Job:
    """A folder may hold files of jobs before: what was killed before the newest one began is none of it."""
    running = [one for one in processes if not one.is_lost(now_ns)]
    newest = max(processes, key=lambda one: int(one.said["written_ns"]))
    since = min((one.said["began_ns"] for one in running), default=newest.said["began_ns"])
    own = [one for one in processes if one in running or one is newest or one.said["written_ns"] >= since]
    own.sort(key=lambda one: (one.rank is None, one.rank or 0, one.said["host"], one.pid))
    return Job(name, os.path.normpath(os.path.join(root, name)), tuple(own), now_ns)


def windows(job: Job) -> list[Window]:
    """What a job recorded so far: the first window of every process, the second ones, and so on."""
    most = max(len(one.said["windows"]) for one in job.processes)
    return [_window(job, at) for at in range(most)]


def _window(job: Job, at: int) -> Window:
    parts = tuple(one.said["windows"][at] for one in job.processes if len(one.said["windows"]) > at)
    files = tuple(os.path.join(job.folder, part["file"]) for part in parts if part["file"])
    return Window(parts, files, all(len(one.said["windows"]) > at for one in job.running))
