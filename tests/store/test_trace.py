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


def test_what_nobody_else_asks_for_is_not_held(folder: Path) -> None:
    trace = Trace(folder)
    once = trace.frame("operator", ["start_ns"], keep=False)
    for part in folder.glob("operator.*.parquet"):
        part.unlink()
    assert once["start_ns"].to_list() == [3, 20]
    with pytest.raises(FileNotFoundError):
        trace.frame("operator", ["start_ns"])


def test_a_stretch_is_a_part_of_the_frame(folder: Path) -> None:
    columns = ["start_ns", "input_dims", "name"]
    whole = Trace(folder).frame("operator", columns)
    for first, count in ((0, 2), (0, 1), (1, 1), (1, 0)):
        assert Trace(folder).stretch("operator", columns, first, count).equals(whole.slice(first, count))
    assert Trace(folder).stretch("operator", ["input_dims"], 1, 1)["input_dims"].to_list() == [None], "no such column"


def test_rows_by_code_are_those_whose_text_matches(tmp_path: Path) -> None:
    nameless = {**operator("", 40, 41)}
    del nameless["name"]
    events = [operator("aten::mm", 3, 10), operator("aten::add", 20, 25), operator("aten::mm", 30, 35), nameless]
    trace = opened(tmp_path, *events).profile.ranks[0].trace
    assert trace.text(trace.names(lambda text: text.str.starts_with("aten::"))).sort().to_list() == [
        "aten::add",
        "aten::mm",
    ]
    products = trace.names(lambda text: text == "aten::mm")
    starts = trace.frame("operator", ["start_ns"])["start_ns"]
    assert starts[trace.rows_with("operator", products)].to_list() == [3, 30]
    assert trace.rows_with("runtime", products).tolist() == []
    assert trace.rows_with("operator", trace.codes(lambda text: text == "cpu_op")).tolist() == [], "no name"
    categories = trace.codes(lambda text: text == "cpu_op")
    assert len(trace.rows_with("operator", categories, "category")) == len(starts)
