"""Dependencies between the nodes of a CUDA graph, and records of events, as torch's CUPTI monitor writes them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import Event, call, check, kernel, launched, opened, rows, step, sync, timed

EDGE = 1 << 40


def node(name: str, start: int, end: int, *, stream: int = 7, correlation: int = 5) -> Event:
    return kernel(name, start, end, correlation, stream=stream, **{"graph id": 3, "graph node id": start + 1})


def edge(number: int, before: Event, after: Event) -> list[Event]:
    """An arrow from the end of an event to the start of another, of the category and name of launches."""
    end, common = before["ts"] + before["dur"], {"cat": "ac2g", "name": "ac2g", "id": EDGE + number}
    tail = {"ph": "s", **common, "pid": before["pid"], "tid": before["tid"], "ts": end}
    head = {"ph": "f", "bp": "e", **common, "pid": after["pid"], "tid": after["tid"], "ts": after["ts"]}
    return [tail, head]


def path(events: list[Any], folder: Path) -> list[tuple[str, int, int]]:
    """Kernels of the path in order of time."""
    table = opened(folder, events).show("critical_path", by="event").filter(kind="compute")
    return [(name, start, start + length) for name, start, length in rows(table, "name", "start_ns", "duration_ns")]


def forked() -> tuple[list[Event], list[Event]]:
    """Two branches on one stream: `join` waits for `long`, and `side` runs beside it."""
    first, long, side, join = node("first", 20, 30), node("long", 30, 60), node("side", 31, 70), node("join", 61, 80)
    nodes = [step(1, 0, 12), call(2, 10, 5, name="cudaGraphLaunch"), first, long, side, join]
    return nodes, [*edge(1, first, long), *edge(2, first, side), *edge(3, long, join)]


def test_the_path_follows_the_edges_of_a_graph(tmp_path: Path) -> None:
    nodes, edges = forked()
    assert [name for name, _, _ in path(nodes, tmp_path)] == ["first", "long", "side", "join"]
    assert path([*nodes, *edges], tmp_path) == [("first", 20, 30), ("long", 30, 60), ("join", 61, 80)]
    assert check(opened(tmp_path, nodes, edges), "graph_dependencies") == (
        "ok",
        "3",
        "dependencies between nodes of CUDA graphs; the critical path follows those between activities",
    )


def test_an_edge_across_streams_is_known_and_not_guessed(tmp_path: Path) -> None:
    """Of two branches the later one seemed to be what was waited for."""
    short, long = node("short", 20, 38, stream=8), node("long", 20, 40, stream=9)
    last = node("last", 41, 60)
    nodes = [step(1, 0, 12), call(2, 10, 5, name="cudaGraphLaunch"), short, long, last]
    assert path(nodes, tmp_path) == [("long", 20, 40), ("last", 41, 60)]
    assert path([*nodes, *edge(1, short, last)], tmp_path) == [("short", 20, 38), ("last", 41, 60)]


def test_an_edge_that_runs_backwards_is_an_edge(tmp_path: Path) -> None:
    """The clocks of two nodes may differ by microseconds."""
    before, after = node("before", 20_000, 43_000, stream=8), node("after", 41_000, 60_000)
    nodes = [step(1, 0, 12), call(2, 10, 5, name="cudaGraphLaunch"), before, after]
    found = path([*nodes, *edge(1, before, after)], tmp_path)
    assert [name for name, _, _ in found] == ["before", "after"]
    assert found[-1] == ("after", 41_000, 60_000)


def test_edges_are_no_launches(tmp_path: Path) -> None:
    """A host thread of the number of a stream had the arrow's tail: its call was taken for the launch of a kernel."""
    host = timed("cuda_runtime", "cudaStreamIsCapturing", 25, 35, process=0, thread=7)
    first, second = node("first", 20, 30), kernel("second", 40, 50)
    profile = opened(tmp_path, host, first, second, edge(1, first, second))
    assert profile.profile.ranks[0].activity["launch"].to_list() == [None, None]


def test_nodes_that_are_no_work_are_known_and_counted(tmp_path: Path) -> None:
    first = node("first", 20, 30)
    record = timed("graph_event_node", "EventRecord", 31, 32, process=0, thread=7, **{"cuda event": "0x7f"})
    host = timed("graph_host_node", "HostNode: log", 33, 40, process=0, thread=7, **{"host thread": 3})
    profile = opened(tmp_path, call(2, 10, 5, name="cudaGraphLaunch"), first, record, host, edge(1, first, record))
    assert check(profile, "unknown_categories") == ("ok", "0", "every timed event is of a known category")
    assert rows(profile.show("summary"), "busy_ns", "kernels") == [(10, 1)]
    assert check(profile, "graph_dependencies") == (
        "warning",
        "1",
        (
            "dependencies between nodes of CUDA graphs; the critical path follows those between activities; "
            "1 joins a node that is not an activity, such as an event record or a host function"
        ),
    )


@pytest.mark.long
@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 30), st.integers(7, 9)), min_size=1, max_size=7), st.data())
def test_with_any_edges_a_path_is_as_long_as_its_step(
    tmp_path_factory: Any, drawn: list[tuple[int, int, int]], data: Any
) -> None:
    at, nodes = 20, []
    for number, (gap, length, stream) in enumerate(drawn):
        nodes.append(node(f"k{number}", at, at + length, stream=stream))
        at += gap
    pairs = st.tuples(st.sampled_from(nodes), st.sampled_from(nodes))
    edges = [edge(i, *pair) for i, pair in enumerate(data.draw(st.lists(pairs, max_size=6)))]
    events = [step(1, 0, 12), call(2, 10, 5, name="cudaGraphLaunch"), *nodes, *edges]
    folder = tmp_path_factory.mktemp("edges")
    table = opened(folder, events).show("critical_path", by="event")
    end = max(int((one["ts"] + one["dur"]) * 1000) for one in nodes)
    assert table["duration_ns"].sum() == end
    shuffled = list(events)
    random.Random(1).shuffle(shuffled)
    assert opened(folder, shuffled).show("critical_path", by="event").equals(table)


def recorded(at: int, stream: int, correlation: int) -> list[Event]:
    """A call that records an event, and the event; torch writes them on the row of the stream."""
    args = {"event_id": 4, "stream": stream, "correlation": correlation, "device": 0, "context": 1}
    return [
        call(at, at + 1, correlation, name="cudaEventRecord"),
        timed("cuda_event", "cudaEvent", at, at + 1, process=0, thread=stream, **args),
    ]


def test_the_stream_of_a_wait_is_that_of_the_events_record(tmp_path: Path) -> None:
    """The CUPTI monitor writes -1 for the stream that is waited for, but the number of the call that recorded."""
    wait = {"wait_on_stream": -1, "wait_on_cuda_event_record_corr_id": 11, "wait_on_cuda_event_id": 4}
    events = [
        step(1, 0, 30),
        launched(kernel("other", 20, 60, 1, stream=9), 2),
        launched(kernel("long", 22, 70, 2, stream=8), 4),
        recorded(6, 9, 11),
        call(8, 9, 12, name="cudaStreamWaitEvent"),
        sync("Stream Wait Event", 8, 9, 12, **wait),
        launched(kernel("last", 71, 90, 3), 10),
    ]
    assert path(events, tmp_path) == [("other", 20, 60), ("last", 71, 90)]
    assert check(opened(tmp_path, events), "unknown_categories") == (
        "ok",
        "0",
        "every timed event is of a known category",
    )


def test_a_host_that_waits_for_an_event_waits_for_the_stream_of_its_record(tmp_path: Path) -> None:
    """Of two streams that end during the call the later one seemed to be what the host waited for."""
    wait = {"wait_on_stream": -1, "wait_on_cuda_event_record_corr_id": 11}
    events = [
        step(1, 0, 100),
        launched(kernel("asked for", 20, 60, 1, stream=9), 2),
        launched(kernel("longer", 22, 64, 2, stream=8), 4),
        recorded(8, 9, 11),
        call(10, 65, 12, name="cudaEventSynchronize"),
        sync("Event Sync", 10, 65, 12, stream=-1, **wait),
    ]
    assert path(events, tmp_path) == [("asked for", 20, 60)]
    assert rows(opened(tmp_path, events).show("sync"), "waits_for") == ["event of stream 9"]


def test_a_moved_row_of_stream_syncs_is_of_its_stream(tmp_path: Path) -> None:
    """torch 2.13 moves them to a row 1,000,000 further on; the argument has the stream."""
    moved = sync("Stream Sync", 20, 65, 9, stream=8) | {"tid": 1_000_008}
    events = [
        step(1, 0, 80),
        launched(kernel("a", 10, 60, 1, stream=8), 2),
        launched(kernel("b", 10, 64, 2, stream=9), 4),
        call(20, 65, 9, name="cudaStreamSynchronize"),
        moved,
    ]
    assert path(events, tmp_path) == [("a", 10, 60)]


def test_of_two_activities_that_end_at_once_the_same_has_the_arrow(tmp_path: Path) -> None:
    """Which one depended on their order in the file."""
    long, short, last = node("long", 20, 27), node("short", 21, 27), node("last", 22, 28)
    around = [step(1, 0, 12), call(2, 10, 5, name="cudaGraphLaunch"), last, *edge(1, long, last)]
    assert path([long, short, *around], tmp_path) == path([short, long, *around], tmp_path)
