"""Made steps of one length, examined for what could be fixed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from building import Events, opened, step
from stepscope.findings.detector_context import Note
from stepscope.findings.examination import Examination, Finding, examine

STEP = 1_000_000


def examined(
    folder: Path, each: Callable[[int, int], list[Events]], *, steps: int = 3, length: int = STEP, **head: Any
) -> Examination:
    """Steps whose events a function makes from the step's start and its first correlation."""
    events = [[step(n, n * length, (n + 1) * length), *each(n * length, 1_000 * n + 1)] for n in range(steps)]
    return examined_events(folder, *events, **head)


def examined_events(folder: Path, *events: Events, **head: Any) -> Examination:
    """Events of a whole trace."""
    profile = opened(folder, *events, **head).profile
    found = examine(profile, profile.ranks[0])
    assert found is not None
    return found


def named(found: Examination, name: str) -> Finding | None:
    """The finding of some name."""
    return next((one for one in found.findings if one.cause.id == name), None)


def noted(found: Examination, name: str) -> Note | None:
    """The note of some name."""
    return next((one for one in found.notes if one.id == name), None)
