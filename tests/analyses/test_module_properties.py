"""What holds for modules and backward times of every trace, made of well and badly nested calls at few moments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import Event, call, flat, kernel, opened, step
from building.autograd import ENGINE, accumulate, backward, forward, frame
from stepscope.api import OpenProfile

FEW = settings(max_examples=8)
LAST = 60
MODULES = ["nn.Module: Net_0", "nn.Module: Block_0", "nn.Module: Block_1", "train.py(3): step", "torch/_ops.py(1): a"]
OPERATORS = ["aten::mm", "aten::linear", "CheckpointFunction"]
FUNCTIONS = ["MmBackward0", "LinearBackward0", "CheckpointFunctionBackward"]
VIEWS = [
    ("modules", ""),
    ("modules", "class"),
    *(("operators", by) for by in ("", "module", "stack")),
]

ranges = st.tuples(st.integers(0, LAST), st.integers(0, LAST)).map(sorted)
threads = st.sampled_from([1, ENGINE])
sequences = st.integers(0, 3)


@st.composite
def traces(draw: st.DrawFn) -> list[Event]:
    """Steps, calls of modules, forward operators, backward functions and kernels, anywhere on two threads."""
    found: list[Any] = [{"ph": "M", "cat": "", "name": "process_name", "pid": 1, "args": {"name": "python"}}]
    if draw(st.booleans()):
        found += [step(1, 0, 30), step(2, 30, LAST + 1)]
    # Numbers of calls and operators decide between equal times.
    for number in range(draw(st.integers(0, 6))):
        start, end = draw(ranges)
        name = draw(st.sampled_from(MODULES))
        found.append(frame(name, start, end, thread=draw(threads), **{"Python id": number}))
    for number in range(draw(st.integers(0, 6))):
        start, end = draw(ranges)
        thread, external = draw(threads), 10 * number
        kind = draw(st.sampled_from(["forward", "forward", "backward", "accumulate"]))
        if kind == "forward":
            name = draw(st.sampled_from(OPERATORS))
            found.append(forward(name, start, end, draw(sequences), thread=thread, external_id=external))
        elif kind == "backward":
            name, made = draw(st.sampled_from(FUNCTIONS)), draw(st.sampled_from([1, 2]))
            events = backward(name, start, end + 2, draw(sequences), thread=thread, made_on=made)
            found.append(numbered(events, external))
        else:
            found.append(numbered(accumulate(start, end + 2, thread=thread), external))
    for number in range(draw(st.integers(0, 6))):
        start, end = draw(ranges)
        at = draw(st.integers(0, LAST))
        if draw(st.booleans()):
            found.append(call(at, at + 1, number + 1, thread=draw(threads)))
        found.append(kernel("k", 100 + start, 100 + end, number + 1))
    return flat(found)


def numbered(events: list[Event], first: int) -> list[Event]:
    for number, event in enumerate(events, first + 1):
        event["args"]["External id"] = number
    return events


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traces")


def everything(profile: OpenProfile) -> dict[tuple[str, str], list[Any]]:
    return {(table, by): profile.show(table, by=by).rows() for table, by in VIEWS}


@FEW
@given(events=traces())
def test_self_times_sum_to_all_activity_and_the_phases_to_the_total(folder: Path, events: list[Event]) -> None:
    whole = int(sum(event["dur"] for event in events if event["cat"] == "kernel") * 1000)
    profile = opened(folder, *events)
    called = any(event["name"].startswith("nn.Module") for event in events)
    for by in ("", "class"):
        table = profile.show("modules", by=by)
        assert table["device_self_ns"].sum() == (whole if called else 0)
        assert (table["forward_device_ns"] + table["backward_device_ns"] == table["device_total_ns"]).all()
        assert (table["recompute_device_ns"] <= table["backward_device_ns"]).all()
        assert (table["device_self_ns"] <= table["device_total_ns"]).all()
        assert (table["host_self_ns"] <= table["host_total_ns"]).all()
    for by in ("", "module", "stack"):
        assert profile.show("operators", by=by)["device_self_ns"].sum() == whole


@FEW
@given(events=traces())
def test_host_self_times_of_modules_sum_to_the_time_in_any(folder: Path, events: list[Event]) -> None:
    moments = set()
    for event in events:
        if event["name"].startswith("nn.Module"):
            start = int(event["ts"] * 1000)
            moments |= {(event["tid"], at) for at in range(start, start + int(event["dur"] * 1000))}
    assert opened(folder, *events).show("modules")["host_self_ns"].sum() == len(moments)


@pytest.mark.long
@FEW
@given(data=st.data(), events=traces())
def test_the_order_of_events_in_the_file_changes_nothing(
    folder: Path, data: st.DataObject, events: list[Event]
) -> None:
    shuffled = data.draw(st.permutations(events))
    assert everything(opened(folder, *shuffled)) == everything(opened(folder, *events))


@pytest.mark.long
@FEW
@given(events=traces())
def test_a_name_has_its_backward_once_and_no_more_than_there_is(folder: Path, events: list[Event]) -> None:
    profile = opened(folder, *events)
    table = profile.show("operators")
    assert (table["backward_device_ns"] <= table["device_self_ns"].sum()).all()
    assert (table["backward_host_ns"] <= table["host_self_ns"].sum()).all()


@pytest.mark.long
@FEW
@given(events=traces())
def test_steps_add_up(folder: Path, events: list[Event]) -> None:
    """Without steps the whole trace is one; every kernel of these traces starts behind the last step."""
    profile = opened(folder, *events)
    numbers = profile.show("steps")["step"].to_list()
    whole = profile.show("modules", step=(min(numbers), max(numbers)))["device_self_ns"].sum()
    assert sum(profile.show("modules", step=number)["device_self_ns"].sum() for number in numbers) == whole
