"""What a check found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from stepscope.capture.system import System

OK, WARNING, FAILED, NOT_APPLICABLE = "ok", "warning", "failed", "not_applicable"
RECORD, NSYS, NCU, ATTACH, TELEMETRY = "record", "nsys", "ncu", "attach", "telemetry"
PURPOSES = (RECORD, NSYS, NCU, ATTACH, TELEMETRY)
"""What somebody may want to do here."""


@dataclass(frozen=True)
class Wanted:
    """What is to work.

    Attributes:
        python: interpreter of the job; None for the one on PATH.
        folder: where recordings are to go.
        nsys, ncu: paths of the tools; None to look for them.
    """

    python: str | None = None
    folder: str = "."
    nsys: str | None = None
    ncu: str | None = None


@dataclass(frozen=True)
class Finding:
    """One of the codes of a check, with facts that its sentence tells."""

    code: str
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Check:
    """A check.

    Attributes:
        name: names the check, and with a code the sentence.
        codes: what it may find, and the status of each.
        purposes: for which it matters.
        blocks: those that do not work where it failed.
    """

    name: str
    examine: Callable[[System, Wanted], Finding]
    codes: Mapping[str, str]
    purposes: Sequence[str]
    blocks: Sequence[str] = ()


@dataclass(frozen=True)
class State:
    """A check, what it found, and what that means for what is asked for."""

    check: str
    code: str
    status: str
    facts: Mapping[str, object]
