"""Reading and summarising one run after another in a process of low priority."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from stepscope.errors import StepscopeError
from stepscope.findings.run_summary import run_summary
from stepscope.messages import Message
from stepscope.proving.experience import with_experience
from stepscope.server.errors import reason_of
from stepscope.store.cache import drop_unfinished, usable_root
from stepscope.store.opening import open_profile
from stepscope.store.options import ReadOptions
from stepscope.store.processes import Processes

_LEAST_PRIORITY = 19


@dataclass(frozen=True)
class Failure:
    """Why there is no summary.

    Attributes:
        reason: in a few words.
        unreadable: whether the run cannot be opened at all.
        advice: what to do about it.
    """

    reason: Message | str
    unreadable: bool
    advice: Message | str | None = None

    @staticmethod
    def of(error: StepscopeError, unreadable: bool) -> Failure:
        """What an error says."""
        return Failure(error.found, unreadable, error.advice)


Outcome = dict[str, Any] | Failure
"""A summary as of `findings.run_summary`, or why there is none."""


class Summariser(Protocol):
    """Makes summaries, one at a time."""

    def summary(self, paths: tuple[str, ...]) -> Outcome | None:
        """The summary of what is opened by some paths; None where it was interrupted. Blocks."""

    def interrupt(self) -> None:
        """End what is under way, whatever it has come to. Safe in any thread."""

    def rest(self) -> None:
        """Nothing is to be done for now."""


class SummaryProcess:
    """Makes summaries in a process that any other goes before.

    What a hostile file does to its reader, or a large one to the memory, happens there and not in the server.

    Args:
        root: folder that ledgers of predictions have to lie in; None for any.
    """

    def __init__(self, root: str | None = None) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._crew = Processes(1)

    def summary(self, paths: tuple[str, ...]) -> Outcome | None:
        """As of `Summariser`."""
        with self._lock:
            crew = self._crew
            try:
                future = crew.submit(partial(summary_at_leisure, root=self._root), paths)
            except OSError as error:
                return Failure(_reason(error), unreadable=False)
        _await(future)
        with self._lock:
            if self._crew is not crew:
                return None
            crew.take_back(future)
            _drop_what_is_left(crew)
        broken = future.exception()
        return future.result() if broken is None else Failure(_reason(broken), unreadable=False)

    def interrupt(self) -> None:
        """As of `Summariser`."""
        with self._lock:
            crew, self._crew = self._crew, Processes(1)
        crew.stop()
        _drop_what_is_left(crew)

    def rest(self) -> None:
        """As of `Summariser`."""
        with self._lock:
            self._crew.close()


def summary_at_leisure(paths: tuple[str, ...], root: str | None = None) -> Outcome:
    """`summary_of` with the least priority that a process can have, from now on."""
    if hasattr(os, "nice"):
        os.nice(_LEAST_PRIORITY)
    return summary_of(paths, root)


def summary_of(paths: tuple[str, ...], root: str | None = None) -> Outcome:
    """Read what is not stored yet, with one thread, and summarise it.

    Args:
        root: as of `SummaryProcess`.

    Raises:
        OSError: it cannot be stored.
    """
    try:
        profile = with_experience(open_profile(paths, ReadOptions(workers=1, processes=0)), root)
    except StepscopeError as error:
        return Failure.of(error, unreadable=True)
    try:
        return run_summary(profile)
    except StepscopeError as error:
        return Failure.of(error, unreadable=False)


def _await(future: Future[Any]) -> None:
    over = threading.Event()
    future.add_done_callback(lambda _: over.set())
    over.wait()


def _reason(error: BaseException) -> Message:
    """Why a run has no summary although nothing is known to be wrong with it."""
    if isinstance(error, BrokenProcessPool):
        return Message("list-process-died")
    return Message("list-no-figures", reason=reason_of(error)[0] if isinstance(error, Exception) else str(error))


def _drop_what_is_left(crew: Processes) -> None:
    """Delete what processes that died had begun to write."""
    for process in crew.buried:
        drop_unfinished(usable_root(), process)
    crew.buried.clear()


Make = Callable[[], Summariser]
