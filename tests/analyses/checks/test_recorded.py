"""What was not recorded, and the option that records it."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building import call, check, kernel, opened, operator, step, write
from stepscope.analyses import table_notes


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        (
            "operators",
            "cannot show self times and GPU time by operator; record with activities=[ProfilerActivity.CPU, ...]",
        ),
        ("shapes", "cannot show operators by shape and FLOPs; record with record_shapes=True"),
        ("stacks", "cannot show source lines and modules; record with with_stack=True"),
        ("memory", "cannot show memory over time; record with profile_memory=True"),
    ],
)
def test_what_was_not_recorded_names_the_option_that_records_it(tmp_path: Path, name: str, detail: str) -> None:
    assert check(opened(tmp_path, kernel("a", 0, 10)), name) == ("warning", "not recorded", detail)


def test_call_stacks_of_operators_count_as_stacks(tmp_path: Path) -> None:
    """Old traces write an empty stack where none was recorded."""
    found = [
        check(opened(tmp_path, operator("aten::mm", 0, 10, **{"Call stack": stack})), "stacks")
        for stack in ("train.py(3): step", "")
    ]
    assert [result and result[1] for result in found] == ["recorded", "not recorded"]


def test_nothing_is_advised_that_was_recorded_and_did_not_happen(tmp_path: Path) -> None:
    """Replays of a CUDA graph run no operators: the advice was to record the CPU, whose steps were there."""
    profile = stepscope.open(write(tmp_path / "t.json", step(1, 0, 50), call(5, 9, 1), kernel("a", 10, 40, 1)))
    assert check(profile, "operators") == ("ok", "recorded", "nothing of this kind happened")
    # The trace does not say that shapes were to be recorded.
    assert check(profile, "shapes") == (
        "warning",
        "not recorded",
        "cannot show operators by shape and FLOPs; record with record_shapes=True",
    )


def test_options_that_the_trace_says_were_on_are_not_advised(tmp_path: Path) -> None:
    profile = stepscope.open(write(tmp_path / "t.json", step(1, 0, 50), record_shapes=1, profile_memory=1))
    assert [check(profile, name) for name in ("shapes", "memory")] == [
        ("ok", "recorded", "nothing of this kind happened")
    ] * 2
    notes = table_notes(profile.profile, "memory", profile.show("memory"))
    assert [note.id for note in notes] == ["note-no-rows"]


def test_calls_alone_do_not_say_that_the_cpu_was_recorded(tmp_path: Path) -> None:
    """With the GPU's activity alone PyTorch records CUDA calls, too."""
    found = check(opened(tmp_path, call(5, 9, 1), kernel("a", 10, 40, 1)), "operators")
    assert found is not None
    assert found[:2] == ("warning", "not recorded")
