"""What was not recorded, and the option that records it."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import check, kernel, opened, operator


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
