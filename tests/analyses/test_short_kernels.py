"""Short kernels, and kernels by length."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import Event, call, kernel, launched, memcpy, opened, operator, rows, step, write
from oracles import general as oracle
from stepscope.api import OpenProfile

US = 1000
NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"


def launching(activity: Event, at: int, length: int) -> list[Event]:
    """An activity and the call that launched it."""
    return [call(at, at + length, activity["args"]["correlation"]), activity]


def test_kernels_below_ten_microseconds(tmp_path: Path) -> None:
    """Of `a` two are short, one of them shorter than its call; 10 us is not short."""
    profile = opened(
        tmp_path,
        launching(kernel("gemm_a", 100 * US, 103 * US, 1), 0, 4 * US),
        launching(kernel("gemm_a", 110 * US, 118 * US, 2), 10 * US, 4 * US),
        launching(kernel("gemm_a", 120 * US, 150 * US, 3), 20 * US, 4 * US),
        launching(kernel("b", 150 * US, 160 * US, 4), 30 * US, 12 * US),
        launching(kernel(NCCL, 160 * US, 161 * US, 5), 50 * US, US),
        launching(memcpy(170 * US, 171 * US, 6), 60 * US, 5 * US),
    )
    assert profile.show("short_kernels").to_dicts() == [
        {
            "name": "gemm_a",
            "kind": "gemm",
            "calls": 2,
            "of_kernels_pct": 40.0,
            "total_ns": 11 * US,
            "share_pct": pytest.approx(100 * 11 / 52),
            "mean_ns": 5500,
            "launch_ns": 8 * US,
            "shorter_than_launch": 1,
            "in_graph": 0,
        },
        {
            "name": NCCL,
            "kind": "communication",
            "calls": 1,
            "of_kernels_pct": 20.0,
            "total_ns": US,
            "share_pct": pytest.approx(100 / 52),
            "mean_ns": US,
            "launch_ns": US,
            "shorter_than_launch": 0,
            "in_graph": 0,
        },
    ]
    [note] = profile.notes("short_kernels")
    assert note == (
        "3 kernels (60.0 % of all) run for less than 10.0 us, together 23.1 % of kernel time; 1 of them take less time "
        "than the call that launched them"
    )


def test_lengths_are_classes_that_include_their_lower_end(tmp_path: Path) -> None:
    """The second, of exactly 1 us, is in the class from 1 to 2 us, and so is its sibling; the last has no end."""
    profile = opened(
        tmp_path,
        launching(kernel("a", 0, 999, 1), 0, US),
        launching(kernel("a", 1000, 2000, 2), 0, 2 * US),
        kernel("b", 3000, 4999),
        kernel("c", 10**9, 2 * 10**9),
    )
    assert rows(profile.show("kernel_lengths"), "from_ns", "to_ns", "calls", "total_ns", "shorter_than_launch") == [
        (0, 1000, 1, 999, 1),
        (1000, 2000, 2, 2999, 1),
        (500_000_000, None, 1, 10**9, 0),
    ]


def test_kernels_of_a_graph_are_compared_with_no_call(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        call(0, 50 * US, 1, name="cudaGraphLaunch"),
        kernel("a", 60 * US, 61 * US, 1),
        kernel("a", 61 * US, 62 * US, 1),
        memcpy(62 * US, 63 * US, 1),
    )
    columns = ("calls", "in_graph", "shorter_than_launch", "launch_ns")
    assert rows(profile.show("short_kernels"), *columns) == [(2, 2, 0, 0)]
    assert profile.notes("short_kernels")[0].endswith("; 2 were launched by CUDA graphs")


def test_several_kernels_of_one_call_are_no_graph(tmp_path: Path) -> None:
    """A call of MTIA's runtime starts several; "439 were launched by CUDA graphs", where there are none."""
    many = opened(
        tmp_path,
        call(0, 50 * US, 1, name="runFunction - job_prep_and_submit_for_execution"),
        kernel("a", 60 * US, 61 * US, 1),
        kernel("a", 61 * US, 62 * US, 1),
    )
    columns = ("calls", "in_graph", "shorter_than_launch", "launch_ns")
    assert rows(many.show("short_kernels"), *columns) == [(2, 0, 0, 0)]


def test_kernels_without_a_recorded_launch(tmp_path: Path) -> None:
    table = opened(tmp_path, kernel("a", 0, US), kernel(None, 2 * US, 3 * US)).show("short_kernels")  # type: ignore[arg-type]
    assert rows(table, "calls", "in_graph", "shorter_than_launch", "launch_ns", "kind") == [
        (1, 0, 0, 0, "other"),
        (1, 0, 0, 0, "other"),
    ]


def test_by_op_has_a_row_for_each_operator(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::add", 0, 100),
        operator("aten::mul", 100, 200),
        launched(kernel("a", 200, 210, 1), at=10),
        launched(kernel("a", 210, 240, 2), at=110),
        launched(kernel("a", 240, 270, 3), at=120),
        kernel("a", 280, 281),
    )
    assert rows(profile.show("short_kernels", by="op"), "name", "op", "calls", "total_ns") == [
        ("a", "aten::mul", 2, 60),
        ("a", "aten::add", 1, 10),
        ("a", None, 1, 1),
    ]


def test_a_selected_step_and_several_ranks(tmp_path: Path) -> None:
    events = [step(1, 0, 100), step(2, 100, 200), launched(kernel("a", 300, 310, 1), at=10)]
    write(tmp_path / "rank0.json", *events, launched(kernel("b", 310, 320, 2), at=110))
    write(tmp_path / "rank1.json", *events)
    profile = stepscope.open(str(tmp_path))
    assert rows(profile.show("short_kernels"), "name", "calls") == [("a", 2), ("b", 1)]
    assert rows(profile.show("short_kernels", step=2), "name", "calls", "share_pct") == [("b", 1, 100.0)]
    assert rows(profile.show("kernel_lengths", rank=1), "calls", "total_ns") == [(1, 10)]


@pytest.mark.parametrize("table", ["short_kernels", "kernel_lengths"])
def test_nothing_without_kernels(tmp_path: Path, table: str) -> None:
    host_only = opened(tmp_path, operator("aten::mm", 0, 50))
    assert len(host_only.show(table)) == 0
    assert host_only.notes(table)[0].startswith("no rows: the recording has no GPU activity")
    copies = opened(tmp_path, memcpy(0, 10))
    assert len(copies.show(table)) == 0
    assert copies.notes(table) == ["no rows: nothing of this kind happened in the selection"]


def expected(events: oracle.Events) -> dict[tuple[str | None, str | None], dict[str, int]]:
    """Short kernels by name and operator, one by one."""
    found: dict[tuple[str | None, str | None], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    siblings: dict[int, int] = defaultdict(int)
    for launch in events.launches.values():
        siblings[launch.number] += 1
    for event in events.activity:
        if events.layer(event) not in ("compute", "communication") or event.duration >= 10 * US:
            continue
        owner, launch = events.owner(event), events.launches.get(event.number)
        row = found[event.name, owner.name if owner else None]
        row["calls"] += 1
        row["total_ns"] += event.duration
        if launch is not None and "GraphLaunch" in (launch.name or ""):
            row["in_graph"] += 1
        elif launch is not None and siblings[launch.number] == 1:
            row["launch_ns"] += launch.duration
            row["shorter_than_launch"] += event.duration < launch.duration
    return found


def assert_as_the_oracle_says(events: oracle.Events, profile: OpenProfile) -> None:
    columns = ["calls", "total_ns", "in_graph", "launch_ns", "shorter_than_launch"]
    table = profile.show("short_kernels", by="op").to_dicts()
    wanted = expected(events)
    assert {(row["name"], row["op"]): {name: row[name] for name in columns} for row in table} == {
        key: {name: row[name] for name in columns} for key, row in wanted.items()
    }
    whole = profile.show("short_kernels")
    assert {name: whole[name].sum() for name in columns} == {
        name: sum(row[name] for row in wanted.values()) for name in columns
    }
    lengths = profile.show("kernel_lengths")
    kernels = profile.show("kernels")
    for column in ("calls", "total_ns"):
        assert lengths[column].sum() == kernels[column].sum()
    short = lengths.filter(lengths["from_ns"] < 10 * US)
    assert [short[name].sum() for name in columns if name != "launch_ns"] == [
        whole[name].sum() for name in columns if name != "launch_ns"
    ]


@st.composite
def traces(draw: st.DrawFn) -> list[Event]:
    found = [operator("aten::mm", *sorted((draw(st.integers(0, 20)), draw(st.integers(0, 20)))))]
    for number in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, 30)) * US
        length = draw(st.sampled_from([0, 1, 999, 1000, 1001, 9_999, 10_000, 10**6]))
        correlation = draw(st.sampled_from([None, number + 1, 3]))
        name = draw(st.sampled_from(["gemm", "elementwise", NCCL]))
        found.append(kernel(name, start, start + length, correlation))
        if draw(st.booleans()):
            at = draw(st.integers(0, 20))
            found.append(call(at, at + draw(st.sampled_from([1, 1000, 20_000])), number + 1))
    return found


@pytest.mark.long
@settings(max_examples=20)
@given(events=traces())
def test_short_kernels_are_those_of_the_oracle(tmp_path_factory: Any, events: list[Event]) -> None:
    assert_as_the_oracle_says(oracle.Events(events), opened(tmp_path_factory.mktemp("t"), *events))


@pytest.mark.real_trace
@pytest.mark.parametrize(
    "name",
    [
        "h200/pairs/launch_bound_decode.mended.pt.trace.json.gz",
        "h200/ranks/ddp4/rank0.json.gz",
        "public/tracelens/inference__vllm_prefilldecode_piecewise__graph_execution.json.gz",
        "public/tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    ],
)
def test_short_kernels_of_recordings_are_those_of_the_oracle(shared_data: Path, name: str) -> None:
    path = shared_data / name
    assert_as_the_oracle_says(oracle.read(path), stepscope.open(str(path)))


@pytest.mark.real_trace
def test_short_kernels_are_those_of_tracelens(shared_data: Path) -> None:
    """Where it could link every kernel and every operator recorded shapes."""
    name = "h100__gaunernst_bert-small-uncased__1016001"
    folder = shared_data / "public" / "tracelens"
    wanted: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0.0])
    with (folder / "reference" / name / "short_kernels_summary.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            sums = wanted[row["Kernel name"], row["Parent cpu_op"]]
            sums[0] += int(row["Short Kernel count"])
            sums[1] += 1000 * float(row["Short Kernel duration (µs) sum"])
    table = stepscope.open(str(folder / f"{name}.json.gz")).show("short_kernels", by="op")
    assert {(row["name"], row["op"]): [row["calls"], row["total_ns"]] for row in table.to_dicts()} == {
        key: [calls, pytest.approx(time)] for key, (calls, time) in wanted.items()
    }


def test_kind_of_a_name_that_also_communicates_is_that_of_most_calls(tmp_path: Path) -> None:
    """It was the kind of whichever call came first in the file."""
    collective = {"Collective name": "allreduce"}
    calls = [kernel("ring", 10, 20, **collective), kernel("ring", 30, 40), kernel("ring", 50, 60)]
    for order in (calls, calls[::-1]):
        assert rows(opened(tmp_path, *order).show("short_kernels"), "kind") == ["other"]
