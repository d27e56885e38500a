"""What running processes say of themselves, made up."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from stepscope.capture.agent.identity import host_name
from stepscope.capture.agents import started

MS = 1_000_000
GONE = 1 << 30
"""No process has this number."""


def window(first: int, file: str | None, slowdown: float | None = 1.31) -> dict[str, Any]:
    said = {"kind": "full", "closed": "end", "problem": "", "stop_ns": 5 * MS}
    return said | {"first_step": first, "last_step": first + 5, "file": file, "slowdown": slowdown}


def running(folder: Path, pid: int | None = None, age_s: float = 0, **changed: Any) -> Path:
    """The file of a process that runs: this one, unless another number is given."""
    pid, now = os.getpid() if pid is None else pid, time.time_ns()
    said = {
        "schema": 1,
        "pid": pid,
        "started": started(pid) or "1",
        "host": host_name(),
        "rank": None,
        "world_size": None,
        "local_rank": None,
        "argv": ["train.py", "--size", "7b"],
        "steps_are": "optimizer",
        "versions": {"torch": "2.13.0"},
        "options": {"with": ["shapes", "stack"]},
        "state": "waiting",
        "on_demand": True,
        "active": 6,
        "next": None,
        "recording": None,
        "windows": [],
        "problems": [],
        "began_ns": now - 60 * 10**9,
        "written_ns": now - round(age_s * 10**9),
        "steps": 1204,
        "step_ns": [10 * MS, 12 * MS],
        "pace": {"last_ns": 12 * MS, "best_ns": 10 * MS},
        **changed,
    }
    place = folder / "processes"
    place.mkdir(parents=True, exist_ok=True)
    file = place / f"{said['host']}_{pid}.live"
    file.write_text(json.dumps(said))
    return file


def announce(temporary: Path, out: Path) -> Path:
    """Have this process be one that waits to be asked for a window, which is written to a folder."""
    folder = temporary / f"stepscope-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    said = {"pid": os.getpid(), "started": started(os.getpid()), "rank": None, "out": str(out)}
    file = folder / f"{os.getpid()}.json"
    file.write_text(json.dumps(said))
    return file
