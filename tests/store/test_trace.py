"""Columns that were read before are not read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import opened, operator
from stepscope.store.trace import Trace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return opened(tmp_path, operator("aten::mm", 3, 10), operator("aten::add", 20, 25)).profile.ranks[0].trace.folder


@pytest.mark.parametrize("keep_bytes", [0, 20, 1 << 20])
def test_frames_are_the_same_however_much_is_kept(folder: Path, keep_bytes: int) -> None:
    trace = Trace(folder, keep_bytes)
    for columns in (["start_ns"], ["duration_ns", "start_ns"], ["external_id", "start_ns", "duration_ns"]):
        frame = trace.frame("operator", columns)
        assert frame.columns == columns
        assert frame.equals(Trace(folder, 0).frame("operator", columns))
    assert trace.frame("operator", ["start_ns"])["start_ns"].to_list() == [3, 20]


def test_a_kept_column_needs_no_file(folder: Path) -> None:
    trace = Trace(folder)
    before = trace.frame("operator", ["start_ns"])
    for part in folder.glob("operator.*.parquet"):
        part.unlink()
    assert trace.frame("operator", ["start_ns"]).equals(before)
