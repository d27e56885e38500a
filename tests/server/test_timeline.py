"""The timeline over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from building import kernel, operator, write
from served import Client, error, get, opened
from stepscope.timeline.framing import unframe

Serve = Callable[..., Client]


def test_a_browser_gets_tracks_and_windows(serve: Serve, tmp_path: Path) -> None:
    write(tmp_path / "run.json", operator("aten::mm", 100, 200), kernel("gemm", 150, 300))
    client = serve()
    run = opened(client, "run.json")
    tracks = get(client, "timeline/tracks", run="run.json")
    assert tracks["origin_ns"] == run["origin_ns"] == "100"
    assert tracks["end"] == run["end"] == 200
    answer = client.get(
        "/api/timeline/window", params={"run": "run.json", "t0": 0, "t1": 200, "px": 100, "lanes": "0-9"}
    )
    assert answer.headers["content-type"] == "application/octet-stream"
    header, columns = unframe(answer.content)
    names = get(client, "timeline/names", run="run.json", codes=",".join(map(str, columns["name"])))["names"]
    assert sorted(names.values()) == ["aten::mm", "gemm"]
    assert len(header["lanes"]) == 2


def test_questions_that_make_no_sense_are_refused(serve: Serve, tmp_path: Path) -> None:
    write(tmp_path / "run.json", operator("aten::mm", 100, 200))
    client = serve()
    opened(client, "run.json")
    assert error(client, "timeline/window", 400, run="run.json", t0="x", t1=5) == "t0 is no number"
    assert error(client, "timeline/event", 400, run="run.json", lane=7, row=0) == "the timeline has lane 0 alone"
    error(client, "timeline/tracks", 404, run="elsewhere.json")
