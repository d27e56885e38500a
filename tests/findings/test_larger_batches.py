"""What a larger batch saves a sample: launching is shared, what the host does for each sample is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, call, kernel, memcpy, operator
from building.autograd import backward
from made_steps import examined, named
from stepscope.findings.examination import Finding

STEP = 2_000_000


def saved(folder: Path, making_ns: int) -> Finding:
    """Steps in which the CPU makes the batch for some time; a launch each 10 us for the rest."""

    def each(at: int, n: int) -> list[Events]:
        start = at + making_ns
        events: list[Events] = [operator("aten::normal_", at + 1_000, start - 1_000)] if making_ns else []
        events += [
            operator("aten::to", start, start + 8_000),
            call(start + 1_000, start + 5_000, n, name="cudaMemcpyAsync"),
            memcpy(start + 6_000, start + 7_000, n),
        ]
        for i in range(1, (STEP - making_ns) // 10_000):
            begin = start + 10_000 * i
            events += [
                backward("MmBackward0", begin, begin + 9_500, None, thread=1),
                call(begin + 2_000, begin + 6_000, n + i),
                kernel("gemm", begin + 7_000, begin + 9_000, n + i, **{"blocks per SM": 0.1}),
            ]
        return events

    found = named(examined(folder, each, length=STEP), "small-batch")
    assert found is not None
    return found


def test_what_the_host_computes_on_the_batch_grows_with_it(tmp_path: Path) -> None:
    """Tensors that the CPU made were taken to be made in an eighth of their time for each sample."""
    made = saved(tmp_path, 500_000).saving_pct.best
    unmade = saved(tmp_path, 0).saving_pct.best
    assert unmade == pytest.approx(87, abs=1)
    # The profiler's overhead is in launching: without it, making the batch is more than a quarter of the step.
    assert 45 < made < 0.75 * 87.5


def test_no_more_is_saved_than_the_times_of_the_batch_allow(tmp_path: Path) -> None:
    assert saved(tmp_path, 0).saving_pct.high == 87.5  # of an eighth
