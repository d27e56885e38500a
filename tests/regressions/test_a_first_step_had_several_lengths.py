"""A step without one before it had another length in each table.

Seen in public/tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005: 14 ms of work queued before the step counted for
it in some tables, and the wait of the host after the last activity in public/hta/mi250-rocm6.2-minitoy.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from building import call, kernel, launched, opened, step
from stepscope.findings.verdict import verdict
from stepscope.messages import Message


def test_all_tables_agree_on_the_time_of_a_single_step(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        kernel("before", 0, 30, 9),
        step(1, 10, 200),
        launched(kernel("a", 40, 60, 1), 15),
        launched(kernel("b", 70, 90, 2), 20),
        call(95, 190, 3, name="cudaDeviceSynchronize"),
    )
    for table in ("mfu", "utilization"):
        assert profile.show(table)["time_ns"].to_list() == [170], table
    assert profile.show("step_trace")["total_ns"].to_list() == [60]  # its parts end with the GPU's work
    said = verdict(profile.profile.ranks[0])
    assert [said.step_ns] == profile.show("step_time")["recorded_ns"].to_list() == [190]
    assert Message("verdict-gpu-clock-single", gpu_ns=170) in said.sentences
    assert said.gpu_busy_pct == pytest.approx(4000 / 170)
    assert profile.show("idle", step=1)["duration_ns"].sum() == 20  # between activities
