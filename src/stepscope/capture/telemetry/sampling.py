"""The loop that samples: on time, for as long as it is wanted, and never dearer than it may be."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from stepscope.capture.telemetry import host
from stepscope.capture.telemetry.cgroups import Cgroup
from stepscope.capture.telemetry.gpus import Gpus
from stepscope.capture.telemetry.lines import Lines, Moment
from stepscope.capture.telemetry.nvml import Nvml
from stepscope.capture.telemetry.processes import Tree
from stepscope.capture.telemetry.readings import Group, Refused

SLOWEST_HZ, FASTEST_HZ = 1, 100
DEFAULT_HZ = 10
DURATION, PARENT, PROCESS = "duration", "parent ended", "process ended"
"""Why it ended, beside names of signals."""

_SECOND_NS = 10**9
_BUDGET_NS = 10**6
"""Time of a core that a sample may take in the mean: a hundredth of one, ten times a second."""
_JUDGED = 50
"""So many samples are looked at before the pace is changed: the first ones cost more."""


@dataclass
class Wanted:
    """What to sample.

    Attributes:
        hz: samples a second, from `SLOWEST_HZ` to `FASTEST_HZ`.
        pid: process that is watched with all below it; it ends the sampling, too. None for none.
        parent: process whose end is the end of the sampling; None for none.
        duration_s: how long; None for without end.
        root: folder of ``proc`` and ``sys``.
    """

    hz: float = DEFAULT_HZ
    pid: int | None = None
    parent: int | None = None
    duration_s: float | None = None
    root: str = "/"


class Clock:
    """Time, as it is; and CPU time of this process."""

    def now(self) -> Moment:
        return time.time_ns(), time.monotonic_ns()

    def monotonic(self) -> int:
        return time.monotonic_ns()

    def spent(self) -> int:
        return time.process_time_ns()


class Sampler:
    """Everything that is sampled of one machine.

    Args:
        nvml: None to load that of the machine.
    """

    def __init__(self, wanted: Wanted, lines: Lines, clock: Clock | None = None, nvml: Nvml | None = None) -> None:
        self._wanted, self._lines, self._clock = wanted, lines, clock or Clock()
        self._refused: dict[str, str] = {}
        self._gpus = self._found_gpus(nvml)
        self._tree = None if wanted.pid is None else Tree(wanted.root, wanted.pid, self._clock.monotonic, os.getpid())
        self._cgroup = Cgroup(wanted.root, wanted.pid if wanted.pid is not None else os.getpid())
        self._groups = self._made_groups()
        self._processes_due_ns = 0
        self._spent_ns = 0
        self.samples = 0

    def begin(self) -> None:
        """Write the header."""
        moment = self._clock.now()
        self._lines.header(moment, self._described(), {group.name: group.columns for group in self._groups})
        self._say_refused(moment)
        self._spent_ns = self._clock.spent()

    def sample(self) -> None:
        """Read what is due."""
        moment = self._clock.now()
        for group in self._groups:
            if group.is_due(moment[1]):
                self._lines.sample(group.name, self._clock.now(), group.read(self._refused))
        if moment[1] >= self._processes_due_ns:
            self._processes_due_ns = moment[1] + _SECOND_NS * 19 // 20
            self._lines.values(moment, self._of_processes())
        self._say_refused(moment)
        self.samples += 1

    def is_over(self) -> str | None:
        """Why there is nothing more to sample; None where there is."""
        wanted = self._wanted
        if wanted.parent is not None and os.getppid() != wanted.parent:
            return PARENT
        return PROCESS if self._tree is not None and not self._tree.is_alive() else None

    def close(self, why: str, pace_hz: float) -> None:
        spent = self._clock.spent() - self._spent_ns
        try:
            self._lines.note(self._clock.now(), end=why, samples=self.samples, cpu_ns=spent, hz=pace_hz)
        finally:
            if self._gpus is not None:
                self._gpus.close()

    def slowed(self, hz: float) -> None:
        """The pace is another one from now on: the samples cost too much."""
        self._lines.note(self._clock.now(), slowed_to_hz=hz)

    def _found_gpus(self, nvml: Nvml | None) -> Gpus | None:
        try:
            library = nvml if nvml is not None else Nvml.load()
            self._driver = library.driver()
            return Gpus(library, os.environ.get("CUDA_VISIBLE_DEVICES"), self._clock.monotonic)
        except Refused as error:
            self._driver = ""
            self._refused["gpu"] = error.why
            return None

    def _made_groups(self) -> list[Group]:
        found = [] if self._gpus is None else self._gpus.groups(self._refused)
        others = self._cgroup.readings(self._clock.monotonic)
        found += host.groups(self._wanted.root, self._clock.monotonic, others, self._refused)
        return [group for group in found if group.columns]

    def _of_processes(self) -> Mapping[str, Any]:
        found: dict[str, Any] = {}
        if self._tree is not None:
            try:
                found.update(self._tree.values())
            except OSError:
                self._tree = None
                self._refused["tree.cpu_pct"] = "no /proc"
        if self._gpus is not None:
            found.update(self._gpus.processes(self._refused))
        return found

    def _described(self) -> dict[str, Any]:
        gpus = {} if self._gpus is None else {"driver": self._driver, "gpus_on_host": self._gpus.on_host}
        return {
            "pid": self._wanted.pid,
            "hz": self._wanted.hz,
            "cpus": os.cpu_count(),
            **self._cgroup.limits(),
            **gpus,
            "gpus": [] if self._gpus is None else self._gpus.described(),
        }

    def _say_refused(self, moment: Moment) -> None:
        if self._refused:
            self._lines.refused(moment, self._refused)
            self._refused = {}


class Pace:
    """When the next sample is due, and how far apart samples are so that they cost no more than they may."""

    def __init__(self, hz: float, begin_ns: int, spent_ns: int) -> None:
        self.hz = hz
        self._due_ns, self._spent_ns, self._count = begin_ns, spent_ns, 0

    def wait_ns(self, now_ns: int) -> int:
        """Time until the next sample; what was missed is left out."""
        interval = round(_SECOND_NS / self.hz)
        self._due_ns += interval
        if self._due_ns < now_ns:
            self._due_ns += -(-(now_ns - self._due_ns) // interval) * interval
        return self._due_ns - now_ns

    def is_too_dear(self, spent_ns: int) -> bool:
        """Whether the last samples cost more than they may; then they are half as many from now on."""
        self._count += 1
        if self._count < _JUDGED:
            return False
        mean = (spent_ns - self._spent_ns) / self._count
        self._count, self._spent_ns = 0, spent_ns
        # A slower pace has more time for each: what counts is the share of a core.
        allowed = _BUDGET_NS * max(1.0, DEFAULT_HZ / self.hz)
        if mean <= allowed or self.hz <= SLOWEST_HZ:
            return False
        self.hz = max(float(SLOWEST_HZ), self.hz / 2)
        return True


class Stops:
    """Waits that a signal ends. Handlers of before are back afterwards."""

    _NAMES = ("SIGTERM", "SIGINT", "SIGHUP")

    def __enter__(self) -> Stops:
        self._read, self._written = os.pipe()
        os.set_blocking(self._written, False)
        self._wakeup = signal.set_wakeup_fd(self._written)
        numbers = [getattr(signal, name) for name in self._NAMES if hasattr(signal, name)]
        self._before = {number: signal.signal(number, lambda *_: None) for number in numbers}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup)
        os.close(self._read)
        os.close(self._written)

    def wait(self, ns: int) -> str | None:
        """Wait so long; returns the name of the signal that came meanwhile, or None."""
        while select.select([self._read], [], [], max(0, ns) / 1e9)[0]:
            for number in os.read(self._read, 64):
                if number in self._before:
                    return signal.Signals(number).name
            ns = 0
        return None


def sample(wanted: Wanted, descriptor: int, started: Callable[[], None] = lambda: None) -> str:
    """Sample until it is over; on the main thread.

    Args:
        descriptor: of the file, open for writing.
        started: called once the header is written.

    Returns:
        Why it ended: `DURATION`, `PARENT`, `PROCESS` or the name of a signal.

    Raises:
        OSError: it cannot be written.
    """
    clock = Clock()
    with Stops() as stops:
        sampler = Sampler(wanted, Lines(descriptor), clock)
        sampler.begin()
        started()
        begin = clock.monotonic()
        pace, why = Pace(wanted.hz, begin, clock.spent()), None
        while why is None:
            sampler.sample()
            if pace.is_too_dear(clock.spent()):
                sampler.slowed(pace.hz)
            now = clock.monotonic()
            wait = pace.wait_ns(now)
            end = None if wanted.duration_s is None else begin + int(wanted.duration_s * 1e9)
            if end is not None and now + wait > end:
                why = stops.wait(end - now) or DURATION
            else:
                why = stops.wait(wait) or sampler.is_over()
        sampler.close(why, pace.hz)
    return why
