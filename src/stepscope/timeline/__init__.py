"""The timeline: every timed event of a profile on lanes, at any zoom, and what can be asked about them."""

from stepscope.timeline.excerpts import excerpt
from stepscope.timeline.timeline import Timeline, open_timeline, preparation

__all__ = ["Timeline", "excerpt", "open_timeline", "preparation"]
