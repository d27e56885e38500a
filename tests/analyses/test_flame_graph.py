"""The tree of stacks: against an oracle that looks at every nanosecond, and against the tables it has to agree with."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import Event, annotation, call, kernel, launched, opened, operator, step
from building.autograd import backward, forward, frame
from stepscope.api import OpenProfile
from stepscope.schema import UNATTRIBUTED

LAST = 30
OUTSIDE = {"python_function": 0, "user_annotation": 1, "cpu_op": 2}
Stack = tuple[str, ...]


def stacks(profile: OpenProfile, column: str, by: str = "") -> dict[Stack, int]:
    """What a column holds by stack, without zeros."""
    rows = {row["frame"]: row for row in profile.show("flame_graph", by=by).iter_rows(named=True)}

    def stack(number: int | None) -> Stack:
        return () if number is None else (*stack(rows[number]["parent"]), rows[number]["name"])

    found: Counter[Stack] = Counter()
    for number, row in rows.items():
        # An operator and a range of one name are two frames.
        found[stack(number)] += row[column]
    return {one: amount for one, amount in found.items() if amount}


def open_at(events: list[Event], thread: int, moment: int) -> Stack:
    """What is open on a thread at a moment, the outermost first."""
    times = [(e, round(1000 * e["ts"]), round(1000 * (e["ts"] + e["dur"]))) for e in events if e["tid"] == thread]
    inside = [(start, -end, OUTSIDE[e["cat"]], e["args"].get("External id", -1), e["name"]) for e, start, end in times
              if e["cat"] in OUTSIDE and start <= moment < end]  # fmt: skip
    return tuple(name for *_, name in sorted(inside) if not name.startswith("ProfilerStep#"))


def host_times(events: list[Event], begin: int = 0, until: int = LAST) -> Counter[Stack]:
    """Self time of each stack, by looking at every nanosecond."""
    every = (open_at(events, thread, moment) for thread in (1, 2) for moment in range(begin, until))
    return Counter(stack for stack in every if stack)


@st.composite
def properly_nested(draw: st.DrawFn) -> list[Event]:
    """Operators and ranges of two threads, each inside the one that it begins in."""
    found: list[Event] = []

    def inside(begin: int, end: int, thread: int, depth: int) -> None:
        at = begin
        while at < end and len(found) < 14:
            start = draw(st.integers(at, end))
            stop = draw(st.integers(start, end))
            name = draw(st.sampled_from(["a", "b", "c"]))
            if stop > start:
                kind = draw(st.sampled_from(["operator", "annotation"]))
                number = len(found)
                one = operator(name, start, stop, thread=thread, external_id=number)
                found.append(one if kind == "operator" else annotation(name, start, stop, thread=thread))
                if depth < 3:
                    # Not from the same start to the same end: which of two kinds is outside is a rule of its own.
                    inside(start, stop - 1, thread, depth + 1)
            at = stop + 1

    for thread in (1, 2):
        inside(0, LAST, thread, 0)
    return found


@pytest.mark.long
@settings(max_examples=25)
@given(events=properly_nested(), ends=st.tuples(st.integers(0, LAST), st.integers(0, LAST)).map(sorted))
def test_host_time_is_that_of_every_nanosecond(
    tmp_path_factory: pytest.TempPathFactory, events: list[Event], ends: list[int]
) -> None:
    # A span that is known, from which parts of it are counted.
    around = [kernel("k", 0, LAST)]
    profile = opened(tmp_path_factory.mktemp("made"), *events, *around)
    assert stacks(profile, "host_self_ns") == host_times(events)
    begin, until = ends
    assert stacks(profile.in_area(begin, until), "host_self_ns") == host_times(events, begin, until)


@settings(max_examples=10)
@given(events=properly_nested())
def test_totals_are_sums_of_what_is_inside(tmp_path_factory: pytest.TempPathFactory, events: list[Event]) -> None:
    frames = opened(tmp_path_factory.mktemp("made"), *events, kernel("k", 0, LAST)).show("flame_graph")
    for row in frames.iter_rows(named=True):
        inside = frames.filter(pl.col("frame").is_between(row["frame"], row["frame"] + row["frames"] - 1))
        assert inside["host_self_ns"].sum() == row["host_total_ns"]
        assert len(inside) == row["frames"]
        children = frames.filter(pl.col("parent") == row["frame"])
        assert children["host_total_ns"].sum() + row["host_self_ns"] == row["host_total_ns"]
        assert set(children["depth"]) <= {row["depth"] + 1}
    for count in range(len(frames)):  # the first rows are a tree, however few
        assert set(frames.head(count)["parent"].drop_nulls()) <= set(frames.head(count)["frame"])


def test_steps_put_their_stacks_together(tmp_path: Path) -> None:
    events = [
        frame("train.py(1): main", 0, 100),
        *(step(i, 10 + 40 * i, 40 + 40 * i) for i in range(2)),
        *(operator("aten::mm", 20 + 40 * i, 30 + 40 * i) for i in range(2)),
    ]
    profile = opened(tmp_path, *events)
    assert stacks(profile, "calls") == {("train.py(1): main",): 1, ("train.py(1): main", "aten::mm"): 2}
    one = OpenProfile(profile.profile.select(None, (1, 1)))
    assert stacks(one, "host_self_ns") == {("train.py(1): main",): 20, ("train.py(1): main", "aten::mm"): 10}


def test_views_leave_the_others_out(tmp_path: Path) -> None:
    events = [
        frame("train.py(1): main", 0, 100),
        frame("nn.Module: Linear_0", 10, 90),
        operator("aten::linear", 20, 80),
        launched(kernel("gemm", 100, 150, 1), 30),
        launched(kernel("late", 150, 160, 2), 95),
    ]
    profile = opened(tmp_path, *events)
    main, linear = "train.py(1): main", "Linear_0"
    assert stacks(profile, "device_self_ns") == {(main, linear, "aten::linear"): 50, (main,): 10}
    assert stacks(profile, "device_self_ns", "python") == {(main, linear): 50, (main,): 10}
    assert stacks(profile, "device_self_ns", "operator") == {("aten::linear",): 50, (UNATTRIBUTED,): 10}
    assert stacks(profile, "device_self_ns", "module") == {(linear,): 50, (UNATTRIBUTED,): 10}
    assert stacks(profile, "host_self_ns", "module") == {(linear,): 80}
    assert stacks(profile, "calls", "module") == {(linear,): 1}


def test_work_of_the_backward_pass_lies_in_its_forward_operator(tmp_path: Path) -> None:
    name = "autograd::engine::evaluate_function: MmBackward0"
    events = [
        frame("model.py(1): forward", 0, 20),
        forward("aten::mm", 5, 15, 7),
        *backward("MmBackward0", 30, 60, 7),
        *launched(kernel("gemm_backward", 100, 140, 1), 40, thread=2),
    ]
    profile = opened(tmp_path, *events)
    below = ("model.py(1): forward", "aten::mm", name, "MmBackward0")
    assert stacks(profile, "device_self_ns") == {below: 40}
    host = stacks(profile, "host_total_ns")
    assert host[(name,)] == 30
    assert host[below[:2]] == 10, "time on the host stays where it ran"


def test_gpu_work_counts_where_it_runs_in_an_area(tmp_path: Path) -> None:
    events = [
        operator("aten::mm", 0, 20),
        *launched(kernel("gemm", 30, 70, 1), 5),
        *launched(kernel("late", 80, 90, 2), 8),
    ]
    profile = opened(tmp_path, *events)
    assert stacks(profile.in_area(50, 85), "device_self_ns") == {("aten::mm",): 20 + 5}
    assert stacks(profile.in_area(50, 85), "calls") == {}


def test_functions_of_the_profiler_are_no_frames(tmp_path: Path) -> None:
    """They begin a step, and that they return is missed: the next step would lie inside this one."""
    enter = "<built-in method _record_function_enter_new of pybind11_builtins.Record object at 0x7f00>"
    events = [
        frame("train.py(1): main", 0, 100),
        *(frame(name, 5 + i, 99 - i) for i, name in enumerate(
            ["torch/profiler/profiler.py(884): step", "torch/autograd/profiler.py(854): __enter__",
             "torch/_ops.py(1257): __call__", enter]
        )),
        frame("train.py(9): train_step", 20, 50),
        frame("<built-in method foo of X object at 0x7f01>", 30, 40),
        frame("<built-in method foo of X object at 0x7f02>", 42, 44),
    ]  # fmt: skip
    main, train = "train.py(1): main", "train.py(9): train_step"
    found = stacks(opened(tmp_path, *events), "host_self_ns")
    assert found == {(main,): 70, (main, train): 18, (main, train, "<built-in method foo of X>"): 12}


def test_functions_of_the_recorder_are_no_frames(tmp_path: Path) -> None:
    """They lie in a folder of another name in each recording: comparisons called them, and what they call, changed."""
    agent = "out/001/.stepscope-cyq_q1/stepscope_agent/hooks.py(94): stepped"
    names = ["train.py(1): main", agent, "torch/optim/sgd.py(113): step"]
    events = [frame(name, 10 * i, 100 - 10 * i) for i, name in enumerate(names)]
    assert stacks(opened(tmp_path, *events), "host_self_ns") == {(names[0],): 40, (names[0], names[2]): 60}


def test_ranks_add_up(examples: Path) -> None:
    ranks = stepscope.open(examples / "ddp4_straggler")
    whole = ranks.show("flame_graph")
    alone = [OpenProfile(ranks.profile.select([number])).show("flame_graph") for number in range(4)]
    for column in ("host_self_ns", "device_self_ns", "calls"):
        assert whole[column].sum() == sum(one[column].sum() for one in alone)


@pytest.mark.parametrize("by", ["", "python", "operator", "module"])
def test_gpu_time_is_that_of_all_kernels_and_copies(examples: Path, by: str) -> None:
    profile = stepscope.open(examples / "batch_size.slow.pt.trace.json.gz")
    frames = profile.show("flame_graph", by=by)
    work = sum(profile.show(table)["total_ns"].sum() for table in ("kernels", "memcpy", "memset"))
    assert frames["device_self_ns"].sum() == work
    roots: Any = frames.filter(pl.col("parent").is_null())
    assert roots["device_total_ns"].sum() == work
    assert roots["host_total_ns"].sum() == frames["host_self_ns"].sum()


def test_operators_of_the_host_are_those_of_their_table(examples: Path) -> None:
    profile = stepscope.open(examples / "batch_size.slow.pt.trace.json.gz")
    frames = profile.show("flame_graph", by="operator", where="kind = 'operator'")
    table = profile.show("operators", where="calls > 0")
    calls = dict(frames.group_by("name").agg(pl.col("calls").sum()).filter(pl.col("calls") > 0).rows())
    assert calls == dict(table.select("name", "calls").rows())


def test_a_recording_without_stacks_says_so(tmp_path: Path) -> None:
    notes = opened(tmp_path, operator("aten::mm", 0, 10)).notes("flame_graph")
    assert notes == ["frames are operators and annotated ranges: Python stacks were not recorded (with_stack=True)"]


def test_a_recording_of_the_gpu_alone_has_no_frames(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("gemm", 0, 10), call(0, 1, 5))
    assert stacks(profile, "device_self_ns") == {(UNATTRIBUTED,): 10}


def test_events_equal_in_all_times_are_stacked_as_they_were_recorded(tmp_path: Path) -> None:
    """Neither their place in the file nor an External id decides: what was recorded of them does."""
    tied = [operator("b", 0, 10), operator("a", 0, 10)]
    one, other = (opened(tmp_path, *events) for events in (tied, tied[::-1]))
    assert stacks(one, "host_self_ns") == stacks(other, "host_self_ns")
    assert len(stacks(one, "calls")) == 2
