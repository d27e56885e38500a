"""What running processes say of themselves (`agent.live`), read from outside, and whether they still run."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from stepscope.capture.agent import live
from stepscope.capture.agent.identity import host_name
from stepscope.capture.agent.requests import withdraw
from stepscope.capture.agent.side_file import FOLDER
from stepscope.capture.agents import still_runs

QUIET_S = 5.0
"""A process on another machine that was not heard of for so long, and for three of its steps, is lost."""
WINDOW_S = 600
"""While it records it writes nothing, which would be recorded, too."""

LOST = "lost"
"""State of a process that no longer runs and did not say so."""

_MOST_BYTES = 1 << 20
_STEPS_OF_SILENCE = 3


@dataclass(frozen=True)
class Process:
    """A process that takes steps.

    Attributes:
        path: of the file; the folder of its folder is that of the recordings.
        said: what stands in it, its members checked.
    """

    path: str
    said: Mapping[str, Any]

    @property
    def folder(self) -> str:
        return os.path.dirname(os.path.dirname(self.path))

    @property
    def pid(self) -> int:
        return int(self.said["pid"])

    @property
    def rank(self) -> int | None:
        return None if self.said["rank"] is None else int(self.said["rank"])

    @property
    def is_here(self) -> bool:
        """Whether it runs on this machine, as far as names tell."""
        return bool(self.said["host"] == host_name())

    def age_s(self, now_ns: int) -> float:
        """Since it was last heard of."""
        return float(max(0, now_ns - self.said["written_ns"]) / 1e9)

    def is_lost(self, now_ns: int) -> bool:
        """Whether it is gone; a process that cannot be seen from here is judged by its silence."""
        longest = max(self.said["step_ns"][-_STEPS_OF_SILENCE:], default=0)
        quiet_s = WINDOW_S if self.said["state"] == live.RECORDING and not self.is_here else QUIET_S
        if self.age_s(now_ns) < max(quiet_s, _STEPS_OF_SILENCE * longest / 1e9):
            return False
        return not (self.is_here and still_runs(self.pid, self.said["started"]))

    def state(self, now_ns: int) -> str:
        """`LOST`, or what it says."""
        return LOST if self.is_lost(now_ns) else str(self.said["state"])


def read(path: str) -> Process | None:
    """What a process says; None where that is no such file, or has gone."""
    try:
        place = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(place, "rb") as file:
            status = os.fstat(place)
            if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_BYTES:
                return None
            said = json.loads(file.read(_MOST_BYTES))
    except (OSError, ValueError):
        return None
    return Process(path, said) if _is_whole(said) else None


def remove_ended(folder: str, before: Collection[str]) -> None:
    """Remove what processes of this machine left that have ended without removing it.

    Args:
        folder: of the recordings.
        before: files that are none of this run's.
    """
    place = os.path.join(folder, FOLDER)
    try:
        names = [name for name in os.listdir(place) if name.endswith(live.SUFFIX)]
    except OSError:
        return
    for path in (os.path.join(place, name) for name in names):
        process = None if path in before else read(path)
        if process is not None and process.is_here and not still_runs(process.pid, process.said["started"]):
            withdraw(path)


def _is_whole(said: Any) -> bool:
    """Whether all is there and of its kind."""
    if not isinstance(said, dict) or said.get("schema") != live.SCHEMA:
        return False
    kinds = {int: ("pid", "steps", "active", "began_ns", "written_ns"), str: ("host", "started", "state", "steps_are")}
    whole = all(type(said.get(name)) is kind for kind, names in kinds.items() for name in names)
    optional = (said.get(name, "") for name in ("rank", "world_size", *live.SPANS))
    return (
        whole
        and type(said.get("on_demand")) is bool
        and all(_is_count(one) or _is_span(one) for one in optional)
        and _is_list(said.get("argv"), str)
        and _is_list(said.get("step_ns"), int)
        and _is_list(said.get("windows"), dict)
        and all(map(_is_window, said["windows"]))
        and all(isinstance(said.get(name), dict) for name in ("versions", "options", "pace"))
        and all(_is_count(said["pace"].get(name, "")) for name in ("last_ns", "best_ns"))
    )


def _is_count(value: Any) -> bool:
    return value is None or type(value) is int


def _is_span(value: Any) -> bool:
    return _is_list(value, int) and len(value) == 2


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(type(one) is kind for one in value)


def _is_window(one: dict[str, Any]) -> bool:
    named = one.get("file", 0)
    return (
        _is_count(one.get("first_step", ""))
        and _is_count(one.get("last_step", ""))
        and (named is None or (isinstance(named, str) and os.path.basename(named) == named != ""))
        and isinstance(one.get("slowdown", ""), (int, float, type(None)))
        and _is_count(one.get("stop_ns", ""))
        and all(isinstance(one.get(name), str) for name in ("kind", "closed", "problem"))
    )
