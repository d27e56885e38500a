"""A few threads that compute, and that never hold up the end of the program."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from stepscope.findings.two_threads import beside_others

_Result = TypeVar("_Result")


class Workers:
    """A pool of daemon threads: what they still compute is dropped when the server ends.

    The pool of `concurrent.futures` would be waited for, for as long as a table of many million events takes: neither
    is there one inside what they compute (`beside_others`).
    """

    def __init__(self, count: int, name: str) -> None:
        self._tasks: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._work, name=f"{name}-{i}", daemon=True) for i in range(count)]
        self._started = False
        self._pending = 0
        self._lock = threading.Lock()

    @property
    def busy(self) -> bool:
        """Whether something is under way or waits for its turn."""
        return self._pending > 0

    def submit(self, call: Callable[[], _Result]) -> Future[_Result]:
        """Have a function called; it waits for its turn."""
        with self._lock:
            self._pending += 1
            if not self._started:
                self._started = True
                for thread in self._threads:
                    thread.start()
        future: Future[_Result] = Future()
        self._tasks.put((future, call))
        return future

    def _work(self) -> None:
        while True:
            future, call = self._tasks.get()
            if future.set_running_or_notify_cancel():
                try:
                    with beside_others():
                        future.set_result(call())
                except BaseException as error:  # noqa: BLE001 - whoever waits for the result gets it
                    future.set_exception(error)
            with self._lock:
                self._pending -= 1
