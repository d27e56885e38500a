"""Peak figures of devices: by name, by make, by clock, as the user gives them."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from stepscope.analyses.roofline.peaks import FIGURES, checked_peaks, device_peaks, roof_name
from stepscope.errors import BadRequest
from stepscope.messages import Message

GB = 10**9


@pytest.mark.parametrize(
    ("name", "memory_gb", "device", "figure", "value"),
    [
        ("Tesla V100-SXM2-32GB", 34, "V100 SXM2", "fp16", 125e12),
        ("Tesla V100-PCIE-16GB", 17, "V100 PCIE", "fp16", 112e12),
        ("Tesla T4", 15, "T4", "fp16", 65e12),
        ("NVIDIA A100-SXM4-40GB", 42, "A100", "memory", 1.555e12),
        ("NVIDIA A100-SXM4-80GB", 85, "A100", "memory", 2.039e12),
        ("NVIDIA A100-PG509-200", 42, "A100", "tf32", 156e12),
        ("NVIDIA A100 80GB PCIe", 85, "A100 PCIE", "memory", 1.935e12),
        ("NVIDIA A100-PCIE-40GB", 42, "A100 PCIE", "memory", 1.555e12),
        ("A100-SXM4-40GB", 42, "A100", "bf16", 312e12),
        ("NVIDIA A10", 24, "A10", "bf16", 125e12),
        ("NVIDIA A10G", 24, "A10G", "bf16", 70e12),
        ("NVIDIA A30", 25, "A30", "bf16", 165e12),
        ("NVIDIA L4", 24, "L4", "bf16", 121e12),
        ("NVIDIA L40", 48, "L40", "memory", 864e9),
        ("NVIDIA L40S", 48, "L40S", "bf16", 362.05e12),
        ("NVIDIA GeForce RTX 3090", 25, "RTX 3090", "fp32", 35.6e12),
        ("NVIDIA GeForce RTX 3090 Ti", 25, "RTX 3090 TI", "fp32", 40e12),
        ("NVIDIA GeForce RTX 3080", 12.6, "RTX 3080", "memory", 912e9),
        ("NVIDIA GeForce RTX 4090", 25, "RTX 4090", "bf16", 165.2e12),
        ("NVIDIA GeForce RTX 4070 Ti SUPER", 17, "RTX 4070 TI SUPER", "memory", 672e9),
        ("NVIDIA GeForce RTX 5090", 34, "RTX 5090", "memory", 1.792e12),
        ("NVIDIA RTX A6000", 51, "RTX A6000", "bf16", 154.8e12),
        ("NVIDIA RTX 6000 Ada Generation", 51, "RTX 6000 ADA", "bf16", 364.2e12),
        ("NVIDIA H100 80GB HBM3", 85, "H100", "bf16", 989.4e12),
        ("NVIDIA H100 PCIe", 85, "H100 PCIE", "bf16", 756.4e12),
        ("NVIDIA H100 NVL", 100, "H100 NVL", "memory", 3.938e12),
        ("NVIDIA H200", 150, "H200", "memory", 4.8e12),
        ("NVIDIA H200 NVL", 150, "H200 NVL", "bf16", 835.5e12),
        ("NVIDIA H20", 102, "H20", "memory", 4.0e12),
        ("NVIDIA H20-3e", 150, "H20", "memory", 4.8e12),
        ("NVIDIA GH200 480GB", 102, "GH200", "memory", 4.0e12),
        ("NVIDIA B200", 191, "B200", "fp4", 9e15),
        ("NVIDIA GB200", 199, "GB200", "bf16", 2.5e15),
        ("NVIDIA B100", 191, "B100", "bf16", 1.75e15),
        ("AMD Instinct MI210", 68, "MI210", "bf16", 181e12),
        ("AMD Instinct MI250", 68, "MI250", "bf16", 181.05e12),
        ("AMD Instinct MI300X", 206, "MI300X", "bf16", 1307.4e12),
        ("AMD Instinct MI300X VF", 206, "MI300X", "memory", 5.3e12),
        ("AMD Instinct MI300A", 137, "MI300A", "fp32", 122.6e12),
        ("AMD Instinct MI325X", 275, "MI325X", "memory", 6e12),
        ("AMD Instinct MI355X", 309, "MI355X", "fp8", 5033.2e12),
    ],
)
def test_devices_by_name(name: str, memory_gb: float, device: str, figure: str, value: float) -> None:
    found = device_peaks({"name": name, "totalGlobalMem": int(memory_gb * GB)})
    assert (found.device, found.figures[figure]) == (device, value)


def test_of_two_devices_in_one_name_the_units_tell() -> None:
    for units, device in ((104, "MI250"), (110, "MI250X")):
        assert device_peaks({"name": "AMD Instinct MI250X/MI250", "numSms": units}).device == device


@pytest.mark.parametrize(
    "name",
    [
        "NVIDIA GeForce RTX 4090 Laptop GPU",
        "NVIDIA GeForce RTX 4090 D",
        "NVIDIA GeForce RTX 3080 SUPER",
        "Quadro RTX 6000",
        "NVIDIA H1000",
        "MTIA",
        "",
    ],
)
def test_other_devices_have_no_figures_but_a_reason(name: str) -> None:
    found = device_peaks({"name": name, "totalGlobalMem": 16 * GB})
    assert found.figures == {}
    assert found.source == (Message("note-peaks-unknown", device=name) if name else Message("note-peaks-unnamed"))


def test_no_device_at_all() -> None:
    assert device_peaks({}).source == Message("note-peaks-no-device")


@pytest.mark.parametrize(
    ("units", "memory_gb", "device"), [(304, 206, "MI300X"), (304, 275, "MI325X"), (228, 137, "MI300A")]
)
def test_amd_devices_without_a_name_are_told_by_their_make(units: int, memory_gb: int, device: str) -> None:
    """ROCm's traces name them "" or "AMD Radeon Graphics"."""
    made = {"computeMajor": 9, "computeMinor": 4, "numSms": units, "warpSize": 64, "totalGlobalMem": memory_gb * GB}
    for name in ("", "AMD Radeon Graphics"):
        found = device_peaks({"name": name, **made})
        assert found.device == device
        assert isinstance(found.source, Message)
        assert found.source.id == "note-peaks-by-make"


def test_a_slice_of_a_device_has_its_share() -> None:
    """MIG 3g.20gb of an A100 with 40 GB: 42 of 108 multiprocessors, half of the memory."""
    name = "NVIDIA A100-SXM4-40GB MIG 3g.20gb"
    found = device_peaks({"name": name, "numSms": 42, "totalGlobalMem": 20 * GB})
    assert found.figures["bf16"] == pytest.approx(312e12 * 42 / 108)
    assert found.figures["memory"] == pytest.approx(1.555e12 / 2)


def test_a_recorded_clock_gives_the_rate_of_an_unknown_device() -> None:
    """30 multiprocessors x 128 units x 2 operations x 2 GHz; 128 bits at twice 8 GHz."""
    properties = {
        "name": "NVIDIA Something New",
        "computeMajor": 8,
        "computeMinor": 9,
        "numSms": 30,
        "clockRate": 2_000_000,
        "memoryClockRate": 8_000_000,
        "memoryBusWidth": 128,
    }
    found = device_peaks(properties)
    assert found.figures == {"fp32": 30 * 128 * 2 * 2e9, "memory": 2 * 8e9 * 128 / 8}
    assert device_peaks({**properties, "computeMinor": 0}).figures["fp32"] == 30 * 64 * 2 * 2e9


@pytest.mark.parametrize(
    ("dtype", "kind", "matrix", "figures", "roof"),
    [
        ("bf16", "gemm", True, {}, "bf16"),
        ("bf16", "conv", False, {}, "bf16"),
        ("fp16", "attention", True, {}, "fp16"),
        ("fp8", "gemm", True, {}, "fp8"),
        ("uint8", "gemm", True, {}, "int8"),
        ("fp32", "gemm", True, {}, "tf32"),
        ("fp32", "gemm", False, {}, "fp32"),
        ("fp32", "gemm", True, {"fp32_matrix": 1.0}, "fp32_matrix"),
        ("fp64", "gemm", True, {"fp64_matrix": 1.0}, "fp64_matrix"),
        ("fp64", "gemm", True, {}, "fp64"),
        ("bf16", "norm", False, {}, "fp32"),
        ("fp64", "elementwise", False, {}, "fp64"),
        ("", "gemm", True, {}, ""),
    ],
)
def test_the_roof_follows_type_and_units(dtype: str, kind: str, matrix: bool, figures: Any, roof: str) -> None:
    assert roof_name(dtype, kind, matrix, figures) == roof


def test_given_figures_are_checked() -> None:
    assert checked_peaks({"bf16": 989e12, "memory": 3_350_000_000_000}) == {"bf16": 989e12, "memory": 3.35e12}
    for wrong in ({"bf17": 1.0}, {"bf16": 0}, {"bf16": -1.0}, {"bf16": "fast"}, {"bf16": float("nan")}, {"bf16": True}):
        with pytest.raises(BadRequest):
            checked_peaks(wrong)


def test_a_description_made_for_tracelens_is_understood() -> None:
    given = {
        "name": "MI300X",
        "mem_bw_gbps": 5300,
        "max_achievable_tflops": {"matrix_bf16": 708, "matrix_fp32": 163, "vector_fp32": 81, "vector_bf16": 163},
    }
    wanted = {"memory": 5.3e12, "bf16": 708e12, "fp32_matrix": 163e12, "fp32": 81e12}
    assert checked_peaks(given) == wanted


def test_bundled_figures_are_whole() -> None:
    """Every device has memory, fp32, a source and the figures of no other kind; wider types are never faster."""
    devices = json.loads(files("stepscope.analyses.roofline").joinpath("device_peaks.json").read_text())["devices"]
    assert len(devices) >= 70
    for device in devices:
        peaks = device["peaks"]
        assert set(peaks) <= set(FIGURES), device["name"]
        assert {"memory", "fp32", "fp16"} <= set(peaks), device["name"]
        assert device["source"]
        assert device["words"] == device["name"].split()
        assert peaks["fp16"] >= peaks.get("tf32", peaks["fp32"]) >= peaks["fp32"], device["name"]
        assert peaks.get("fp8", peaks["fp16"]) >= peaks["fp16"], device["name"]
        found = device_peaks({"name": device["name"], "totalGlobalMem": device.get("memory_gb", 0) * GB})
        assert found.device == device["name"]
        assert found.figures["memory"] == pytest.approx(peaks["memory"] * 1e9)
