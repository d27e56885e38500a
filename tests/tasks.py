"""What tests have other processes do; importable there, as the tests themselves are not."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from stepscope.store.profile import Rank


def double(number: int) -> int:
    return 2 * number


def fails(number: int) -> int:
    """Raises for odd numbers: `MemoryError` for 1, else a defect."""
    if number == 1:
        raise MemoryError
    if number % 2:
        raise KeyError(number)
    return number


def full_disk(number: int) -> int:
    raise OSError(28, "No space left on device", f"/cache/{number}")


def dies_of(path: str) -> str:
    """Dies of a file whose name says so: once, where it leaves a mark beside it, or always."""
    mark = Path(f"{path}.mark")
    if "always" in path or ("once" in path and not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path


def dies_reading(rank: Rank) -> None:
    """For `ReadOptions.after`."""
    dies_of(rank.source)
