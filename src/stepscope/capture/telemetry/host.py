"""The counters of the machine: cores, memory, and how long processes waited for them (proc(5), psi.rst)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from stepscope.capture.telemetry.readings import Group, Rate, Reading, Value

_TENTH_NS, _SECOND_NS = 10**8, 10**9
_MOST_BYTES = 1 << 18
_IDLE, _IOWAIT, _IRQ, _SOFTIRQ, _STEAL = 3, 4, 5, 6, 7
_COUNTED = 8
"""Guest time, behind these columns of ``/proc/stat``, is in the first ones already."""


class KernelFile:
    """A file of the kernel that is kept open: reading it again costs one call."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._descriptor = -1

    def text(self) -> str:
        """What it says now.

        Raises:
            OSError: it cannot be read.
        """
        if self._descriptor < 0:
            self._descriptor = os.open(self._path, os.O_RDONLY)
        return os.pread(self._descriptor, _MOST_BYTES, 0).decode("ascii", "replace")

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Cores:
    """How busy all cores and each of them were since the last time, in per cent."""

    def __init__(self, root: str) -> None:
        self._file = KernelFile(os.path.join(root, "proc/stat"))
        self._last = self._times()

    def reading(self) -> Reading:
        cores = [name for name in self._last if name != "cpu"]
        whole = [f"cpu.{name}_pct" for name in ("busy", "system", "iowait", "steal")]
        return Reading([*whole, *(f"{name}.busy_pct" for name in cores)], self._values)

    def _values(self) -> Sequence[Value]:
        now, last = self._times(), self._last
        self._last = {**last, **now}
        every = _growth(last["cpu"], now["cpu"])
        found: list[Value] = [_share(every, every[:_IDLE] + every[_IRQ:])]
        found += [_share(every, every[2:3] + every[_IRQ:_STEAL]), _share(every, every[_IOWAIT:_IRQ])]
        found.append(_share(every, every[_STEAL:_COUNTED]))
        for name in last:
            if name != "cpu":
                # A core that was switched off has no line.
                grown = _growth(last[name], now[name]) if name in now else []
                found.append(_share(grown, grown[:_IDLE] + grown[_IRQ:]))
        return found

    def _times(self) -> dict[str, list[int]]:
        found = {}
        for line in self._file.text().splitlines():
            if not line.startswith("cpu"):
                break
            name, *times = line.split()
            found[name] = [int(time) for time in times[:_COUNTED]]
        return found


def _growth(last: Sequence[int], now: Sequence[int]) -> list[int]:
    # Waiting for I/O is known to go back.
    return [max(0, b - a) for a, b in zip(last, now)]


def _share(every: Sequence[int], parts: Sequence[int]) -> Value:
    whole = sum(every)
    return round(100.0 * sum(parts) / whole, 1) if whole else None


class Memory:
    """Memory of the machine."""

    NAMES = ("host.memory_used_bytes", "host.memory_available_bytes", "host.swap_used_bytes")

    def __init__(self, root: str) -> None:
        self._file = KernelFile(os.path.join(root, "proc/meminfo"))

    def reading(self) -> Reading:
        return Reading(self.NAMES, self._values)

    def total(self) -> int:
        return self._known()["MemTotal"]

    def _values(self) -> Sequence[Value]:
        known = self._known()
        swap = known.get("SwapTotal", 0) - known.get("SwapFree", 0)
        return [known["MemTotal"] - known["MemAvailable"], known["MemAvailable"], swap]

    def _known(self) -> dict[str, int]:
        lines = (line.partition(":") for line in self._file.text().splitlines())
        return {name: int(rest.split()[0]) << 10 for name, _, rest in lines if rest.strip()}


def pressure(root: str, clock: Callable[[], int]) -> list[Reading]:
    """Shares of the time in which some process, or every one, waited for cores, memory or I/O, in per cent."""
    found = []
    for of, kinds in (("cpu", ("some",)), ("memory", ("some", "full")), ("io", ("some", "full"))):
        file = KernelFile(os.path.join(root, "proc/pressure", of))
        names = [f"pressure.{of}_{kind}_pct" for kind in kinds]
        found.append(Reading(names, _stalls(file, {kind: Rate(clock) for kind in kinds})))
    return found


def _stalls(file: KernelFile, rates: dict[str, Rate]) -> Callable[[], Sequence[Value]]:
    def call() -> Sequence[Value]:
        lines = {line.partition(" ")[0]: line for line in file.text().splitlines()}
        # Microseconds a second, as per cent.
        return [rate.of(int(lines[kind].rpartition("total=")[2]), 1e-4) for kind, rate in rates.items()]

    return call


def groups(root: str, clock: Callable[[], int], others: Sequence[Reading], refused: dict[str, str]) -> list[Group]:
    """Cores ten times a second at most, because that is how often the kernel counts; the rest once a second.

    Args:
        root: where ``proc`` and ``sys`` are.
        others: further readings of once a second.
    """
    found: list[tuple[str, int, Sequence[Reading]]] = []
    try:
        found.append(("cpu", _TENTH_NS, [Cores(root).reading()]))
    except (OSError, ValueError, IndexError, KeyError) as error:
        refused["cpu.busy_pct"] = getattr(error, "strerror", None) or type(error).__name__
    found.append(("host", _SECOND_NS, [Memory(root).reading(), *pressure(root, clock), *others]))
    made = [Group(*one) for one in found]
    for group in made:
        group.probe(refused)
        group.wait(clock())
    return made
