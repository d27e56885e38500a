"""The server's sentences name the device as what it is: an NPU, where a run ran on such."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from building import kernel, launched, step, write
from building.ascend import write_run
from served import get, opened, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from served import Client

    Serve = Callable[..., Client]

NPU, GPU = "npu/node_900_20260101000000000_ascend_pt", "gpu.json"


def sentences(answer: Any) -> list[str]:
    """The texts of all messages of an answer."""
    if isinstance(answer, list):
        return [text for one in answer for text in sentences(one)]
    if not isinstance(answer, dict):
        return []
    own = list(answer["text"].values()) if isinstance(answer.get("text"), dict) else []
    return own + [text for one in answer.values() for text in sentences(one)]


@pytest.mark.long
def test_answers_of_one_run_say_npu_and_of_the_next_one_gpu(serve: Serve, tmp_path: Path) -> None:
    write_run(tmp_path / "npu")
    write(tmp_path / GPU, step(1, 0, 100), launched(kernel("gemm", 20, 60, 1), 10))
    client = serve()
    for run, device, other in ((NPU, "NPU", "GPU"), (GPU, "GPU", "NPU"), (NPU, "NPU", "GPU")):
        facts = opened(client, run)
        assert facts["npus"] is (run == NPU)
        tables = [get(client, "table", run=run, table=name) for name in ("findings", "health", "recordings")]
        lane = get(client, "timeline/tracks", run=run)["tracks"][0]["first_lane"]
        event = get(client, "timeline/event", run=run, lane=lane, row=0)
        texts = sentences([facts["apart"], get(client, "verdict", run=run), tables, event])
        assert any(f"{device} busy" in text for text in texts)
        assert [text for text in texts if re.search(rf"\b{other}\b", text)] == []


@pytest.mark.long
def test_the_list_of_runs_says_it_too(serve: Serve, tmp_path: Path) -> None:
    write_run(tmp_path / "npu")
    client = serve()
    until(lambda: get(client, "runs", read=1)["runs"][0]["summary"] is not None)
    summary = get(client, "runs")["runs"][0]["summary"]
    assert summary["npus"] is True
    assert "NPU busy" in summary["headline"]["text"]["en"]
