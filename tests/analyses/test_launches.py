"""Calls that queue GPU work: their cost, their latency, their queueing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import Event, arrow, call, kernel, launched, memcpy, memset, opened, operator, rows, step
from oracles import general as oracle
from stepscope.api import OpenProfile
from stepscope.schema import UNATTRIBUTED

US = 1000


def test_three_times_kept_apart(tmp_path: Path) -> None:
    """The first call finds an idle stream, the second returns while the first's work runs, the third comes too late."""
    profile = opened(
        tmp_path,
        call(0, 5, 1),
        kernel("a", 8, 30, 1),
        call(6, 12, 2),
        kernel("b", 31, 40, 2),
        call(60, 70, 3),
        kernel("c", 69, 75, 3),
    )
    columns = ("name", "calls", "host_ns", "on_idle_stream", "host_wait_ns", "queued", "short_kernels")
    assert rows(profile.show("launches"), *columns) == [("cudaLaunchKernel", 3, 21, 2, 20, 1, 1)]
    quantiles = ("launch_latency_p50_ns", "launch_latency_max_ns", "queueing_p50_ns", "queueing_max_ns")
    assert rows(profile.show("launches"), *quantiles) == [(8, 9, 18, 18)], "8.5, rounded half to even"


def test_a_call_that_returns_as_earlier_work_ends_is_neither_idle_nor_queued(tmp_path: Path) -> None:
    profile = opened(tmp_path, call(0, 2, 1), kernel("a", 3, 12, 1), call(10, 15, 2), kernel("b", 16, 20, 2))
    assert rows(profile.show("launches"), "calls", "on_idle_stream", "queued") == [(2, 1, 0)]


def test_other_streams_do_not_matter(tmp_path: Path) -> None:
    profile = opened(tmp_path, call(0, 2, 1), kernel("a", 3, 50, 1), call(10, 12, 2), kernel("b", 16, 20, 2, stream=9))
    assert rows(profile.show("launches"), "launch_latency_max_ns", "queued") == [(6, 0)]


def test_every_api_is_a_row(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        call(0, 9, 1, name="hipLaunchKernel"),
        kernel("a", 10, 20, 1),
        call(20, 28, 2, name="cuLaunchKernelEx"),
        kernel("b", 30, 40, 2),
        call(40, 47, 3, name="cudaMemcpyAsync"),
        memcpy(50, 60, 3),
        call(60, 66, 4, name="cudaMemsetAsync"),
        memset(70, 80, 4),
        call(80, 85, 5, name="someRuntimeEnqueue"),
        kernel("c", 90, 100, 5),
        call(100, 104, 6, name="cudaDeviceSynchronize"),
    )
    assert rows(profile.show("launches"), "name") == [
        "hipLaunchKernel",
        "cuLaunchKernelEx",
        "cudaMemcpyAsync",
        "cudaMemsetAsync",
        "someRuntimeEnqueue",
    ]


def test_a_graph_is_one_launch_of_many_activities(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        call(0, 50, 1, name="cudaGraphLaunch"),
        kernel("a", 60, 70, 1),
        kernel("b", 71, 90, 1),
    )
    columns = ("calls", "activities", "device_ns", "launch_latency_max_ns", "short_kernels")
    assert rows(profile.show("launches"), *columns) == [(1, 2, 29, 60, 1)]


def test_work_found_through_a_flow_belongs_to_its_call(tmp_path: Path) -> None:
    launch, work = call(0, 5, 0), kernel("a", 8, 30)
    assert rows(opened(tmp_path, launch, work, arrow(4, launch, work)).show("launches"), "activities") == [1]


def test_what_is_not_linked_is_counted(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("early", 0, 10, 9), call(20, 25, 1), launched(kernel("a", 50, 60, 2), 40))
    columns = ("name", "calls", "activities", "without_activity", "device_ns")
    assert rows(profile.show("launches"), *columns) == [
        ("cudaLaunchKernel", 2, 1, 1, 10),
        (UNATTRIBUTED, 0, 1, 0, 10),
    ]
    assert profile.notes("launches") == [
        "1 call without recorded activity: it ran outside the window, or was lost",
        "1 activity without a recorded call, mostly launched before the window",
    ]


@pytest.mark.parametrize("named", [True, False])
def test_a_stream_that_waits_for_an_event_is_not_idle(tmp_path: Path, named: bool) -> None:
    """Stream 9 waits for what runs on stream 7; whose wait it was is only told by a CUDA sync event."""
    wait = {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 9, "ts": 0.02, "dur": 0.001}
    profile = opened(
        tmp_path,
        launched(kernel("long", 10, 5000, 1), 2),
        call(20, 22, 5, name="cudaStreamWaitEvent"),
        *([wait | {"args": {"device": 0, "stream": 9, "correlation": 5}}] if named else []),
        launched(kernel("waits", 5010, 5020, 2, stream=9), 30),
        launched(kernel("next", 6020, 6030, 3, stream=9), 6000),
    )
    columns = ("on_idle_stream", "launch_latency_p50_ns", "launch_latency_max_ns")
    assert rows(profile.show("launches"), *columns) == [(2, 14, 20)]


def test_without_work_nothing_is_known_of_its_length(tmp_path: Path) -> None:
    profile = opened(tmp_path, call(0, 5, 1), kernel("a", 8, 30, 0))
    assert rows(profile.show("launches").filter(name="cudaLaunchKernel"), "calls", "short_kernels") == [(1, None)]


def test_by_operator(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::linear", 0, 40),
        operator("aten::mm", 5, 30),
        launched(kernel("a", 50, 60, 1), 10),
        launched(kernel("b", 60, 70, 2), 35),
        launched(kernel("c", 70, 80, 3), 45),
    )
    assert rows(profile.show("launches", by="operator"), "name", "operator", "calls") == [
        ("cudaLaunchKernel", None, 1),
        ("cudaLaunchKernel", "aten::linear", 1),
        ("cudaLaunchKernel", "aten::mm", 1),
    ]


def full_queue(first_call_ns: int) -> list[Any]:
    """1002 launches behind one long kernel; the last finds the queue full and takes long."""
    events: list[Any] = [launched(kernel("long", 100, 10_000 * US, 1), 0)]
    for number in range(2, 1003):
        begin = 10 * number
        events += [call(begin, begin + 5, number), kernel("k", 10_000 * US + begin, 10_000 * US + begin + 1, number)]
    begin = 20 * US
    return [*events, call(begin, begin + first_call_ns, 1003), kernel("last", 11_000 * US, 11_001 * US, 1003)]


def test_a_long_call_on_a_full_queue_is_blocked(tmp_path: Path) -> None:
    profile = opened(tmp_path, *full_queue(100 * US))
    assert rows(profile.show("launches"), "blocked_calls", "blocked_ns") == [(1, 100 * US - 5)]


def test_a_short_call_on_a_full_queue_is_not(tmp_path: Path) -> None:
    assert rows(opened(tmp_path, *full_queue(10 * US)).show("launches"), "blocked_calls", "blocked_ns") == [(0, 0)]


def test_a_long_call_on_a_queue_with_room_is_not(tmp_path: Path) -> None:
    profile = opened(tmp_path, call(0, 100 * US, 1), kernel("a", 200 * US, 300 * US, 1))
    assert rows(profile.show("launches"), "blocked_calls") == [0]


def test_nothing_that_launches(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10))
    assert profile.show("launches").is_empty()
    assert "no CUDA or HIP calls" in profile.notes("launches")[0]


def test_selected_steps(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 50),
        step(2, 50, 100),
        launched(kernel("a", 10, 20, 1), 0),
        launched(kernel("b", 60, 90, 2), 55),
    )
    assert rows(profile.show("launches", step=2), "calls", "host_wait_ns", "device_ns") == [(1, 35, 30)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traces")


moments = st.integers(0, 40)
ranges = st.tuples(moments, moments).map(sorted)


@st.composite
def traces(draw: st.DrawFn) -> list[Event]:
    names = st.sampled_from(["cudaLaunchKernel", "cudaGraphLaunch", "cudaMemsetAsync"])
    calls = draw(st.lists(st.tuples(ranges, names), min_size=1, max_size=6))
    events = [call(*inside, number, name=name) for number, (inside, name) in enumerate(calls, 1)]
    work = draw(st.lists(st.tuples(ranges, st.integers(1, 8), st.sampled_from([7, 9])), max_size=8))
    return events + [kernel("k", *inside, number, stream=stream) for inside, number, stream in work]


def expected(events: oracle.Events) -> dict[str, dict[str, Any]]:
    """Rows of the table by name, call by call."""
    table: dict[str, dict[str, Any]] = {}
    owned: dict[int, list[oracle.Timed]] = {}
    for activity in events.activity:
        launch = events.launches.get(activity.number)
        owned.setdefault(launch.number if launch else -1, []).append(activity)
    names = {call.name for call in events.runtime if call.number in owned}
    patterns = ("LaunchKernel", "GraphLaunch", "MemcpyAsync", "MemsetAsync")
    for call_ in events.runtime:
        if call_.name not in names and not any(pattern in (call_.name or "") for pattern in patterns):
            continue
        row = table.setdefault(
            call_.name or "", {"calls": 0, "host_ns": 0, "activities": 0, "latency": [], "queue": []}
        )
        row["calls"] += 1
        row["host_ns"] += call_.duration
        mine = sorted(owned.get(call_.number, []), key=lambda activity: activity.order)
        if not mine:
            continue
        row["activities"] += len(mine)
        first = mine[0]
        lane = [a for a in events.activity if [a.args.get(k) for k in LANE] == [first.args.get(k) for k in LANE]]
        before = [a.end for a in lane if a.order < first.order]
        free = max(before, default=None)
        if (free is None or free <= call_.start) and told_to_wait(events, call_, first):
            continue
        if free is None or free <= call_.start:
            row["latency"].append(max(0, first.start - call_.start))
        elif free > call_.end:
            row["queue"].append(max(0, min(free, first.start) - call_.end))
    return table


def told_to_wait(events: oracle.Events, call_: oracle.Timed, first: oracle.Timed) -> bool:
    """Whether a wait for an event lies between a call and the launch before it, of its stream where that is known."""
    calls = {c.args.get("correlation"): c.start for c in events.runtime if (c.args.get("correlation") or 0) > 0}
    recorded = [e for e in events.timed if e.category == "cuda_sync" and e.name == "Stream Wait Event"]

    def lane(event: oracle.Timed) -> list[Any]:
        return [event.args.get(key) for key in LANE] if recorded else []

    starts: dict[int, int] = {}
    for activity in events.activity:
        launch = events.launches.get(activity.number)
        if launch and launch is not call_ and launch.start <= call_.start and lane(activity) == lane(first):
            starts[launch.number] = launch.start
    if recorded:
        waits = [calls.get(e.args.get("correlation"), e.start) for e in recorded if lane(e) == lane(first)]
    else:
        waits = [e.start for e in events.runtime if "StreamWaitEvent" in (e.name or "")]
    return any(max(starts.values(), default=at) <= at <= call_.start for at in waits)


LANE = ("device", "stream")


def compared(profile: OpenProfile, events: oracle.Events) -> list[str]:
    wanted = expected(events)
    differences = []
    table = {row["name"]: row for row in profile.show("launches").to_dicts() if row["name"] != UNATTRIBUTED}
    for name in table.keys() | wanted.keys():
        got, row = table.get(name, {}), wanted.get(name, {})
        pairs = [(got.get(column), row.get(column)) for column in ("calls", "host_ns", "activities")]
        for column, values in (("launch_latency", "latency"), ("queueing", "queue")):
            pairs.append((got.get(f"{column}_max_ns"), max(row.get(values, []), default=None)))
        count = {"on_idle_stream": "latency", "queued": "queue"}
        pairs += [(got.get(column), len(row.get(values, []))) for column, values in count.items()]
        differences += [f"{name}: {got_}, not {wanted_}" for got_, wanted_ in pairs if got_ != wanted_]
    return differences


@pytest.mark.long
@settings(max_examples=25)
@given(events=traces())
def test_calls_equal_the_oracles(folder: Path, events: list[Event]) -> None:
    profile = opened(folder, *events)
    assert compared(profile, oracle.Events(events)) == []
    table = profile.show("launches")
    summary = profile.show("summary")
    assert table["activities"].sum() == summary.select("kernels", "memcpys", "memsets").sum_horizontal().sum()
    fine = profile.show("launches", by="operator")
    for column in ("calls", "host_ns", "activities", "device_ns", "short_kernels", "queued"):
        assert fine[column].sum() == table[column].sum()


@pytest.mark.real_trace
@pytest.mark.parametrize(
    "name",
    [
        "h200/train/cnn.step7.pt.trace.json.gz",
        "h200/ranks/collectives4/rank0.json.gz",
        "public/hta/mi250-rocm6.2-minitoy.json.gz",
        "h200/diverse/streams_sync_events.pt.trace.json.gz",
    ],
)
def test_calls_of_a_recording_equal_the_oracles(shared_data: Path, name: str) -> None:
    path = shared_data / name
    assert compared(stepscope.open(str(path)), oracle.read(path)) == []


@pytest.mark.real_trace
@pytest.mark.parametrize(
    ("trace", "fast_short"),
    [("a100-8rank-old_schema-rank3", 3042), ("v100-2rank-ddp-profile_memory-rank1", None)],
)
def test_holistic_trace_analysis_counts_the_same(shared_data: Path, trace: str, fast_short: int | None) -> None:
    """It leaves out the last step, and calls of more than 50 us among the short kernels (25 in the first trace)."""
    results = json.loads((shared_data / "reference" / "hta-reference" / f"{trace}.json").read_text())["results"]
    steps = results["get_profiler_steps"]
    profile = stepscope.open(str(shared_data / "public" / "hta" / f"{trace}.json.gz"))
    table = profile.show("launches", step=(steps[0], steps[-1]))
    [theirs] = results["get_cuda_kernel_launch_stats"].values()
    facts = theirs.get("summary", theirs)
    wanted = facts["n"] if "n" in facts else theirs["n"]
    assert table["calls"].sum() - table["without_activity"].sum() == wanted
    assert table["host_ns"].sum() == 1000 * theirs["sum_cpu_duration"]
    assert table["device_ns"].sum() == 1000 * theirs["sum_gpu_duration"]
    if fast_short is not None:
        assert table["short_kernels"].sum() == fast_short + 25
    queues = {row["stream"]: row["queue_length_max"] for row in results["get_queue_length_summary"]["head"]}
    depth = profile.show("queue_depth", step=(steps[0], steps[-1]))
    assert dict(depth.select("stream", "depth_max").iter_rows()) == queues
