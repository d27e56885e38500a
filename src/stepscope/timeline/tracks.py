"""What a track is: a stream, a thread's operators, its Python frames, a counter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stepscope.messages import Message

GPU, HOST, COUNTERS, COMMUNICATION = "gpu", "host", "counters", "communication"
OS_CALLS, SAMPLES, SCHEDULING = "os_calls", "samples", "scheduling"
SYSTEM = (OS_CALLS, SAMPLES, SCHEDULING)
"""Kinds of the tracks that say what the operating system knows of a thread."""

PROCESS_GROUP = "process_group"
"""Kind of the tracks of collectives that a flight recorder holds."""

ALWAYS, PACKED, SINGLE = "always", "packed", "single"
"""When a track is listed: in any case, only with little-used streams packed together, or only with each by itself."""


@dataclass
class Track:
    """A track of one rank; its lanes are the rows that its events need.

    Attributes:
        section: `GPU`, `HOST`, `COUNTERS`, or `COMMUNICATION` of what a flight recorder holds.
        kind: stream, packed, annotations, idle, operators, python, sync, other, os_calls, samples, scheduling,
            process_group or counter.
        title: what people call it.
        process: name of a host process, as its trace labels it.
        device, stream: numbers, where it belongs to them.
        thread: as the trace names it.
        first_lane: its first row, counted within its rank.
        depths: how many rows it has.
        events: on it.
        busy_ns: time in which any of them runs.
        collapsed: whether it is shown folded at first.
        profiler: whether it only says that the profiler was on, and is shown when asked for.
        listed: `ALWAYS`, `PACKED` or `SINGLE`.
        unit, max: of a counter.
        place: numbers of process and thread (codes of the trace), for those that have them.
        shared: how many streams or threads share it, where it is not that of one; see `sharing`.
    """

    section: str
    kind: str
    title: Message
    process: str | None = None
    device: int | None = None
    stream: int | None = None
    thread: str | None = None
    first_lane: int = -1
    depths: int = 0
    events: int = 0
    busy_ns: int = 0
    collapsed: bool = False
    profiler: bool = False
    listed: str = ALWAYS
    unit: str | None = None
    max: float | None = None
    place: tuple[int, int] | None = None
    shared: int = 0

    def facts(self) -> dict[str, Any]:
        """Its members by name."""
        return {**vars(self), "title": self.title.json()}

    @classmethod
    def of(cls, facts: dict[str, Any]) -> Track:
        """The track with some members, as `facts` gave them."""
        place = facts.get("place")
        return cls(**{**facts, "title": Message.of_json(facts["title"]), "place": tuple(place) if place else None})
