"""The timeline over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from building import kernel, operator, write
from served import Client, error, get, opened, until
from stepscope.timeline import lane_layout
from stepscope.timeline.binary_format import unframe

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


def test_a_timeline_that_is_being_made_says_how_far_it_is(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of ten million events the first answer takes seconds, in which the page once said nothing."""
    write(tmp_path / "run.json", operator("aten::mm", 100, 200), kernel("gemm", 150, 300))
    make, go_on = lane_layout.laid_lanes, threading.Event()

    def slow(*arguments: Any) -> Any:
        assert go_on.wait(60)
        return make(*arguments)

    monkeypatch.setattr(lane_layout, "laid_lanes", slow)
    client = serve()
    opened(client, "run.json")
    until(lambda: get(client, "timeline/state", run="run.json")["done"] > 0)
    answer = get(client, "timeline/state", run="run.json")
    assert answer["state"] == "building"
    assert 0 < answer["done"] < answer["total"] == 5
    go_on.set()
    until(lambda: get(client, "timeline/state", run="run.json") == {"state": "ready"})
    assert len(get(client, "timeline/tracks", run="run.json")["tracks"]) == 3


def test_a_timeline_that_cannot_be_made_is_not_waited_for(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "run.json", operator("aten::mm", 100, 200))

    def broken(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("stepscope.timeline.timeline.event_lanes", broken)
    client = serve()
    opened(client, "run.json")
    until(lambda: get(client, "timeline/state", run="run.json") == {"state": "ready"})
    assert error(client, "timeline/tracks", 500, run="run.json") == "out of memory"


def test_a_timeline_tells_of_runs_that_are_there_alone(serve: Serve) -> None:
    error(serve(), "timeline/state", 404, run="elsewhere.json")


def test_questions_that_make_no_sense_are_refused(serve: Serve, tmp_path: Path) -> None:
    write(tmp_path / "run.json", operator("aten::mm", 100, 200))
    client = serve()
    opened(client, "run.json")
    assert error(client, "timeline/window", 400, run="run.json", t0="x", t1=5) == "t0 is not a number"
    assert error(client, "timeline/event", 400, run="run.json", lane=7, row=0) == "the timeline has lane 0 only"
    error(client, "timeline/tracks", 404, run="elsewhere.json")
