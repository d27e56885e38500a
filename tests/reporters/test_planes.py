"""Cells as a report holds them are the cells of the binary answer."""

from __future__ import annotations

import gzip
from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from report_page import unplaned
from stepscope.answers.cell_encoding import planes
from stepscope.timeline.binary_format import frame, unframe
from stepscope.timeline.windows import COLUMNS

_CELL = st.tuples(
    st.integers(0, 1 << 45),  # from the end of the cell before
    st.integers(0, 1 << 45),  # its length
    st.integers(0, 5),  # rows left out before it
    st.integers(1, 1 << 20),  # events in it
    st.integers(0, (1 << 32) - 1),  # its name
    st.integers(0, 65535),
    st.integers(0, 11),
    st.integers(0, 255),
)


def answer(t0: int, lanes: list[list[tuple[int, ...]]]) -> bytearray:
    """A binary answer with some cells of lanes 0, 2, 4 and so on."""
    total = sum(map(len, lanes))
    offsets = [0, *accumulate(map(len, lanes))]
    told = [{"lane": 2 * i, "offset": offsets[i], "count": len(lane)} for i, lane in enumerate(lanes)]
    data, views = frame({"t0": t0, "t1": 1 << 50, "cell_ns": 8, "lanes": told}, COLUMNS, total)
    at = 0
    for lane in lanes:
        moment, row = t0 - 3, 0
        for gap, length, skipped, count, name, busy, kind, shade in lane:
            moment, row = moment + gap, row + skipped
            values: dict[str, Any] = {"start": moment, "end": moment + length, "first": row, "count": count}
            values |= {"name": name, "busy": busy, "kind": kind, "shade": shade}
            for column, value in values.items():
                views[column][at] = value
            moment, row, at = moment + length, row + count, at + 1
    return data


@pytest.mark.long
@given(st.integers(-(1 << 40), 1 << 40), st.lists(st.lists(_CELL, max_size=6), max_size=4))
def test_cells_come_back_as_they_were(t0: int, lanes: list[list[tuple[int, ...]]]) -> None:
    """A first cell may begin before the window, lanes may be empty, numbers as large as they get."""
    data = answer(t0, lanes)
    header, expected = unframe(data)
    told, found = unplaned(planes(data))
    assert (told["t0"], told["t1"], told["cell_ns"], told["cells"]) == (t0, 1 << 50, 8, sum(map(len, lanes)))
    assert told["lanes"] == [[lane["lane"], lane["count"]] for lane in header["lanes"] if lane["count"]]
    for name in COLUMNS:
        assert found[name] == expected[name].astype(np.int64).tolist(), name


def test_events_pack_into_half_of_what_their_columns_take() -> None:
    generator = np.random.default_rng(1)
    gaps, lengths, names = generator.integers([[0], [100], [0]], [[900], [5000], [40]], (3, 20_000)).tolist()
    cells = [(g, n, 0, 1, name, 65535, 0, name) for g, n, name in zip(gaps, lengths, names, strict=True)]
    data = answer(0, [cells])
    assert len(gzip.compress(planes(data), 5)) < 0.55 * len(gzip.compress(bytes(data), 5))
