"""That this process may be asked for a window while it runs: a file of the user's that ``stepscope attach`` looks for.

The signal that asks kills a process which does not expect it, so nobody may be asked without such a file.
"""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any

from .identity import rank_of


def folder() -> str:
    """Of this user, on this machine."""
    return os.path.join(tempfile.gettempdir(), f"stepscope-{os.getuid()}")


def announce(out: str) -> str:
    """Write the file; returns its path."""
    place = folder()
    os.makedirs(place, mode=0o700, exist_ok=True)
    path = os.path.join(place, f"{os.getpid()}.json")
    said: dict[str, Any] = {"pid": os.getpid(), "started": started(os.getpid()), "out": out, "rank": rank_of()}
    with open(f"{path}.tmp", "w", encoding="utf-8") as file:
        json.dump(said, file)
    os.replace(f"{path}.tmp", path)
    return path


def started(pid: int) -> str:
    """When a process began, in ticks of the machine: another one of the same number has another. "" where unknown."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def withdraw(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        pass
