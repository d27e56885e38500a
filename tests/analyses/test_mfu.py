"""Utilization of the device's peak by the matrix work of each step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from building import Event, annotation, kernel, launched, opened, operator, step
from stepscope.api import OpenProfile

PEAKS = {"bf16": 1e15, "tf32": 4e14, "fp32": 5e13, "memory": 1e12}
TENSOR = "nvjet_sm90_tst_128x64"
ENGINE = "autograd::engine::evaluate_function: "


def product(
    correlation: int, at: int, start: int, end: int, size: int = 1000, kind: str = "c10::BFloat16", **more: Any
) -> list[Any]:
    """A product of square matrices, 2 x size^3 operations, and its kernel on matrix units."""
    shapes = {"Input Dims": [[size, size]] * 2, "Input type": [kind] * 2, **more}
    return [operator("aten::mm", at, at + 10, **shapes), launched(kernel(TENSOR, start, end, correlation), at + 2)]


def profile(folder: Path, *events: Any, **head: Any) -> OpenProfile:
    return opened(folder, *events, **head).with_peaks(PEAKS)


def test_two_steps(tmp_path: Path) -> None:
    """2e9 operations: 2 us at the peak. The first step lasts from its start to 10 us, the second to 30 us."""
    table = profile(
        tmp_path, step(1, 0, 50), step(2, 50, 100), product(1, 10, 1_000, 10_000), product(2, 60, 20_000, 30_000)
    ).show("mfu")
    assert table.to_dicts() == [
        {
            "rank": 0,
            "step": number,
            "time_ns": time,
            "flops": 2_000_000_000,
            "recomputed_flops": 0,
            "achieved_flops": pytest.approx(2e9 / (time * 1e-9)),
            "roof": "bf16",
            "peak_flops": 1e15,
            "mfu_pct": pytest.approx(100 * 2_000 / time),
            "hfu_pct": pytest.approx(100 * 2_000 / time),
            "modelled_pct": 100.0,
        }
        for number, time in ((1, 10_000), (2, 20_000))
    ]


def test_types_share_the_time_that_each_would_take_at_its_peak(tmp_path: Path) -> None:
    """2 us of bf16 and 5 us of tf32 in 20 us; most operations are of the one named."""
    [row] = (
        profile(tmp_path, step(1, 0, 50), product(1, 10, 1_000, 10_000), product(2, 30, 12_000, 20_000, kind="float"))
        .show("mfu")
        .to_dicts()
    )
    assert row["hfu_pct"] == pytest.approx(100 * (2 + 5) / 20)
    assert (row["roof"], row["peak_flops"], row["flops"]) == ("bf16", 1e15, 4_000_000_000)


def test_the_first_step_waits_for_what_ran_before_it(tmp_path: Path) -> None:
    """The device is busy with unrecorded launches until 4 us: the step's own time begins there."""
    [row] = (
        profile(tmp_path, step(1, 0, 50), kernel("before", 100, 4_000), product(1, 10, 4_000, 10_000))
        .show("mfu")
        .to_dicts()
    )
    assert row["time_ns"] == 6_000


def test_without_steps_the_time_is_that_of_the_activity(tmp_path: Path) -> None:
    [row] = profile(tmp_path, annotation("x", 0, 5), product(1, 10, 5_000, 9_000)).show("mfu").to_dicts()
    assert (row["step"], row["time_ns"], row["hfu_pct"]) == (0, 4_000, pytest.approx(50.0))


def backward(name: str, start: int, end: int, sequence: int) -> list[Event]:
    more = {"Sequence number": sequence, "Fwd thread id": 1}
    return [operator(ENGINE + name, start, end, **more), operator(name, start + 1, end - 1, **more)]


def test_what_checkpointing_repeats_counts_for_the_hardware_alone(tmp_path: Path) -> None:
    """Inside the backward function a forward operator with a sequence number of its own runs again."""
    forward = {"Sequence number": 5, "Fwd thread id": 0}
    again = {"Sequence number": 9, "Fwd thread id": 0}
    [row] = (
        profile(
            tmp_path,
            step(1, 0, 500),
            product(1, 10, 1_000, 4_000, **forward),
            backward("CheckpointFunctionBackward", 100, 300, 5),
            product(2, 120, 4_000, 7_000, **again),
            backward("MmBackward0", 320, 360, 9),
            product(3, 330, 7_000, 10_000),
        )
        .show("mfu")
        .to_dicts()
    )
    assert (row["flops"], row["recomputed_flops"]) == (6_000_000_000, 2_000_000_000)
    assert (row["mfu_pct"], row["hfu_pct"]) == (pytest.approx(40.0), pytest.approx(60.0))


def test_unmodelled_matrix_kernels_are_told(tmp_path: Path) -> None:
    """A quarter of the time of matrix kernels has no operator with shapes."""
    opened_profile = profile(
        tmp_path,
        step(1, 0, 50),
        product(1, 10, 1_000, 10_000),
        operator("my::fused", 30, 40),
        launched(kernel(TENSOR, 10_000, 13_000, 2), 32),
        launched(kernel("elementwise", 13_000, 20_000, 3), 34),
    )
    [row] = opened_profile.show("mfu").to_dicts()
    assert row["modelled_pct"] == 75.0
    assert row["hfu_pct"] == pytest.approx(10.0)
    assert opened_profile.notes("mfu") == [
        "only 75 % of the time of a step's matrix kernels has a FLOPs model: actual utilization is higher"
    ]


def test_with_less_than_half_modelled_there_is_no_utilization(tmp_path: Path) -> None:
    opened_profile = profile(
        tmp_path,
        step(1, 0, 50),
        product(1, 10, 1_000, 2_000),
        operator("my::fused", 30, 40),
        launched(kernel(TENSOR, 10_000, 13_000, 2), 32),
    )
    [row] = opened_profile.show("mfu").to_dicts()
    assert (row["modelled_pct"], row["mfu_pct"], row["hfu_pct"]) == (25.0, None, None)
    assert row["flops"] == 2_000_000_000
    assert opened_profile.notes("mfu")[0].endswith("and it is not shown below half")


def test_without_shapes_peaks_or_device_work(tmp_path: Path) -> None:
    no_shapes = opened(tmp_path, step(1, 0, 50), operator("aten::mm", 10, 20), launched(kernel(TENSOR, 60, 90, 1), 12))
    [row] = no_shapes.show("mfu").to_dicts()
    assert (row["flops"], row["hfu_pct"], row["modelled_pct"]) == (None, None, 0.0)
    assert no_shapes.notes("mfu")[0] == "no FLOPs: no input shapes were recorded; record with record_shapes=True"
    no_peaks = opened(tmp_path, step(1, 0, 50), product(1, 10, 1_000, 2_000))
    [row] = no_peaks.show("mfu").to_dicts()
    assert (row["flops"], row["roof"], row["peak_flops"], row["hfu_pct"]) == (2_000_000_000, "bf16", None, None)
    assert no_peaks.notes("mfu")[0].startswith("no roofline: the recording does not say which device it is")
    assert len(opened(tmp_path, step(1, 0, 50), operator("aten::mm", 10, 20)).show("mfu")) == 0


def test_a_rank_on_two_devices_has_both_peaks(tmp_path: Path) -> None:
    events = [step(1, 0, 50), product(1, 10, 1_000, 10_000), product(2, 30, 1_000, 10_000)]
    events[2][1][1]["args"]["device"] = 1
    [row] = profile(tmp_path, *events).show("mfu").to_dicts()
    assert (row["flops"], row["peak_flops"], row["hfu_pct"]) == (4_000_000_000, 2e15, pytest.approx(20.0))


def test_without_matrix_kernels_the_note_says_so(tmp_path: Path) -> None:
    shapes = {"Input Dims": [[5, 5]], "Input type": ["float"]}
    opened_profile = profile(
        tmp_path, step(1, 0, 50), operator("aten::gelu", 10, 20, **shapes), launched(kernel("gelu", 60, 90, 1), 12)
    )
    assert opened_profile.notes("mfu") == ["no FLOPs: no GEMM, convolution or attention kernel was launched in a step"]
