"""What an export says of its run. Only what is named here is read: other rows hold the environment, hosts and users."""

from __future__ import annotations

import re
from typing import Any

from stepscope.readers.facts import EPOCH, OWN, Facts
from stepscope.readers.nsys.export import Export

_VERSION = re.compile(r"[\d.]{1,40}")
_NAME = re.compile(r"[\w .,:()+-]{1,128}")
_DEVICE = {
    "totalMemory": "totalGlobalMem",
    "smCount": "numSms",
    "computeMajor": "computeMajor",
    "computeMinor": "computeMinor",
    "maxThreadsPerBlock": "maxThreadsPerBlock",
    "threadsPerWarp": "warpSize",
    "maxRegistersPerSm": "regsPerMultiprocessor",
    "maxRegistersPerBlock": "regsPerBlock",
    "maxShmemPerSm": "sharedMemPerMultiprocessor",
    "maxShmemPerBlock": "sharedMemPerBlock",
    "maxShmemPerBlockOptin": "sharedMemPerBlockOptin",
}
"""Columns of ``TARGET_INFO_GPU`` and what traces call the same."""

_WARP = 32


def read_facts(export: Export, facts: Facts) -> int:
    """Version, clock and devices; returns the end of the recording in ns on its clock, 0 where it does not say."""
    facts.recorder_version = _version(export)
    start = export.values("TARGET_INFO_SESSION_START_TIME", ["utcEpochNs"], 1)
    base = start[0][0] if start else None
    if isinstance(base, int) and 0 < base < 1 << 62:
        facts.clock, facts.time_base_ns = EPOCH, base
    else:
        facts.clock = OWN
    facts.head = {"deviceProperties": devices(export)}
    lengths = export.values("ANALYSIS_DETAILS", ["duration"], 1)
    length = lengths[0][0] if lengths else None
    return length if isinstance(length, int) and 0 < length < 1 << 62 else 0


def _version(export: Export) -> str:
    for table in ("META_DATA_EXPORT", "EXPORT_META_DATA"):
        for name, value in export.values(table, ["name", "value"]):
            if name == "EXPORT_PRODUCT_VERSION" and isinstance(value, str) and _VERSION.fullmatch(value):
                return value
    return ""


def devices(export: Export, process: int | None = None) -> list[dict[str, Any]]:
    """The GPUs as a process numbers them, which is how its events do; without one as any does."""
    numbers = device_numbers(export, process)
    found = []
    for row in export.values("TARGET_INFO_GPU", ["id", "name", "maxWarpsPerSm", *_DEVICE]):
        number, name, warps, *rest = row
        if not isinstance(number, int) or (numbers and number not in numbers):
            continue
        device: dict[str, Any] = {"id": numbers.get(number, number)}
        if isinstance(name, str) and _NAME.fullmatch(name):
            device["name"] = name
        device |= {key: value for key, value in zip(_DEVICE.values(), rest, strict=True) if isinstance(value, int)}
        if isinstance(warps, int):
            device["maxThreadsPerMultiprocessor"] = warps * _WARP
        found.append(device)
    return found


def device_numbers(export: Export, process: int | None) -> dict[int, int]:
    """The number by which a process knows each GPU of the machine that it sees; empty where that is not recorded."""
    visible = export.values("TARGET_INFO_CUDA_DEVICE", ["gpuId", "cudaId", "pid"])
    of_process = [row for row in visible if process is not None and row[2] == process]
    return {gpu: cuda for gpu, cuda, _ in of_process or visible if isinstance(gpu, int) and isinstance(cuda, int)}
