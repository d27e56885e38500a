"""What a process says of itself while it runs: a small file beside its recordings, for whoever looks on.

It is written between two steps, about once a second and less often where the disk is slow, by the thread that takes the
steps: a thread of its own would be noticed by a job that forks.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from . import requests
from .identity import process_name
from .side_file import FOLDER

SUFFIX = ".live"
SCHEMA = 1
WAITING, RECORDING, MEASURING, DONE, FOREIGN = "waiting", "recording", "measuring", "done", "foreign"
"""For the next window; within one; behind one, while steps are timed; for nothing more; and no longer watching, because
the program's own profiler has started."""

SPANS = ("next", "recording")
"""First and last step of the next window, and of the one being recorded or measured; None where there is none."""

KEPT = 600
"""Times of so many steps are shown."""
PACE = 100
"""So many steps make a pace."""
_UNSETTLED = 3
_SECOND_NS = 10**9
_SHARE = 200
"""Writing takes one part of the time in so many at most."""


def window(facts: dict[str, Any], slowdown: float | None) -> dict[str, Any]:
    """A window that was recorded, of `Run.facts`, as the file has it."""
    kept = ("kind", "first_step", "last_step", "closed", "file", "problem", "stop_ns")
    return {**{name: facts[name] for name in kept}, "slowdown": slowdown}


class Pace:
    """Mean time of the last `PACE` steps that no recording disturbed, and of the fastest `PACE` of them in a row."""

    def __init__(self) -> None:
        self._times: deque[int] = deque(maxlen=PACE)
        self._sum = 0
        self._best: int | None = None

    def add(self, ns: int) -> None:
        if len(self._times) == PACE:
            self._sum -= self._times[0]
        self._times.append(ns)
        self._sum += ns
        if len(self._times) == PACE and (self._best is None or self._sum < self._best):
            self._best = self._sum

    def facts(self) -> dict[str, int | None]:
        """Both in ns; None before there were so many steps."""
        is_known = len(self._times) == PACE
        return {
            "last_ns": self._sum // PACE if is_known else None,
            "best_ns": None if self._best is None else self._best // PACE,
        }


class Live:
    """The file of one process. It is there from its first step on, and removed when it ends.

    Args:
        out: folder of the recordings.
        said: what stands in it beside the times.
        clock: in ns.
    """

    def __init__(
        self, out: str, said: Callable[[], dict[str, Any]], clock: Callable[[], int] = time.perf_counter_ns
    ) -> None:
        self._out, self._said, self._clock = out, said, clock
        self._started = requests.started(os.getpid())
        self._began_ns = time.time_ns()
        self._path = ""
        self.count_anew()

    def count_anew(self) -> None:
        """What was taken for steps were none."""
        self._times: deque[int] = deque(maxlen=KEPT)
        self._pace = Pace()
        self._last: int | None = None
        self._was_disturbed = False
        self._count = 0
        self._due_ns = 0
        self._state = ""

    def step_begins(self) -> None:
        """And with it the last one ends."""
        now = self._clock()
        if self._last is not None:
            ns = now - self._last
            self._times.append(ns)
            self._count += 1
            if self._count >= _UNSETTLED and not self._was_disturbed:
                self._pace.add(ns)
        self._last = now

    def step_begun(self, state: str, is_disturbed: bool, is_recorded: bool) -> None:
        """What is done between two steps is done.

        Args:
            is_disturbed: the step that begins is recorded, or bears what a recording costs.
            is_recorded: a profiler is running: it would record the writing, too.
        """
        self._was_disturbed = is_disturbed
        if not is_recorded:
            self.say(state)

    def say(self, state: str) -> None:
        """What it is doing from now on."""
        is_news, self._state = state != self._state, state
        if is_news or self._clock() >= self._due_ns:
            self._write()

    def left(self, state: str) -> None:
        """Its steps are no longer watched."""
        if self._path:
            self._state = state
            self._write()

    def ended(self) -> None:
        if self._path:
            requests.withdraw(self._path)
            self._path = ""

    def _write(self) -> None:
        begin = self._clock()
        try:
            self._replace()
        except OSError:
            pass  # a full disk, or a folder that has gone: the job goes on
        self._due_ns = begin + max(_SECOND_NS, _SHARE * (self._clock() - begin))

    def _replace(self) -> None:
        path = os.path.join(self._out, FOLDER, process_name() + SUFFIX)
        if path != self._path:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self.ended()  # under another name: its rank was not known before
            self._path = path
        facts = {
            "schema": SCHEMA,
            "started": self._started,
            "began_ns": self._began_ns,
            "written_ns": time.time_ns(),
            "state": self._state,
            **self._said(),
            "pace": self._pace.facts(),
            "step_ns": list(self._times),
        }
        with open(f"{path}.tmp", "w", encoding="utf-8") as file:
            file.write(json.dumps(facts))  # in one go: `json.dump` is slow
        os.replace(f"{path}.tmp", path)
