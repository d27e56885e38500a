"""What decides at each boundary between steps: start, go on, stop, write, or nothing."""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator
from typing import Any

from . import live, requests, side_file
from .boundaries import StepFinder
from .endings import Endings
from .export import Export, remove
from .hooks import Hooks
from .identity import LOCAL_WORLDS, cores, gpus, number_in, rank_of, versions
from .profiling import ThreadsProfiling
from .run import WHOLE, Run
from .step_times import StepTimes
from .timed import TimedWindow
from .windows import Window, asked_now, planned, wanted_steps

_NO_END = 1 << 60
_MOST_PROBLEMS = 20


class Recorder:
    """Records one process.

    Args:
        config: what the launcher wrote.

    Attributes:
        hooks: what of torch is wrapped.
    """

    def __init__(self, torch: Any, config: dict[str, Any]) -> None:
        self._torch, self._config = torch, config
        self._start_anew()
        self.hooks = Hooks(torch, self._finder, self._foreign_profiler, self._failed)

    def _start_anew(self) -> None:
        self._finder = StepFinder(self._config.get("step_on", ""), self._boundary, lambda: self.hooks.in_backward())
        self._times = StepTimes(getattr(self._torch, "cuda", None))
        self._endings = Endings(self._finish, self._forked)
        self._live = live.Live(self._config["out"], self._live_facts)
        self._plan: Iterator[Window] = planned(self._config)
        self._next: Window | None = next(self._plan, None)
        self._run: Run | None = None
        self._seconds: float | None = None
        self._runs: list[dict[str, Any]] = []
        self._problems: list[str] = []
        self._timed: TimedWindow | None = None
        self._announced = ""
        self._is_due = self._is_over = self._is_busy = False
        self._closed = ""
        self._last_step = 0

    def install(self) -> Recorder:
        """Begin to watch, unless this rank is not to be recorded."""
        if self._is_left_out():
            return self
        self.hooks.install(self._config.get("step_on", ""), self._config.get("imported", []))
        self._endings.install()
        plan = self._config.get("plan") or {}
        if plan.get("kind") == "time":
            self._start_timed(plan["after_s"], plan["duration_s"])
        elif plan.get("kind") == "demand" and self._endings.on_request(self._requested):
            self._announced = requests.announce(self._config["out"])
        return self

    def _is_left_out(self) -> bool:
        ranks, rank = self._config.get("ranks"), rank_of()
        return ranks is not None and len(ranks) > 0 and rank is not None and rank not in ranks

    def _boundary(self) -> None:
        if self._is_over or self._is_busy:
            return
        self._is_busy = True
        was_disturbed = self._is_disturbing()
        try:
            self._live.step_begins()
            self._advance(self._finder.steps)
            is_recorded = self._run is not None and self._run.is_open
            self._live.step_begun(self._state(), was_disturbed or self._is_disturbing(), is_recorded)
        except Exception as error:  # noqa: BLE001 - the job goes on without
            self._failed(error)
            self._drop("error")
        finally:
            self._is_busy = False
            self._endings.deliver()

    def _advance(self, step: int) -> None:
        if step <= self._last_step:
            self._count_anew()
        self._last_step = step
        run = self._run
        if run is not None and run.is_open:
            self._times.passed(step, True)
            run.at(step)
            if run.closed:
                self._endings.leave_signals()
                self._times.window_ended()
            return
        self._times.passed(step, run is not None and run.export is not None and not run.export.is_written)
        if run is not None and self._times.has_enough:
            self._end_run()
        window = self._window_at(step)
        if window is not None and not self._is_left_out():
            self._open(window, step)

    def _is_disturbing(self) -> bool:
        """Whether the profiler or the export of what it recorded is at work."""
        run = self._run
        return run is not None and (run.is_open or (run.export is not None and not run.export.is_written))

    def _state(self) -> str:
        """For those who look on."""
        if self._run is not None:
            return live.RECORDING if self._run.is_open else live.MEASURING
        return live.WAITING if self._announced or self._is_due or self._next is not None else live.DONE

    def _live_facts(self) -> dict[str, Any]:
        run = self._run
        return {
            **side_file.facts_of_process(self._config, self._versions()),
            "steps": self._finder.steps,
            "steps_are": self._finder.mode,
            "on_demand": bool(self._announced),
            "active": wanted_steps(self._config),
            "next": [self._next.first, self._next.last]
            if self._next is not None and self._next.last < _NO_END
            else None,
            "recording": None if run is None else [run.window.first, run.window.last],
            "windows": [live.window(facts, _slowdown(facts)) for facts in self._runs],
            "problems": self._problems,
        }

    def _count_anew(self) -> None:
        """What was taken for steps were batches before training: nothing of them is kept, and the plan begins again."""
        self._drop("counted-anew")
        run, self._run = self._run, None
        if run is not None and run.export is not None:
            run.export.discard()
        for file in [facts["file"] for facts in self._runs if facts["file"]]:
            remove(os.path.join(self._config["out"], file))
        self._runs.clear()
        self._live.count_anew()
        self._times = StepTimes(getattr(self._torch, "cuda", None))
        self._plan = planned(self._config)
        self._next = next(self._plan, None)

    def _window_at(self, step: int) -> Window | None:
        """The window of which the first step begins now."""
        if self._is_due:
            self._is_due = False
            if self._seconds is None:
                self._plan = asked_now(step, self._config)
                self._next = next(self._plan, None)
            else:
                self._next = Window(step + 2, _NO_END, "full", list(self._config.get("with") or []))
        while self._next is not None and step > self._next.last:
            self._next = next(self._plan, None)
        if self._next is None or step < self._next.start:
            return None
        found, self._next = self._next, next(self._plan, None)
        return found

    def _open(self, window: Window, step: int) -> None:
        self._end_run()
        self._times.next_window()
        self._run = Run(self._torch, window, self._config, self._seconds)
        self._live.say(live.RECORDING)
        self._endings.save_before_signals()
        self._run.begin(step)

    def _end_run(self) -> None:
        """The last window has its file finished, with the steps that were measured around it."""
        run, self._run = self._run, None
        if run is None:
            return
        facts = {**run.facts(), "before_ns": self._times.before_ns(), "after_ns": self._times.after_ns()}
        if run.export is not None:
            self._finish_file(run.export, facts)
            facts.update(file=run.facts()["file"], problem=run.export.problem, export_ns=run.export.took_ns)
        self._runs.append(facts)
        self._write_side_file()

    def _finish_file(self, export: Export, facts: dict[str, Any]) -> None:
        said = {
            "program": side_file.program(),
            "with": " ".join(facts["with"]),
            **{name: facts[name] for name in ("kind", "closed", "first_step", "last_step", "activities", "stop_ns")},
            "cores": cores(),
            "gpus": gpus(),
            "local_ranks": number_in(os.environ, LOCAL_WORLDS),
            **{f"{name}_version": value for name, value in self._versions().items()},
            "steps_are": self._finder.mode,
            "micro_batches": self._micro_batches(),
            "before_ns": _median(facts["before_ns"]),
            "after_ns": _median(facts["after_ns"]),
            "recorded_ns": _median(facts["recorded_ns"]),
            "slowdown": _slowdown(facts),
            "light_ns": _median(self._light_ns()),
        }
        times = {"unprofiled_ns": [*facts["before_ns"], *facts["after_ns"]]}
        export.finish({"stepscopeRecording": said, "stepscopeStepTimes": times})

    def _light_ns(self) -> list[int]:
        """Steps of the last light window, as recorded."""
        light = [run["recorded_ns"] for run in self._runs if run["kind"] == "light"]
        return light[-1] if light else []

    def _foreign_profiler(self) -> None:
        """The program starts a profiler of its own: it is the one that stays."""
        if self._is_over:
            return
        self._is_over, self._closed = True, "foreign"
        if self._timed is not None:
            self._timed.end("foreign")
        self._drop("foreign")
        self._end_run()
        requests.withdraw(self._announced)
        self._announced = ""
        self._live.left(live.FOREIGN)
        self._write_side_file()

    def _drop(self, reason: str) -> None:
        run = self._run
        if run is None or not run.is_open:
            return
        self._endings.leave_signals()
        try:
            if run.may_be_stopped_here and not self._is_in_backward():
                run.close(reason)
            else:
                run.abandon(reason)
        except Exception as error:  # noqa: BLE001 - torch refuses, and the job goes on
            run.abandon(reason)
            self._failed(error)

    def _is_in_backward(self) -> bool:
        known = getattr(self._torch._C, "_current_graph_task_id", None)
        return self.hooks.in_backward() if known is not None else self._finder.backward_depth > 0

    def _finish(self, reason: str) -> bool:
        """The process ends; returns False where that has to wait for what is being done."""
        if self._is_busy:
            return False
        self._is_over, self._closed = True, self._closed or reason
        try:
            self._save(reason)
        except Exception as error:  # noqa: BLE001 - it ends all the same
            self._failed(error)
        self._write_side_file()
        self._live.ended()
        requests.withdraw(self._announced)
        return True

    def _save(self, reason: str) -> None:
        if self._timed is not None:
            self._timed.end(reason)
        run = self._run
        if run is not None and run.is_open:
            if run.may_be_stopped_here and not self._is_in_backward():
                is_whole = self._finder.finished_steps > run.window.last
                run.close(WHOLE if is_whole else reason, now=True)
            else:
                run.abandon(reason)
        self._end_run()

    def _forked(self) -> None:
        """In a child: a profiler that runs in the parent is none here; otherwise the child is watched on its own."""
        is_torn = self._run is not None or self._timed is not None or self._is_over
        self._announced = ""
        self._start_anew()
        self.hooks.finder = self._finder
        if is_torn:
            self._is_over = True
        else:
            self._endings.install()

    def _requested(self) -> None:
        """A signal asks for a window; between two instructions of anything, so that it is only noted."""
        self._is_due = True

    def _start_timed(self, after_s: float, duration_s: float) -> None:
        self._timed = TimedWindow(
            self._torch,
            list(self._config.get("with") or []),
            self._config["budget"],
            lambda: self._time_has_come(duration_s),
            self._timed_recorded,
            self._failed,
        )
        self._timed.start(after_s, duration_s)

    def _time_has_come(self, duration_s: float) -> bool:
        """Whether the thread of the window records; else a window begins at the next boundary."""
        if self._is_over or self._is_left_out():
            return False
        if self._finder.steps < 2:
            return True
        self._seconds, self._is_due = duration_s, True
        return False

    def _timed_recorded(self, profiling: ThreadsProfiling, reason: str) -> None:
        run = Run(self._torch, Window(0, 0, "time", list(self._config.get("with") or [])), self._config, 0.0)
        run.take(profiling, reason)
        facts = {**run.facts(), "before_ns": [], "after_ns": []}
        if run.export is not None:
            self._finish_file(run.export, facts)
            facts.update(file=run.facts()["file"], problem=run.export.problem)
        self._runs.append(facts)
        self._write_side_file()

    def _failed(self, error: Exception) -> None:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        if len(self._problems) < _MOST_PROBLEMS and said not in self._problems:
            self._problems.append(said)

    def _versions(self) -> dict[str, str]:
        return versions(self._torch, self._config.get("version", ""))

    def _micro_batches(self) -> int | None:
        return _median(self._finder.micro_batches)

    def _write_side_file(self) -> None:
        if not (self._finder.was_active or self._runs or self._problems):
            return
        facts = {
            **side_file.facts_of_process(self._config, self._versions()),
            "steps_are": self._finder.mode,
            "steps": self._finder.finished_steps,
            "micro_batches": self._micro_batches(),
            "skips": self._finder.skips,
            "windows": self._runs,
            "problems": self._problems,
            "closed": self._closed,
        }
        try:
            side_file.write(self._config["out"], facts)
        except OSError:
            pass  # a full disk: the launcher says that nothing was recorded


def _median(values: Any) -> int | None:
    return round(statistics.median(values)) if values else None


def _slowdown(window: dict[str, Any]) -> float | None:
    """How much longer recorded steps took than those around the window; None where these were not timed."""
    unprofiled, recorded = _median(window["before_ns"] + window["after_ns"]), _median(window["recorded_ns"])
    return round(recorded / unprofiled, 3) if recorded and unprofiled else None
