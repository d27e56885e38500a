"""What an unmodified job marks below nsys is read back as its steps, whatever ranges it has of its own."""

from __future__ import annotations

from pathlib import Path

import stepscope
from readers.nsys_building import Export

START_END = 60


def test_marks_are_the_steps_of_the_recording(tmp_path: Path) -> None:
    made = Export()
    for step in (10, 11, 12):
        at = 100_000 * step
        made.range(f"ProfilerStep#{step}", at, at + 100_000, kind=START_END)
        made.range("micro-batch", at + 1_000, at + 40_000).range("micro-batch", at + 40_000, at + 80_000)
        made.call("cudaLaunchKernel_v7000", at + 2_000, at + 3_000, step).kernel("gemm", at + 4_000, at + 70_000, step)
    steps = stepscope.open(str(made.write(tmp_path / "export.sqlite"))).show("steps")
    assert steps.select("step", "duration_ns").rows() == [(10, 100_000), (11, 100_000), (12, 100_000)]
