"""What a check says."""

from __future__ import annotations

from dataclasses import dataclass

OK, WARNING, ERROR = "ok", "warning", "error"


@dataclass(frozen=True)
class Check:
    """One row of the table ``health``."""

    check: str
    status: str
    value: str
    detail: str


def percent(share: float) -> str:
    """Two significant places near the ends, so that 99.97 % does not read 100 %.

    >>> percent(99.97), percent(100.0), percent(37.04)
    ('99.97 %', '100 %', '37.0 %')
    """
    if share in (0.0, 100.0):
        return f"{share:.0f} %"
    if share < 0.1 or share > 99.9:
        return f"{share:.2g} %" if share < 0.1 else f"{min(share, 99.99):.2f} %"
    return f"{share:.1f} %"


NOT_RECORDED = "not recorded"
"""Value of a check that warns of an option that was off: nothing is wrong with what was recorded."""


def counted(count: int, noun: str) -> str:
    """A number of things, whose plural ends in an s.

    >>> counted(1, "event"), counted(2_300, "event")
    ('1 event', '2,300 events')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
