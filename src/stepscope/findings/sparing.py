"""What fails is left out and named: a defect costs one finding or one table, not the report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TypeVar

import polars as pl

from stepscope.errors import StepscopeError
from stepscope.messages import Message

_Result = TypeVar("_Result")

TABLE, DETECTOR, VERDICT, JOB = "note-table-failed", "finding-detector-failed", "verdict-failed", "job-failed"


def spared(make: Callable[[], _Result], failed: Callable[[str], _Result]) -> _Result:
    """What ``make`` returns; where it fails by a defect of stepscope, what ``failed`` says of the error's name.

    What a user can do something about is passed on: errors of the family, of memory and of the system. With
    STEPSCOPE_DEBUG everything is.
    """
    try:
        return make()
    except (StepscopeError, MemoryError, OSError):
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        if os.environ.get("STEPSCOPE_DEBUG"):
            raise
        return failed(type(error).__name__)


def failures(said: Iterable[Message]) -> list[Message]:
    """Those of some messages that name what is left out. Nothing with one is kept: it may work the next time."""
    return [one for one in said if one.id in (TABLE, DETECTOR, VERDICT, JOB)]
