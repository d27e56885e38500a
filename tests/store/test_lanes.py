"""Threads numbered by tables over their codes, against a dictionary of the pairs."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.store.nesting import number_lanes, rows_of_places

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


@given(st.lists(st.tuples(codes, codes), max_size=5, unique=True), st.lists(st.tuples(codes, codes), max_size=8))
def test_threads_are_found_by_codes_and_by_numbers(known: Places, asked: Places) -> None:
    schema = {"process": pl.UInt32, "thread": pl.UInt32}
    lanes, places = (pl.DataFrame(rows, schema=schema, orient="row") for rows in (known, asked))
    expected = [known.index(place) if place in known else -1 for place in asked]
    assert rows_of_places(lanes, places).tolist() == expected
    assert rows_of_places(lanes, places.cast(pl.Int64).fill_null(-1)).tolist() == expected
