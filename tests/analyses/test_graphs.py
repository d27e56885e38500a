"""CUDA graphs: replays, told apart by what they run."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import Event, call, flat, kernel, launched, memcpy, memset, opened, operator, rows, step, write
from oracles import general as oracle
from stepscope.api import OpenProfile

COLUMNS = ("graph", "name", "calls", "kernels", "copies", "total_ns", "span_ns", "busy_ns", "gap_ns", "launch_ns")


def replay(
    correlation: int, at: int, start: int, names: str, *, length: int = 10, gap: int = 2, **more: Any
) -> list[Any]:
    """A launch of 4 ns, and kernels of letters, one after the other with gaps; ``-`` is a fill."""
    name = more.pop("name", "cudaGraphLaunch")
    events: list[Any] = [call(at, at + 4, correlation, name=name)]
    for letter in names:
        end = start + length
        events.append(
            memset(start, end, correlation) if letter == "-" else kernel(letter, start, end, correlation, **more)
        )
        start = end + gap
    return events


def test_replays_of_the_same_kernels_are_one_graph(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        replay(1, 0, 100, "abc-"),
        replay(2, 10, 200, "ab", length=20),
        replay(3, 20, 300, "abc-"),
        launched(kernel("a", 400, 420, 4), at=30),
        replay(5, 40, 500, "acb"),
    )
    table = profile.show("graphs")
    assert rows(table, *COLUMNS) == [
        (1, "cudaGraphLaunch", 2, 3, 1, 80, 92, 80, 12, 8),
        (2, "cudaGraphLaunch", 1, 2, 0, 40, 42, 40, 2, 4),
        (3, "cudaGraphLaunch", 1, 3, 0, 30, 34, 30, 4, 4),
    ]
    assert rows(table, "mean_ns", "heaviest") == [(40, "a"), (40, "a"), (30, "a")]
    assert table["share_pct"].to_list() == [pytest.approx(100 * n / 170) for n in (80, 40, 30)]
    assert profile.notes("graphs") == [
        "graphs run 88.2 % of all GPU time",
        "no graph ids were recorded: graphs that run the same kernels in the same order share a row",
    ]


def test_by_replay_and_by_kernel(tmp_path: Path) -> None:
    profile = opened(tmp_path, replay(1, 0, 100, "aba"), replay(2, 10, 200, "aba"), replay(3, 20, 300, "b"))
    columns = ("graph", "rank", "start_ns", "latency_ns", "total_ns", "launch_ns")
    assert rows(profile.show("graphs", by="replay"), *columns) == [
        (1, 0, 100, 100, 30, 4),
        (1, 0, 200, 190, 30, 4),
        (2, 0, 300, 280, 10, 4),
    ]
    assert rows(profile.show("graphs", by="kernel"), "graph", "kernel", "calls", "kernels", "total_ns", "span_ns") == [
        (1, "a", 4, 2, 40, None),
        (1, "b", 2, 1, 20, None),
        (2, "b", 1, 1, 10, None),
    ]


def test_branches_on_streams_may_run_in_any_order(tmp_path: Path) -> None:
    """The second replay starts b before a; each stream has its own order. Busy is the union, total the sum."""

    def two(correlation: int, at: int, first: int, second: int) -> list[Any]:
        return [
            call(at, at + 4, correlation, name="cudaGraphLaunch"),
            kernel("a", first, first + 10, correlation, stream=7),
            kernel("b", second, second + 10, correlation, stream=8),
        ]

    table = opened(tmp_path, two(1, 0, 100, 105), two(2, 10, 208, 200)).show("graphs")
    assert rows(table, "calls", "total_ns", "span_ns", "busy_ns", "gap_ns") == [(2, 40, 33, 33, 0)]


def test_recorded_numbers_tell_equal_graphs_apart(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        replay(1, 0, 100, "ab", **{"graph id": 11, "graph node id": 5}),
        replay(2, 10, 200, "ab", **{"graph id": 12}),
        replay(3, 20, 300, "ab", **{"graph id": 12}),
    )
    assert rows(profile.show("graphs"), "graph", "graph_id", "calls") == [(1, 12, 2), (2, 11, 1)]
    assert len(profile.notes("graphs")) == 1


def test_the_number_of_a_graph_is_part_of_its_nodes_numbers(tmp_path: Path) -> None:
    """As torch 2.12 writes them in full; 2.14's CUPTI monitor gives 32 bits beside the graph's number; 0 is none."""
    profile = opened(
        tmp_path,
        replay(1, 0, 100, "ab", **{"graph node id": 12 << 32 | 3}),
        replay(2, 10, 200, "ab", **{"graph id": 12, "graph node id": 3}),
        replay(3, 20, 300, "ab", **{"graph id": 0, "graph node id": 0}),
    )
    assert rows(profile.show("graphs"), "graph_id", "calls") == [(12, 2), (None, 1)]


@pytest.mark.parametrize("name", ["cudaGraphLaunch", "cudaGraphLaunch_v10000", "hipGraphLaunch", "cuGraphLaunch"])
def test_calls_that_launch_graphs(tmp_path: Path, name: str) -> None:
    table = opened(tmp_path, replay(1, 0, 100, "a", name=name)).show("graphs")
    assert rows(table, "name", "calls") == [(name, 1)]


def test_launches_without_activity_are_counted(tmp_path: Path) -> None:
    profile = opened(tmp_path, replay(1, 0, 100, "a"), call(10, 14, 2, name="cudaGraphLaunch"))
    assert profile.notes("graphs")[1] == "1 of 2 graph launches have no activity in the recording"
    lost = opened(tmp_path, call(10, 14, 2, name="cudaGraphLaunch"), kernel("a", 0, 5))
    assert lost.notes("graphs") == ["no rows: 1 of 1 graph launches have no activity in the recording"]


def test_nothing_without_graphs(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("a", 100, 110, 1), at=0))
    assert len(profile.show("graphs")) == 0
    assert profile.notes("graphs") == ["no rows: no CUDA graph was launched in the selection"]
    assert (
        opened(tmp_path, operator("aten::mm", 0, 5)).notes("graphs")[0].startswith("no rows: the recording has no GPU")
    )


def test_a_selected_step(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 10),
        step(2, 10, 20),
        replay(1, 0, 100, "ab"),
        replay(2, 12, 200, "ab"),
        replay(3, 15, 300, "c"),
    )
    assert rows(profile.show("graphs", step=2), "calls", "total_ns", "heaviest") == [(1, 20, "a"), (1, 10, "c")]


def test_ranks_are_summed_and_their_codes_do_not_matter(tmp_path: Path) -> None:
    write(tmp_path / "rank0.json", replay(1, 0, 100, "ab"))
    write(tmp_path / "rank1.json", launched(kernel("b", 5, 6, 9), at=0), replay(1, 0, 100, "ab"))
    profile = stepscope.open(str(tmp_path))
    assert rows(profile.show("graphs"), "calls", "total_ns") == [(2, 40)]
    assert rows(profile.show("graphs", by="replay"), "rank", "graph") == [(0, 1), (1, 1)]


def test_kernels_without_an_operator_are_those_of_their_graph_launch(tmp_path: Path) -> None:
    """Inside an operator the operator counts, as for every launch."""
    profile = opened(
        tmp_path,
        replay(1, 0, 100, "a"),
        operator("CompiledFunction", 10, 20),
        replay(2, 12, 200, "a"),
        launched(kernel("a", 300, 305, 3), at=30),
    )
    assert rows(profile.show("kernels", by="op"), "op", "total_ns") == [
        ("CompiledFunction", 10),
        ("cudaGraphLaunch", 10),
        (None, 5),
    ]


def expected(events: oracle.Events) -> dict[Any, dict[str, int]]:
    """Sums by what the replays run, stream by stream, event by event."""
    owned: dict[int, list[oracle.Timed]] = defaultdict(list)
    calls = {call.number: call for call in events.runtime if "graphlaunch" in (call.name or "").lower()}
    for event in events.activity:
        launch = events.launches.get(event.number)
        if launch is not None and launch.number in calls:
            owned[launch.number].append(event)
    found: dict[Any, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for number, activity in owned.items():
        streams: dict[Any, list[oracle.Timed]] = defaultdict(list)
        for event in activity:
            streams[event.args.get("device"), event.args.get("stream")].append(event)
        ordered = [sorted(events, key=lambda event: event.order) for events in streams.values()]
        row = found[calls[number].name, tuple(sorted(tuple(event.name or "" for event in one) for one in ordered))]
        row["calls"] += 1
        row["total_ns"] += sum(event.duration for event in activity)
        row["span_ns"] += max(event.end for event in activity) - min(event.start for event in activity)
        row["busy_ns"] += sum(end - begin for begin, end, inside in oracle.pieces(activity) if inside)
        row["launch_ns"] += calls[number].duration
        row["each"] = len(activity)
    return found


def assert_as_the_oracle_says(events: oracle.Events, profile: OpenProfile) -> None:
    sums = ["calls", "total_ns", "span_ns", "busy_ns", "launch_ns"]
    table = profile.show("graphs")
    wanted = expected(events)
    assert sorted(rows(table, *sums)) == sorted(tuple(row[name] for name in sums) for row in wanted.values())
    assert sorted(table["kernels"] + table["copies"]) == sorted(row["each"] for row in wanted.values())
    assert (table["span_ns"] == table["busy_ns"] + table["gap_ns"]).all()
    by_replay, by_kernel = profile.show("graphs", by="replay"), profile.show("graphs", by="kernel")
    assert [by_replay[name].sum() for name in sums] == [table[name].sum() for name in sums]
    kernels = (table["kernels"] * table["calls"]).sum()
    assert by_kernel["calls"].sum() == kernels


@st.composite
def graph_traces(draw: st.DrawFn) -> list[Event]:
    found: list[Any] = [operator("aten::mm", 0, 1)]
    for number in range(1, draw(st.integers(0, 5)) + 1):
        found.append(call(number * 10, number * 10 + draw(st.integers(0, 5)), number, name="cudaGraphLaunch"))
        for letter in draw(st.sampled_from(["ab", "ab", "ba", "aab", "a-", ""])):
            start, length = draw(st.integers(0, 60)), draw(st.integers(0, 9))
            stream = draw(st.integers(7, 8))
            event = memset(start, start + length, number)
            found.append(event if letter == "-" else kernel(letter, start, start + length, number, stream=stream))
    if draw(st.booleans()):
        found += [launched(memcpy(5, 9, 99), at=3), kernel("a", 1, 2)]
    return flat(found)


@pytest.mark.long
@settings(max_examples=20)
@given(events=graph_traces())
def test_graphs_are_those_of_the_oracle(tmp_path_factory: Any, events: list[Event]) -> None:
    assert_as_the_oracle_says(oracle.Events(events), opened(tmp_path_factory.mktemp("t"), *events))


@pytest.mark.real_trace
@pytest.mark.parametrize(
    "name",
    [
        "h200/diverse/llama_compile_cudagraphs.pt.trace.json.gz",
        "h200/pairs/launch_bound_decode.mended.pt.trace.json.gz",
        "public/tracelens/inference__vllm_prefilldecode_piecewise__graph_execution.json.gz",
    ],
)
def test_graphs_of_recordings_are_those_of_the_oracle(shared_data: Path, name: str) -> None:
    path = shared_data / name
    assert_as_the_oracle_says(oracle.read(path), stepscope.open(str(path)))
