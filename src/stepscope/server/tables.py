"""The tables of a run, each computed once however many ask for it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass

import polars as pl

from stepscope.analyses import check_request, make_table, table_notes
from stepscope.answers.requests import Choice, TableRequest
from stepscope.server.opening import Opened
from stepscope.server.stored import keep_table, kept_rows, load_table
from stepscope.server.workers import Workers

KEEP_BYTES = 512 << 20
"""Most memory for tables that were computed before."""

Key = tuple[int, str, str, bool, Choice]


@dataclass(frozen=True)
class Made:
    """A table, and what is to be known beside its rows."""

    frame: pl.DataFrame
    notes: list[str]


class Tables:
    """Computes tables of opened runs and keeps them.

    Args:
        workers: the threads that compute.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._lock = threading.Lock()
        self._made: OrderedDict[Key, Future[Made]] = OrderedDict()

    def ask(self, opened: Opened, request: TableRequest) -> Future[Made]:
        """The table of a request, before rows are chosen; of several that ask at once, one computes.

        Raises:
            BadRequest: there is no such table, grouping, rank or step.
        """
        check_request(request.table, request.by, request.source)
        profile = opened.profile.select(request.choice.ranks, request.choice.steps)
        key = (opened.number, request.table, request.by, request.source, request.choice)

        def make() -> Made:
            whole = request.choice.is_whole
            known = load_table(opened.profile, request.table, request.by, request.source) if whole else None
            if known is not None:
                return Made(*known)
            frame = make_table(profile, request.table, request.by, request.source)
            made = Made(frame, table_notes(profile, request.table, frame))
            if whole:
                keep_table(opened.profile, request.table, request.by, request.source, made.frame, made.notes)
            return made

        with self._lock:
            future = self._made.get(key)
            if future is None or (future.done() and future.exception() is not None):
                future = self._made[key] = self._workers.submit(make)
            self._made.move_to_end(key)
            self._forget_oldest()
        return future

    def rows(self, opened: Opened, table: str) -> int | None:
        """Rows of a table of the whole run, if it was computed, now or earlier."""
        future = self._made.get((opened.number, table, "", False, Choice()))
        if future is None or not future.done() or future.exception() is not None:
            return kept_rows(opened.profile, table)
        return len(future.result().frame)

    def _forget_oldest(self) -> None:
        done = [(key, one.result()) for key, one in self._made.items() if one.done() and one.exception() is None]
        held = sum(made.frame.estimated_size() for _, made in done)
        while held > KEEP_BYTES and len(done) > 1:
            key, made = done.pop(0)
            held -= made.frame.estimated_size()
            del self._made[key]
