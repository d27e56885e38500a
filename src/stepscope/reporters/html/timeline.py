"""The timeline of the report: as much of its detail as the page has room for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from stepscope.reporters.html.asking import Asking
from stepscope.reporters.html.parts import Part
from stepscope.store.profile import Profile


@dataclass
class HeldTimeline:
    """A timeline as parts of the page.

    Attributes:
        parts: its tracks, names and cells.
        index: where they are, or None where the recording has nothing to draw.
        left_out: where its detail ends, a sentence each.
    """

    parts: list[Part] = field(default_factory=list)
    index: dict[str, Any] | None = None
    left_out: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)


def hold_timeline(profile: Profile, asking: Asking, budget: int) -> HeldTimeline:
    """Pack the timeline of a profile, in at most some bytes of the page."""
    return HeldTimeline()
