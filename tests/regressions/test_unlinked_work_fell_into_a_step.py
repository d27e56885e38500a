"""Work queued before the recording began counted for the step that it happened to run in.

Seen in h200/pairs/fp32_no_tensor_core.slow: the kernels left over from before ran while the host launched step 4.
"""

from __future__ import annotations

from pathlib import Path

from building import call, kernel, opened, step


def test_work_without_a_known_launch_belongs_to_no_step(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, step(1, 0, 10), step(2, 10, 100), kernel("old", 12, 30), call(14, 15, 1), kernel("own", 30, 50, 1)
    )
    row = profile.show("summary", step=2).row(0, named=True)
    assert (row["span_ns"], row["kernels"]) == (20, 1)
    assert profile.show("summary")["kernels"].to_list() == [2]


def test_a_recording_of_the_gpu_alone_goes_by_where_work_started(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 10), step(2, 10, 100), kernel("first", 5, 9), kernel("second", 20, 30))
    assert profile.show("summary", step=2)["span_ns"].to_list() == [10]
