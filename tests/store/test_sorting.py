"""Rows in order of several numbers, against Python's own sort."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from stepscope.store.sorting import by_numbers

numbers = st.none() | st.integers(0, 3)
rows = st.lists(st.tuples(numbers, numbers), max_size=12)


@given(rows)
def test_rows_are_sorted_null_first_and_what_is_equal_stays_in_order(of: list[tuple[int | None, int | None]]) -> None:
    schema = {"code": pl.UInt32, "time": pl.Int64}
    frame = pl.DataFrame(of, schema=schema, orient="row").with_row_index("was")
    keys = [(*((value is not None, value or 0) for value in row), was) for was, row in enumerate(of)]
    found = by_numbers(frame, "code", "time")
    assert found["was"].to_list() == [key[-1] for key in sorted(keys)]
    assert found.schema == frame.schema
