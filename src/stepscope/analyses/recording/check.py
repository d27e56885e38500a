"""What a check says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stepscope.messages import Message

OK, WARNING, ERROR = "ok", "warning", "error"

NONE = Message("check-none")
"""Nothing was found, where something should be."""

NOT_RECORDED = Message("check-not-recorded")
"""Value of a check that warns of an option that was off: nothing is wrong with what was recorded."""

NONE_HAPPENED = Message("check-none-happened")
"""The detail of what was recorded and did not happen."""


@dataclass(frozen=True)
class Check:
    """One row of the table ``health``.

    Attributes:
        value: what was found.
        detail: what it means and what to do; None where the value says it all.
    """

    check: str
    status: str
    value: Message
    detail: Message | None = None

    def row(self, rank: int | None) -> dict[str, Any]:
        """The row of a rank, or of the profile as a whole."""
        detail = self.detail.encoded() if self.detail else None
        return {
            "rank": rank,
            "check": self.check,
            "status": self.status,
            "value": self.value.encoded(),
            "detail": detail,
        }


def counted(count: int) -> Message:
    """A number of things as what was found."""
    return Message("check-count", count=count)


def share(pct: float) -> Message:
    """A share as what was found."""
    return Message("check-share", share_pct=pct)
