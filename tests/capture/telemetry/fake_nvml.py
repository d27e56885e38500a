"""A stand-in for NVML: answers as the library does, through what ctypes hands it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NOT_SUPPORTED, NOT_FOUND, INSUFFICIENT = 3, 6, 7


@dataclass
class Device:
    """A GPU.

    Attributes:
        numbers: what functions give by their last argument, by function and the arguments between.
        fields: values by number of the field.
        processes: bytes by process.
        shares: (process, time in us, share of the SMs).
        fails: functions and the code that they give.
    """

    uuid: str = "GPU-0"
    numbers: dict[tuple[Any, ...], int] = field(default_factory=dict)
    fields: dict[int, int] = field(default_factory=dict)
    processes: dict[int, int] = field(default_factory=dict)
    shares: list[tuple[int, int, int]] = field(default_factory=list)
    fails: dict[str, int] = field(default_factory=dict)


class FakeNvml:
    """The library.

    Attributes:
        calls: functions that were called, in order.
    """

    def __init__(self, *devices: Device) -> None:
        self._devices = devices
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("nvml"):
            raise AttributeError(name)

        def function(*given: Any) -> int:
            self.calls.append(name)
            return self._answer(name, given)

        return function

    def _answer(self, name: str, given: tuple[Any, ...]) -> int:
        if name in ("nvmlInit_v2", "nvmlShutdown"):
            return 0
        if name == "nvmlSystemGetDriverVersion":
            given[0].value = b"570.1"
            return 0
        if name == "nvmlDeviceGetCount_v2":
            _target(given[0]).value = len(self._devices)
            return 0
        if name == "nvmlDeviceGetHandleByIndex_v2":
            _target(given[1]).value = given[0].value + 1
            return 0
        device = self._devices[given[0].value - 1]
        return device.fails[name] if name in device.fails else _of_device(device, name, given[1:])


def _of_device(device: Device, name: str, given: tuple[Any, ...]) -> int:
    if name in ("nvmlDeviceGetName", "nvmlDeviceGetUUID"):
        given[0].value = (device.uuid if name.endswith("UUID") else "NVIDIA Made").encode()
    elif name == "nvmlDeviceGetUtilizationRates":
        _target(given[0]).gpu, _target(given[0]).memory = 97, 41
    elif name == "nvmlDeviceGetMemoryInfo":
        _target(given[0]).used, _target(given[0]).total = 7 << 30, 80 << 30
    elif name == "nvmlDeviceGetFieldValues":
        for one in given[1]:
            one.returned = 0 if one.field in device.fields else NOT_SUPPORTED
            one.type, one.value.ulonglong = 3, device.fields.get(one.field, 0)
    elif name == "nvmlDeviceGetComputeRunningProcesses_v3":
        _target(given[0]).value = len(device.processes)
        for one, (pid, size) in zip(given[1], device.processes.items(), strict=False):
            one.pid, one.memory = pid, size
    elif name == "nvmlDeviceGetProcessUtilization":
        return _shares(device, given)
    elif (name, *given[:-1]) in device.numbers:
        _target(given[-1]).value = device.numbers[(name, *given[:-1])]
    else:
        return NOT_SUPPORTED
    return 0


def _shares(device: Device, given: tuple[Any, ...]) -> int:
    samples, count, since = given
    newer = [one for one in device.shares if one[1] > since.value]
    _target(count).value = len(newer)
    if not newer:
        return NOT_FOUND
    if samples is None:
        return INSUFFICIENT
    for one, (pid, time, share) in zip(samples, newer, strict=False):
        one.pid, one.timestamp_us, one.sm_pct = pid, time, share
    return 0


def _target(reference: Any) -> Any:
    """What ``ctypes.byref`` points at."""
    return reference._obj
