"""What is looked up among sorted times, against a look at every single one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.intervals import union
from stepscope.numeric.nearby import NONE, add_touching, neighbours

EVENT = st.tuples(st.integers(-1, 2), st.integers(0, 40), st.integers(0, 6))
STRETCH = st.tuples(st.integers(0, 40), st.integers(1, 4))
TIMES = st.lists(st.integers(-9, 9), max_size=8)


@given(st.lists(EVENT, max_size=12), st.lists(STRETCH, max_size=8), st.lists(st.booleans(), min_size=3, max_size=3))
def test_events_of_wanted_threads_that_touch_a_union_are_added(
    rows: list[tuple[int, int, int]], stretches: list[tuple[int, int]], wanted: list[bool]
) -> None:
    first, took = np.array(stretches, np.int64).reshape(-1, 2).T
    moments = {moment for first, took in stretches for moment in range(first, first + took)}
    thread, start, length = np.array(rows, np.int64).reshape(-1, 3).T
    events = np.full((2, 1 + len(rows)), 7, np.int32), np.full((2, 1 + len(rows)), 7, np.int64)
    count = add_touching(thread, start, length, np.array([*wanted, False]), union(first, first + took), events, 1)
    assert np.concatenate(events)[:, :count].T.tolist() == [
        [7] * 4,
        *(
            [thread, row, start, start + length]
            for row, (thread, start, length) in enumerate(rows)
            if thread >= 0 and wanted[thread] and moments.intersection(range(start, start + length))
        ),
    ]


@given(TIMES, TIMES, TIMES)
def test_neighbours_are_the_nearest_times_of_all(at: list[int], some: list[int], others: list[int]) -> None:
    latest, earliest = neighbours(*(np.array(times, np.int64) for times in (at, some, others)))
    times = some + others
    assert latest.tolist() == [max((time for time in times if time <= moment), default=-NONE) for moment in at]
    assert earliest.tolist() == [min((time for time in times if time > moment), default=NONE) for moment in at]
