"""Steps of a job for a profiler that runs around it: a range of NVTX for each, and the calls that open its window.

How long steps take outside the window is measured, too, and stands in the process's side file.
"""

from __future__ import annotations

import atexit
import os
from typing import Any

from . import side_file
from .boundaries import StepFinder
from .hooks import Hooks
from .identity import rank_of, versions
from .step_times import StepTimes

_SEEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "seen")
"""Where the launcher reads what became of a process."""


class StepMarks:
    """Marks the steps of one process.

    Args:
        config: with ``marks``: the first and the last step of the window; and ``out``, the folder of the side file.
    """

    def __init__(self, torch: Any, config: dict[str, Any]) -> None:
        self._torch, self._config = torch, config
        self._first, self._last = config["marks"]["first"], config["marks"]["last"]
        self._is_open = self._is_over = self._is_told = self._is_written = False
        self._closed, self._problems = "", []  # type: str, list[str]
        self._times = StepTimes(getattr(torch, "cuda", None))
        self._range: Any = None
        self._finder = StepFinder(config.get("step_on", ""), self._boundary, lambda: self.hooks.in_backward())
        self.hooks = Hooks(torch, self._finder, self._foreign_profiler, self._failed)

    def install(self) -> StepMarks:
        ranks, rank = self._config.get("ranks"), rank_of()
        if ranks and rank is not None and rank not in ranks:
            return self
        self.hooks.install(self._config.get("step_on", ""), self._config.get("imported", []))
        atexit.register(self._ended)
        os.register_at_fork(after_in_child=self._forget)
        return self

    def _boundary(self) -> None:
        """A step begins."""
        if self._is_written:
            return
        try:
            self._times.passed(self._finder.steps, self._is_open)
            if self._times.has_enough:
                self._write()
            elif not self._is_over:
                self._at(self._finder.steps)
        except Exception as error:  # noqa: BLE001 - the job goes on without
            self._is_over = True
            self._failed(error)

    def _at(self, step: int) -> None:
        if not self._is_open:
            if self._first <= step <= self._last:
                self._open(step)
            return
        self._torch.cuda.nvtx.range_end(self._range)
        if step <= self._last:
            self._mark(step)
            return
        self._is_open, self._is_over = False, True
        self._torch.cuda.synchronize()
        self._call("Stop")
        self._closed = "end"
        self._times.window_ended()
        _note("closed %d" % self._last)  # noqa: UP031

    def _open(self, step: int) -> None:
        cuda = self._torch.cuda
        if not cuda.is_initialized():
            self._is_over = True
            _note("no-cuda %d" % step)  # noqa: UP031
            return
        # What earlier steps launched is no part of the window.
        cuda.synchronize()
        self._call("Start")
        self._is_open = True
        self._times.passed(step, True)
        self._mark(step)
        _note("opened %d" % step)  # noqa: UP031

    def _mark(self, step: int) -> None:
        """Pushed and popped, it would end a range of the job that is open across the step's end."""
        self._range = self._torch.cuda.nvtx.range_start("ProfilerStep#%d" % step)  # noqa: UP031

    def _call(self, what: str) -> None:
        """``cudaProfilerStart`` or ``cudaProfilerStop``."""
        code = getattr(self._torch.cuda.cudart(), "cudaProfiler" + what)()
        if code is not None and int(code) != 0:
            _note("error cudaProfiler%s: %d" % (what, int(code)))  # noqa: UP031

    def _ended(self) -> None:
        if not self._is_over and self._finder.was_active:
            _note("steps %d" % self._finder.finished_steps)  # noqa: UP031
        if not self._is_written and self._finder.was_active:
            self._closed = self._closed or "exit"
            self._write()

    def _write(self) -> None:
        """The side file, once: with the times, and without a recording, which the profiler around writes."""
        self._is_written = True
        window = {
            "kind": "marked",
            "first_step": self._first,
            "last_step": self._last,
            "closed": self._closed,
            "file": None,
            "problem": "",
            "before_ns": self._times.before_ns(),
            "after_ns": self._times.after_ns(),
        }
        facts = {
            **side_file.facts_of_process(self._config, versions(self._torch, self._config.get("version", ""))),
            "steps_are": self._finder.mode,
            "steps": self._finder.finished_steps,
            "skips": self._finder.skips,
            "windows": [window],
            "problems": self._problems,
            "closed": "",
        }
        try:
            side_file.write(self._config["out"], facts)
        except OSError:
            pass  # a full disk: the profiler around says more

    def _forget(self) -> None:
        """In a forked child, which has no steps of this window."""
        self._is_over = self._is_written = True

    def _foreign_profiler(self) -> None:
        """The program starts a profiler of torch: it and the one around it both want CUPTI."""
        if not self._is_told:
            self._is_told = True
            _note("foreign")

    def _failed(self, error: Exception) -> None:
        self._problems.append(" ".join(f"{type(error).__name__}: {error}".split())[:300])
        _note("error %s: %s" % (type(error).__name__, error))  # noqa: UP031


def _note(what: str) -> None:
    """Add a line for the launcher. One write: lines of other processes stay whole."""
    try:
        place = os.open(_SEEN, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(place, ("%d %s\n" % (os.getpid(), " ".join(what.split())[:200])).encode("utf-8", "replace"))  # noqa: UP031
        finally:
            os.close(place)
    except OSError:
        pass  # the launcher has gone, and its folder with it
