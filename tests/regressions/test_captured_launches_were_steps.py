"""A recording of the capture of CUDA graphs was judged as a step: 544 of 546 launches never ran."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import call, kernel, launched, opened, operator
from stepscope.findings.examination import examine
from stepscope.findings.verdict import verdict
from stepscope.messages import Message

MS = 1_000_000


@pytest.mark.parametrize(
    ("name", "capturing"),
    [
        ("cudaStreamBeginCapture", True),
        ("cudaDeviceGetAttribute", False),
        ("cudaStreamIsCapturing", False),  # PyTorch asks that without a graph, too
    ],
)
def test_what_is_captured_is_no_step(tmp_path: Path, name: str, capturing: bool) -> None:
    events = [call(1_000, 2_000, 1, name=name), launched(kernel("warm", 5_000, 6_000, 2), 3_000)]
    for i in range(60):
        events += [
            operator("aten::mm", 10_000 * i + 10_000, 10_000 * i + 18_000),
            call(10_000 * i + 12_000, 10_000 * i + 14_000, 10 + i),
        ]
    rank = opened(tmp_path, *events).profile.ranks[0]
    said = verdict(rank).sentences[0]
    assert (said == Message("verdict-captured", captured=60, launches=61)) == capturing
    if capturing:
        profile = opened(tmp_path, *events).profile
        assert examine(profile, profile.ranks[0]) is None
