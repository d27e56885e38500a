"""Processes of this machine that work for this one, each an executor of `concurrent.futures` with one process.

One process for each executor, because a process that dies takes its executor with it: so it is known which task it
died of, and the others go on.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import spawn
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import Any, TypeVar

from stepscope.store.cache import cache_root, drop_unfinished

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

_STARTING = threading.Lock()


class Processes:
    """Runs tasks in up to ``size`` processes, which start when they are needed.

    Attributes:
        size: tasks that may be under way at a time.
        buried: process ids of those that died or were stopped.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.buried: list[int] = []
        self._free: list[ProcessPoolExecutor] = []
        self._busy: dict[Future[Any], ProcessPoolExecutor] = {}

    def submit(self, function: Callable[[_Task], _Result], task: _Task) -> Future[_Result]:
        """Begin a task; at most ``size`` at a time.

        Raises:
            OSError: no process can be started.
        """
        executor = self._free.pop() if self._free else _new_executor()
        future = executor.submit(function, task)
        self._busy[future] = executor
        return future

    def take_back(self, future: Future[Any]) -> bool:
        """A task is over: its process is free again. False if the process died of it."""
        executor = self._busy.pop(future)
        if isinstance(future.exception(), BrokenProcessPool):
            self._bury(executor)
            return False
        self._free.append(executor)
        return True

    def close(self) -> None:
        """Let the processes end; nothing may be under way."""
        for executor in self._free:
            executor.shutdown(wait=False)
        self._free.clear()

    def stop(self) -> None:
        """End the processes at once, whatever they do."""
        for executor in [*self._free, *self._busy.values()]:
            self._bury(executor)
        self._free.clear()
        self._busy.clear()

    def _bury(self, executor: ProcessPoolExecutor) -> None:
        processes = list((executor._processes or {}).values())  # no public way before Python 3.14
        for process in processes:
            process.kill()
        executor.shutdown(wait=True, cancel_futures=True)
        self.buried += [process.pid for process in processes if process.pid is not None]


def can_start() -> bool:
    """Whether this process may have others of its own: not in a worker of `multiprocessing` that is to have none."""
    return not multiprocessing.current_process().daemon


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_memory() -> int:
    """Bytes of memory that nothing uses, as Linux tells it; elsewhere so many that they are no limit."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return 1 << 62


def _new_executor() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, _Context(), _begin)


def _begin() -> None:
    """First thing in a new process: Ctrl-C is its parent's business, and it does not outlive the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        drop_unfinished(cache_root(), os.getpid())
        os._exit(1)


class _Process(SpawnProcess):
    """A new interpreter that imports what its tasks need and not the caller's main module.

    `multiprocessing` would run that again in every process: a script that opens a folder outside of
    ``if __name__ == "__main__"`` would open it once more in each. And each does one thing at a time, so it needs one
    thread of Polars: with one for each core in each of as many processes, starting and stopping them costs more.
    """

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 - the name is `multiprocessing`'s
        with _STARTING:
            given = spawn.get_preparation_data
            threads = os.environ.get("POLARS_MAX_THREADS")
            mine = threading.get_ident()

            def without_main(name: str) -> dict[str, object]:
                data = given(name)
                if threading.get_ident() == mine:
                    data = {key: value for key, value in data.items() if not key.startswith("init_main")}
                return data

            spawn.get_preparation_data = without_main
            os.environ["POLARS_MAX_THREADS"] = threads or "1"
            try:
                return SpawnProcess._Popen(process_obj)
            finally:
                spawn.get_preparation_data = given
                if threads is None:
                    del os.environ["POLARS_MAX_THREADS"]


class _Context(SpawnContext):
    Process = _Process
