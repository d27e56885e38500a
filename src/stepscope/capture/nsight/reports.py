"""What a run of ``nsys`` left in its folder, and making databases of it."""

from __future__ import annotations

import os
from collections.abc import Set
from dataclasses import dataclass

from stepscope.capture.nsight.nsys import export
from stepscope.capture.nsight.tool import Tool
from stepscope.capture.system import System

_REPORTS = (".nsys-rep", ".qdrep")
_RAW = ".qdstrm"
_EXPORT_PATIENCE_S = 3600.0
_REASON_LENGTH = 200


@dataclass(frozen=True)
class Left:
    """Paths.

    Attributes:
        reports: that can be exported.
        raw: recordings of which nsys made no report, because a part of it that does so was missing or failed.
    """

    reports: tuple[str, ...]
    raw: tuple[str, ...]


@dataclass(frozen=True)
class Exported:
    """A report and its database.

    Attributes:
        problem: why there is none; "" where there is.
    """

    report: str
    database: str
    problem: str = ""


def names_in(folder: str) -> frozenset[str]:
    """Names of what lies there already."""
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def left_in(folder: str, before: Set[str], ending: tuple[str, ...] = _REPORTS) -> Left:
    """What is there now and was not before."""
    new = sorted(names_in(folder) - before)
    reports = [name for name in new if name.endswith(ending)]
    done = {os.path.splitext(name)[0] for name in reports}
    raw = [name for name in new if name.endswith(_RAW) and os.path.splitext(name)[0] not in done]
    return Left(*(tuple(os.path.join(folder, name) for name in names) for names in (reports, raw)))


def export_report(tool: Tool, report: str, system: System) -> Exported:
    """Have nsys make a database beside a report."""
    target = f"{os.path.splitext(report)[0]}.sqlite"
    answer = system.ask(export(tool, report, target), _EXPORT_PATIENCE_S)
    if answer is None:
        return Exported(report, target, "nsys export did not end")
    if answer.code or not os.path.exists(target):
        lines = [line.strip() for line in (answer.err + answer.out).splitlines() if line.strip()]
        return Exported(report, target, lines[-1][:_REASON_LENGTH] if lines else f"exit code {answer.code}")
    return Exported(report, target)
