"""What the list says of a run that was read before: steps and health, kept on disk with its stored trace."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import polars as pl

from stepscope.analyses import make_table
from stepscope.analyses.recording.check import NOT_RECORDED
from stepscope.errors import StepscopeError
from stepscope.readers.sources import Fingerprint, Source
from stepscope.server.listing import Run
from stepscope.server.opening import paths_within
from stepscope.server.table_threads import Workers
from stepscope.store import cache
from stepscope.store.kept_results import keep, load, run_path
from stepscope.store.opening import open_profile
from stepscope.store.profile import Profile
from stepscope.store.trace import Trace

_PAUSE_SECONDS = 0.2
_STATUSES = ("ok", "warning", "error")


@dataclass(frozen=True)
class Summary:
    """Steps of a run (of the rank with most), and its worst finding of health; options that were off are none."""

    steps: int
    health: str


class Summaries:
    """Summaries of the runs whose traces are stored.

    They are computed one after another, never more than half of the time, and not while somebody waits for a page.

    Args:
        root: folder that every file has to lie in.
        busy: whether somebody waits for what is being computed.
    """

    def __init__(self, root: str, busy: Callable[[], bool]) -> None:
        self._root = root
        self._busy = busy
        self._workers = Workers(1, "summaries")
        self._lock = threading.Lock()
        self._known: dict[Path, Summary | None] = {}

    def of(self, run: Run) -> tuple[bool, Summary | None]:
        """Whether the run's traces are stored, and its summary if that is known; else it will be soon."""
        folders = stored_folders(run)
        if not folders:
            return False, None
        path = run_path(folders, "summary of the run")
        with self._lock:
            if path in self._known:
                return True, self._known[path]
            self._known[path] = _loaded(path)
            if self._known[path] is None:
                self._workers.submit(lambda: self._make(path, run))
            return True, self._known[path]

    def _make(self, path: Path, run: Run) -> None:
        while self._busy():
            time.sleep(_PAUSE_SECONDS)
        started = time.monotonic()
        try:
            summary = summary_of(open_profile(paths_within(run, self._root)))
        except StepscopeError:
            return  # it changed or went; the next list says so
        keep(path, {"steps": summary.steps, "trust": summary.health})
        with self._lock:
            self._known[path] = summary
        time.sleep(min(5.0, time.monotonic() - started))


def summary_of(profile: Profile) -> Summary:
    """Steps and health of a profile."""
    checks = make_table(profile, "health").filter(pl.col("value") != NOT_RECORDED.encoded())
    worst = max((_STATUSES.index(status) for status in checks["status"]), default=0)
    return Summary(max(len(rank.all_steps.ranges) for rank in profile.ranks), _STATUSES[worst])


@lru_cache(maxsize=100_000)
def _entry_folder(path: str, size: int, mtime_ns: int) -> Path:
    """Where a version of a file is stored, if it is."""
    source = Source(path)
    if source.is_folder:
        return cache.entry_folder(source.fingerprint())
    return cache.entry_folder(Fingerprint(os.path.realpath(path), size, str(mtime_ns)))


def stored_folders(run: Run) -> list[Path]:
    """Folders of the run's traces in the cache; none unless all of them are there."""
    folders = [_entry_folder(path, *stamp) for path, stamp in zip(run.files, run.stamps, strict=True)]
    return folders if all((folder / "meta.json").is_file() for folder in folders) else []


def ranks_of(run: Run) -> int | None:
    """How many ranks a run has; None where files of it may hold several and are not read yet."""
    if not run.holds_several:
        return run.ranks
    try:
        return sum(map(_stored_ranks, stored_folders(run)[: run.ranks])) or None
    except OSError:  # it was deleted meanwhile
        return None


@lru_cache(maxsize=100_000)
def _stored_ranks(folder: Path) -> int:
    """Ranks that a store holds; a recording that does not tell processes apart is one."""
    return sum(one.is_rank for one in Trace(folder, 0).processes) or 1


def _loaded(path: Path) -> Summary | None:
    kept = load(path)
    if kept is None:
        return None
    steps, health = kept[0].get("steps"), kept[0].get("trust")
    return Summary(steps, health) if isinstance(steps, int) and health in _STATUSES else None
