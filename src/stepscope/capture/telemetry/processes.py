"""A process and all below it: cores and memory that they take, and which of them load data (proc(5))."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from stepscope.capture.telemetry.readings import Value

WORKER = "pt_data_worker"
"""What torch calls the main thread of a data loader's worker, since 2.6."""
_SCAN_SHARE = 200
"""Looking for new processes reads all of the machine's: it takes a 200th of the time at most."""
_LEAST_SCAN_NS = 2 * 10**9
_MOST_NAMED = 64
_PARENT, _USER, _SYSTEM, _THREADS, _STARTED, _RESIDENT = 1, 11, 12, 17, 19, 21
"""Fields of ``/proc/PID/stat`` behind the name."""


class Stat(NamedTuple):
    """A line of ``/proc/PID/stat``; ticks of its cores, pages of its memory."""

    name: str
    parent: int
    ticks: int
    threads: int
    started: int
    pages: int


class Tree:
    """A process and those below it.

    Args:
        root: where ``proc`` is.
        pid: of the process.
        clock: monotonic, in ns.
        without: a process below it that does not count: the one that samples.
        ticks_per_s, page_bytes: of this machine.
    """

    def __init__(
        self,
        root: str,
        pid: int,
        clock: Callable[[], int],
        without: int | None = None,
        ticks_per_s: int = os.sysconf("SC_CLK_TCK"),
        page_bytes: int = os.sysconf("SC_PAGE_SIZE"),
    ) -> None:
        self._proc, self.pid, self._clock = os.path.join(root, "proc"), pid, clock
        self._without = without
        self._ticks_per_s, self._page_bytes = ticks_per_s, page_bytes
        found = self._stat(pid)
        self.started = found.started if found is not None else None
        self._members: set[int] = {pid}
        self._workers: dict[int, bool] = {}
        self._last: dict[int, int] = {}
        self._last_ns: int | None = None
        self._scan_due_ns = 0
        self._named: set[int] = set()

    def is_alive(self) -> bool:
        """Whether the process is there still, and is no other one of its number."""
        found = self._stat(self.pid)
        return found is not None and found.started == self.started

    def values(self) -> dict[str, Value]:
        """Counters by their names: of all together, of the workers that load data, and of each of some."""
        now = self._clock()
        if now >= self._scan_due_ns:
            self._scan()
            self._scan_due_ns = self._clock() + max(_LEAST_SCAN_NS, _SCAN_SHARE * (self._clock() - now))
        stats = {pid: stat for pid, stat in ((pid, self._stat(pid)) for pid in self._members) if stat is not None}
        self._members = set(stats)
        busy = self._busy(stats, now)
        workers = [pid for pid in stats if self._is_worker(pid, stats[pid])]
        found: dict[str, Value] = {
            "tree.processes": len(stats),
            "tree.threads": sum(one.threads for one in stats.values()),
            "tree.memory_bytes": sum(one.pages for one in stats.values()) * self._page_bytes,
            "workers.processes": len(workers),
            "workers.memory_bytes": sum(stats[pid].pages for pid in workers) * self._page_bytes,
        }
        if busy:
            found["tree.cpu_pct"] = round(sum(busy.values()), 1)
            found["workers.cpu_pct"] = round(sum(busy.get(pid, 0.0) for pid in workers), 1)
            found["workers.busiest_cpu_pct"] = max((busy.get(pid, 0.0) for pid in workers), default=None)
            found.update(self._each(stats, busy))
        return {name: value for name, value in found.items() if value is not None}

    def _each(self, stats: dict[int, Stat], busy: dict[int, float]) -> dict[str, Value]:
        """Of the first processes that were busy: a job may start any number of them."""
        found: dict[str, Value] = {}
        for pid in sorted(busy):
            if pid not in self._named and (len(self._named) >= _MOST_NAMED or busy[pid] < 1.0):
                continue
            self._named.add(pid)
            name = f"process {pid} {_plain(stats[pid].name)}"
            found[f"{name} cpu_pct"] = busy[pid]
            found[f"{name} memory_bytes"] = stats[pid].pages * self._page_bytes
        return found

    def _busy(self, stats: dict[int, Stat], now: int) -> dict[int, float]:
        """Per cent of a core that each took since the last time; one that is new then took all it ever did."""
        last, last_ns = self._last, self._last_ns
        self._last, self._last_ns = {pid: one.ticks for pid, one in stats.items()}, now
        if last_ns is None or now <= last_ns:
            return {}
        scale = 100.0 * 1e9 / (self._ticks_per_s * (now - last_ns))
        return {
            pid: round((one.ticks - last[pid]) * scale, 1)
            for pid, one in stats.items()
            if pid in last and one.ticks >= last[pid]
        }

    def _is_worker(self, pid: int, stat: Stat) -> bool:
        """Whether it loads data: by the name that torch gives it, else because it is a fork of the Python above it."""
        if stat.name == WORKER:
            return True
        if pid not in self._workers:
            own, parents = self._command(pid), self._command(stat.parent)
            inside = stat.parent in self._members and pid != self.pid
            self._workers[pid] = inside and own == parents and b"python" in own.partition(b"\0")[0]
        return self._workers[pid]

    def _scan(self) -> None:
        """Find every process below."""
        children: dict[int, list[int]] = {}
        for entry in os.listdir(self._proc):
            if entry.isdigit():
                stat = self._stat(int(entry))
                if stat is not None:
                    children.setdefault(stat.parent, []).append(int(entry))
        found, waiting = {self.pid}, [self.pid]
        while waiting:
            below = [pid for pid in children.get(waiting.pop(), []) if pid not in found]
            found.update(below)
            waiting += below
        self._members |= found - {self._without}

    def _stat(self, pid: int) -> Stat | None:
        text = self._bytes(pid, "stat")
        try:
            name, _, rest = text.partition(b"(")[2].rpartition(b")")
            fields = rest.split()
            numbers: Any = [int(fields[at]) for at in (_PARENT, _THREADS, _STARTED, _RESIDENT)]
            ticks = int(fields[_USER]) + int(fields[_SYSTEM])
        except (ValueError, IndexError):
            return None
        parent, threads, started, pages = numbers
        return Stat(name.decode("utf-8", "replace"), parent, ticks, threads, started, pages)

    def _command(self, pid: int) -> bytes:
        return self._bytes(pid, "cmdline")

    def _bytes(self, pid: int, name: str) -> bytes:
        try:
            file = os.open(f"{self._proc}/{pid}/{name}", os.O_RDONLY)
        except OSError:
            return b""
        try:
            return os.read(file, 4096)
        except OSError:
            return b""
        finally:
            os.close(file)


def _plain(name: str) -> str:
    """A name that a process gave itself, as it can stand in a counter's."""
    return re.sub(r"[^\w.-]+", "_", name)[:16] or "process"
