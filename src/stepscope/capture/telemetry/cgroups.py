"""What a container is allowed and takes: limits, memory in use, and time in which it was throttled (cgroups(7)).

Of version 1 and 2. A limit may stand at any level above a process, and the lowest one counts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from stepscope.capture.telemetry.host import KernelFile
from stepscope.capture.telemetry.readings import Rate, Reading, Value

_NO_LIMIT = 1 << 60
"""Version 1 writes a number near this for none."""


class Cgroup:
    """The control groups of a process.

    Args:
        root: where ``proc`` and ``sys`` are.
        pid: of the process.
    """

    def __init__(self, root: str, pid: int) -> None:
        self._root = root
        self._paths = self._own_paths(pid)

    def limits(self) -> dict[str, Any]:
        """For the header: cores that it may use, and bytes; what has no limit is left out."""
        found: dict[str, Any] = {}
        cores = [limit for limit in map(self._cores_at, self._levels("cpu")) if limit is not None]
        memory = [limit for limit in map(self._memory_at, self._levels("memory")) if limit is not None]
        if cores:
            found["cpu_limit_cores"] = min(cores)
        if memory:
            found["memory_limit_bytes"] = min(memory)
        return found

    def readings(self, clock: Callable[[], int]) -> list[Reading]:
        """Memory in use, and the share of time in which threads that were ready had to wait for the next period."""
        found = []
        level = next(iter(self._levels("memory")), None)
        if level is not None:
            name = "memory.current" if self._is_second("memory") else "memory.usage_in_bytes"
            used = KernelFile(os.path.join(level, name))
            found.append(Reading(["cgroup.memory_used_bytes"], lambda: [int(used.text())]))
        limited = [level for level in self._levels("cpu") if self._cores_at(level) is not None]
        if limited:
            tightest = min(limited, key=lambda one: self._cores_at(one) or 0.0)
            found.append(self._throttled(os.path.join(tightest, "cpu.stat"), clock))
        return found

    def _throttled(self, path: str, clock: Callable[[], int]) -> Reading:
        file = KernelFile(path)
        periods, times = Rate(clock), Rate(clock)
        key, scale = ("throttled_usec", 1e-4) if self._is_second("cpu") else ("throttled_time", 1e-7)

        def call() -> Sequence[Value]:
            known = {line.split()[0]: int(line.split()[1]) for line in file.text().splitlines() if line.strip()}
            return [periods.of(known["nr_throttled"]), times.of(known[key], scale)]

        return Reading(["cgroup.throttled_periods_per_s", "cgroup.throttled_pct"], call)

    def _own_paths(self, pid: int) -> dict[str, str]:
        """Where a process is in each hierarchy: by the controller in version 1, by "" in version 2."""
        found: dict[str, str] = {}
        try:
            with open(os.path.join(self._root, "proc", str(pid), "cgroup"), encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            return found
        for line in lines:
            _, _, rest = line.partition(":")
            controllers, _, path = rest.partition(":")
            found.update(dict.fromkeys(controllers.split(","), path))
        return found

    def _is_second(self, controller: str) -> bool:
        return controller not in self._paths

    def _levels(self, controller: str) -> list[str]:
        """Folders from the process's own up to the top. A container may see only the top."""
        mount = os.path.join(self._root, "sys/fs/cgroup", "" if self._is_second(controller) else controller)
        path = self._paths.get("" if self._is_second(controller) else controller)
        if path is None:
            return []
        parts = [part for part in path.split("/") if part and part != ".."]
        levels = [os.path.join(mount, *parts[:count]) for count in range(len(parts), -1, -1)]
        return [level for level in levels if os.path.isdir(level)]

    def _cores_at(self, level: str) -> float | None:
        if self._is_second("cpu"):
            quota, period = [*_words(os.path.join(level, "cpu.max")), "max", ""][:2]
        else:
            quota = (_words(os.path.join(level, "cpu.cfs_quota_us")) or ["-1"])[0]
            period = (_words(os.path.join(level, "cpu.cfs_period_us")) or [""])[0]
        if not quota.isdigit() or not period.isdigit() or not int(period):
            return None
        return round(int(quota) / int(period), 3)

    def _memory_at(self, level: str) -> int | None:
        name = "memory.max" if self._is_second("memory") else "memory.limit_in_bytes"
        text = (_words(os.path.join(level, name)) or [""])[0]
        return int(text) if text.isdigit() and int(text) < _NO_LIMIT else None


def _words(path: str) -> list[str]:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read().split()
    except OSError:
        return []
