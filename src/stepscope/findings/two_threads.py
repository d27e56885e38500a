"""Independent parts of an examination on two threads: numpy, Polars and compiled loops let other threads run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from types import TracebackType
from typing import TypeVar

_Result = TypeVar("_Result")

_THREADS = 2
"""More of them wait for one another: much of a detector is short steps of Python."""


_beside_others = ContextVar("beside others", default=False)


@contextmanager
def beside_others() -> Iterator[None]:
    """While the block runs, other threads have enough to do: `TwoThreads` made in it has none of its own.

    More threads than cores would be no quicker, and what each has at work adds up in memory. Nor would daemon threads
    be left behind at the end of the program if others that are waited for work for them.
    """
    token = _beside_others.set(True)
    try:
        yield
    finally:
        _beside_others.reset(token)


class TwoThreads:
    """Two threads for as long as a block lasts. Nothing runs any more when it ends; what was not begun never begins.

    They belong to the block alone, so that blocks inside one another never wait for each other's threads.
    """

    def __init__(self) -> None:
        self._pool = None if _beside_others.get() else ThreadPoolExecutor(_THREADS, "stepscope-findings")

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

        Raises what a task raises: of several, the first one in their order.
        """
        if self._pool is None:
            return [task() for task in tasks]
        futures = [self._pool.submit(copy_context().run, task) for task in tasks]
        return [future.result() for future in futures]
