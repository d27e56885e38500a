"""What surrounds the events of a trace: its top-level keys.

Only keys on an allow-list are ever decoded, and only values of the expected shape become facts. Traces in the wild
carry the whole environment of the recording process, access tokens included; that text is skipped as bytes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from stepscope.messages import Message

EVENTS_KEY = "traceEvents"

_NUMBER, _TEXT = "number", "text"
_SCALARS = {
    "schemaVersion": _NUMBER,
    "displayTimeUnit": _TEXT,
    "baseTimeNanoseconds": _NUMBER,
    "trace_id": _TEXT,
    "record_shapes": _NUMBER,
    "with_stack": _NUMBER,
    "with_modules": _NUMBER,
    "with_flops": _NUMBER,
    "profile_memory": _NUMBER,
    "cupti_version": _NUMBER,
    "cuda_runtime_version": _NUMBER,
    "cuda_driver_version": _NUMBER,
    "hip_runtime_version": _NUMBER,
    "hip_driver_version": _NUMBER,
    "roctracer_version": _NUMBER,
    "torch_version": _TEXT,
    "pytorch_version": _TEXT,
}
_DEVICE = {
    "id": _NUMBER,
    "name": _TEXT,
    "totalGlobalMem": _NUMBER,
    "computeMajor": _NUMBER,
    "computeMinor": _NUMBER,
    "maxThreadsPerBlock": _NUMBER,
    "maxThreadsPerMultiprocessor": _NUMBER,
    "regsPerBlock": _NUMBER,
    "warpSize": _NUMBER,
    "sharedMemPerBlock": _NUMBER,
    "numSms": _NUMBER,
    "regsPerMultiprocessor": _NUMBER,
    "sharedMemPerBlockOptin": _NUMBER,
    "sharedMemPerMultiprocessor": _NUMBER,
    "maxSharedMemoryPerMultiProcessor": _NUMBER,
    "clockRate": _NUMBER,
    "memoryClockRate": _NUMBER,
    "memoryBusWidth": _NUMBER,
}
_RECORDING = {
    "program": _TEXT,
    "with": _TEXT,
    "kind": _TEXT,
    "closed": _TEXT,
    "first_step": _NUMBER,
    "last_step": _NUMBER,
    "steps_are": _TEXT,
    "micro_batches": _NUMBER,
    "before_ns": _NUMBER,
    "after_ns": _NUMBER,
    "light_ns": _NUMBER,
    "recorded_ns": _NUMBER,
    "stop_ns": _NUMBER,
    "slowdown": _NUMBER,
    "activities": _TEXT,
    "cores": _NUMBER,
    "gpus": _NUMBER,
    "local_ranks": _NUMBER,
    "stepscope_version": _TEXT,
    "torch_version": _TEXT,
    "python_version": _TEXT,
}
"""What ``stepscope record`` says of a recording that it made."""
_DISTRIBUTED = {"backend": _TEXT, "rank": _NUMBER, "world_size": _NUMBER, "pg_count": _NUMBER, "nccl_version": _TEXT}
_GROUP = {"pg_name": _TEXT, "pg_desc": _TEXT, "backend_config": _TEXT, "pg_size": _NUMBER}

_SHORT_TEXT = re.compile(r"[\w .,:()+-]{0,128}")
"""Names of devices, groups and versions; no path, address or assignment fits."""
_WHOLE_NUMBER = re.compile(r"-?\d{1,19}")
_MAX_VALUE_BYTES = 16 << 20
_MAX_TAIL_BYTES = 64 << 20
_DOUBTFUL_BYTES = 1 << 20
_MAX_LISTS = 100
_MAX_STEPS = 100_000
_LONGEST_STEP_NS = 1 << 50
_OBJECTS = ("deviceProperties", "distributedInfo", "stepscopeStepTimes", "stepscopeRecording")
_NO_END = Message("reader-end-missing")
_DAMAGED = Message("reader-damaged-behind-events")
_BLANKS = b" \r\n\t\0"
_DOCUMENT = re.compile(rb'\[\s*[{\]]|\{\s*(?:\}|"(?!(?:ph|cat|name|pid|tid|ts|dur|id|args)")[\w ]*"\s*:)')
"""How another document begins, as opposed to an event behind something that only looks like the end."""


@dataclass
class Head:
    """Top-level facts of a trace.

    Attributes:
        facts: decoded values of the allowed keys.
        keys: names of the first keys seen, in order, to say what a file is when it is not a trace.
        damaged: the JSON before the events is damaged.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)
    damaged: bool = False

    def add(self, key: str, text: bytes) -> None:
        """Note one top-level member; its value is decoded only when the key is allowed."""
        if len(self.keys) < 1000:
            self.keys.append(key[:100])
        if (key not in _SCALARS and key not in _OBJECTS) or len(text) > _MAX_VALUE_BYTES:
            return
        try:
            value = json.loads(text.decode("utf-8", "replace"), strict=False)
        except (ValueError, RecursionError):
            return
        if key == "deviceProperties":
            self.facts[key] = [_allowed(device, _DEVICE) for device in _objects(value)]
        elif key == "distributedInfo":
            self.facts[key] = _distributed(value)
        elif key == "stepscopeStepTimes":
            self.facts[key] = {"unprofiled_ns": _times(value)}
        elif key == "stepscopeRecording":
            self.facts[key] = _allowed(value, _RECORDING) if isinstance(value, dict) else {}
        else:
            self.facts |= _allowed({key: value}, _SCALARS)


def _times(value: object) -> list[int]:
    """Step times measured without the profiler, in ns."""
    times = value.get("unprofiled_ns") if isinstance(value, dict) else None
    whole = [time for time in times if type(time) is int] if isinstance(times, list) else []
    return [time for time in whole if 0 < time < _LONGEST_STEP_NS][:_MAX_STEPS]


def _objects(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _allowed(values: dict[str, Any], allowed: dict[str, str]) -> dict[str, Any]:
    """The members on the list whose values have the shape it names."""
    found = {}
    for key, shape in allowed.items():
        value = values.get(key)
        if shape == _NUMBER and isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value):
            value = int(value)
        if _is_number(value) if shape == _NUMBER else isinstance(value, str) and _SHORT_TEXT.fullmatch(value):
            found[key] = value
    return found


def _is_number(value: object) -> bool:
    # NaN would make meta.json unreadable for others; integers beyond int64 are nobody's count.
    return (isinstance(value, int) and abs(value) < 1 << 63) or (isinstance(value, float) and abs(value) < 1e300)


def _distributed(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {}
    facts = _allowed(value, _DISTRIBUTED)
    if isinstance(value.get("pg_config"), list):
        facts["pg_config"] = [_group(group) for group in _objects(value["pg_config"])]
    return facts


def _group(group: dict[str, Any]) -> dict[str, Any]:
    ranks = group.get("ranks")
    members = [rank for rank in ranks if isinstance(rank, int)] if isinstance(ranks, list) else []
    return _allowed(group, _GROUP) | {"ranks": members}


@dataclass
class Walk:
    """Where a walk over top-level members ended.

    Attributes:
        outcome: ``events`` (before the array's first event), ``end`` (the object closed), ``more`` (bytes end first)
            or ``damaged``.
        stop: index where it ended.
    """

    outcome: str
    stop: int


def walk_members(head: Head, buf: npt.NDArray[np.uint8], start: int, end: int) -> Walk:
    """Note members of the top-level object from ``buf[start:end]`` until its events begin."""
    # Compiled code is loaded by what reads a file; a command that shows a stored trace does without.
    from stepscope.numeric.bytescan import words_of
    from stepscope.numeric.objects import next_member

    words = words_of(buf)
    at = start
    while True:
        status, key_start, key_stop, value_start, value_stop = next_member(buf, words, at, end)
        if status == 0:
            return Walk("end", value_stop)
        if status < 0:
            return Walk("more" if status == -1 else "damaged", at)
        key = buf[key_start:key_stop].tobytes().decode("utf-8", "replace")
        if key == EVENTS_KEY and buf[value_start] == ord("["):
            return Walk("events", value_start + 1)
        if value_stop == -1:
            return Walk("more", at)
        if value_stop <= value_start:
            return Walk("damaged", at)
        head.add(key, buf[value_start:value_stop].tobytes())
        at = value_stop


@dataclass
class MoreEvents:
    """Bytes behind a list of events that may hold more of them.

    Attributes:
        data: from the first event of another list on, or from a damaged place on.
        adrift: it is a damaged place.
    """

    data: bytes
    adrift: bool


class Tail:
    """What follows a list of events: more members of the top-level object, or another list.

    Attributes:
        stray_bytes: bytes that could not be read, or that follow the end.
        problem: None, or why something behind the events is missing or was not read.
    """

    def __init__(self, head: Head, bare_array: bool) -> None:
        self.stray_bytes = 0
        self.problem: Message | None = None if bare_array else _NO_END
        self._head = head
        self._was_bare = self._is_over = bare_array
        self._data = b""
        self._walked = 0
        self._wanted = 0
        self._lists = 1

    def add(self, data: bytes, final: bool) -> MoreEvents | None:
        """Take the bytes that follow; returns what may hold more events.

        Args:
            data: the bytes behind those of the call before.
            final: nothing follows them.
        """
        if self._is_over:
            return self._behind_end(data)
        self._data += data
        if len(self._data) < self._wanted and not final:
            return None
        buf = padded(self._data)
        walk = walk_members(self._head, buf, self._walked, len(self._data))
        if walk.outcome == "damaged":
            walk.stop = _doubtful(buf, walk.stop)
        elif walk.outcome == "more" and walk.stop <= _DOUBTFUL_BYTES and not final:
            self._walked, self._wanted = walk.stop, 2 * len(self._data)
            return None
        rest, self._data, self._walked, self._wanted = self._data[walk.stop :], b"", 0, 0
        if walk.outcome == "end":
            self._is_over = True
            self.problem = None
            return self._behind_end(rest)
        if walk.outcome == "more":
            if final or len(rest) >= _MAX_TAIL_BYTES:
                self.stray_bytes += len(rest.strip(_BLANKS))
            else:
                self._data, self._wanted = rest, 2 * len(rest)
            return None
        return self._more_events(rest, walk.outcome == "damaged")

    def _behind_end(self, data: bytes) -> MoreEvents | None:
        """Bytes behind the end: none, another document, or a sign that damage only looked like the end."""
        data = data.strip(_BLANKS)
        if not data:
            return None
        if self.stray_bytes == 0 and not _DOCUMENT.match(data):
            return self._more_events(data, True)
        self.stray_bytes += len(data)
        self.problem = Message("reader-something-follows")
        return None

    def _more_events(self, data: bytes, adrift: bool) -> MoreEvents | None:
        self._lists += 1
        self._is_over = self._was_bare
        self.problem = _DAMAGED if adrift else _NO_END
        if self._lists < _MAX_LISTS:
            return MoreEvents(data, adrift)
        self._is_over = True
        self.stray_bytes += len(data)
        return None


def _doubtful(buf: npt.NDArray[np.uint8], stop: int) -> int:
    """Where events may be again, at ``stop`` at the latest: what looked like members of the top-level object before
    damage may have been the inside of a damaged event, and whole events behind it."""
    from stepscope.numeric.boundaries import next_candidate

    found = int(next_candidate(buf, 0, 0, len(buf)))
    return found if 0 <= found < stop else stop


def padded(data: bytes) -> npt.NDArray[np.uint8]:
    """A copy of some bytes that the scanner may read beyond."""
    from stepscope.numeric.bytescan import PADDING

    buf = np.zeros(len(data) + PADDING, np.uint8)
    buf[: len(data)] = np.frombuffer(data, np.uint8)
    return buf
