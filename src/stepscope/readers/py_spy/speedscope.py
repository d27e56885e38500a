"""Samples of speedscope JSON."""

from __future__ import annotations

import json
from typing import Any

from stepscope.readers.coded_texts import text, whole
from stepscope.readers.py_spy.stacks import MOST_FRAMES, Frame, Stacks

_UNITS = {"seconds": 10**9, "milliseconds": 10**6, "microseconds": 10**3, "nanoseconds": 1}
_MOST_NS = 1 << 60


def from_speedscope(said: str, stacks: Stacks) -> str:
    """Add the samples of a file; returns what wrote it.

    Raises:
        ValueError: it is no JSON, or not of speedscope.
    """
    document = json.loads(said, parse_constant=lambda _: None)
    shared = document.get("shared") if isinstance(document, dict) else None
    frames = shared.get("frames") if isinstance(shared, dict) else None
    profiles = document.get("profiles") if isinstance(document, dict) else None
    if not isinstance(frames, list) or not isinstance(profiles, list):
        raise ValueError("no frames or profiles")
    known = [_frame(one) for one in frames]
    for profile in profiles:
        if not isinstance(profile, dict):
            stacks.damaged += 1
        elif profile.get("type") == "evented":
            _evented(profile, known, stacks)
        else:
            _sampled(profile, known, stacks)
    return text(document.get("exporter")) or ""


def _frame(one: Any) -> Frame:
    about = one if isinstance(one, dict) else {}
    return text(about.get("name")) or "", text(about.get("file")) or "", whole(about.get("line"))


def _sampled(profile: dict[str, Any], frames: list[Frame], stacks: Stacks) -> None:
    thread = text(profile.get("name")) or ""
    samples, weights = profile.get("samples"), profile.get("weights")
    samples, weights = (one if isinstance(one, list) else [] for one in (samples, weights))
    at = _ns(profile.get("startValue"), profile)
    for place, sample in enumerate(samples):
        length = _ns(weights[place], profile) if place < len(weights) else None
        if not _good(sample, frames) or len(stacks.frames) > MOST_FRAMES:
            stacks.damaged += 1
        else:
            number = stacks.stack(tuple(sample), [frames[one] for one in sample])
            stacks.add(thread, at, length, 1, number)
        at = at + length if at is not None and length is not None and at < _MOST_NS else None


def _evented(profile: dict[str, Any], frames: list[Frame], stacks: Stacks) -> None:
    """Frames that are opened and closed: between two events one stack is open."""
    thread, events = text(profile.get("name")) or "", profile.get("events")
    open_: list[int] = []
    since: int | None = None
    for event in events if isinstance(events, list) else []:
        about = event if isinstance(event, dict) else {}
        at, frame, kind = _ns(about.get("at"), profile), whole(about.get("frame")), about.get("type")
        if at is None or frame is None or not 0 <= frame < len(frames) or kind not in ("O", "C"):
            stacks.damaged += 1
            continue
        if open_ and since is not None and at > since and len(stacks.frames) <= MOST_FRAMES:
            number = stacks.stack(tuple(open_), [frames[one] for one in open_])
            stacks.add(thread, since, at - since, 1, number)
        if kind == "O" and len(open_) < 10_000:
            open_.append(frame)
        elif kind == "C" and open_ and open_[-1] == frame:
            open_.pop()
        else:
            stacks.damaged += 1
        since = at


def _good(sample: Any, frames: list[Frame]) -> bool:
    return isinstance(sample, list) and all(whole(one) is not None and 0 <= one < len(frames) for one in sample)


def _ns(value: Any, profile: dict[str, Any]) -> int | None:
    """A value of a profile in ns; None of what is no time, or of another unit."""
    unit = _UNITS.get(str(profile.get("unit")))
    if unit is None or isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return round(value * unit) if 0 <= value * unit < _MOST_NS else None
