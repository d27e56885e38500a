"""The counters of GPUs, by NVML. Names end in their unit."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from stepscope.capture.telemetry.nvml import Nvml
from stepscope.capture.telemetry.readings import Group, Rate, Reading, Refused, Value

_SM, _MEMORY = 1, 2
_ENERGY, _MEMORY_TEMPERATURE, _NVLINK_TX, _NVLINK_RX, _PCIE_TX, _PCIE_RX = 83, 82, 138, 139, 197, 198
"""Numbers of fields (``NVML_FI_DEV_...``)."""
_REASONS = ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons")
"""The name since driver 535, and the one before."""
_SECOND_NS = 10**9


class Gpu:
    """A GPU that is sampled.

    Attributes:
        number: in the names of its counters: of those that the job sees, as the job numbers them.
        index: as NVML numbers it.
    """

    def __init__(self, nvml: Nvml, number: int, index: int, clock: Callable[[], int]) -> None:
        self.number, self.index, self._clock = number, index, clock
        self.nvml, self.handle = nvml, nvml.handle(index)
        self._since_us = 0

    def described(self) -> dict[str, Any]:
        """For the header."""
        found: dict[str, Any] = {"gpu": self.number, "nvml_index": self.index}
        for name, ask in (
            ("name", lambda: self.nvml.name(self.handle)),
            ("uuid", lambda: self.nvml.uuid(self.handle)),
            ("memory_bytes", lambda: self.nvml.memory_used(self.handle)[1]),
        ):
            try:
                found[name] = ask()
            except Refused:
                continue
        return found

    def fast(self) -> list[Reading]:
        """What changes from step to step."""
        utilization = [self._named(name) for name in ("gpu_util_pct", "mem_util_pct")]
        return [
            Reading(utilization, lambda: self.nvml.utilization(self.handle)),
            Reading([self._named("mem_used_bytes")], lambda: [self.nvml.memory_used(self.handle)[0]]),
            self._number("power_mw", "nvmlDeviceGetPowerUsage"),
            self._number("temp_c", "nvmlDeviceGetTemperature", 0),
            self._number("sm_clock_mhz", "nvmlDeviceGetClockInfo", _SM),
            self._number("mem_clock_mhz", "nvmlDeviceGetClockInfo", _MEMORY),
            Reading([self._named("energy_mj")], lambda: self.nvml.fields(self.handle, [_ENERGY])),
            Reading([self._named("throttle_reasons")], self._reasons),
            self._rates("nvlink", _NVLINK_TX, _NVLINK_RX, 1024),
        ]

    def slow(self) -> list[Reading]:
        """What hardly changes, or says little more when asked more often."""
        functions = {
            "power_limit_mw": "nvmlDeviceGetEnforcedPowerLimit",
            "pcie_link_gen": "nvmlDeviceGetCurrPcieLinkGeneration",
            "pcie_link_width": "nvmlDeviceGetCurrPcieLinkWidth",
            "pcie_replays": "nvmlDeviceGetPcieReplayCounter",
        }
        memory = [self._named("mem_temp_c")]
        return [
            *(self._number(name, function) for name, function in functions.items()),
            Reading(memory, lambda: self.nvml.fields(self.handle, [_MEMORY_TEMPERATURE])),
            self._number("ecc_corrected", "nvmlDeviceGetTotalEccErrors", 0, 0, long=True),
            self._number("ecc_uncorrected", "nvmlDeviceGetTotalEccErrors", 1, 0, long=True),
        ]

    def traffic(self) -> Reading:
        """PCIe by counters of bytes, which newer drivers have."""
        return self._rates("pcie", _PCIE_TX, _PCIE_RX, 1)

    def processes(self) -> Mapping[str, Value]:
        """Memory and share in the SMs of each process on it, by the name of the counter.

        Raises:
            Refused: the driver does not say.
        """
        found: dict[str, Value] = {}
        for pid, size in self.nvml.processes(self.handle).items():
            found[self._named(f"process {pid} memory_bytes")] = size
        try:
            shares, self._since_us = self.nvml.process_utilization(self.handle, self._since_us)
        except Refused:
            shares = {}
        for pid, share in shares.items():
            found[self._named(f"process {pid} sm_pct")] = share
        return found

    def _named(self, name: str) -> str:
        return f"gpu{self.number}.{name}"

    def _number(self, name: str, function: str, *given: int, long: bool = False) -> Reading:
        return Reading([self._named(name)], lambda: [self.nvml.number(function, self.handle, *given, long=long)])

    def _reasons(self) -> Sequence[Value]:
        first, second = _REASONS
        try:
            return [self.nvml.number(first, self.handle, long=True)]
        except Refused:
            return [self.nvml.number(second, self.handle, long=True)]

    def _rates(self, link: str, sent: int, received: int, scale: int) -> Reading:
        rates = Rate(self._clock), Rate(self._clock)

        def call() -> Sequence[Value]:
            counts = self.nvml.fields(self.handle, [sent, received])
            return [rate.of(count, scale) for rate, count in zip(rates, counts)]

        return Reading([self._named(f"{link}_{way}_bytes_per_s") for way in ("tx", "rx")], call)


class PcieMeter:
    """PCIe traffic of drivers without counters of bytes: each call takes 20 ms, so a thread makes them.

    Only `latest` is what the loop of samples sees, so it never waits for them.
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._latest: tuple[Value, Value] | None = None
        self._problem: Refused | None = None
        self._stop = threading.Event()

    def reading(self) -> Reading:
        """Starts the thread, if the driver answers."""
        name = f"gpu{self._gpu.number}.pcie_"
        return Reading([f"{name}tx_kbps", f"{name}rx_kbps"], self._values)

    def stop(self) -> None:
        self._stop.set()

    def _values(self) -> Sequence[Value]:
        if self._latest is None and self._problem is None:
            self._ask()
            threading.Thread(target=self._run, name="stepscope-pcie", daemon=True).start()
        if self._problem is not None:
            raise self._problem
        latest = self._latest
        return latest if latest is not None else (None, None)

    def _ask(self) -> None:
        nvml, handle = self._gpu.nvml, self._gpu.handle
        sent, received = (nvml.number("nvmlDeviceGetPcieThroughput", handle, way) for way in (0, 1))
        self._latest = sent, received

    def _run(self) -> None:
        while not self._stop.wait(0.5):
            try:
                self._ask()
            except Refused as error:
                self._latest, self._problem = None, error
                return


class Gpus:
    """The GPUs of a job on this machine.

    Args:
        visible: ``CUDA_VISIBLE_DEVICES``; None where it is not set.
        clock: monotonic, in ns.
    """

    def __init__(self, nvml: Nvml, visible: str | None, clock: Callable[[], int]) -> None:
        self._nvml, self._clock = nvml, clock
        self.on_host = nvml.count()
        indices = seen(visible, [self._uuid(at) for at in range(self.on_host)])
        self._gpus = [Gpu(nvml, number, index, clock) for number, index in enumerate(indices)]
        self._meters = [PcieMeter(gpu) for gpu in self._gpus]
        self._silent: dict[int, str] = {}

    def described(self) -> list[dict[str, Any]]:
        return [gpu.described() for gpu in self._gpus]

    def groups(self, refused: dict[str, str]) -> list[Group]:
        """What is read on every tick, and what once a second."""
        fast = Group("gpu", 0, [reading for gpu in self._gpus for reading in gpu.fast()])
        slow = [reading for gpu in self._gpus for reading in gpu.slow()]
        traffic = Group("pcie", _SECOND_NS // 10, [gpu.traffic() for gpu in self._gpus])
        by_bytes: dict[str, str] = {}
        traffic.probe(by_bytes)
        slow += [meter.reading() for meter, gpu in zip(self._meters, self._gpus) if gpu.traffic().names[0] in by_bytes]
        found = [fast, Group("gpu_slow", _SECOND_NS, slow)]
        for group in found:
            group.probe(refused)
        for group in (traffic, found[1]):
            group.wait(self._clock())
        return [*found, traffic]

    def processes(self, refused: dict[str, str]) -> Mapping[str, Value]:
        """Counters of processes on all GPUs."""
        found: dict[str, Value] = {}
        for gpu in self._gpus:
            if gpu.number in self._silent:
                continue
            try:
                found.update(gpu.processes())
            except Refused as error:
                self._silent[gpu.number] = error.why
                refused[f"gpu{gpu.number}.process memory_bytes"] = error.why
        return found

    def close(self) -> None:
        for meter in self._meters:
            meter.stop()
        with suppress(Refused):
            self._nvml.close()

    def _uuid(self, index: int) -> str:
        try:
            return self._nvml.uuid(self._nvml.handle(index))
        except Refused:
            return ""


def seen(visible: str | None, uuids: Sequence[str]) -> list[int]:
    """Which of a machine's GPUs a job sees, as it numbers them; like CUDA, those before the first that is not there.

    >>> seen(None, ["GPU-a", "GPU-b"]), seen("1,0", ["GPU-a", "GPU-b"]), seen("GPU-b", ["GPU-a", "GPU-b"])
    ([0, 1], [1, 0], [1])
    >>> seen("1,7,0", ["GPU-a", "GPU-b"]), seen("", ["GPU-a"])
    ([1], [])
    """
    if visible is None:
        return list(range(len(uuids)))
    found: list[int] = []
    for entry in (part.strip() for part in visible.split(",")):
        named = [at for at, uuid in enumerate(uuids) if entry and uuid.startswith(entry)]
        index = int(entry) if entry.isdigit() else named[0] if len(named) == 1 else -1
        if not 0 <= index < len(uuids) or index in found:
            break
        found.append(index)
    return found
