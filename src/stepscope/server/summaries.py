"""What the list says of each run, read in the background and kept on disk with its stored traces."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from stepscope.errors import StepscopeError
from stepscope.messages import Message
from stepscope.messages.device_words import speaking_of_npus
from stepscope.messages.rendering import in_every_language
from stepscope.proving.experience import versions
from stepscope.readers.finding import source_of
from stepscope.readers.sources import Fingerprint
from stepscope.server.listing import Run
from stepscope.server.opening import paths_within
from stepscope.server.summary_process import Failure, Outcome, Summariser
from stepscope.server.table_threads import Workers
from stepscope.store import cache
from stepscope.store.kept_results import keep, load_head, run_path
from stepscope.store.trace import Trace

MOST_BYTES = 1 << 30
"""Larger runs are read when they are opened: nobody waits minutes for a line of a list."""

_PAUSE_SECONDS = 0.2
_LOOKING_SECONDS = 15.0
"""Somebody who looks at the list asks for it every few seconds; unread runs are read only for them."""

_ROOM_SECONDS = 60.0
_CACHE_SHARE = 2
"""Runs that nobody opened fill one part of the cache in so many: those that were opened stay there."""

ON, OFF, FULL, NOT_KEPT = "on", "off", "full", "not kept"
"""Whether unread runs are read in the background: not if that was switched off, the cache has little room, or nothing
could be kept."""


@dataclass(frozen=True)
class Known:
    """What is known of a run.

    Attributes:
        stored: whether its traces are.
        summary: as of `findings.run_summary`, its messages in every language; None while there is none.
        failure: why there will be none.
        reading: whether it is being read in the background.
    """

    stored: bool = False
    summary: dict[str, Any] | None = None
    failure: Failure | None = None
    reading: bool = False


class Summaries:
    """Summaries of runs, made one after another by a process of low priority, and not while somebody waits for a page.

    Runs that are stored come first, since they take moments. Others are read as well, while somebody looks at the list:
    first those in sight.

    Args:
        root: folder that every file has to lie in.
        busy: whether somebody waits for what is being read or computed.
        maker: makes them.
        reads: whether runs are read that nobody opened.
    """

    def __init__(self, root: str, busy: Callable[[], bool], maker: Summariser, reads: bool = True) -> None:
        self._root = root
        self._busy = busy
        self._maker = maker
        self._reads = reads
        self._workers = Workers(1, "summaries")
        self._lock = threading.Lock()
        self._known: dict[Path, dict[str, Any] | None] = {}
        self._failed: dict[str, tuple[object, Failure]] = {}
        self._order: tuple[Run, ...] = ()
        self._first: tuple[str, ...] = ()
        self._looked = float("-inf")
        self._room = (float("-inf"), True)
        self._under_way: Run | None = None
        self._working = self._stopping = False
        self._what = ""

    def look(self, runs: Sequence[Run], first: Sequence[str] = (), reads: bool | None = None) -> None:
        """The list is being looked at: make what is missing.

        Args:
            first: ids of the unread runs that are in sight, uppermost first.
            reads: whether unread runs shall be read; None where whoever looks does not say.
        """
        ledgers = versions([path for run in runs for path in run.paths], self._root)
        with self._lock:
            self._order = tuple(runs)
            self._what = f"summary of the run {ledgers}"
            if reads is not None:
                self._first, self._looked = tuple(first), time.monotonic() if reads else float("-inf")
            if self._working or self._stopping:
                return
            self._working = True
        self._workers.submit(self._work)

    def of(self, run: Run) -> Known:
        """What is known of a run."""
        folders = stored_folders(run)
        summary = self._summary(run_path(folders, self._what)) if folders else None
        with self._lock:
            stamp, failure = self._failed.get(run.id, (None, None))
            reading = self._under_way is not None and self._under_way.id == run.id and not folders
        return Known(bool(folders), summary, failure if stamp == run.stamps else None, reading)

    @property
    def state(self) -> str:
        """Whether unread runs are read: `ON`, `OFF`, `FULL` or `NOT_KEPT`."""
        if not self._reads:
            return OFF
        if not cache.is_writable():
            return NOT_KEPT
        return ON if self._has_room() else FULL

    def give_way(self, run: Run) -> None:
        """Somebody opens a run: it is not read a second time beside that."""
        with self._lock:
            same = self._under_way is not None and self._under_way.id == run.id
        if same:
            self._maker.interrupt()

    def stop(self) -> None:
        """End what is under way; nothing half-read is left."""
        self._stopping = True
        self._maker.interrupt()

    def _work(self) -> None:
        """Make one summary after another until there is nothing to do."""
        try:
            while (run := self._next()) is not None:
                while self._busy() and not self._stopping:
                    time.sleep(_PAUSE_SECONDS)
                if not self._stopping:
                    self._make(run)
                with self._lock:
                    self._under_way = None
        finally:
            with self._lock:
                self._working, self._under_way = False, None
            self._maker.rest()

    def _next(self) -> Run | None:
        """The run whose turn it is; None where all is done that shall be."""
        reads = time.monotonic() - self._looked < _LOOKING_SECONDS and self.state == ON
        with self._lock:
            order, first = self._order, self._first
        for run in _by_turn(order, first):
            known = self.of(run) if run.opens else Known(failure=Failure(Message("reader-cannot"), unreadable=True))
            if known.summary is None and known.failure is None and (known.stored or (reads and is_read_ahead(run))):
                with self._lock:
                    self._under_way = None if self._stopping else run
                return self._under_way
        return None

    def _make(self, run: Run) -> None:
        outcome: Outcome | None
        try:
            outcome = self._maker.summary(tuple(paths_within(run, self._root)))
        except StepscopeError as error:  # it leads out of the folder by now, or is gone
            outcome = Failure.of(error, unreadable=True)
        folders = stored_folders(run)
        if isinstance(outcome, Failure) or (outcome is not None and not folders):
            missing = Failure(Message("list-changed"), unreadable=False)
            failure = outcome if isinstance(outcome, Failure) else missing
            with self._lock:
                self._failed[run.id] = (run.stamps, failure)
        elif outcome is not None:
            path = run_path(folders, self._what)
            keep(path, {"summary": outcome})
            with self._lock:
                self._known[path] = _in_words(outcome)

    def _summary(self, path: Path) -> dict[str, Any] | None:
        with self._lock:
            if path not in self._known:
                self._known[path] = _loaded(path)
            return self._known[path]

    def _has_room(self) -> bool:
        """Whether the cache has room for runs that nobody opened; looked up once a minute."""
        looked, room = self._room
        if time.monotonic() - looked > _ROOM_SECONDS:
            held = sum(entry.size_bytes for entry in cache.entries())
            room = held * _CACHE_SHARE < cache.cache_limit()
            self._room = (time.monotonic(), room)
        return room


def is_read_ahead(run: Run) -> bool:
    """Whether a run is read before somebody opens it: not a very large one."""
    return run.size <= MOST_BYTES


def _by_turn(runs: Sequence[Run], first: Sequence[str]) -> Iterator[Run]:
    """Runs in the order in which they have their turn: those in sight, those that are stored, the others."""
    by_id = {run.id: run for run in runs}
    yield from (by_id[one] for one in first if one in by_id)
    yield from (run for run in runs if stored_folders(run))
    yield from runs


@lru_cache(maxsize=100_000)
def _entry_folder(path: str, size: int, mtime_ns: int) -> Path:
    """Where a version of a file is stored, if it is."""
    source = source_of(path)
    if source.is_folder or source.companions:
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


def _loaded(path: Path) -> dict[str, Any] | None:
    head = load_head(path)
    summary = head.get("summary") if head else None
    return _in_words(summary) if isinstance(summary, dict) else None


def _in_words(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary with the words of its messages."""
    headline, saving = summary["headline"], summary["saving"]
    with speaking_of_npus(bool(summary.get("npus"))):
        return {
            **summary,
            "headline": headline and in_every_language(Message.of_json(headline)),
            "saving": saving and {**saving, "title": in_every_language(Message.of_json(saving["title"]))},
        }
