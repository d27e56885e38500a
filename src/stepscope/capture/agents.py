"""Processes that wait to be asked for a recording (`agent.requests`), found from outside and asked."""

from __future__ import annotations

import json
import os
import signal
import stat
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Agent:
    """A process that was started by ``stepscope record --on-demand``.

    Attributes:
        out: folder that it writes to.
    """

    pid: int
    rank: int | None
    out: str

    def ask(self) -> None:
        """Have it record the next steps.

        Raises:
            OSError: it has ended.
        """
        os.kill(self.pid, signal.SIGUSR2)


def folder() -> Path:
    """Where agents of this user announce themselves."""
    return Path(tempfile.gettempdir(), f"stepscope-{os.getuid()}")


def agents_below(pid: int) -> list[Agent]:
    """The agents among a process and all that it started, by rank.

    A number alone says nothing: only an agent of this user that has been running since it announced itself is one. The
    signal would end any other process.
    """
    found = [agent for agent in _announced() if agent.pid == pid or pid in ancestors(agent.pid)]
    return sorted(found, key=lambda agent: (agent.rank is None, agent.rank or 0, agent.pid))


def agents_of(folder: str, pids: Collection[int]) -> list[Agent]:
    """Those of some processes that write into a folder."""
    real = os.path.realpath(folder)
    return [agent for agent in _announced() if agent.pid in pids and os.path.realpath(agent.out) == real]


def _announced() -> Iterator[Agent]:
    place = folder()
    try:
        owner = place.lstat()
        if not stat.S_ISDIR(owner.st_mode) or owner.st_uid != os.getuid():
            return  # made by another user, to have us signal what they want
        names = sorted(os.listdir(place))
    except OSError:
        return
    for name in names:
        if not name.endswith(".json"):
            continue
        try:
            said = json.loads((place / name).read_text(encoding="utf-8"))
            pid, rank, out = int(said["pid"]), said["rank"], str(said["out"])
            is_same = name == f"{pid}.json" and said["started"] == started(pid) != ""
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if is_same:
            yield Agent(pid, rank if isinstance(rank, int) else None, out)


def started(pid: int) -> str:
    """When a process began, in ticks of the machine; "" where there is none, or that is not known."""
    return _status(pid)[19] if _status(pid) else ""


def still_runs(pid: int, since: str) -> bool:
    """Whether a process that began then has not ended; one that was killed and that nobody waited for has."""
    status = _status(pid)
    return bool(status) and status[19] == since and status[0] not in "ZX"


def ancestors(pid: int) -> list[int]:
    """Processes that started this one, the nearest first."""
    found: list[int] = []
    while pid > 1 and (status := _status(pid)) and len(found) < 100:
        pid = int(status[1])
        found.append(pid)
    return found


def family(pid: int) -> list[int]:
    """A process and all that it started and that run."""
    numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()] if os.path.isdir("/proc") else []
    return [pid, *(one for one in sorted(numbers) if one != pid and pid in ancestors(one))]


def environment_of(pid: int) -> dict[str, str]:
    """What a process was started with; empty where that may not be read."""
    try:
        entries = Path(f"/proc/{pid}/environ").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return {}
    return dict(entry.split("=", 1) for entry in entries if "=" in entry)


def is_running(pid: int) -> bool:
    """Whether there is such a process, of any user."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _status(pid: int) -> list[str]:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    fields = text.rpartition(")")[2].split()
    return fields if len(fields) > 19 else []
