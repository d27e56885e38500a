"""Made machines: a folder with what ``/proc`` and ``/sys`` hold, and a clock that only moves when it is told."""

from __future__ import annotations

from pathlib import Path

SECOND = 10**9


class HandClock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.ns = 1000 * SECOND
        self.spent_ns = 0

    def now(self) -> tuple[int, int]:
        return 1_790_000_000 * SECOND + self.ns, self.ns

    def monotonic(self) -> int:
        return self.ns

    def spent(self) -> int:
        return self.spent_ns

    def pass_seconds(self, seconds: float) -> None:
        self.ns += int(seconds * SECOND)


def put(root: Path, **files: str) -> None:
    """Write files; a name has ``__`` for each slash."""
    for name, content in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def cores(root: Path, *ticks: tuple[int, ...]) -> None:
    """``/proc/stat`` of so many cores: user, nice, system, idle, iowait, irq, softirq, steal."""
    whole = [sum(each) for each in zip(*ticks, strict=True)]
    lines = [f"cpu{name} {' '.join(map(str, each))} 0 0" for name, each in [(" ", whole), *enumerate(ticks)]]
    put(root, proc__stat="\n".join([*lines, "intr 12 3 4", "ctxt 5"]))


def process(
    root: Path, pid: int, parent: int, ticks: int, name: str = "python", command: str = "", started: int = 50
) -> None:
    """``/proc/PID``: user and system ticks half each, four threads, 100 pages."""
    fields = ["S", parent, *[0] * 9, ticks // 2, ticks - ticks // 2, *[0] * 4, 4, 0, started, 0, 100]
    folder = root / "proc" / str(pid)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "stat").write_text(f"{pid} ({name}) {' '.join(map(str, fields))} 0 0\n")
    (folder / "cmdline").write_bytes(command.replace(" ", "\0").encode() + b"\0" if command else b"")


def plain_machine(root: Path) -> None:
    """Two idle cores, memory, and waiting for cores."""
    cores(root, (100, 0, 0, 100, 0, 0, 0, 0), (100, 0, 0, 100, 0, 0, 0, 0))
    put(root, proc__meminfo="MemTotal: 100 kB\nMemAvailable: 40 kB\nSwapTotal: 10 kB\nSwapFree: 4 kB\n")
    put(root, proc__pressure__cpu="some avg10=0.00 avg60=0.00 avg300=0.00 total=5000000\n")
