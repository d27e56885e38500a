"""Columns that are held from the reading of a trace on."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from polars.testing import assert_frame_equal

from building import call, kernel, operator, write
from stepscope.readers.sources import Source
from stepscope.schema import STORE_TABLES
from stepscope.store.held_columns import HeldColumns
from stepscope.store.ingest import open_traces
from stepscope.store.options import ReadOptions
from stepscope.store.trace import Trace


def test_what_is_held_is_what_would_be_read(tmp_path: Path) -> None:
    events = [
        event
        for n in range(30)
        for event in (
            operator("aten::mm", 100 * n, 100 * n + 90, external_id=n),
            call(100 * n + 10, 100 * n + 20, n + 1),
            kernel("gemm", 100 * n + 30, 100 * n + 60, n + 1),
        )
    ]
    held = open_traces(Source(str(write(tmp_path / "trace.json", *events))), ReadOptions(derives=False))[0]
    columns = set(held._columns)
    assert {("operator", "start_ns"), ("runtime", "correlation"), ("activity", "stream")} <= columns
    read = Trace(held.folder)
    for table, names in STORE_TABLES.items():
        assert_frame_equal(held.frame(table, list(names)), read.frame(table, list(names)))


def test_parts_become_one_piece() -> None:
    held = HeldColumns(1 << 20)
    for part in ([1, 2], [3]):
        held.add("operator", pl.DataFrame({"start_ns": part, "sequence": part}))
    held.add("flow", pl.DataFrame({"start_ns": [1]}))
    columns = held.take()
    assert {table: frame.to_dict(as_series=False) for table, frame in columns.items()} == {
        "operator": {"start_ns": [1, 2, 3]}
    }
    assert columns["operator"]["start_ns"].n_chunks() == 1
    assert held.take() == {}


def test_nothing_is_held_of_what_would_take_too_much_memory() -> None:
    held = HeldColumns(24)
    for part in ([1, 2], [3, 4], [5]):
        held.add("operator", pl.DataFrame({"start_ns": part}))
    assert held.take() == {}


def test_columns_that_a_part_lacks_are_read() -> None:
    held = HeldColumns(1 << 20)
    held.add("operator", pl.DataFrame({"start_ns": [1], "external_id": [1]}))
    held.add("operator", pl.DataFrame({"start_ns": [2]}))
    assert held.take() == {}
