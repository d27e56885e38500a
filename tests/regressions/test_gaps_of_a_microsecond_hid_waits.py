"""A wait for the GPU counted only if no gap at all lay between it and the gap that it caused.

Seen in public/hta/a100-8rank-old_schema-rank3: 60 copies hold the host for 75 ms while the GPU works, and 1.1 ms of
idle time follow one of 2 ms, but the gaps of 2 us between the kernels queued before it ended the stretch in which waits
were looked for. 0.6 % of the idle time was blamed on waits instead of 6 %.
"""

from __future__ import annotations

from pathlib import Path

from building import call, kernel, launched, opened


def test_a_wait_counts_across_gaps_between_queued_work(tmp_path: Path) -> None:
    """The host waits from 30 to 100; the GPU works until 100 but for 2 between queued kernels; then the host is late.

    Without the wait it would have had 70 more for the 50 that it needs.
    """
    profile = opened(
        tmp_path,
        launched(kernel("a", 20, 60, 1), 0),
        launched(kernel("b", 62, 100, 2), 15),
        call(30, 100, 3, name="cudaStreamSynchronize"),
        launched(kernel("c", 160, 170, 4), 150),
    )
    assert profile.show("idle").select("cause", "duration_ns").rows() == [("sync", 50), ("launch_latency", 12)]
