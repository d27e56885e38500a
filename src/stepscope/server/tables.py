"""The tables and verdicts of opened runs, each computed once however many ask for it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TypeVar

import polars as pl

from stepscope.analyses import check_request
from stepscope.analyses.area import in_area
from stepscope.analyses.memory.blocks_then import blocks_then
from stepscope.analyses.memory.moments import TABLES_IN_PART, within
from stepscope.answers.requests import Choice, TableRequest
from stepscope.errors import BadRequest
from stepscope.findings.job_figures import JobFigures
from stepscope.findings.kept_tables import Made, kept_rows, made_figures, made_sentences, made_table, made_verdicts
from stepscope.findings.verdict import Verdict
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.server.opening import Opened
from stepscope.server.shared_work import SharedWork, Waiting
from stepscope.server.table_threads import Workers
from stepscope.store.profile import Profile

_Result = TypeVar("_Result")

_SELECTIONS = 4
"""Selections of steps or ranks that are kept: their tables share what was computed of them."""


class Tables:
    """Computes what is asked of opened runs and keeps it.

    Args:
        workers: the threads that compute.
    """

    def __init__(self, workers: Workers) -> None:
        self._work = SharedWork(workers)
        self._lock = threading.Lock()
        self._selected: OrderedDict[tuple[int, Choice, bool], Profile] = OrderedDict()

    def ask(self, opened: Opened, request: TableRequest, base: Opened | None = None) -> Waiting[Made]:
        """The table of a request, before rows are chosen.

        Args:
            base: the run to compare with.

        Raises:
            BadRequest: there is no such table, grouping, rank or step, it does not show a part of a history, or it
                compares nothing.
        """
        check_request(request.table, request.by, request.source, base=base is not None, named=bool(request.name))
        _check_other(request, base)
        profile = replace(self.profile(opened, request.choice, TABLES[request.table].area), named=request.name)
        if base is not None:
            profile = replace(profile, base=base.profile)
        return self._work.ask(
            (*_key(opened, request), None if base is None else base.number),
            lambda: _table(profile, request),
            lambda made: made.frame.estimated_size(),
        )

    def ask_verdicts(self, opened: Opened, choice: Choice) -> Waiting[tuple[Verdict, ...]]:
        """The verdict on each rank.

        Raises:
            BadRequest: there is no such rank or step.
        """
        profile = self.profile(opened, choice)
        request = TableRequest("utilization", choice=choice)

        def utilization() -> pl.DataFrame:
            return (self._work.done((*_key(opened, request), None)) or _table(profile, request)).frame

        return self._work.ask((opened.number, "verdicts", choice), lambda: made_verdicts(profile, utilization))

    def ask_job(self, opened: Opened, choice: Choice) -> Waiting[tuple[tuple[Message, ...], JobFigures | None]]:
        """What all ranks say together of the steps chosen, in sentences and in figures.

        Raises:
            BadRequest: there is no such step.
        """
        of_all = Choice(steps=choice.steps)
        profile = self.profile(opened, of_all)
        return self._work.ask((opened.number, "job", of_all), lambda: (made_sentences(profile), made_figures(profile)))

    def ask_other(
        self, opened: Opened, choice: Choice, what: Hashable, make: Callable[[Profile], _Result]
    ) -> Waiting[_Result]:
        """Something else about the ranks and steps chosen, by what it is.

        Raises:
            BadRequest: there is no such rank or step.
        """
        profile = self.profile(opened, choice)
        return self._work.ask((opened.number, what, choice), lambda: make(profile))

    def rows(self, opened: Opened, table: str) -> int | None:
        """Rows of a table of the whole run, if it was computed, now or earlier."""
        made: Made | None = self._work.done((*_key(opened, TableRequest(table)), None))
        return len(made.frame) if made else kept_rows(opened.profile, table)

    def profile(self, opened: Opened, choice: Choice, area: bool = False) -> Profile:
        """The profile, limited to what was chosen; the last few selections stay, with what they remember.

        Args:
            area: a part of the time is one of the trace, and not of the history of a memory snapshot.

        Raises:
            BadRequest: there is no such rank or step, or no history to take a part of.
        """
        if choice.is_whole:
            return opened.profile
        key = (opened.number, choice, area)
        with self._lock:
            profile = self._selected.get(key) or _selected(opened, choice, area)
            self._selected[key] = profile
            self._selected.move_to_end(key)
            while len(self._selected) > _SELECTIONS:
                self._selected.popitem(last=False)
        return profile


def _selected(opened: Opened, choice: Choice, area: bool) -> Profile:
    profile = opened.profile.select(choice.ranks, choice.steps)
    if choice.moments is None:
        return profile
    if area:
        return in_area(profile, *choice.moments)
    begin, end = (at + opened.clock.origin(profile.ranks[0].number) for at in choice.moments)
    return within(profile, begin, end)


def _check_other(request: TableRequest, base: Opened | None) -> None:
    """Refuse a part of a table that shows none, and a recording that no command names."""
    tried = Message("error-cannot-answer")
    in_part = TABLES[request.table].area or request.table in TABLES_IN_PART
    if request.choice.moments is not None and not in_part:
        found = Message("error-part-not-of-table", table=request.table)
        raise BadRequest(tried, found, Message("error-part-tables", tables=list(TABLES_IN_PART)))
    if request.event is not None and request.table != "memory_blocks":
        raise BadRequest(tried, Message("error-entry-not-of-table", table=request.table), Message("error-entry-table"))
    if base is not None and len(base.run.paths) > 1:
        raise BadRequest(tried, Message("error-base-of-files", name=base.run.id), Message("error-base-own-folder"))


def _key(opened: Opened, request: TableRequest) -> tuple[int, str, str, bool, Choice, int | None, str]:
    return opened.number, request.table, request.by, request.source, request.choice, request.event, request.name


def _table(profile: Profile, request: TableRequest) -> Made:
    if request.event is not None:
        return Made(*blocks_then(profile, request.event))
    return made_table(profile, request.table, request.by, request.source)
