"""Threads numbered by tables over their codes, against a dictionary of the pairs."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.store.nesting import number_lanes

codes = st.none() | st.integers(0, 3)
Places = list[tuple[int | None, int | None]]


@pytest.mark.long
@given(st.lists(st.tuples(st.just(2) | codes, codes), max_size=12) | st.lists(st.tuples(st.just(1), codes), min_size=1))
def test_each_pair_of_process_and_thread_has_one_number(places: Places) -> None:
    frame = pl.DataFrame(places, schema={"process": pl.UInt32, "thread": pl.UInt32}, orient="row")
    lanes, lane = number_lanes(frame)
    known = {number: (process, thread) for process, thread, number in lanes.rows()}
    assert [known[number] for number in lane.tolist()] == places
    assert sorted(known) == list(range(len(set(places))))
