"""An empty table says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import call, kernel, launched, memcpy, opened, operator
from stepscope.errors import BadRequest


def test_what_was_not_recorded_is_named_with_the_option_that_records_it(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10))
    assert profile.notes("kernels") == [
        "no rows: the recording has no GPU activity; record with activities=[..., ProfilerActivity.CUDA]"
    ]


def test_what_stepscope_recorded_is_recorded_again_with_its_own_options(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10), stepscopeRecording={"program": "train.py"})
    assert profile.notes("kernels") == [
        "no rows: the recording has no GPU activity: the program used no GPU in what was recorded"
    ]
    assert profile.notes("memory") == ["no rows: the recording has no memory events; record with --with memory"]


def test_what_was_recorded_but_did_not_happen_is_told_apart(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("k", 10, 20, 1), 0))
    assert profile.notes("memcpy") == ["no rows: nothing of this kind happened in the selection"]


def test_a_table_with_rows_needs_no_note(tmp_path: Path) -> None:
    profile = opened(tmp_path, call(0, 2, 1), memcpy(10, 20, 1))
    assert profile.notes("memcpy") == []


def test_source_lines_are_refused_where_rows_have_none(tmp_path: Path) -> None:
    profile = opened(tmp_path, launched(kernel("k", 10, 20, 1), 0))
    with pytest.raises(BadRequest, match="its rows have none"):
        profile.show("summary", source=True)
