"""Run commands one by one and compare what they took.

The peak memory that the system reports for a child is at least that of its parent, so nothing large may happen in
this process: every trace is made and read in a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median


class RunFailed(Exception):
    """A measured command did not end well."""


@dataclass(frozen=True)
class Usage:
    """What a run took.

    Attributes:
        wall: seconds on the clock.
        cpu: seconds of user and system time, all threads.
        memory: peak resident bytes; 0 where only a part of a process was measured.
        output: what it printed.
    """

    wall: float
    cpu: float
    memory: int = 0
    output: str = ""


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Usage:
    """Run a command to its end.

    Raises:
        RunFailed: it ended with an error.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=errors, env=_environment(environment or {}))
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            last = errors.read().decode(errors="replace").strip().splitlines()[-1:]
            raise RunFailed(f"{' '.join(command)}: exit code {process.returncode}: {''.join(last)}")
        output.seek(0)
        unit = 1 if sys.platform == "darwin" else 1024
        text = output.read().decode(errors="replace")
        return Usage(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * unit, text)


def _environment(added: Mapping[str, str]) -> dict[str, str]:
    """That of a run. Where Python may not keep compiled modules, a warm command spends half its time compiling them."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | dict(added)


def parts(command: Sequence[str], environment: Mapping[str, str] | None = None) -> dict[str, Usage]:
    """Run a workload that measures parts of itself and prints them as JSON: ``{"part": [wall, cpu]}``."""
    printed: dict[str, list[float]] = json.loads(run(command, environment).output)
    return {name: Usage(wall, cpu) for name, (wall, cpu) in printed.items()}


@dataclass(frozen=True)
class Ratios:
    """Ours divided by the baseline, of one pair or the median of several."""

    wall: float
    cpu: float | None
    memory: float | None


@dataclass(frozen=True)
class Compared:
    """Several pairs of runs, ours and the baseline in turn."""

    ours: list[Usage]
    baseline: list[Usage]

    @property
    def ratios(self) -> Ratios:
        """Medians of the ratios of all pairs."""
        pairs = list(zip(self.ours, self.baseline, strict=True))
        memory = [a.memory / b.memory for a, b in pairs if b.memory]
        cpu = [a.cpu / b.cpu for a, b in pairs if b.cpu]  # a browser tells times alone
        return Ratios(
            median(a.wall / b.wall for a, b in pairs),
            median(cpu) if cpu else None,
            median(memory) if memory else None,
        )

    @property
    def wall_range(self) -> tuple[float, float]:
        """Lowest and highest ratio of wall time."""
        ratios = [a.wall / b.wall for a, b in zip(self.ours, self.baseline, strict=True)]
        return min(ratios), max(ratios)


def middle(runs: Sequence[Usage]) -> Usage:
    """Median of every figure by itself."""
    return Usage(median(r.wall for r in runs), median(r.cpu for r in runs), int(median(r.memory for r in runs)))


def compare(pair: Callable[[], tuple[Usage, Usage]], repeats: int) -> Compared:
    """Measure ours and the baseline in turn, so that both meet the same noise."""
    measured = [pair() for _ in range(repeats)]
    return Compared([ours for ours, _ in measured], [baseline for _, baseline in measured])
