"""One rank's recording, taken apart so that it can be written again with other times, steps and ranks.

Times lie in arrays of whole nanoseconds; the rest of each event stays JSON, made once for all ranks.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

Event = dict[str, Any]
Times = npt.NDArray[np.int64]

ACTIVITY = {"kernel", "gpu_memcpy", "gpu_memset"}
ON_GPU = ACTIVITY | {"gpu_user_annotation"}
LAUNCHING = {"cuda_runtime", "cuda_driver"}
OWN_RANK = -777_001
"""Stands in an event where each rank writes its own number."""

_STEP = re.compile(r"ProfilerStep#(\d+)")


def ns(microseconds: float) -> int:
    """A time of a trace; microseconds of 13 digits have three exact decimals in a double."""
    return round(microseconds * 1000)


@dataclass(frozen=True)
class Recording:
    """Events of one rank, in file order.

    Attributes:
        head: the members of the file beside its events.
        events: as they stand in the file, without ``ts`` and ``dur``.
        start, end: in ns; equal for events without a duration.
        timed: which events have a duration.
        on_gpu: which ones follow the GPU's work: activity, its annotations, and arrows that end there.
        launched: when the event's launch began; its own start on the host and where the launch is unknown.
        linked: which events of the GPU have a known launch.
    """

    head: Event
    events: list[Event]
    start: Times
    end: Times
    timed: npt.NDArray[np.bool_]
    on_gpu: npt.NDArray[np.bool_]
    launched: Times
    linked: npt.NDArray[np.bool_]

    def where(self, *categories: str) -> npt.NDArray[np.bool_]:
        """Which events with a duration are of some categories."""
        return self.timed & np.array([event.get("cat") in categories for event in self.events], bool)

    def steps(self) -> Times:
        """Start and end of each step on the host, by time: shape (steps, 2)."""
        named = [bool(_STEP.fullmatch(str(event.get("name")))) for event in self.events]
        host = np.flatnonzero(np.array(named, bool) & self.where("user_annotation", "cpu_op"))
        ranges = np.stack([self.start[host], self.end[host]], axis=1)
        return ranges[np.argsort(ranges[:, 0])]

    def communication(self) -> npt.NDArray[np.bool_]:
        """Which events are kernels of NCCL."""
        named = [str(event.get("name", "")).startswith(("ncclDev", "ncclKernel")) for event in self.events]
        return self.where("kernel") & np.array(named, bool)


def read(path: Path) -> Recording:
    """A recording from a file, gzip or not."""
    data = path.read_bytes()
    document = orjson.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    events = [event for event in document.pop("traceEvents") if "ts" in event]
    start = np.array([ns(event.pop("ts")) for event in events], np.int64)
    timed = np.array(["dur" in event for event in events], bool)
    end = start + np.array([ns(event.pop("dur", 0)) for event in events], np.int64)
    return _placed(document, events, start, end, timed)


def _placed(head: Event, events: list[Event], start: Times, end: Times, timed: npt.NDArray[np.bool_]) -> Recording:
    launches = {
        event["args"]["correlation"]: at
        for event, at in zip(events, start.tolist(), strict=True)
        if event.get("cat") in LAUNCHING and event.get("args", {}).get("correlation")
    }
    lanes = {(event["pid"], event["tid"]) for event in events if event.get("cat") in ON_GPU}
    on_gpu = [
        event.get("cat") in ON_GPU or (event.get("ph") == "f" and (event["pid"], event["tid"]) in lanes)
        for event in events
    ]
    launched, linked = start.copy(), np.zeros(len(events), bool)
    for at, event in enumerate(events):
        number = event.get("args", {}).get("correlation", event.get("id")) if on_gpu[at] else None
        if number in launches:
            launched[at], linked[at] = launches[number], True
    gpu = np.array(on_gpu, bool)
    # What ran before anything that was launched here was queued before the recording began.
    queued = gpu & ~linked & (start < start[linked].min(initial=np.iinfo(np.int64).max))
    launched[queued] = start.min() - 1
    return Recording(head, events, start, end, timed, gpu, launched, linked)


def repeated(recording: Recording, steps: int) -> Recording:
    """The recording with its steps repeated in order until there are so many.

    What was launched before the first step stands once at the beginning, what came after the last one at the end.
    """
    ranges = recording.steps()
    begin, over = ranges[0, 0], ranges[-1, 1]
    inside = (recording.launched >= begin) & (recording.launched < over)
    block, period = np.flatnonzero(inside), _period(recording, inside)
    copies = -(-steps // len(ranges))
    last = ranges[(steps - 1) % len(ranges), 1] + (copies - 1) * period
    largest = _largest_numbers(recording.events)
    parts = [(np.flatnonzero(~inside & (recording.launched < begin)), 0)]
    for copy in range(copies):
        shift = copy * period
        parts.append((block[recording.launched[block] + shift < last], copy))
    parts.append((np.flatnonzero(~inside & (recording.launched >= over)), copies - 1))
    events = [
        _renumbered(recording.events[at], copy, largest, copy * len(ranges)) if copy else recording.events[at]
        for rows, copy in parts
        for at in rows.tolist()
    ]
    rows = np.concatenate([rows for rows, _ in parts])
    shifts = np.concatenate([np.full(len(rows), copy * period) for rows, copy in parts])
    return Recording(
        recording.head,
        events,
        recording.start[rows] + shifts,
        recording.end[rows] + shifts,
        recording.timed[rows],
        recording.on_gpu[rows],
        recording.launched[rows] + shifts,
        recording.linked[rows],
    )


def _period(recording: Recording, inside: npt.NDArray[np.bool_]) -> int:
    """Time from a copy to the next, so that neither the host nor any stream does two things at once."""
    ranges = recording.steps()
    longest = int(ranges[-1, 1] - ranges[0, 0]) + 1_000
    activity = inside & recording.where(*ACTIVITY)
    streams: dict[Any, list[int]] = {}
    for at in np.flatnonzero(activity).tolist():
        streams.setdefault(recording.events[at]["tid"], []).append(at)
    for rows in streams.values():
        longest = max(longest, int(recording.end[rows].max() - recording.start[rows].min()) + 1_000)
    return longest


_NUMBERED = ("correlation", "External id", "Sequence number")


def _largest_numbers(events: list[Event]) -> int:
    """More than any number by which events refer to each other."""
    numbers = [event["id"] for event in events if isinstance(event.get("id"), int)]
    for event in events:
        args = event.get("args", {})
        numbers += [args[name] for name in _NUMBERED if isinstance(args.get(name), int)]
    return max(numbers, default=0) + 1


def _renumbered(event: Event, copy: int, largest: int, steps: int) -> Event:
    shifted = dict(event)
    if isinstance(event.get("id"), int):
        shifted["id"] = event["id"] + copy * largest
    if "args" in event:
        shifted["args"] = {
            name: value + copy * largest if name in _NUMBERED and isinstance(value, int) and value > 0 else value
            for name, value in event["args"].items()
        }
    number = _STEP.fullmatch(str(event.get("name")))
    if number:
        shifted["name"] = f"ProfilerStep#{int(number[1]) + steps}"
    return shifted
