"""Host and GPU time under named ranges."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import stepscope
from building import Event, Events, annotation, kernel, launched, memcpy, opened, operator, rows, step, timed, write
from oracles import annotations as annotations_oracle
from oracles import general as oracle
from stepscope.schema import UNATTRIBUTED

ENGINE = "autograd::engine::evaluate_function: MmBackward0"
HOST = ("name", "calls", "host_total_ns", "host_self_ns")
SUMS = (*HOST, "device_total_ns", "device_self_ns", "device_busy_ns", "kernels")


def test_inner_ranges_count_in_outer_ones_but_not_in_their_own_time(tmp_path: Path) -> None:
    """The two kernels overlap; the copy is launched in the outer range alone."""
    profile = opened(
        tmp_path,
        annotation("outer", 0, 100),
        annotation("inner", 20, 60),
        launched(kernel("a", 200, 250, 1), at=30),
        launched(kernel("b", 240, 300, 2, stream=8), at=40),
        launched(memcpy(300, 310, 3), at=80),
        launched(kernel("c", 400, 407, 4), at=150),
    )
    assert rows(profile.show("annotations"), *SUMS) == [
        ("outer", 1, 100, 60, 120, 10, 110, 2),
        ("inner", 1, 40, 40, 110, 110, 100, 2),
        (UNATTRIBUTED, 0, 0, 0, 7, 7, 0, 1),
    ]
    [note] = profile.notes("annotations")
    assert note.startswith("5.5 % of GPU time is in no range; ")


def test_a_range_inside_one_of_its_own_name_is_a_call_but_no_more_time(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, annotation("part", 0, 100), annotation("part", 20, 60), launched(kernel("a", 200, 250, 1), at=30)
    )
    assert rows(profile.show("annotations"), *SUMS) == [("part", 2, 100, 100, 50, 50, 50, 1)]


def test_the_twin_on_the_gpu_is_no_range(tmp_path: Path) -> None:
    twin = timed("gpu_user_annotation", "part", 200, 300, process=0, thread=7)
    profile = opened(tmp_path, annotation("part", 0, 100), twin, launched(kernel("a", 200, 250, 1), at=30))
    assert rows(profile.show("annotations"), *SUMS) == [("part", 1, 100, 100, 50, 50, 50, 1)]


def test_what_the_engine_launches_is_under_the_ranges_of_the_thread_that_waits(tmp_path: Path) -> None:
    """The engine's own range is inside them; a thread of another kind has none."""
    profile = opened(
        tmp_path,
        annotation("backward", 0, 100),
        operator("aten::ones_like", 0, 5),
        operator(ENGINE, 10, 90, thread=2),
        annotation("nccl:all_reduce", 50, 80, thread=2),
        launched(kernel("a", 200, 230, 1), at=20, thread=2),
        launched(kernel("ncclDevKernel_AllReduce", 230, 240, 2), at=60, thread=2),
        launched(kernel("b", 240, 245, 3), at=20, thread=3),
    )
    columns = ("name", "kind", "device_total_ns", "device_self_ns", "engine_ns")
    assert rows(profile.show("annotations"), *columns) == [
        ("backward", "user", 40, 30, 40),
        ("nccl:all_reduce", "communication", 10, 10, 0),
        (UNATTRIBUTED, "", 5, 5, 0),
    ]


def test_the_backward_of_what_a_range_called_is_credited_to_it(tmp_path: Path) -> None:
    """The range around the step has it already: its thread waits inside it."""

    def numbered(name: str, start: int, end: int, thread: int, **more: Any) -> Event:
        return operator(name, start, end, thread=thread, **{"Sequence number": 5}, **more)

    profile = opened(
        tmp_path,
        step(1, 0, 200),
        annotation("block", 0, 50),
        numbered("aten::mm", 10, 40, 1),
        launched(kernel("forward", 300, 310, 1), at=20),
        numbered(ENGINE, 100, 140, 2, **{"Fwd thread id": 1}),
        numbered("MmBackward0", 105, 135, 2, **{"Fwd thread id": 1}),
        launched(kernel("gradient", 310, 340, 2), at=110, thread=2),
    )
    columns = ("name", "device_total_ns", "backward_ns", "engine_ns")
    assert rows(profile.show("annotations"), *columns) == [("ProfilerStep#*", 40, 0, 30), ("block", 10, 30, 0)]


def test_steps_are_one_row_and_by_step_one_each(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        step(2, 100, 200),
        annotation("load", 10, 20),
        annotation("load", 110, 140),
        launched(kernel("a", 300, 310, 1), at=15),
        launched(kernel("b", 310, 330, 2), at=120),
        launched(kernel("c", 330, 331, 3), at=250),
    )
    columns = ("name", "calls", "host_total_ns", "device_total_ns")
    assert rows(profile.show("annotations"), *columns) == [
        ("ProfilerStep#*", 2, 200, 30),
        ("load", 2, 40, 30),
        (UNATTRIBUTED, 0, 0, 1),
    ]
    assert rows(profile.show("annotations", by="step"), "step", *columns) == [
        (2, "ProfilerStep#*", 1, 100, 20),
        (2, "load", 1, 30, 20),
        (1, "ProfilerStep#*", 1, 100, 10),
        (1, "load", 1, 10, 10),
        (None, UNATTRIBUTED, 0, 0, 1),
    ]
    assert rows(profile.show("annotations", step=2), *columns) == [
        ("ProfilerStep#*", 1, 100, 20),
        ("load", 1, 30, 20),
    ]


def test_kinds_are_told_from_names(tmp_path: Path) -> None:
    names = {
        "Optimizer.step#AdamW.step": "optimizer",
        "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__": "data_loader",
        "nccl:all_gather": "communication",
        "DistributedDataParallel.forward": "framework",
        "FSDP::all_gather (blocks.0)": "framework",
        "## forward ##": "user",
        "ProfilerStep": "user",
    }
    profile = opened(tmp_path, [annotation(name, 10 * i, 10 * i + 5) for i, name in enumerate(names)])
    assert dict(rows(profile.show("annotations"), "name", "kind")) == names


def test_ranks_are_summed_by_name(tmp_path: Path) -> None:
    for rank in (0, 1):
        write(
            tmp_path / f"rank{rank}.json",
            [annotation(f"other{rank}", 0, 5)] * rank,
            annotation("part", 0, 100),
            launched(kernel("a", 200, 250, 1), at=30),
        )
    table = stepscope.open(str(tmp_path)).show("annotations")
    assert rows(table, *SUMS) == [("part", 2, 200, 195, 100, 100, 100, 2), ("other1", 1, 5, 5, 0, 0, 0, 0)]


def test_a_recording_without_ranges_says_what_to_do(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("a", 200, 250, 1), at=30))
    assert rows(profile.show("annotations"), *SUMS) == [(UNATTRIBUTED, 0, 0, 0, 50, 50, 0, 1)]
    assert profile.notes("annotations") == [
        "no annotated ranges were recorded: mark parts of the program with torch.profiler.record_function"
    ]
    empty = opened(tmp_path, operator("aten::mm", 0, 10))
    assert len(empty.show("annotations")) == 0
    assert empty.notes("annotations")[0].startswith("no annotated ranges were recorded")


def test_launches_without_a_record_are_named_in_the_note(tmp_path: Path) -> None:
    profile = opened(tmp_path, annotation("part", 0, 10), launched(kernel("a", 20, 50, 1), at=5), kernel("b", 60, 70))
    [note] = profile.notes("annotations")
    assert note.startswith("25.0 % of GPU time is in no range (25.0 %: launch not recorded)")


moments = st.integers(0, 40)
ranges = st.tuples(moments, moments).map(sorted)


@st.composite
def traces(draw: st.DrawFn) -> list[Events]:
    # More operators than there are launches: so thread 1 is the main one.
    found: list[Events] = [operator("aten::mm", 0, 41), *(operator("aten::mm", at, at + 1) for at in range(41, 47))]
    for number, (start, end) in enumerate(draw(st.lists(ranges, max_size=5))):
        thread = draw(st.integers(1, 2))
        name = draw(st.sampled_from(["a", "b", *["ProfilerStep#1"] * (thread == 1)]))
        where = {"process": 1, "thread": thread, "External id": number}
        found.append(timed("user_annotation", name, start, end, **where))
    for start, end in draw(st.lists(ranges, max_size=2)):
        found.append(operator(ENGINE, start, end, thread=2))
    for number, (start, end) in enumerate(draw(st.lists(ranges, max_size=5)), 1):
        at, thread = draw(moments), draw(st.integers(1, 3))
        activity = kernel("k", start, end, number, stream=draw(st.sampled_from([7, 8])))
        found.append(launched(activity, at, thread=thread) if draw(st.booleans()) else activity)
    return found


@pytest.mark.long
@settings(max_examples=25, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(data=st.data(), events=traces())
def test_it_is_what_the_oracle_says(tmp_path_factory: pytest.TempPathFactory, data: Any, events: Any) -> None:
    folder = tmp_path_factory.mktemp("ranges")
    path = write(folder / "trace.json", *events)
    table = stepscope.open(str(path)).show("annotations")
    assert annotations_oracle.differences(table.to_dicts(), oracle.read(path), main="1") == []
    assert table["device_self_ns"].sum() == sum(e.duration for e in oracle.read(path).activity)
    shuffled = write(folder / "other.json", *data.draw(st.permutations(events)))
    assert stepscope.open(str(shuffled)).show("annotations").rows() == table.rows()


RECORDINGS = [
    "h200/ranks/ddp4/rank0.json.gz",
    "h200/ranks/fsdp4/rank1.json.gz",
    "public/hta/two_rank/sampled-128world-rank0.json.gz",
]


@pytest.mark.real_trace
@pytest.mark.parametrize("name", RECORDINGS)
def test_ranges_of_a_recording_are_what_the_oracle_says(shared_data: Path, name: str) -> None:
    table = stepscope.open(str(shared_data / name)).show("annotations")
    events = oracle.read(shared_data / name)
    named = [event for event in events.timed if (event.name or "").startswith("ProfilerStep#")]
    main = next(event.place[1] for event in named if event.category == "user_annotation")
    assert annotations_oracle.differences(table.to_dicts(), events, main) == []


@pytest.mark.real_trace
def test_host_times_are_those_of_hta(shared_data: Path) -> None:
    """HTA leaves out the last step and rounds to us; this trace has whole us, and steps 4 and 5 are the others."""
    name = "a100-2rank-nccl_metadata-rank0.json"
    reference = json.loads((shared_data / "reference/hta-reference" / name).read_text())
    theirs = {row["name"]: row["sum (us)"] for row in reference["results"]["get_cpu_user_annotation_breakdown"]["head"]}
    table = stepscope.open(str(shared_data / "public/hta" / f"{name}.gz")).show("annotations", step=(4, 5))
    ours = dict(rows(table, "name", "host_total_ns"))
    for range_name in ("## backward ##", "## forward ##", "## optimizer ##", "Optimizer.step#SGD.step"):
        assert ours[range_name] / 1000 == pytest.approx(theirs[range_name], abs=3)
