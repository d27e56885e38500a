"""What can be asked about events: cells, facts, flows, areas, names, places."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import annotation, arrow, call, kernel, launched, memcpy, opened, operator, step, timed
from oracles.timeline import all_events, opened_timeline
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.messages.rendering import in_every_language
from stepscope.timeline import Timeline, open_timeline
from timeline_checks import ask


def frame(name: str, start: int, end: int, **args: object) -> dict[str, object]:
    return timed("python_function", name, start, end, process=1, thread=1, **args)


@pytest.fixture(scope="module")
def timeline(tmp_path_factory: pytest.TempPathFactory) -> Timeline:
    """A step with a module, an operator that launches two kernels, and a graph."""
    profile = opened(
        tmp_path_factory.mktemp("timeline"),
        step(1, 0, 1000),
        frame("train.py(3): main", 0, 1000),
        frame("nn.Module: Linear_0", 50, 400),
        frame("model.py(20): forward", 60, 390),
        operator("aten::linear", 100, 300, **{"Input Dims": [[2, 3]]}, external_id=5),
        operator("aten::mm", 150, 250, external_id=6),
        launched(kernel("gemm", 300, 340, 1, **{"blocks per SM": 0.5}), 160),
        launched(kernel("epilogue", 340, 350, 2), 200),
        call(500, 520, 3, name="cudaGraphLaunch"),
        kernel("gemm", 600, 700, 3),
        kernel("copy", 700, 710, 3),
    )
    return opened_timeline(profile)


def place(timeline: Timeline, name: str, which: int = 0) -> dict[str, int]:
    """Lane and row of the events of a name, by start."""
    lanes = all_events(timeline)
    found = [(begin, lane, row) for lane in lanes for row, (begin, _, text) in enumerate(lanes[lane]) if text == name]
    _, lane, row = sorted(found)[which]
    return {"lane": lane, "row": row}


def test_facts_of_a_kernel(timeline: Timeline) -> None:
    event = ask(timeline, "event", **place(timeline, "gemm"))
    launch = event["links"].pop("launch")
    assert launch == {**place(timeline, "cudaLaunchKernel"), "start": 160, "duration_ns": 2, "name": "cudaLaunchKernel"}
    assert event == {
        "name": "gemm",
        "category": "kernel",
        "thread": None,
        "kind": "compute",
        "rank": 0,
        "track": event["track"],
        "on": {
            "section": "gpu",
            "kind": "stream",
            "title": in_every_language(Message("lane-stream", stream="7")),
            "device": 0,
            "stream": 7,
            "thread": None,
        },
        "step": 1,
        **place(timeline, "gemm"),
        "start": 300,
        "duration_ns": 40,
        "self_ns": None,
        "args": {"device": 0, "stream": 7, "correlation": 1, "blocks per SM": 0.5},
        "operator": "aten::mm",
        "module": "Linear_0",
        "stack": [
            {"function": "forward", "file": "model.py", "line": 20},
            {"function": "nn.Module: Linear_0", "file": None, "line": None},
            {"function": "main", "file": "train.py", "line": 3},
        ],
        "links": {"activities": [], "forward": None, "backward": None},
        "collective": None,
        "recorded": None,
        "unmatched": None,
        "idle_before": None,
        "said": [],
        "parent": None,
        "children": 0,
        "same_name": {"calls": 2, "total_ns": 140, "mean_ns": 70, "index": 0},
    }


def test_facts_of_an_operator(timeline: Timeline) -> None:
    event = ask(timeline, "event", **place(timeline, "aten::mm"))
    assert event["parent"]["name"] == "aten::linear"
    assert (event["children"], event["self_ns"], event["duration_ns"]) == (2, 100, 100)
    assert [one["name"] for one in event["links"]["activities"]] == ["gemm", "epilogue"]
    outer = ask(timeline, "event", **place(timeline, "aten::linear"))
    assert (outer["self_ns"], outer["children"], outer["parent"]["name"]) == (100, 1, "ProfilerStep#1")
    assert outer["args"] == {"External id": 5, "Input Dims": "[[2, 3]]"}


def test_flows_of_a_launch_with_several_kernels(timeline: Timeline) -> None:
    answer = ask(timeline, "flows", **place(timeline, "cudaGraphLaunch"))
    assert answer["total"] == 2
    assert [(flow["kind"], flow["from"]["name"], flow["to"]["start"]) for flow in answer["flows"]] == [
        ("launch", "cudaGraphLaunch", 600),
        ("launch", "cudaGraphLaunch", 700),
    ]
    back = ask(timeline, "flows", **place(timeline, "copy"))["flows"]
    assert [(flow["from"]["name"], flow["to"]["name"]) for flow in back] == [("cudaGraphLaunch", "copy")]
    limited = ask(timeline, "flows", **place(timeline, "aten::mm"), limit=1)
    assert (len(limited["flows"]), limited["total"]) == (1, 2)
    assert limited["flows"][0]["from"]["name"] == "cudaLaunchKernel"


def test_flows_from_forward_to_backward(tmp_path: Path) -> None:
    forward = operator("aten::mm", 0, 10, **{"Sequence number": 7, "Fwd thread id": 0})
    backward = operator("MmBackward0", 50, 60, thread=2, **{"Sequence number": 7, "Fwd thread id": 1})
    profile = opened(tmp_path, forward, backward, arrow(1, forward, backward, "fwdbwd"))
    timeline = opened_timeline(profile)
    for name in ("aten::mm", "MmBackward0"):
        flows = ask(timeline, "flows", **place(timeline, name))["flows"]
        assert [(flow["kind"], flow["from"]["name"], flow["to"]["name"]) for flow in flows] == [
            ("backward", "aten::mm", "MmBackward0")
        ]
    assert ask(timeline, "event", **place(timeline, "aten::mm"))["links"]["backward"]["name"] == "MmBackward0"
    assert ask(timeline, "event", **place(timeline, "MmBackward0"))["links"]["forward"]["name"] == "aten::mm"


def test_facts_of_idle_time(timeline: Timeline) -> None:
    tracks = ask(timeline, "tracks")["tracks"]
    idle = next(track for track in tracks if track["kind"] == "idle")
    parts = all_events(timeline)[idle["first_lane"]]
    assert sum(end - begin for begin, end, _ in parts) == 250
    assert [parts[0][0], parts[-1][1]] == [350, 600]
    event = ask(timeline, "event", lane=idle["first_lane"], row=0)
    assert event["kind"] == "idle"
    assert event["links"]["launch"]["name"] == "cudaGraphLaunch"
    assert [one["start"] for one in event["links"]["activities"]] == [600]
    ended = {"lane": event["lane"], "total_ns": 250}
    for told in (
        ask(timeline, "event", **place(timeline, "gemm", 1)),
        ask(timeline, "event", **place(timeline, "cudaGraphLaunch")),
    ):
        assert {name: told["idle_before"][name] for name in ended} == ended
    assert ask(timeline, "event", **place(timeline, "copy"))["idle_before"] is None


def test_a_cell_names_what_is_in_it(tmp_path: Path) -> None:
    events = [kernel(f"k{i % 13}", 20 * i, 20 * i + 1 + i % 13) for i in range(130)]
    timeline = opened_timeline(opened(tmp_path, events))
    cell = ask(timeline, "cell", lane=0, first=13, count=26, limit=2)
    assert (cell["count"], cell["total"], cell["start"], cell["busy_ns"]) == (26, 26, 260, 2 * 91)
    assert (cell["rank"], cell["on"]["section"], cell["on"]["stream"], cell["step"]) == (0, "gpu", 7, 0)
    assert [one["name"] for one in cell["names"]] == [f"k{i}" for i in range(12, 2, -1)] + ["others"]
    assert cell["names"][0] == {"name": "k12", "count": 2, "total_ns": 26, "share_pct": 100 * 26 / 182}
    assert cell["names"][-1] == {"name": "others", "count": 6, "total_ns": 12, "share_pct": 100 * 12 / 182}
    assert cell["events"] == [
        {"row": 13, "name": "k0", "start": 260, "duration_ns": 1},
        {"row": 14, "name": "k1", "start": 280, "duration_ns": 2},
    ]


def test_a_cell_has_the_step_that_all_of_it_is_in(tmp_path: Path) -> None:
    events = [operator(f"aten::{i}", 100 * i + 10, 100 * i + 20) for i in range(20)]
    timeline = opened_timeline(opened(tmp_path, step(1, 0, 1000), step(2, 1000, 2000), events))
    lane = place(timeline, "aten::3")["lane"]
    steps = [ask(timeline, "cell", lane=lane, first=first, count=5, limit=1)["step"] for first in (2, 8, 12)]
    assert steps == [1, None, 2]


@pytest.mark.long
def test_an_area_clips_and_adds_up(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 50),
        kernel("gemm", 0, 100),
        kernel("ncclDevKernel_AllReduce", 60, 160, stream=20),
        memcpy(150, 200),
        kernel("gemm", 300, 400),
    )
    timeline = opened_timeline(profile)
    area = ask(timeline, "area", t0=50, t1=350)
    assert area["ranks"] == [
        {
            "rank": 0,
            "span_ns": 300,
            "busy_ns": 200,
            "idle_ns": 100,
            "compute_ns": 100,
            "communication_ns": 100,
            "exposed_communication_ns": 60,
            "memory_ns": 50,
            "exposed_memory_ns": 40,
        }
    ]
    kernels = [name for name in area["names"] if name["track_kind"] == "stream"]
    assert kernels[0] | {"share_pct": 0} == {
        "name": "gemm",
        "kind": "compute",
        "track_kind": "stream",
        "calls": 2,
        "total_ns": 100,
        "share_pct": 0,
    }
    assert kernels[0]["share_pct"] == pytest.approx(100 / 3)
    assert area["events"] == 4
    assert ask(timeline, "area", t0=0, t1=50)["events"] == 2
    streams = [track for track in ask(timeline, "tracks")["tracks"] if track["kind"] == "stream"]
    tracks = {track["title"]["text"]["en"]: track["id"] for track in streams}
    alone = ask(timeline, "area", t0=0, t1=400, tracks=tracks["stream 20 · communication"])
    assert [(name["name"], name["total_ns"]) for name in alone["names"]] == [("ncclDevKernel_AllReduce", 100)]


@pytest.mark.long
@settings(max_examples=30)
@given(st.integers(0, 900), st.integers(0, 900))
def test_an_area_is_the_sum_of_its_clipped_events(begin: int, length: int) -> None:
    timeline = _dense_timeline()
    area = ask(timeline, "area", t0=begin, t1=begin + length)
    wanted: dict[tuple[str, str], list[int]] = {}
    lanes = all_events(timeline)
    for track in ask(timeline, "tracks")["tracks"]:
        for lane in range(track["first_lane"], track["first_lane"] + track["depths"]):
            for start, end, name in lanes.get(lane, []):
                if start < begin + length and (end > begin or start >= begin):
                    sums = wanted.setdefault((name, track["kind"]), [0, 0])
                    sums[0] += 1
                    sums[1] += min(end, begin + length) - max(start, begin)
    assert {(one["name"], one["track_kind"]): [one["calls"], one["total_ns"]] for one in area["names"]} == wanted


_DENSE: list[Timeline] = []


def _dense_timeline() -> Timeline:
    """A timeline with many short events on several lanes, made once."""
    if not _DENSE:
        import tempfile

        events = [kernel("ab"[i % 2], 7 * i, 7 * i + (3 * i) % 11, stream=7 + i % 3) for i in range(120)]
        events += [operator("op", 5 * i, 5 * i + 40) for i in range(100)]
        _DENSE.append(opened_timeline(opened(Path(tempfile.mkdtemp()), events)))
    return _DENSE[0]


def test_search_finds_parts_of_names_and_patterns(timeline: Timeline) -> None:
    def names(q: str) -> list[tuple[str, int, int]]:
        return [(one["name"], one["count"], one["total_ns"]) for one in ask(timeline, "search", q=q)["names"]]

    assert names("GEMM") == [("gemm", 2, 140)]
    assert names("/^aten::(mm|add)$/") == [("aten::mm", 1, 100)]
    assert names("(") == [("train.py(3): main", 1, 1000), ("model.py(20): forward", 1, 330)]
    assert names("nowhere") == []
    found = ask(timeline, "search", q="gemm")["names"][0]
    assert (found["first"]["start"], found["longest"]["start"], found["kind"]) == (300, 600, "compute")
    assert timeline.names[found["code"]] == "gemm"
    with pytest.raises(BadRequest):
        ask(timeline, "search", q="/(/")


def test_next_goes_through_all_lanes_in_order_of_time(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, kernel("k", 0, 5), kernel("k", 10, 15, stream=8), kernel("k", 10, 12, stream=9), kernel("k", 20, 25)
    )
    timeline = opened_timeline(profile)
    code = timeline.names.index("k")
    at: dict[str, int] | None = place(timeline, "k")
    starts, lanes = [], []
    while at is not None:
        starts.append(at["row"])
        lanes.append(at["lane"])
        at = ask(timeline, "next", code=code, lane=at["lane"], row=at["row"], direction=1)["place"]
    assert len(set(zip(lanes, starts, strict=True))) == 4
    last = place(timeline, "k", 3)
    first = ask(timeline, "next", code=code, **last, direction=-1, tracks=0)["place"]
    assert (first["lane"], first["start"]) == (0, 0)


def test_places_of_what_tables_name(timeline: Timeline) -> None:
    def starts(kind: str, name: str, **more: object) -> list[int]:
        return [one["start"] for one in ask(timeline, "places", kind=kind, name=name, **more)["places"]]

    assert starts("kernel", "gemm") == [600, 300]
    assert starts("kernel", "gemm", limit=1) == [600]
    assert starts("operator", "aten::mm") == [150]
    assert starts("operator", "aten::mm", step=1) == [150]
    assert starts("module", "Linear_0") == [50]
    assert starts("annotation", "ProfilerStep#1") == [0]
    assert starts("kernel", "nothing") == []
    with pytest.raises(BadRequest):
        starts("planet", "gemm")


def test_places_of_a_step_are_those_launched_in_it(tmp_path: Path) -> None:
    events = [step(1, 0, 100), step(2, 100, 200)]
    events += [launched(kernel("k", 90 + 50 * i, 95 + 50 * i, i + 1), 50 + 100 * i) for i in range(2)]
    timeline = opened_timeline(opened(tmp_path, events))
    found = ask(timeline, "places", kind="kernel", name="k", step="2")
    assert [one["start"] for one in found["places"]] == [140]


@pytest.mark.parametrize(
    ("question", "parameters"),
    [
        ("event", {"lane": 99, "row": 0}),
        ("event", {"lane": 0, "row": 99}),
        ("event", {"lane": 0, "row": -1}),
        ("event", {"lane": "x", "row": 0}),
        ("event", {"row": 0}),
        ("cell", {"lane": 0, "first": 0, "count": 99}),
        ("window", {"t0": 5, "t1": 4, "px": 10}),
        ("window", {"t0": "nan", "t1": 4, "px": 10}),
        ("window", {"t0": 0, "t1": 4, "px": 10, "lanes": "1-2-3"}),
        ("area", {"t0": 0, "t1": 10, "tracks": "a"}),
        ("places", {"kind": "operator", "name": "aten::mm", "step": "7"}),
    ],
)
def test_questions_that_make_no_sense_are_refused(
    timeline: Timeline, question: str, parameters: dict[str, object]
) -> None:
    with pytest.raises(BadRequest):
        ask(timeline, question, **parameters)


def test_ranks_share_names_and_origin(tmp_path: Path) -> None:
    from building import write

    for rank in range(2):
        events = [operator("aten::mm", 100 * rank, 100 * rank + 10), operator(f"own {rank}", 50, 60)]
        write(tmp_path / f"rank{rank}.json", *events, distributedInfo={"rank": rank})
    timeline = open_timeline(stepscope.open(str(tmp_path)).profile)
    assert timeline.origin_ns == 0
    assert len(timeline.names) == len(set(timeline.names))
    found = ask(timeline, "search", q="aten::mm")["names"]
    assert [(one["count"], one["first"]["start"]) for one in found] == [(2, 0)]
    following = ask(timeline, "next", code=found[0]["code"], lane=0, row=0, direction=1)["place"]
    assert following["start"] == 100


def test_a_range_and_its_twin_on_the_gpu_are_counted_apart(tmp_path: Path) -> None:
    """A step that took 100 on the host and 40 on the GPU had "2 calls, mean 70", and N led from one to the other."""
    twins = [
        timed("gpu_user_annotation", f"ProfilerStep#{at}", 100 * at + 30, 100 * at + 70, process=0, thread=7)
        for at in (1, 2)
    ]
    # An operator of the name of a range is a third thing.
    alike = [operator("forward", 110, 120), annotation("forward", 130, 150), annotation("forward", 230, 260)]
    events = [step(1, 100, 200), step(1, 200, 300), kernel("gemm", 131, 170), *twins, *alike]
    timeline = opened_timeline(opened(tmp_path, events))
    code = timeline.names.index("ProfilerStep#1")

    def found(name: str, which: int) -> tuple[int, int, int, int]:
        event = ask(timeline, "event", **place(timeline, name, which))["same_name"]
        return event["calls"], event["total_ns"], event["mean_ns"], event["index"]

    host, twin, again = (place(timeline, "ProfilerStep#1", which) for which in range(3))
    assert [found("ProfilerStep#1", which) for which in range(3)] == [
        (2, 200, 100, 0),
        (1, 40, 40, 0),
        (2, 200, 100, 1),
    ]
    assert ask(timeline, "next", code=code, **host, direction=1)["place"].items() >= again.items()
    assert ask(timeline, "next", code=code, **again, direction=-1)["place"].items() >= host.items()
    assert ask(timeline, "next", code=code, **twin, direction=1)["place"] is None
    # A search counts both, so that its walk takes both.
    counted = ask(timeline, "search", q="ProfilerStep#1")["names"][0]["count"]
    at, walked = host, [host]
    while at := ask(timeline, "next", code=code, **at, direction=1, every=1)["place"]:
        at = {"lane": at["lane"], "row": at["row"]}
        walked.append(at)
    assert walked == [host, twin, again]
    assert counted == 3
    assert [found("forward", which) for which in range(3)] == [(1, 10, 10, 0), (2, 50, 25, 0), (2, 50, 25, 1)]
    # From an event of another name on, every event of the name is looked at.
    assert ask(timeline, "next", code=code, **place(timeline, "gemm"), direction=1)["place"]["start"] == 100


def test_places_are_on_the_tracks_that_are_listed(tmp_path: Path) -> None:
    """Of a stream that is packed with others an event lies on two tracks."""
    events = [kernel("busy", 0, 9_000), launched(kernel("small", 500, 520, 1, stream=77), 100)]
    events += [kernel(f"k{i}", 10 * i, 10 * i + 12, stream=100 + i) for i in range(50)]
    timeline = opened_timeline(opened(tmp_path, events))

    def kind_of(lane: int) -> str:
        for _, track in timeline.tracks.values():
            if track.first_lane <= lane < track.first_lane + track.depths:
                return track.kind
        raise AssertionError(lane)

    launch = place(timeline, "cudaLaunchKernel")
    for packed, kind in ((1, "packed"), (0, "stream")):
        found = ask(timeline, "search", q="small", packed=packed)["names"][0]
        where = ask(timeline, "places", kind="kernel", name="small", packed=packed)["places"][0]
        linked = ask(timeline, "event", **launch, packed=packed)["links"]["activities"][0]
        flow = ask(timeline, "flows", **launch, packed=packed)["flows"][0]["to"]
        lanes = {one["lane"] for one in (found["first"], found["longest"], where, linked, flow)}
        assert {kind_of(lane) for lane in lanes} == {kind}
        assert found["count"] == 1
        again = ask(timeline, "event", lane=where["lane"], row=where["row"], packed=packed)
        assert (again["same_name"]["calls"], again["same_name"]["index"]) == (1, 0)


def test_what_lies_inside_something_is_on_a_row_below_it(examples: Path) -> None:
    """As the store nests operators and frames, so do rows."""
    profile = stepscope.open(str(examples / "batch_size.slow.pt.trace.json.gz")).profile
    timeline, rank = open_timeline(profile), profile.ranks[0]
    part = timeline.parts[0]
    from stepscope.timeline.event_search import stored_indices

    for table in ("operator", "python"):
        host = rank.nesting(table)
        late = host.nesting.sticks_out
        rows = [
            row for row, parent in enumerate(host.nesting.parent) if parent >= 0 and not (late[row] or late[parent])
        ]
        inner, outer = (
            stored_indices(timeline, 0, table, np.array(some))
            for some in (rows, [host.nesting.parent[row] for row in rows])
        )
        lane = np.searchsorted(part.lanes["lane_first"], np.stack([inner, outer]), side="right") - 1
        assert (part.lanes.track_of_lane[lane[0]] == part.lanes.track_of_lane[lane[1]]).all()
        running = host.end[[host.nesting.parent[row] for row in rows]] > host.start[rows]
        assert (lane[0] > lane[1])[running].all()
        assert running.mean() > 0.99
