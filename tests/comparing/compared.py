"""Made recordings of a few steps, and how they compare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from building import Events, opened, step, timed
from stepscope.comparison.causes import Cause
from stepscope.comparison.compare import Comparison, compare
from stepscope.store.profile import Rank

STEP = 1_000_000

Each = Callable[[int, int], list[Events]]
"""Events of a step, from its start and the first correlation that is free."""


def recorded(folder: Path, each: Each, *, steps: int = 4, length: int = STEP) -> Rank:
    """A recording whose steps a function makes."""
    events = [[step(n, n * length, (n + 1) * length), *each(n * length, 1_000 * n + 1)] for n in range(steps)]
    return opened(folder, *events).profile.ranks[0]


def compared(folder: Path, base: Each, new: Each, **options: Any) -> Comparison:
    """One recording of each side."""
    return compare([recorded(folder, base, **options)], [recorded(folder, new, **options)])


def function(name: str, start: int, end: int) -> Events:
    """A Python function on the thread of the steps."""
    return timed("python_function", name, start, end, process=1, thread=1)


def words(cause: Cause) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Where a cause is, what is gone, what is new."""
    return cause.path[-1] if cause.path else "", cause.gone, cause.new
