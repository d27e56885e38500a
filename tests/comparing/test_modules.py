"""Work by module, and the peak of memory."""

from __future__ import annotations

from pathlib import Path

from building import Events, kernel, launched, memory, operator
from comparing.compared import compared, function


def model(linear: int, on_gpu: int):
    """A block with a linear layer in it, of some time on the host and on the GPU."""

    def each(start: int, number: int) -> list[Events]:
        return [
            function("nn.Module: Block_0", start + 10_000, start + 200_000 + linear),
            function(f"nn.Module: Linear_{number // 1_000}", start + 50_000, start + 50_000 + linear),
            operator("aten::mm", start + 60_000, start + 70_000),
            *launched(kernel("gemm", start + 400_000, start + 400_000 + on_gpu, number), start + 65_000),
            operator("aten::add", start + 120_000 + linear, start + 130_000 + linear),
            *launched(kernel("add", start + 800_000, start + 810_000, number + 1), start + 125_000 + linear),
            operator("aten::zero_", start + 300_000 + linear, start + 310_000 + linear),
            *launched(kernel("zero", start + 820_000, start + 825_000, number + 2), start + 305_000 + linear),
        ]

    return each


def test_work_of_a_module_is_that_of_the_innermost_and_sums_to_all(tmp_path: Path) -> None:
    found = compared(tmp_path, model(40_000, 100_000), model(40_000, 300_000))
    rows = found.rows.filter(level="module")
    assert rows.filter(of="gpu").select("key", "base_ns", "new_ns", "status").sort("key").rows() == [
        ("(unattributed)", 5_000, 5_000, "same"),
        ("Block forward", 10_000, 10_000, "same"),
        ("Block/Linear forward", 100_000, 300_000, "changed"),
    ]
    for side in ("base_ns", "new_ns"):
        assert rows.filter(of="gpu")[side].sum() == found.rows.filter(level="kernel")[side].sum()


def test_modules_of_the_host_hold_what_is_no_module_in_them(tmp_path: Path) -> None:
    found = compared(tmp_path, model(40_000, 100_000), model(80_000, 100_000))
    rows = found.rows.filter(level="module", of="host")
    assert rows.select("key", "base_ns", "new_ns", "base_calls").sort("key").rows() == [
        ("Block forward", 190_000, 190_000, 1.0),
        ("Block/Linear forward", 40_000, 80_000, 1.0),
    ]


def test_without_modules_there_is_no_row(tmp_path: Path) -> None:
    def each(start: int, number: int) -> list[Events]:
        return launched(kernel("gemm", start + 5_000, start + 6_000, number), start + 1_000)

    assert len(compared(tmp_path, each, each).rows.filter(level="module")) == 0


def test_the_peak_is_the_highest_level_in_the_compared_steps(tmp_path: Path) -> None:
    def each(peak: int):
        def events(start: int, number: int) -> list[Events]:
            # The first step, which is left out, allocates more.
            most = peak * (9 if number < 1_000 else 1)
            changes = [memory(start + 1_000, most, most, number), memory(start + 2_000, -most, 0, number)]
            return [*launched(kernel("gemm", start + 5_000, start + 6_000, number), start + 1_000), *changes]

        return events

    found = compared(tmp_path, each(4_096), each(1_024))
    peaks = found.counts.filter(found.counts["key"].str.contains("peak"))
    assert peaks.select("key", "base", "new").rows() == [
        ("memory_allocated_peak_bytes", 4_096, 1_024),
        ("memory_reserved_peak_bytes", 256, 256),
    ]
