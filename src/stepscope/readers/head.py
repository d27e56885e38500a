"""What surrounds the events of a trace: its top-level keys.

Only keys on an allow-list are ever decoded. Traces in the wild carry the whole environment of the recording process,
access tokens included; that text is skipped as bytes and never becomes a value.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from stepscope.numeric.bytescan import PADDING, words_of
from stepscope.numeric.scanner import next_member

_EVENTS_KEY = "traceEvents"

_SCALARS = {
    "schemaVersion",
    "displayTimeUnit",
    "baseTimeNanoseconds",
    "trace_id",
    "record_shapes",
    "with_stack",
    "with_modules",
    "with_flops",
    "profile_memory",
    "cupti_version",
    "cuda_runtime_version",
    "cuda_driver_version",
    "hip_runtime_version",
    "hip_driver_version",
    "roctracer_version",
    "torch_version",
    "pytorch_version",
}
_DEVICE = {
    "id",
    "name",
    "totalGlobalMem",
    "computeMajor",
    "computeMinor",
    "maxThreadsPerBlock",
    "maxThreadsPerMultiprocessor",
    "regsPerBlock",
    "warpSize",
    "sharedMemPerBlock",
    "numSms",
    "regsPerMultiprocessor",
    "sharedMemPerBlockOptin",
    "sharedMemPerMultiprocessor",
    "maxSharedMemoryPerMultiProcessor",
}
_DISTRIBUTED = {"backend", "rank", "world_size", "pg_count", "nccl_version"}
_GROUP = {"pg_name", "pg_desc", "backend_config", "pg_size"}


@dataclass
class Head:
    """Top-level facts of a trace.

    Attributes:
        facts: decoded values of the allowed keys.
        keys: names of all keys seen, in order, to say what a file is when it is not a trace.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)

    def add(self, key: str, text: bytes) -> None:
        """Note one top-level member; its value is decoded only when the key is allowed."""
        if len(self.keys) < 1000:
            self.keys.append(key)
        if key not in _SCALARS and key not in ("deviceProperties", "distributedInfo"):
            return
        try:
            value = json.loads(text.decode("utf-8", "replace"), strict=False)
        except (ValueError, RecursionError):
            return
        if key == "deviceProperties":
            self.facts[key] = [_allowed(device, _DEVICE) for device in value if isinstance(device, dict)] if isinstance(value, list) else []
        elif key == "distributedInfo":
            self.facts[key] = _distributed(value)
        elif _is_scalar(value):
            self.facts[key] = value


def _is_scalar(value: object) -> bool:
    return isinstance(value, (str, int, float, bool)) and len(str(value)) <= 256


def _allowed(values: dict[str, Any], allowed: set[str]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key in allowed and _is_scalar(value)}


def _distributed(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {}
    facts = _allowed(value, _DISTRIBUTED)
    groups = value.get("pg_config")
    if isinstance(groups, list):
        facts["pg_config"] = [
            _allowed(group, _GROUP) | {"ranks": [r for r in group.get("ranks") or [] if isinstance(r, int)]}
            for group in groups
            if isinstance(group, dict)
        ]
    return facts


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
    words = words_of(buf)
    at = start
    while True:
        status, key_start, key_stop, value_start, value_stop = next_member(buf, words, at, end)
        if status == 0:
            return Walk("end", value_stop)
        if status < 0:
            return Walk("more" if status == -1 else "damaged", at)
        key = buf[key_start:key_stop].tobytes().decode("utf-8", "replace")
        if key == _EVENTS_KEY and buf[value_start] == ord("["):
            return Walk("events", value_start + 1)
        if value_stop < 0:
            return Walk("more", at)
        if value_stop == value_start:
            return Walk("damaged", at)
        head.add(key, buf[value_start:value_stop].tobytes())
        at = value_stop


def padded(data: bytes) -> npt.NDArray[np.uint8]:
    """A copy of some bytes that the scanner may read beyond."""
    buf = np.zeros(len(data) + PADDING, np.uint8)
    buf[: len(data)] = np.frombuffer(data, np.uint8)
    return buf
