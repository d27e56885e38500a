"""The runs below the folder that is served: what the handlers of every address start from."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from stepscope.answers.run_facts import device_of
from stepscope.errors import NotFound
from stepscope.messages import Message
from stepscope.messages.rendering import in_every_language
from stepscope.server.listing import Lister, Listing, Run, version_of, world_of
from stepscope.server.opening import Opened, Openings, Reading
from stepscope.server.summaries import MOST_BYTES, Known, Summaries, is_read_ahead, ranks_of
from stepscope.server.summary_process import Failure, Summariser, SummaryProcess

_RESCAN_SECONDS = 2.0
_SCAN_SHARE = 20
"""A folder that takes long to look through is looked through less often: for one part of the time in so many."""

_WAIT_SECONDS = 10.0


class Runs:
    """Every run below a folder, as it is now.

    Args:
        root: the folder.
        only: name of the one file in it that is served, or None for all.
        busy: whether somebody waits for what is being computed, so that nothing else should be.
        scheduler: who reads the ranks of a run, as of `ReadOptions`.
        summariser: who makes the summaries of the list; None for a process of low priority.
        reads_ahead: whether runs are read that nobody opened.
    """

    def __init__(
        self,
        root: str,
        only: str | None = None,
        busy: Callable[[], bool] = lambda: False,
        scheduler: str = "",
        summariser: Summariser | None = None,
        reads_ahead: bool = True,
    ) -> None:
        self.root = os.path.realpath(root)
        self.only = only
        self.openings = Openings(self.root, scheduler)
        self._lister = Lister(self.root, only)
        self._lock = threading.Lock()
        self._listing = Listing((), ())
        self._by_id: dict[str, Run] = {}
        self._next_scan = float("-inf")
        self.summaries = Summaries(
            self.root, lambda: busy() or self.openings.busy, summariser or SummaryProcess(self.root), reads_ahead
        )

    def opened(self, run_id: str, wait_seconds: float = _WAIT_SECONDS) -> Opened:
        """A run, open: profile, origin and end. Opens it first where that has not happened yet. Safe in any thread.

        Raises:
            NotFound: there is no such run.
            NotReady: it is still being read after ``wait_seconds``.
            UnreadableInput: it cannot be opened.
        """
        self.reading(run_id)
        return self.openings.opened(self.run(run_id), wait_seconds)

    def reading(self, run_id: str) -> Reading:
        """How far the opening of a run has come; starts it.

        Raises:
            NotFound: there is no such run.
        """
        run = self.run(run_id)
        reading = self.openings.reading(run)
        self.summaries.give_way(run)
        return reading

    def run(self, run_id: str) -> Run:
        """A run by its id; ids are looked up, no path is ever made from one.

        Raises:
            NotFound: there is no such run.
        """
        run = self._by_id.get(run_id)
        if run is None:
            self.listing()
            run = self._by_id.get(run_id)
        if run is None:
            other = run_id in self._listing.other
            found = Message("error-file-no-recording", name=run_id) if other else Message("error-no-such-run")
            raise NotFound(Message("error-cannot-open-run"), found, Message("error-choose-listed"))
        return run

    def by_itself(self, path: str) -> str | None:
        """Id of the run that one file is alone, or None where there is no such run."""
        run_id = os.path.relpath(path, self.root).replace(os.sep, "/")
        return run_id if run_id in self._by_id else None

    def listing(self) -> Listing:
        """The runs, looked for anew every few seconds."""
        with self._lock:
            if time.monotonic() >= self._next_scan:
                started = time.monotonic()
                self._listing = self._lister.listing()
                self._by_id = {run.id: run for run in (*self._listing.beside, *self._listing.runs)}
                ended = time.monotonic()
                self._next_scan = ended + max(_RESCAN_SECONDS, _SCAN_SHARE * (ended - started))
            return self._listing

    def live_files(self) -> tuple[str, ...]:
        """What processes that run say of themselves, relative to the folder; looked for as often as the runs are."""
        self.listing()
        return self._lister.live

    def document(self, first: Sequence[str] = (), reads: bool | None = None) -> tuple[str, bytes]:
        """Version and JSON of the list.

        Args:
            first, reads: as of `Summaries.look`.
        """
        listing = self.listing()
        self.summaries.look(listing.runs, first, reads)
        entries = [self._entry(run) for run in listing.runs]
        notes = list(map(in_every_language, listing.notes))
        body = orjson.dumps({"root": self.root, "background": self.summaries.state, "runs": entries, "notes": notes})
        version = version_of(body)
        return version, b'{"version":' + orjson.dumps(version) + b"," + body[1:]

    def _entry(self, run: Run) -> dict[str, Any]:
        known = self.summaries.of(run) if run.opens else Known()
        state, failure = self._state(run, known)
        summary = known.summary or {}
        return {
            "id": run.id,
            "name": run.name,
            "path": run.path,
            "kind": run.kind,
            "framework": run.framework,
            "device": device_of(run.facts) or summary.get("device"),
            "recorder": run.recorder,
            "snapshot": run.snapshot,
            "ranks": ranks_of(run) if run.opens else None,
            "span": list(run.span) if run.span else None,
            "world_size": world_of(run.facts),
            "created_s": run.created_ns // 1_000_000_000,
            "updated_s": run.updated_ns // 1_000_000_000,
            "size_bytes": run.size,
            "steps": summary.get("steps"),
            "health": summary.get("health"),
            "summary": known.summary,
            "state": state,
            "reason": failure and in_every_language(failure.reason),
            "advice": failure and failure.advice and in_every_language(failure.advice),
            "opens": run.opens and state != "unreadable",
        }

    def _state(self, run: Run, known: Known) -> tuple[str, Failure | None]:
        """How far a run is, and why it cannot be opened, or has no figures."""
        if run.reason is not None:
            return "unreadable", Failure(run.reason, unreadable=True)
        reading, failure = self.openings.known(run.id), known.failure
        if reading is not None and reading.error is not None:
            return "unreadable", Failure.of(reading.error, unreadable=True)
        if known.stored or (reading is not None and reading.opened is not None):
            return "ready", failure
        if reading is not None or known.reading:
            return "reading", None
        if failure is None and not is_read_ahead(run):
            failure = Failure(Message("list-large", most=MOST_BYTES), unreadable=False)
        return "unreadable" if failure and failure.unreadable else "unread", failure
