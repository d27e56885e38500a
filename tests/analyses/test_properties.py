"""What holds for every trace: parts sum to their whole, the order of events does not matter, tables do not interfere.

Traces are made of few events at few moments, so that equal times, overlaps, nesting and gaps of every kind occur.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import (
    Event,
    annotation,
    arrow,
    call,
    flat,
    kernel,
    memcpy,
    memory,
    memset,
    microseconds,
    opened,
    operator,
    step,
    sync,
    write,
)
from building.autograd import frame
from comparison import differences
from oracles import general as oracle
from stepscope.analyses.simulation.changes import parse_change
from stepscope.api import OpenProfile
from stepscope.errors import BadRequest
from stepscope.findings.verdict import verdicts_of
from stepscope.findings.what_if import what_if
from stepscope.schema import TABLES

FEW = settings(max_examples=20)
FEWER = settings(max_examples=5)
LAST = 40
ENGINE = "autograd::engine::evaluate_function: MmBackward0"
LOADER = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
OPERATORS = ["aten::mm", "aten::to", "aten::copy_", "record_param_comms", "c10d::allreduce_"]
KERNELS = ["gemm", "elementwise", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "my_own_ring"]
PARTS = ["compute", "communication", "memcpy", "memset", "runtime", "data_loading", "cpu", "other"]
# Paths and positions of a file differ between two of them, and so does what the recording says about itself.
VIEWS = [(name, by) for name, table in TABLES.items() if name != "metadata" for by in ("", *table.by)]

ranges = st.tuples(st.integers(0, LAST), st.integers(0, LAST)).map(sorted)
threads = st.integers(1, 2)
correlations = st.integers(0, 4)
streams = st.sampled_from([7, 20])


@st.composite
def host_events(draw: st.DrawFn) -> list[Event]:
    """Operators with External ids of their own, calls, and ranges of the data loader."""
    found = []
    for number in range(draw(st.integers(0, 6))):
        start, end = draw(ranges)
        shape = draw(st.sampled_from([{}, {"Input Dims": [[2]]}, {"Input Dims": [[3, 4]], "Input type": ["float"]}]))
        name = draw(st.sampled_from(OPERATORS))
        found.append(operator(name, start, end, thread=draw(threads), external_id=number, **shape))
    for _ in range(draw(st.integers(0, 4))):
        start, end = draw(ranges)
        found.append(call(start, end, draw(correlations), thread=draw(threads)))
    if draw(st.booleans()):
        found.append(annotation(LOADER, *draw(ranges), thread=draw(threads)))
    return found


@st.composite
def gpu_events(draw: st.DrawFn) -> list[Event]:
    found = []
    for _ in range(draw(st.integers(0, 5))):
        start, end = draw(ranges)
        correlation = draw(st.none() | correlations)
        kind = draw(st.sampled_from(["kernel", "kernel", "memcpy", "memset"]))
        if kind == "kernel":
            more: Event = draw(
                st.sampled_from([{}, {"Collective name": "allreduce"}, {"grid": [2, 1, 1], "blocks per SM": 0.5}])
            )
            name = draw(st.sampled_from(KERNELS))
            found.append(kernel(name, start, end, correlation, stream=draw(streams), **more))
        elif kind == "memcpy":
            found.append(memcpy(start, end, correlation, **draw(st.sampled_from([{}, {"bytes": 512}]))))
        else:
            found.append(memset(start, end, correlation))
    return found


@st.composite
def traces(draw: st.DrawFn) -> list[Event]:
    """Steps that follow one another, or none; host and GPU events; arrows from calls to activities."""
    edges = sorted(draw(st.sets(st.integers(0, LAST), max_size=4)))
    steps = [step(number, a, b) for number, (a, b) in enumerate(itertools.pairwise(edges), 9)]
    host, gpu = draw(host_events()), draw(gpu_events())
    calls = [event for event in host if event["cat"] == "cuda_runtime"]
    arrows = []
    if calls and gpu:
        # One arrow at most for a place on the GPU, and one number for each arrow, as profilers write them.
        targets = {(event["tid"], event["ts"]): event for event in gpu}
        for number, target in enumerate(targets.values(), 100):
            if draw(st.booleans()):
                arrows.append(arrow(number, draw(st.sampled_from(calls)), target))
    return [
        {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "python"}},
        *steps,
        *host,
        *gpu,
        *flat(arrows),
    ]


@st.composite
def rarer_events(draw: st.DrawFn) -> list[Event]:
    """What decides between equal times more than it adds up: waits, frames, memory, and operators without a number."""

    def some(names: list[Any], most: int = 3) -> list[Any]:
        return draw(st.lists(st.sampled_from(names), max_size=most))

    waits = ["cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaStreamWaitEvent", "cudaGraphLaunch"]
    told = ["Stream Sync", "Stream Wait Event"]
    frames = ["train.py(1): f", "train.py(9): g", "nn.Module: A_0"]
    return [
        *(call(*draw(ranges), draw(correlations), name=name, thread=draw(threads)) for name in some(waits)),
        *(operator(name, *draw(ranges), thread=draw(threads)) for name in some([*OPERATORS, ENGINE])),
        *(frame(name, *draw(ranges), thread=draw(threads)) for name in some(frames)),
        *(annotation(name, *draw(ranges), thread=draw(threads)) for name in some(["forward", "backward"])),
        *(
            sync(name, *draw(ranges), draw(correlations), stream=draw(streams), wait_on_stream=draw(streams))
            for name in some(told, 2)
        ),
        *(memory(draw(ranges)[0], change, 128, number) for number, change in enumerate(some([-64, 64]))),
    ]


@st.composite
def tied_traces(draw: st.DrawFn) -> list[Event]:
    """Traces in which nearly everything happens at a few moments."""
    events = draw(traces()) + draw(rarer_events())
    grid = draw(st.sampled_from([10, 14, 20]))
    return [rounded(event, grid) for event in events]


def rounded(event: Event, grid: int) -> Event:
    """An event with its times rounded down to a grid, in ns."""
    if "ts" not in event:
        return event
    start, end = (int(1000 * time) // grid * grid for time in (event["ts"], event["ts"] + event.get("dur", 0)))
    lasts = {"dur": microseconds(end - start)} if "dur" in event else {}
    return event | {"ts": microseconds(start)} | lasts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traces")


def durations(events: list[Event], *categories: str) -> int:
    return int(sum(event["dur"] for event in events if event.get("cat") in categories) * 1000)


def rows_of(profile: OpenProfile, table: str, by: str) -> list[tuple[object, ...]]:
    """A table without where its recordings lie: each trace here is a file of its own."""
    frame = profile.show(table, by=by)
    return frame.drop("path").rows() if table == "recordings" else frame.rows()


def everything(profile: OpenProfile) -> dict[tuple[str, str], list[Any]]:
    """All tables, values and their order; the verdict, and what some changes would bring."""
    found = {(table, by): rows_of(profile, table, by) for table, by in VIEWS}
    found["verdict", ""] = list(verdicts_of(profile.profile, profile.show("utilization")))
    return found | {("what-if", change): answers(profile, change) for change in ("no-sync", "cuda-graph")}


def answers(profile: OpenProfile, change: str) -> list[Any]:
    """What a change would bring; nothing where there is nothing to change."""
    try:
        found = what_if(profile.profile, [parse_change(change)])
    except BadRequest:
        return []
    return [(one.recorded_ns, one.together, one.path_before.rows(), one.path_after.rows()) for one in found]


@pytest.mark.long
@FEW
@given(events=traces())
def test_the_parts_of_the_summary_sum_to_the_span(folder: Path, events: list[Event]) -> None:
    [row] = opened(folder, *events).show("summary").to_dicts()
    exposed = row["exposed_communication_ns"] + row["exposed_memory_ns"]
    assert row["compute_ns"] + exposed + row["idle_ns"] == row["span_ns"]
    assert row["busy_ns"] + row["idle_ns"] == row["span_ns"]
    assert 0 <= row["exposed_communication_ns"] <= row["communication_ns"]
    assert 0 <= row["exposed_memory_ns"] <= row["memory_ns"]


@pytest.mark.long
@FEW
@given(events=traces())
def test_the_parts_of_a_step_sum_to_its_duration(folder: Path, events: list[Event]) -> None:
    for row in opened(folder, *events).show("steps").to_dicts():
        parts = [row[f"{part}_ns"] for part in PARTS]
        assert min(parts) >= 0
        assert sum(parts) == row["duration_ns"]


@pytest.mark.long
@FEW
@given(events=traces())
def test_device_self_times_sum_to_all_activity(folder: Path, events: list[Event]) -> None:
    profile = opened(folder, *events)
    whole = durations(events, "kernel", "gpu_memcpy", "gpu_memset")
    for by in ("", "shape", "dtype", "stack"):
        assert profile.show("operators", by=by)["device_self_ns"].sum() == whole
    assert profile.show("kernels")["total_ns"].sum() == durations(events, "kernel")
    assert profile.show("memcpy")["total_ns"].sum() == durations(events, "gpu_memcpy")


@pytest.mark.long
@FEW
@given(events=traces())
def test_host_self_times_sum_to_the_time_in_any_operator(folder: Path, events: list[Event]) -> None:
    moments = set()
    for event in events:
        if event.get("cat") == "cpu_op":
            start = int(event["ts"] * 1000)
            moments |= {(event["tid"], at) for at in range(start, start + int(event["dur"] * 1000))}
    table = opened(folder, *events).show("operators")
    assert table["host_self_ns"].sum() == len(moments)
    assert (table["host_self_ns"] <= table["host_total_ns"]).all()


@pytest.mark.long
@FEW
@given(events=traces())
def test_tables_say_what_the_oracle_says(folder: Path, events: list[Event]) -> None:
    assert differences(opened(folder, *events), oracle.Events(events)) == []


@pytest.mark.long
@FEWER
@given(data=st.data(), events=tied_traces())
def test_the_order_of_events_in_the_file_changes_nothing(
    folder: Path, data: st.DataObject, events: list[Event]
) -> None:
    """Profilers write what ended first, or one thread after the other; tools that cut traces sort anew.

    Backwards, every tie is the other way round.
    """
    shuffled = data.draw(st.just(events[::-1]) | st.permutations(events))
    assert everything(opened(folder, *shuffled)) == everything(opened(folder, *events))


@pytest.mark.long
@FEW
@given(events=traces(), views=st.lists(st.sampled_from(VIEWS), min_size=2, max_size=4))
def test_tables_do_not_depend_on_those_shown_before(
    folder: Path, events: list[Event], views: list[tuple[str, str]]
) -> None:
    first, second = opened(folder, *events), opened(folder, *events)
    forward = {(table, by): rows_of(first, table, by) for table, by in views}
    backward = {(table, by): rows_of(second, table, by) for table, by in reversed(views)}
    assert forward == backward


@pytest.mark.long
@FEW
@given(events=traces())
def test_one_step_after_the_other_shows_every_step(folder: Path, events: list[Event]) -> None:
    profile = opened(folder, *events)
    whole = profile.show("steps")
    single = [row for number in whole["step"].unique().sort() for row in profile.show("steps", step=number).rows()]
    assert single == whole.rows()


@pytest.mark.long
@FEW
@given(events=traces())
def test_launches_in_a_step_add_up_over_steps(folder: Path, events: list[Event]) -> None:
    """What was launched, or started without a launch, in no step is in no step's tables."""
    profile = opened(folder, *events)
    numbers = profile.show("steps")["step"].to_list()
    kernels = [profile.show("summary", step=number)["kernels"].sum() for number in numbers]
    everything_in_steps = profile.show("summary", step=(min(numbers), max(numbers)))["kernels"].sum()
    assert sum(kernels) == everything_in_steps <= profile.show("summary")["kernels"].sum()


@pytest.mark.long
@FEW
@given(first=traces(), second=traces())
def test_tables_of_several_ranks_are_the_sums_of_theirs(folder: Path, first: list[Event], second: list[Event]) -> None:
    """By name, whatever codes the two files have for it; summary and steps have the rows of both."""
    paths = [
        str(write(folder / f"set{len(list(folder.iterdir()))}-rank{number}.json", *events))
        for number, events in enumerate((first, second))
    ]
    whole = stepscope.open(paths)
    each = [stepscope.open(path) for path in paths]
    for table in ("summary", "steps"):
        assert whole.show(table).rows() == [row for one in each for row in one.show(table).rows()]
    sums = {
        "operators": ["calls", "host_total_ns", "host_self_ns", "device_total_ns", "device_self_ns"],
        "kernels": ["calls", "total_ns"],
        "memcpy": ["calls", "total_ns"],
    }
    for table, columns in sums.items():
        keys = ["kind", "pinned"] if table == "memcpy" else ["name"]
        parts = pl.concat([one.show(table).select(*keys, *columns) for one in each])
        expected = parts.group_by(keys).agg(pl.col(columns).sum()).sort(keys)
        assert whole.show(table).select(*keys, *columns).sort(keys).rows() == expected.rows()
