"""What a run left: side files of its processes, recordings, and files that a killed process could not finish."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TRACE = ".pt.trace.json.gz"
_UNFINISHED = ".tmp"
_PROCESSES = "processes"
_GZIP = 31
_CHUNK = 1 << 20
_MOST_SIDE_FILE_BYTES = 16 << 20


@dataclass(frozen=True)
class Process:
    """What one process said of itself.

    Attributes:
        steps: that it took.
        files: recordings that it wrote.
        windows: each as the agent noted it (`agent.run.Run.facts`).
        closed: how it ended, or why it was no longer recorded.
        problems: errors of the agent.
    """

    pid: int
    host: str
    rank: int | None
    program: str
    steps: int
    steps_are: str
    closed: str
    files: tuple[str, ...]
    windows: tuple[dict[str, Any], ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """All of it.

    Attributes:
        processes: that took part, by rank.
        salvaged: files that were finished for a killed process.
    """

    processes: tuple[Process, ...] = ()
    salvaged: tuple[str, ...] = field(default_factory=tuple)

    @property
    def files(self) -> list[str]:
        """Names of all recordings."""
        return [*(file for process in self.processes for file in process.files), *self.salvaged]

    @property
    def recorded(self) -> list[Process]:
        return [process for process in self.processes if process.files]


def snapshot(out: str) -> set[str]:
    """Names of what lies in a folder before a run: what is there after it and was not before is the run's."""
    return {str(path) for path in _files(out)}


def collect(out: str, before: set[str]) -> Outcome:
    """Read what a run left behind.

    Args:
        before: files that were there already.
    """
    fresh = [path for path in _files(out) if str(path) not in before]
    salvaged = [_salvaged(path) for path in fresh if path.name.endswith(TRACE + _UNFINISHED)]
    for path in fresh:
        if path.name.endswith(f"{TRACE}.json{_UNFINISHED}"):
            _remove(path)
    processes = [_process(path) for path in fresh if path.parent.name == _PROCESSES and path.suffix == ".json"]
    known = [process for process in processes if process is not None]
    known.sort(key=lambda one: (one.rank is None, one.rank or 0, one.host, one.pid))
    return Outcome(tuple(known), tuple(name for name in salvaged if name))


def _files(out: str) -> Iterator[Path]:
    for folder in (Path(out), Path(out, _PROCESSES)):
        try:
            yield from (path for path in sorted(folder.iterdir()) if path.is_file())
        except OSError:
            continue


def _process(path: Path) -> Process | None:
    try:
        if path.stat().st_size > _MOST_SIDE_FILE_BYTES:
            return None
        facts = json.loads(path.read_text(encoding="utf-8"))
        windows = tuple(facts["windows"])
        argv = facts["argv"] or [""]
        return Process(
            pid=int(facts["pid"]),
            host=str(facts["host"]),
            rank=None if facts["rank"] is None else int(facts["rank"]),
            program=os.path.basename(str(argv[0])) or "python",
            steps=int(facts["steps"]),
            steps_are=str(facts["steps_are"]),
            closed=str(facts["closed"]),
            files=tuple(str(one["file"]) for one in windows if one.get("file")),
            windows=windows,
            problems=tuple(map(str, facts["problems"])),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _salvaged(path: Path) -> str:
    """Finish the file of a process that was killed; returns its new name, "" where nothing of it can be read.

    All events are there, and missing is what stands behind them.
    """
    name = path.name[: -len(TRACE + _UNFINISHED)]
    whole = path.with_name((name if name.endswith(".partial") else f"{name}.partial") + TRACE)
    inflater, deflater = zlib.decompressobj(_GZIP), zlib.compressobj(1, zlib.DEFLATED, _GZIP)
    count = 0
    try:
        with path.open("rb") as source, whole.open("wb") as target:
            while chunk := source.read(_CHUNK):
                text = inflater.decompress(chunk)
                count += len(text)
                target.write(deflater.compress(text))
            target.write(deflater.compress(b"\n}\n") + deflater.flush())
    except (OSError, zlib.error):
        count = 0
    _remove(path)
    if not count:
        _remove(whole)
        return ""
    return whole.name


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        return
