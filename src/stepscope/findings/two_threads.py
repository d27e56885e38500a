"""Independent parts of an examination on two threads: numpy, Polars and compiled loops let other threads run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from types import TracebackType
from typing import TypeVar

_Result = TypeVar("_Result")

_THREADS = 2
"""More of them wait for one another: much of a detector is short steps of Python."""


@dataclass(frozen=True)
class _Others:
    """Threads that have enough to do; ``idle``: an executor of some that may help when they have not."""

    idle: Executor | None


_others: ContextVar[_Others | None] = ContextVar("others", default=None)


@contextmanager
def beside_others(idle: Executor | None = None) -> Iterator[None]:
    """While the block runs, other threads have enough to do: `TwoThreads` made in it has none of its own.

    More threads than cores would be no quicker, and what each has at work adds up in memory. Nor would daemon threads
    be left behind at the end of the program if others that are waited for work for them.

    Args:
        idle: runs parts on threads that have nothing else to do any more.
    """
    token = _others.set(_Others(idle))
    try:
        yield
    finally:
        _others.reset(token)


class TwoThreads:
    """Two threads for as long as a block lasts. Nothing runs any more when it ends; what was not begun never begins.

    They belong to the block alone, so that blocks inside one another never wait for each other's threads.
    """

    def __init__(self) -> None:
        others = _others.get()
        self._pool = None if others else ThreadPoolExecutor(_THREADS, "stepscope-findings")
        self._idle = others.idle if others else None

    def __enter__(self) -> TwoThreads:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def begin(self, *tasks: Callable[[], object]) -> None:
        """Have results computed, one after another, that are kept where they will be asked for.

        What fails here fails again, and is told, where it is asked for.
        """

        def each() -> None:
            for task in tasks:
                with suppress(Exception):
                    task()

        if self._pool is not None:
            self._pool.submit(copy_context().run, each)

    def results(self, tasks: Iterable[Callable[[], _Result]]) -> list[_Result]:
        """What some tasks return, in their order, whichever ends first.

        Raises what a task raises: of several, the first one in their order, unless idle threads help.
        """
        if self._pool is not None:
            return [future.result() for future in _submitted(self._pool, tasks)]
        if self._idle is not None:
            return _with_help(self._idle, list(tasks))
        return [task() for task in tasks]


def _submitted(executor: Executor, tasks: Iterable[Callable[[], _Result]]) -> list[Future[_Result]]:
    return [executor.submit(copy_context().run, task) for task in tasks]


def _with_help(idle: Executor, tasks: Sequence[Callable[[], _Result]]) -> list[_Result]:
    """What tasks return that are run here, but for those that an idle thread has begun by then.

    Nothing is waited for but what runs, so that threads which help one another never stand still for good.
    """
    futures = _submitted(idle, tasks)
    try:
        own = {number: task() for number, task in enumerate(tasks) if futures[number].cancel()}
        return [own[number] if number in own else future.result() for number, future in enumerate(futures)]
    finally:
        for future in futures:
            future.cancel()
