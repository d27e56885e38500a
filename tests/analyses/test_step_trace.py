"""Each step as interval, forward and backward, tail."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import Event, annotation, call, kernel, launched, memcpy, opened, operator, rows, step, write
from oracles import general as oracle
from oracles import step_trace as step_trace_oracle
from stepscope.api import OpenProfile

PARTS = ("interval_ns", "forward_ns", "backward_ns", "tail_ns")
ENGINE = "autograd::engine::evaluate_function: AddmmBackward0"


def parts(profile: OpenProfile, **options: Any) -> list[tuple[Any, ...]]:
    return profile.show("step_trace", **options).select("step", *PARTS, "total_ns").rows()


def training_step(number: int, at: int) -> list[Any]:
    """100 ns of host: a copy, forward from 30 to 50, backward to 70, the optimizer from 80 to 90."""
    base = 10 * number
    return [
        step(number, at, at + 100),
        launched(memcpy(at + 10, at + 20, base + 1), at + 5),
        launched(kernel("forward", at + 30, at + 50, base + 2), at + 25),
        operator(ENGINE, at + 40, at + 60, thread=2),
        launched(kernel("backward", at + 50, at + 70, base + 3), at + 45, thread=2),
        annotation("Optimizer.step#SGD.step", at + 70, at + 95),
        launched(kernel("optimizer", at + 80, at + 90, base + 4), at + 75),
    ]


def test_a_step_runs_from_the_end_of_the_previous_ones_work(tmp_path: Path) -> None:
    profile = opened(tmp_path, training_step(1, 0), training_step(2, 100))
    assert parts(profile) == [(1, 30, 20, 20, 20, 90), (2, 40, 20, 20, 20, 100)]
    columns = ("clock", "steady", "passes", "start_ns", "first_forward", "last_backward")
    assert rows(profile.show("step_trace"), *columns) == [
        ("gpu", False, 1, 0, "forward", ENGINE),
        ("gpu", True, 1, 90, "forward", ENGINE),
    ]


def test_total_is_the_period_of_the_step(tmp_path: Path) -> None:
    profile = opened(tmp_path, [training_step(n, 100 * n) for n in (1, 2, 3)])
    assert profile.show("step_trace")["total_ns"].to_list()[1:] == profile.show("steps")["period_ns"].to_list()[1:]


def test_idle_time_of_each_part(tmp_path: Path) -> None:
    table = opened(tmp_path, training_step(1, 0), training_step(2, 100)).show("step_trace")
    names = ("interval_idle_ns", "forward_backward_idle_ns", "tail_idle_ns")
    assert rows(table, *names) == [(20, 0, 10), (30, 0, 10)]


def test_loading_in_the_interval(tmp_path: Path) -> None:
    loader = annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 1, 4)
    table = opened(tmp_path, training_step(1, 0), loader).show("step_trace")
    assert rows(table, "loading_ns") == [3]


def test_zero_grad_and_copies_belong_to_the_interval(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        annotation("Optimizer.zero_grad#SGD.zero_grad", 0, 10),
        launched(kernel("fill", 10, 15, 1), 5),
        launched(memcpy(15, 20, 2), 12),
        launched(kernel("forward", 30, 50, 3), 25),
        operator(ENGINE, 40, 60, thread=2),
        launched(kernel("backward", 50, 70, 4), 45, thread=2),
    )
    assert parts(profile) == [(1, 30, 20, 20, 0, 70)]


def test_communication_draws_no_line(tmp_path: Path) -> None:
    """An all-gather before the first layer and an all-reduce after the last: interval and tail."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        launched(kernel("ncclDevKernel_AllGather_RING_LL", 10, 20, 1, stream=9), 5),
        launched(kernel("forward", 20, 30, 2), 6),
        operator(ENGINE, 20, 60, thread=2),
        launched(kernel("backward", 30, 50, 3), 25, thread=2),
        launched(kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 40, 80, 4, stream=9), 30, thread=2),
    )
    assert parts(profile) == [(1, 20, 10, 20, 30, 80)]


def test_what_an_engines_thread_launches_outside_the_engine_is_neither(tmp_path: Path) -> None:
    """DDP copies reduced gradients back after the all-reduce: that is no forward of a second pass."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        launched(kernel("forward", 10, 20, 1), 5),
        operator(ENGINE, 15, 20, thread=2),
        launched(kernel("backward", 20, 30, 2), 16, thread=2),
        launched(kernel("copy back", 30, 40, 3), 25, thread=2),
        operator(ENGINE, 40, 50, thread=2),
        launched(kernel("backward", 45, 60, 4), 41, thread=2),
    )
    assert rows(profile.show("step_trace"), "passes", *PARTS) == [(1, 10, 10, 40, 0)]


def test_gradient_accumulation_has_several_passes(tmp_path: Path) -> None:
    """Between them lies forward."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        launched(kernel("forward", 10, 20, 1), 5),
        operator(ENGINE, 15, 22, thread=2),
        launched(kernel("backward", 20, 30, 2), 16, thread=2),
        launched(kernel("forward", 35, 40, 3), 25),
        operator(ENGINE, 30, 42, thread=2),
        launched(kernel("backward", 40, 60, 4), 36, thread=2),
    )
    assert rows(profile.show("step_trace"), "passes", *PARTS) == [(2, 10, 20, 30, 0)]
    assert "several backward passes" in profile.notes("step_trace")[-1]


def test_inference_has_no_backward_and_no_tail(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 50), launched(kernel("a", 10, 20, 1), 5), launched(kernel("b", 25, 40, 2), 8))
    assert parts(profile) == [(1, 10, 30, 0, 0, 40)]
    assert profile.notes("step_trace") == [
        (
            "no backward pass was found, as in inference: everything from the first computation to the end counts as "
            "forward"
        )
    ]


def test_an_optimizer_without_backward_leaves_forward_and_backward_undivided(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        launched(kernel("graph", 10, 50, 1), 5),
        annotation("Optimizer.step#SGD.step", 20, 40),
        launched(kernel("optimizer", 60, 80, 2), 30),
    )
    names = ("interval_ns", "forward_backward_ns", "forward_ns", "backward_ns", "tail_ns")
    assert rows(profile.show("step_trace"), *names) == [(10, 40, None, None, 30)]
    assert rows(profile.show("step_trace", by="average"), *names) == [(10, 40, None, None, 30)]


def test_a_step_that_only_copies_is_all_interval(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 100), launched(memcpy(10, 20, 1), 5))
    assert parts(profile) == [(1, 20, 0, 0, 0, 20)]
    assert profile.notes("step_trace") == ["no forward or backward pass was found: all time counts as interval"]


def test_totals_add_up_where_a_step_ends_before_the_previous_one(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        [step(number, 100 * number, 100 * number + 100) for number in (0, 1, 2)],
        launched(kernel("long", 50, 250, 1), 10),
        launched(kernel("side", 150, 200, 2, stream=9), 110),
        launched(kernel("last", 260, 300, 3), 210),
    )
    assert profile.show("steps")["period_ns"].to_list() == [None, -50, 100]
    assert parts(profile) == [(0, 50, 200, 0, 0, 250), (1, 0, 0, 0, 0, 0), (2, 10, 40, 0, 0, 50)]


def test_without_a_gpu_the_host_is_divided_by_its_operators(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 20),
        operator("aten::stack", 5, 15),
        operator("c10d::broadcast_", 22, 24),
        operator("aten::mm", 25, 40),
        operator(ENGINE, 50, 70),
        operator("aten::mm", 55, 65),
        annotation("Optimizer.step#SGD.step", 75, 95),
        operator("aten::add_", 80, 90),
    )
    assert parts(profile) == [(1, 25, 25, 20, 30, 100)]
    assert rows(profile.show("step_trace"), "clock", "interval_idle_ns", "loading_ns") == [("host", None, 20)]
    assert profile.notes("step_trace") == ["steps without GPU activity are divided by CPU time"]


def test_a_step_after_one_without_gpu_work_starts_where_the_host_does(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        [step(number, 100 * number, 100 * number + 100) for number in (0, 1, 2)],
        launched(kernel("a", 20, 40, 1), 10),
        operator("aten::mm", 110, 120),
        launched(kernel("b", 220, 240, 2), 210),
    )
    assert rows(profile.show("step_trace"), "clock", "steady", "start_ns", "total_ns") == [
        ("gpu", False, 0, 40),
        ("host", True, 100, 100),
        ("gpu", False, 200, 40),
    ]


def test_old_traces_without_engine_ranges(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        launched(kernel("forward", 10, 20, 1), 5),
        operator("AddmmBackward", 15, 40, thread=2),
        launched(kernel("backward", 20, 30, 2), 16, thread=2),
    )
    assert parts(profile) == [(1, 10, 10, 10, 0, 30)]


def test_one_thread_for_forward_and_backward(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        launched(kernel("forward", 10, 20, 1), 5),
        operator(ENGINE, 15, 40),
        launched(kernel("backward", 20, 30, 2), 16),
        launched(kernel("backward", 30, 45, 3), 20),
    )
    assert parts(profile) == [(1, 10, 10, 25, 0, 45)]


def test_nothing_recorded_that_could_be_divided(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("alone", 0, 10))
    assert parts(profile) == []
    assert profile.notes("step_trace") == [
        "no rows: the recording has neither operators nor GPU activity with its launch"
    ]


def test_an_average_sums_to_its_total_and_leaves_out_the_first_step(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        training_step(1, 0),
        training_step(2, 100),
        training_step(3, 201),
        training_step(4, 302),
    )
    [row] = profile.show("step_trace", by="average").to_dicts()
    assert [row[name] for name in PARTS] == [41, 20, 20, 20]
    assert (row["total_ns"], row["step"], row["start_ns"], row["steady"]) == (101, None, None, True)


def test_a_selected_step_keeps_its_row(tmp_path: Path) -> None:
    profile = opened(tmp_path, [training_step(n, 100 * n) for n in (1, 2, 3)])
    whole = profile.show("step_trace").rows()
    assert [row for n in (1, 2, 3) for row in profile.show("step_trace", step=n).rows()] == whole


def test_ranks_are_rows_one_after_the_other(tmp_path: Path) -> None:
    write(tmp_path / "rank1.json", training_step(1, 0))
    write(tmp_path / "rank0.json", training_step(1, 0), training_step(2, 100))
    profile = stepscope.open(str(tmp_path))
    assert rows(profile.show("step_trace"), "rank", "step") == [(0, 1), (0, 2), (1, 1)]
    assert rows(profile.show("step_trace", by="average"), "rank", "total_ns") == [(0, 100), (1, 90)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traces")


moments = st.integers(0, 60)
ranges = st.tuples(moments, moments).map(sorted).filter(lambda pair: pair[0] < pair[1])


@st.composite
def traces(draw: st.DrawFn) -> list[Event]:
    edges = sorted(draw(st.sets(moments, min_size=2, max_size=5)))
    events = [step(number, a, b) for number, (a, b) in enumerate(itertools.pairwise(edges))]
    engines = draw(st.lists(st.tuples(ranges, st.integers(1, 2)), max_size=3))
    events += [operator(ENGINE, *inside, thread=thread) for inside, thread in engines]
    optimizers = st.sampled_from(["Optimizer.step#SGD.step", "Optimizer.zero_grad#SGD"])
    events += [annotation(name, *inside) for name, inside in draw(st.lists(st.tuples(optimizers, ranges), max_size=2))]
    for number in range(1, draw(st.integers(0, 6)) + 1):
        name = draw(st.sampled_from(["a", "b", "ncclDevKernel_AllReduce"]))
        at = draw(moments)
        events.append(call(at, at + 1, number, thread=draw(st.integers(1, 2))))
        events.append(kernel(name, *draw(ranges), number, stream=draw(st.sampled_from([7, 9]))))
    return events


def compared(profile: OpenProfile, events: oracle.Events) -> list[str]:
    """What the table says and what the oracle says, where they differ, of the steps on the GPU's clock."""
    table = profile.show("steps").to_dicts()
    found = [(row["step"], row["start_ns"], row["start_ns"] + row["duration_ns"]) for row in table]
    wanted = {row["step"]: row for row in step_trace_oracle.step_trace(events, found)}
    differences = []
    for row in profile.show("step_trace").to_dicts():
        if row["clock"] == "gpu":
            expected = wanted[row["step"]]
            differences += [f"{row['step']} {n}: {row[n]}, not {v}" for n, v in expected.items() if row[n] != v]
    return differences


@pytest.mark.long
@settings(max_examples=40)
@given(events=traces())
def test_parts_sum_to_their_whole_and_equal_the_oracles(folder: Path, events: list[Event]) -> None:
    profile = opened(folder, *events)
    for by in ("", "average"):
        for row in profile.show("step_trace", by=by).to_dicts():
            assert row["interval_ns"] + row["forward_backward_ns"] + row["tail_ns"] == row["total_ns"]
            if row["forward_ns"] is not None:
                assert row["forward_ns"] + row["backward_ns"] == row["forward_backward_ns"]
            assert min(row[name] for name in PARTS if row[name] is not None) >= 0
            for part in ("interval", "forward_backward", "tail"):
                assert row[f"{part}_idle_ns"] is None or 0 <= row[f"{part}_idle_ns"] <= row[f"{part}_ns"]
    assert compared(profile, oracle.Events(events)) == []


@pytest.mark.long
@settings(max_examples=20)
@given(data=st.data(), events=traces())
def test_the_order_of_events_changes_nothing(folder: Path, data: st.DataObject, events: list[Event]) -> None:
    shuffled = data.draw(st.permutations(events))
    assert opened(folder, *shuffled).show("step_trace").rows() == opened(folder, *events).show("step_trace").rows()


RECORDINGS = [
    "h200/train/cnn.step7.pt.trace.json.gz",
    "public/hta/mi250-rocm6.2-minitoy.json.gz",
    "public/hta/two_rank/sampled-128world-rank0.json.gz",
    "h200/diverse/llama_compile_cudagraphs.pt.trace.json.gz",
]
LARGER = [
    "h200/pairs/sync_item.slow.pt.trace.json.gz",
    "h200/ranks/ddp4/rank0.json.gz",
    "h200/ranks/fsdp4/rank1.json.gz",
    "h200/diverse/llama_no_steps.pt.trace.json.gz",
    "public/hta/a100-2rank-nccl_metadata-rank0.json.gz",
    "public/tracelens/mi300__resnet_act_checkpoint.json.gz",
]


@pytest.mark.real_trace
@pytest.mark.parametrize("name", [*RECORDINGS, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGER)])
def test_a_recording_divides_as_the_oracle_says(shared_data: Path, name: str) -> None:
    path = shared_data / name
    profile = stepscope.open(str(path))
    assert compared(profile, oracle.read(path)) == []
    assert (profile.show("step_trace")["clock"] == "gpu").any()
