"""A window of time, for jobs without steps: a thread of its own starts and stops the profiler that sees all threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from .profiling import ThreadsProfiling

_PROBE_SECONDS = 0.2


class TimedWindow:
    """Waits, then calls back, then records unless that found steps to go by.

    Args:
        due: called when the time has come; says whether this thread is to record.
        recorded: is given the stopped profiler and why it was stopped.
    """

    def __init__(
        self,
        torch: Any,
        records: list[str],
        budget: int,
        due: Callable[[], bool],
        recorded: Callable[[ThreadsProfiling, str], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._torch, self._records, self._budget = torch, records, budget
        self._due, self._recorded, self._failed = due, recorded, failed
        self._stop = threading.Event()
        self._reason = "end"
        self._thread: threading.Thread | None = None

    def start(self, after_s: float, duration_s: float) -> None:
        # A daemon: a job that ends before its time has come must not wait for it.
        self._thread = threading.Thread(
            target=self._run, args=(after_s, duration_s), name="stepscope-window", daemon=True
        )
        self._thread.start()

    def end(self, reason: str) -> None:
        """Stop now, and wait until it is written: the process ends, or its own profiler starts."""
        thread = self._thread
        if thread is None or thread is threading.current_thread():
            return
        self._reason = reason
        self._stop.set()
        thread.join()

    def _run(self, after_s: float, duration_s: float) -> None:
        try:
            if self._stop.wait(after_s) or not self._due():
                return
            self._record(duration_s)
        except Exception as error:  # noqa: BLE001 - the job goes on
            self._failed(error)

    def _record(self, duration_s: float) -> None:
        rate = self._rate(min(_PROBE_SECONDS, duration_s / 10)) if self._budget else 0.0
        allowed = self._budget / rate if rate else duration_s
        profiling = ThreadsProfiling(self._torch, self._records)
        profiling.start()
        self._stop.wait(min(duration_s, allowed))
        profiling.stop()
        reason = self._reason if self._stop.is_set() else "budget" if allowed < duration_s else "end"
        self._recorded(profiling, reason)

    def _rate(self, seconds: float) -> float:
        """Events in a second, as a short recording finds."""
        profiling = ThreadsProfiling(self._torch, self._records)
        profiling.start()
        begin = time.perf_counter()
        self._stop.wait(seconds)
        profiling.stop()
        return profiling.count_events() / max(time.perf_counter() - begin, 1e-3)
