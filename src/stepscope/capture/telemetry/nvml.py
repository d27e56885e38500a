"""NVIDIA's management library through ctypes: as much of it as telemetry needs (NVML API Reference, nvml.h)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from stepscope.capture.telemetry.readings import Refused

LIBRARY = "libnvidia-ml.so.1"
_NOT_FOUND, _INSUFFICIENT_SIZE = 6, 7
_ERRORS = {
    2: "invalid argument",
    3: "not supported",
    4: "no permission",
    9: "driver not loaded",
    12: "library not found",
    13: "not in this driver",
    15: "GPU is lost",
    16: "GPU needs a reset",
    18: "driver and library differ",
    25: "not in this driver",
    26: "deprecated",
}
"""Answers that stay the same however often the question is asked."""
_TEXT_BYTES = 96
_MOST_PROCESSES = 4096
_NO_MEMORY = (1 << 64) - 1
_ALL_LINKS = (1 << 32) - 1


class _Value(ctypes.Union):
    _fields_ = [
        ("double", ctypes.c_double),
        ("uint", ctypes.c_uint),
        ("ulong", ctypes.c_ulong),
        ("ulonglong", ctypes.c_ulonglong),
        ("longlong", ctypes.c_longlong),
        ("int", ctypes.c_int),
        ("ushort", ctypes.c_ushort),
    ]


class FieldValue(ctypes.Structure):
    """``nvmlFieldValue_t``."""

    _fields_ = [
        ("field", ctypes.c_uint32),
        ("scope", ctypes.c_uint32),
        ("timestamp", ctypes.c_int64),
        ("latency_us", ctypes.c_int64),
        ("type", ctypes.c_uint),
        ("returned", ctypes.c_uint),
        ("value", _Value),
    ]


class Utilization(ctypes.Structure):
    """``nvmlUtilization_t``."""

    _fields_ = [("gpu", ctypes.c_uint), ("memory", ctypes.c_uint)]


class Memory(ctypes.Structure):
    """``nvmlMemory_t``."""

    _fields_ = [
        ("total", ctypes.c_ulonglong),
        ("free", ctypes.c_ulonglong),
        ("used", ctypes.c_ulonglong),
    ]


class ProcessInfo(ctypes.Structure):
    """``nvmlProcessInfo_v2_t``, which the third version of the call fills, too."""

    _fields_ = [
        ("pid", ctypes.c_uint),
        ("memory", ctypes.c_ulonglong),
        ("gpu_instance", ctypes.c_uint),
        ("compute_instance", ctypes.c_uint),
    ]


class ProcessSample(ctypes.Structure):
    """``nvmlProcessUtilizationSample_t``."""

    _fields_ = [
        ("pid", ctypes.c_uint),
        ("timestamp_us", ctypes.c_ulonglong),
        ("sm_pct", ctypes.c_uint),
        ("memory_pct", ctypes.c_uint),
        ("encoder_pct", ctypes.c_uint),
        ("decoder_pct", ctypes.c_uint),
    ]


class Nvml:
    """The library, initialised.

    Args:
        library: what ctypes loaded.

    Raises:
        Refused: it does not work here.
    """

    def __init__(self, library: Any) -> None:
        self._library = library
        self._call("nvmlInit_v2")

    @classmethod
    def load(cls) -> Nvml:
        """The library of this machine.

        Raises:
            Refused: there is none, or it does not work here.
        """
        try:
            library = ctypes.CDLL(LIBRARY)
        except OSError:
            raise Refused(f"no {LIBRARY}") from None
        return cls(library)

    def close(self) -> None:
        self._call("nvmlShutdown")

    def driver(self) -> str:
        return self._text("nvmlSystemGetDriverVersion")

    def count(self) -> int:
        return self.number("nvmlDeviceGetCount_v2")

    def handle(self, index: int) -> Any:
        found = ctypes.c_void_p()
        self._call("nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(index), ctypes.byref(found))
        return found

    def name(self, handle: Any) -> str:
        return self._text("nvmlDeviceGetName", handle)

    def uuid(self, handle: Any) -> str:
        return self._text("nvmlDeviceGetUUID", handle)

    def number(self, function: str, *given: Any, long: bool = False) -> int:
        """A number that a function gives by its last argument.

        Raises:
            Refused: it gives none.
        """
        found = ctypes.c_ulonglong() if long else ctypes.c_uint()
        self._call(function, *given, ctypes.byref(found))
        return int(found.value)

    def utilization(self, handle: Any) -> tuple[int, int]:
        """Share of the driver's last interval in which a kernel ran, and in which memory was accessed, in per cent."""
        found = Utilization()
        self._call("nvmlDeviceGetUtilizationRates", handle, ctypes.byref(found))
        return int(found.gpu), int(found.memory)

    def memory_used(self, handle: Any) -> tuple[int, int]:
        """Bytes in use, the driver's own included, and bytes of the device."""
        found = Memory()
        self._call("nvmlDeviceGetMemoryInfo", handle, ctypes.byref(found))
        return int(found.used), int(found.total)

    def fields(self, handle: Any, wanted: Sequence[int]) -> list[int]:
        """Values of fields by their numbers, in one call; those of all NVLinks as their sum.

        Raises:
            Refused: one of them is not known.
        """
        asked = (FieldValue * len(wanted))()
        for one, number in zip(asked, wanted):
            one.field, one.scope = number, _ALL_LINKS
        self._call("nvmlDeviceGetFieldValues", handle, ctypes.c_int(len(wanted)), asked)
        for one in asked:
            _check(one.returned)
        return [_plain(one) for one in asked]

    def processes(self, handle: Any) -> dict[int, int]:
        """Bytes of each process that computes on a GPU."""
        room = 64
        while True:
            found, count = (ProcessInfo * room)(), ctypes.c_uint(room)
            code = self._code("nvmlDeviceGetComputeRunningProcesses_v3", handle, ctypes.byref(count), found)
            if code != _INSUFFICIENT_SIZE or room >= _MOST_PROCESSES:
                break
            room *= 4
        _check(code)
        return {int(one.pid): int(one.memory) for one in found[: count.value] if one.memory != _NO_MEMORY}

    def process_utilization(self, handle: Any, since_us: int) -> tuple[dict[int, float], int]:
        """Mean share of each process in the SMs since a time of the driver's, in per cent; and the newest such time."""
        function, count = "nvmlDeviceGetProcessUtilization", ctypes.c_uint(0)
        since = ctypes.c_ulonglong(since_us)
        code = self._code(function, handle, None, ctypes.byref(count), since)
        if code == _NOT_FOUND or (code == 0 and not count.value):
            return {}, since_us
        if code != _INSUFFICIENT_SIZE:
            _check(code)
        found = (ProcessSample * min(count.value, _MOST_PROCESSES))()
        code = self._code(function, handle, found, ctypes.byref(count), since)
        if code == _NOT_FOUND:
            return {}, since_us
        _check(code)
        shares: dict[int, list[int]] = {}
        for one in found[: count.value]:
            if one.timestamp_us > since_us and one.sm_pct <= 100:
                shares.setdefault(int(one.pid), []).append(int(one.sm_pct))
        newest = max([since_us, *(int(one.timestamp_us) for one in found[: count.value])])
        return {pid: round(sum(each) / len(each), 1) for pid, each in shares.items()}, newest

    def _text(self, function: str, *given: Any) -> str:
        found = ctypes.create_string_buffer(_TEXT_BYTES)
        self._call(function, *given, found, ctypes.c_uint(_TEXT_BYTES))
        return found.value.decode("utf-8", "replace")

    def _call(self, function: str, *given: Any) -> None:
        _check(self._code(function, *given))

    def _code(self, function: str, *given: Any) -> int:
        try:
            known = getattr(self._library, function)
        except AttributeError:
            raise Refused(_ERRORS[13]) from None
        return int(known(*given))


def _check(code: int) -> None:
    if code != 0:
        raise Refused(_ERRORS.get(code, f"error {code}"), code in _ERRORS)


def _plain(one: Any) -> int:
    """The value of a field as a whole number, by the type that the driver says it has."""
    kinds = ("double", "uint", "ulong", "ulonglong", "longlong", "int", "ushort")
    return int(getattr(one.value, kinds[one.type] if one.type < len(kinds) else "ulonglong"))
