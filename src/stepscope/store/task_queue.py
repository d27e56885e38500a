"""Many tasks done by others: by processes of this machine, or by whatever else takes tasks the same way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from stepscope.messages import Message

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

_ATTEMPTS = 2
"""A task whose process died is tried once more: something else may have used up the memory."""


class Crew(Protocol):
    """Who does tasks; functions and tasks travel, so they have to be picklable and the functions importable."""

    @property
    def size(self) -> int:
        """Tasks that may be under way at a time."""

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        """Begin a task."""

    def take_back(self, future: Future[Any]) -> bool:
        """A task is over. False if whoever did it died of it."""

    def close(self) -> None:
        """Nothing more is to be done."""

    def stop(self) -> None:
        """Nothing more is to be done, and what is under way is not waited for."""


class NoWorkers(Exception):
    """Nobody can be found to do any task."""


@dataclass(frozen=True)
class Failed:
    """A task that has no result, and why."""

    reason: Message | str


def work_through(
    crew: Crew, function: Callable[[_Task], _Result], tasks: Sequence[_Task]
) -> Generator[tuple[int, _Result | Failed], None, None]:
    """Have every task done; yields its place in ``tasks`` and its result as soon as it is there.

    A task that raises or whose process dies, twice, is `Failed`; the others go on. A generator that is closed before
    its end, or that an exception such as Ctrl-C leaves, stops the crew at once.

    Raises:
        NoWorkers: nobody can be found to do the tasks.
        OSError: of a task that raises it: there is no room, which stops the others as well.
    """
    waiting = deque((place, 1) for place in range(len(tasks)))
    under_way: dict[Future[_Result], tuple[int, int]] = {}
    ended = False
    try:
        while waiting or under_way:
            _hand_out(crew, function, tasks, waiting, under_way)
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                place, attempt = under_way.pop(future)
                if not crew.take_back(future) and attempt < _ATTEMPTS:
                    waiting.append((place, attempt + 1))
                else:
                    yield place, _outcome(future)
        ended = True
    finally:
        if ended:
            crew.close()
        else:
            crew.stop()


def _hand_out(
    crew: Crew,
    function: Callable[[_Task], _Result],
    tasks: Sequence[_Task],
    waiting: deque[tuple[int, int]],
    under_way: dict[Future[_Result], tuple[int, int]],
) -> None:
    while waiting and len(under_way) < crew.size:
        place, attempt = waiting[0]
        try:
            under_way[crew.submit(function, tasks[place])] = place, attempt
        except OSError as error:
            if not under_way:
                raise NoWorkers from error
            return  # no more processes than there are: those go on
        waiting.popleft()


def _outcome(future: Future[Any]) -> Any:
    if future.cancelled():
        return Failed(Message("reader-connection-lost"))
    error = future.exception()
    if isinstance(error, OSError) and error.errno is not None:
        raise error
    return future.result() if error is None else Failed(reason_of(error))


def reason_of(error: BaseException) -> Message:
    """Why something has no result, in a few words for whoever wanted it."""
    from concurrent.futures.process import BrokenProcessPool

    if isinstance(error, BrokenProcessPool) or type(error).__name__ == "KilledWorker":  # the latter is Dask's
        return Message("reader-process-died")
    if isinstance(error, MemoryError):
        return Message("reader-no-memory")
    return Message("reader-defect", type=type(error).__name__)
