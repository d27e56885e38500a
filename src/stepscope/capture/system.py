"""The machine as the doctor and the builders of command lines see it: files, programs, nothing of it changed."""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

_PATIENCE_S = 20.0
_MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class Answer:
    """What a program printed, and its exit code."""

    code: int
    out: str
    err: str = ""


class System(Protocol):
    """What can be asked of a machine."""

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables of the environment."""
        ...

    def which(self, name: str) -> str | None:
        """Path of a program on PATH."""
        ...

    def glob(self, pattern: str) -> list[str]:
        """Paths that match, in order of their names."""
        ...

    def read(self, path: str) -> str | None:
        """Text of a small file; None where it cannot be read."""
        ...

    def ask(self, argv: Sequence[str], patience_s: float = _PATIENCE_S) -> Answer | None:
        """Run a program to its end; None where it cannot be started or does not end in time."""
        ...

    def free_bytes(self, folder: str) -> int | None:
        """What may still be written below a folder, or below the nearest one that is there."""
        ...


class ThisMachine:
    """The machine that this runs on."""

    @property
    def environment(self) -> Mapping[str, str]:
        return os.environ

    def which(self, name: str) -> str | None:
        return shutil.which(name)

    def glob(self, pattern: str) -> list[str]:
        return sorted(glob.glob(pattern))

    def read(self, path: str) -> str | None:
        try:
            with open(path, "rb") as file:
                return file.read(_MOST_BYTES).decode("utf-8", "replace")
        except OSError:
            return None

    def ask(self, argv: Sequence[str], patience_s: float = _PATIENCE_S) -> Answer | None:
        try:
            done = subprocess.run(list(argv), stdin=subprocess.DEVNULL, capture_output=True, timeout=patience_s)
        except (OSError, subprocess.SubprocessError):
            return None
        return Answer(done.returncode, *(text.decode("utf-8", "replace") for text in (done.stdout, done.stderr)))

    def free_bytes(self, folder: str) -> int | None:
        place = os.path.abspath(folder)
        while not os.path.isdir(place) and os.path.dirname(place) != place:
            place = os.path.dirname(place)
        try:
            return shutil.disk_usage(place).free
        except OSError:
            return None
