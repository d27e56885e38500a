"""Tasks done by other processes: all of them, whatever becomes of one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import tasks
from stepscope.messages import Message
from stepscope.store.processes import Processes
from stepscope.store.task_queue import Failed, NoWorkers, work_through


class Threads:
    """A crew of threads, for what does not need processes; counts how many tasks are under way."""

    def __init__(self, size: int, most: int = 1000) -> None:
        self.size = size
        self.under_way = self.peak = 0
        self.ended = ""
        self._most = most
        self._executor: Executor = ThreadPoolExecutor(size)

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        if self.under_way >= self._most:
            raise OSError("no more")
        self.under_way += 1
        self.peak = max(self.peak, self.under_way)
        return self._executor.submit(function, task)

    def take_back(self, future: Future[Any]) -> bool:
        self.under_way -= 1
        return True

    def close(self) -> None:
        self.ended += "closed"
        self._executor.shutdown()

    def stop(self) -> None:
        self.ended += "stopped"
        self._executor.shutdown()


def results(crew: Any, function: Callable[[Any], Any], given: list[Any]) -> list[Any]:
    found = dict(work_through(crew, function, given))
    return [found[place] for place in range(len(given))]


def test_every_task_is_done_and_no_more_at_a_time_than_may_be() -> None:
    crew = Threads(3)
    assert results(crew, tasks.double, list(range(20))) == [2 * number for number in range(20)]
    assert (crew.peak, crew.ended) == (3, "closed")


def test_nothing_to_do() -> None:
    crew = Threads(1)
    assert results(crew, tasks.double, []) == []
    assert crew.ended == "closed"


def test_what_raises_is_named_and_the_rest_goes_on() -> None:
    found = results(Threads(2), tasks.fails, [0, 1, 2, 3, 4])
    assert found == [
        0,
        Failed(Message("reader-no-memory")),
        2,
        Failed(Message("reader-defect", type="KeyError")),
        4,
    ]


def test_a_full_disk_ends_it_all() -> None:
    crew = Threads(1)
    with pytest.raises(OSError, match="No space left on device"):
        results(crew, tasks.full_disk, [1, 2])
    assert crew.ended == "stopped"


def test_fewer_workers_than_hoped_for_do_it_as_well() -> None:
    assert results(Threads(4, most=2), tasks.double, [1, 2, 3, 4]) == [2, 4, 6, 8]
    with pytest.raises(NoWorkers):
        results(Threads(4, most=0), tasks.double, [1])


def test_who_stops_listening_stops_the_crew() -> None:
    crew = Threads(1)
    with closing(work_through(crew, tasks.double, [1, 2, 3])) as found:
        assert next(found) == (0, 2)
    assert crew.ended == "stopped"


@pytest.mark.long
def test_a_task_that_kills_its_process_twice_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    given = [str(tmp_path / name) for name in ("a", "once", "b", "always", "c")]
    crew = Processes(2)
    found = results(crew, tasks.dies_of, given)
    died = Failed(Message("reader-process-died"))
    assert found == [given[0], given[1], given[2], died, given[4]]
    assert len(crew.buried) == 3
