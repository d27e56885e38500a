"""One window as it is recorded: a step to count events, one of warmup, the steps themselves, the file."""

from __future__ import annotations

import os
import threading
import time
from typing import Any

from .export import SUFFIX, Export
from .identity import process_name
from .profiling import Profiling, ThreadsProfiling
from .windows import Window

_COUNTING, _WARMING, _RECORDING, _CLOSED = "counting", "warming", "recording", "closed"
WHOLE = "end"
BUDGET = "budget"


class Run:
    """A window being recorded.

    Attributes:
        window: its steps; the budget may bring the last one forward.
        export: its file, None while it records, or where nothing was recorded.
        closed: why it ended: `WHOLE`, `BUDGET`, or what cut it short; "" while it is open.
        activities: what the profiler recorded, as ``CPU CUDA``; "" before it did.
        step_ns: recorded steps by the host's clock.
    """

    def __init__(self, torch: Any, window: Window, config: dict[str, Any], seconds: float | None = None) -> None:
        self._torch, self._config = torch, config
        self.window = window
        self.export: Export | None = None
        self.closed = ""
        self.step_ns: list[int] = []
        self.events_per_step: int | None = None
        self.stop_ns = 0
        self.activities = ""
        self.snapshot = ""
        self._state = ""
        self._profiling: Profiling | None = None
        self._began_ns: int | None = None
        self._seconds = seconds
        self._deadline_ns: int | None = None
        self._within_budget = window.last

    @property
    def is_open(self) -> bool:
        return not self.closed

    @property
    def may_be_stopped_here(self) -> bool:
        """Whether this is the thread that started the profiler: on any other, stopping it crashes."""
        return self._profiling is None or self._profiling.thread == threading.get_ident()

    def begin(self, step: int) -> None:
        """The step begins with which the profiler starts."""
        if self._config["budget"] and self.window.first - step >= 2:
            self._state = _COUNTING
            self._profiling = Profiling(self._torch, self.window.records, step, is_counted=True)
            self._profiling.start(True)
        else:
            self._start(step)

    def at(self, step: int) -> None:
        """Another step begins, and the one before it has ended."""
        if self._state == _COUNTING:
            self._count()
            self._start(step)
            return
        if self._began_ns is not None:
            now = time.perf_counter_ns()
            self.step_ns.append(now - self._began_ns)
            self._began_ns = now
        if step > self.window.last or (self._deadline_ns is not None and time.perf_counter_ns() >= self._deadline_ns):
            self.close(WHOLE)
        elif step > self._within_budget:
            self.close(BUDGET)
        elif self._profiling is not None:
            self._profiling.step(step >= self.window.first)
            self._note_recording(step)

    def close(self, reason: str, now: bool = False) -> None:
        """Stop, and have the file written.

        Args:
            now: on this thread, before anything else happens.
        """
        was, self._state, self.closed = self._state, _CLOSED, reason
        profiling, self._profiling = self._profiling, None
        if profiling is None:
            return
        begin = time.perf_counter_ns()
        profiling.stop()
        self.stop_ns = time.perf_counter_ns() - begin
        if was == _RECORDING:
            self._take_snapshot()
            self.take(profiling, reason, now)

    def take(self, profiling: Profiling | ThreadsProfiling, reason: str, now: bool = True) -> None:
        """Have the file of a stopped profiler written."""
        self._state, self.closed = _CLOSED, reason
        self.activities = profiling.activities
        self.export = Export(profiling, self._path(reason))
        if now:
            self.export.run_here()
        else:
            self.export.start()

    def abandon(self, reason: str) -> None:
        """Leave the profiler as it is: stopping it here would crash."""
        self._state, self.closed, self._profiling = _CLOSED, reason, None

    def facts(self) -> dict[str, Any]:
        """For the side file."""
        window, export = self.window, self.export
        return {
            "kind": window.kind,
            "with": window.records,
            "activities": self.activities,
            "first_step": window.first,
            "last_step": window.first + len(self.step_ns) - 1 if self.step_ns else None,
            "wanted_last_step": window.last if self._seconds is None else None,
            "closed": self.closed,
            "events_per_step": self.events_per_step,
            "recorded_ns": self.step_ns,
            "stop_ns": self.stop_ns,
            "export_ns": export.took_ns if export is not None else None,
            "file": os.path.basename(export.path) if export is not None and not export.problem else None,
            "problem": export.problem if export is not None else "",
            "memory_snapshot": self.snapshot,
        }

    def _start(self, step: int) -> None:
        self._profiling = Profiling(self._torch, self.window.records, step)
        self._start_history()
        self._profiling.start(step >= self.window.first)
        self._state = _WARMING
        self._note_recording(step)

    def _note_recording(self, step: int) -> None:
        if step >= self.window.first and self._state != _RECORDING:
            self._state = _RECORDING
            self._began_ns = time.perf_counter_ns()
            if self._seconds is not None:
                self._deadline_ns = self._began_ns + int(self._seconds * 1e9)

    def _count(self) -> None:
        profiling, self._profiling = self._profiling, None
        if profiling is None:
            return
        profiling.stop()
        self.events_per_step = profiling.count_events()
        steps = max(1, self._config["budget"] // max(1, self.events_per_step))
        self._within_budget = min(self.window.last, self.window.first + steps - 1)

    def _path(self, reason: str) -> str:
        partial = "" if reason in (WHOLE, BUDGET) else ".partial"
        name = f"{process_name()}.{time.time_ns()}{partial}{SUFFIX}"
        return os.path.join(self._config["out"], name)

    def _start_history(self) -> None:
        memory = self._history()
        if memory is not None:
            memory._record_memory_history(max_entries=self._config["memory_entries"], stacks="python")

    def _take_snapshot(self) -> None:
        memory = self._history()
        if memory is not None:
            path = os.path.join(self._config["out"], f"{process_name()}.{time.time_ns()}.memory.pickle")
            memory._dump_snapshot(path)
            memory._record_memory_history(enabled=None)
            self.snapshot = os.path.basename(path)

    def _history(self) -> Any:
        """``torch.cuda.memory`` where a history of the allocator was asked for and can be had."""
        cuda = getattr(self._torch, "cuda", None)
        if not self._config.get("memory_history") or cuda is None or not cuda.is_initialized():
            return None
        return cuda.memory
