"""The counters of GPUs, by a stand-in for NVML: there is no GPU where these tests run."""

from __future__ import annotations

from capture.telemetry.fake_nvml import NOT_SUPPORTED, Device, FakeNvml
from capture.telemetry.machines import HandClock
from stepscope.capture.telemetry.gpus import Gpus
from stepscope.capture.telemetry.nvml import Nvml

NUMBERS = {
    ("nvmlDeviceGetPowerUsage",): 312_000,
    ("nvmlDeviceGetTemperature", 0): 54,
    ("nvmlDeviceGetClockInfo", 1): 1980,
    ("nvmlDeviceGetClockInfo", 2): 2619,
    ("nvmlDeviceGetCurrentClocksEventReasons",): 4,
    ("nvmlDeviceGetEnforcedPowerLimit",): 700_000,
    ("nvmlDeviceGetCurrPcieLinkGeneration",): 5,
    ("nvmlDeviceGetCurrPcieLinkWidth",): 16,
    ("nvmlDeviceGetPcieReplayCounter",): 0,
    ("nvmlDeviceGetTotalEccErrors", 0, 0): 2,
    ("nvmlDeviceGetTotalEccErrors", 1, 0): 0,
    ("nvmlDeviceGetPcieThroughput", 0): 1000,
    ("nvmlDeviceGetPcieThroughput", 1): 2000,
}
ENERGY, MEMORY_TEMPERATURE, NVLINK_TX, NVLINK_RX, PCIE_TX, PCIE_RX = 83, 82, 138, 139, 197, 198
FIELDS = {ENERGY: 5_000_000, MEMORY_TEMPERATURE: 61, NVLINK_TX: 0, NVLINK_RX: 0, PCIE_TX: 0, PCIE_RX: 0}


def sampled(library: FakeNvml, clock: HandClock, visible: str | None = None) -> tuple[Gpus, dict[str, str]]:
    refused: dict[str, str] = {}
    return Gpus(Nvml(library), visible, clock.monotonic), refused


def test_every_counter_by_its_name_and_unit() -> None:
    """2 KiB over NVLink in 0.5 s are 4096 B/s; 1000 bytes over PCIe 2000 B/s."""
    device, clock = Device(numbers=dict(NUMBERS), fields=dict(FIELDS)), HandClock()
    gpus, refused = sampled(FakeNvml(device), clock)
    groups = gpus.groups(refused)
    clock.pass_seconds(0.5)
    device.fields |= {NVLINK_TX: 2, NVLINK_RX: 4, PCIE_TX: 1000, PCIE_RX: 3000, ENERGY: 5_000_156}
    found = {group.name: dict(zip(group.columns, group.read(refused), strict=True)) for group in groups}
    assert found["gpu"] == {
        "gpu0.gpu_util_pct": 97,
        "gpu0.mem_util_pct": 41,
        "gpu0.mem_used_bytes": 7 << 30,
        "gpu0.power_mw": 312_000,
        "gpu0.temp_c": 54,
        "gpu0.sm_clock_mhz": 1980,
        "gpu0.mem_clock_mhz": 2619,
        "gpu0.energy_mj": 5_000_156,
        "gpu0.throttle_reasons": 4,
        "gpu0.nvlink_tx_bytes_per_s": 4096.0,
        "gpu0.nvlink_rx_bytes_per_s": 8192.0,
    }
    assert found["gpu_slow"] == {
        "gpu0.power_limit_mw": 700_000,
        "gpu0.pcie_link_gen": 5,
        "gpu0.pcie_link_width": 16,
        "gpu0.pcie_replays": 0,
        "gpu0.mem_temp_c": 61,
        "gpu0.ecc_corrected": 2,
        "gpu0.ecc_uncorrected": 0,
    }
    assert found["pcie"] == {"gpu0.pcie_tx_bytes_per_s": 2000.0, "gpu0.pcie_rx_bytes_per_s": 6000.0}
    assert refused == {}


def test_what_a_gpu_refuses_is_said_once_and_not_asked_again() -> None:
    """A GPU without NVLink, ECC and a counter of energy: the other counters are sampled all the same."""
    numbers = {key: value for key, value in NUMBERS.items() if "Ecc" not in key[0]}
    library = FakeNvml(Device(numbers=numbers, fields={MEMORY_TEMPERATURE: 61, PCIE_TX: 0, PCIE_RX: 0}))
    gpus, refused = sampled(library, HandClock())
    groups = gpus.groups(refused)
    names = ("energy_mj", "nvlink_tx_bytes_per_s", "nvlink_rx_bytes_per_s", "ecc_corrected", "ecc_uncorrected")
    assert refused == {f"gpu0.{name}": "not supported" for name in names}
    library.calls.clear()
    for group in groups:
        group.read(refused)
    assert "nvmlDeviceGetTotalEccErrors" not in library.calls
    assert len(refused) == len(names)


def test_a_driver_before_535_has_another_name_for_the_reasons() -> None:
    numbers = dict(NUMBERS)
    numbers["nvmlDeviceGetCurrentClocksThrottleReasons",] = numbers.pop(("nvmlDeviceGetCurrentClocksEventReasons",))
    gpus, refused = sampled(FakeNvml(Device(numbers=numbers, fields=dict(FIELDS))), HandClock())
    fast = gpus.groups(refused)[0]
    assert dict(zip(fast.columns, fast.read(refused), strict=True))["gpu0.throttle_reasons"] == 4


def test_without_counters_of_bytes_pcie_is_what_the_driver_measures() -> None:
    fields = {number: value for number, value in FIELDS.items() if number not in (PCIE_TX, PCIE_RX)}
    gpus, refused = sampled(FakeNvml(Device(numbers=dict(NUMBERS), fields=fields)), HandClock())
    _, slow, traffic = gpus.groups(refused)
    found = dict(zip(slow.columns, slow.read(refused), strict=True))
    gpus.close()
    assert (found["gpu0.pcie_tx_kbps"], found["gpu0.pcie_rx_kbps"]) == (1000, 2000)
    assert (traffic.columns, refused) == ((), {})


def test_a_gpu_that_is_lost_leaves_the_others() -> None:
    first, second = (Device(f"GPU-{at}", dict(NUMBERS), dict(FIELDS)) for at in "ab")
    gpus, refused = sampled(FakeNvml(first, second), HandClock())
    fast = gpus.groups(refused)[0]
    first.fails["nvmlDeviceGetPowerUsage"] = 15
    found = dict(zip(fast.columns, fast.read(refused), strict=True))
    assert (found["gpu0.power_mw"], found["gpu1.power_mw"]) == (None, 312_000)
    assert refused == {"gpu0.power_mw": "GPU is lost"}


def test_an_error_that_may_pass_is_asked_again_four_times() -> None:
    device = Device(numbers=dict(NUMBERS), fields=dict(FIELDS))
    library = FakeNvml(device)
    gpus, refused = sampled(library, HandClock())
    fast = gpus.groups(refused)[0]
    device.fails["nvmlDeviceGetPowerUsage"] = 999
    library.calls.clear()
    for _ in range(8):
        fast.read(refused)
    assert library.calls.count("nvmlDeviceGetPowerUsage") == 5
    assert refused == {"gpu0.power_mw": "error 999"}


def test_gpus_have_the_numbers_that_the_job_sees() -> None:
    devices = [Device(f"GPU-{at}", {("nvmlDeviceGetPowerUsage",): at}, {}) for at in range(4)]
    gpus, refused = sampled(FakeNvml(*devices), HandClock(), "3,GPU-1")
    fast = gpus.groups(refused)[0]
    found = dict(zip(fast.columns, fast.read(refused), strict=True))
    assert (found["gpu0.power_mw"], found["gpu1.power_mw"], gpus.on_host) == (3, 1, 4)
    described = gpus.described()
    assert described[0] == {
        "gpu": 0,
        "nvml_index": 3,
        "name": "NVIDIA Made",
        "uuid": "GPU-3",
        "memory_bytes": 80 << 30,
    }


def test_processes_of_a_gpu_their_memory_and_share() -> None:
    """Shares are of the samples since the last time: 40 and 60 give 50, and later 10."""
    device = Device(processes={7: 1 << 20}, shares=[(7, 100, 40), (7, 200, 60), (8, 200, 5)])
    gpus, refused = sampled(FakeNvml(device), HandClock())
    first = gpus.processes(refused)
    device.shares.append((7, 300, 10))
    second = gpus.processes(refused)
    assert first == {
        "gpu0.process 7 memory_bytes": 1 << 20,
        "gpu0.process 7 sm_pct": 50.0,
        "gpu0.process 8 sm_pct": 5.0,
    }
    assert second == {"gpu0.process 7 memory_bytes": 1 << 20, "gpu0.process 7 sm_pct": 10.0}


def test_processes_that_a_driver_does_not_tell_are_refused_once() -> None:
    device = Device(fails={"nvmlDeviceGetComputeRunningProcesses_v3": NOT_SUPPORTED})
    library = FakeNvml(device)
    gpus, refused = sampled(library, HandClock())
    assert [gpus.processes(refused), gpus.processes(refused)] == [{}, {}]
    assert refused == {"gpu0.process memory_bytes": "not supported"}
    assert library.calls.count("nvmlDeviceGetComputeRunningProcesses_v3") == 1
