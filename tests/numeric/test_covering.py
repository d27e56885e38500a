"""Intervals that stand for a stretch of time, against their definitions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.covering import CLEARLY, half_covering, standing_for
from stepscope.numeric.nested import NOBODY

LAST = 12

intervals = st.lists(st.tuples(st.integers(0, LAST), st.integers(0, LAST)).map(sorted), min_size=1, max_size=6)
"""Each is taken to lie in the one before it, whose end it may outlast."""


def arrays(of: list[list[int]]) -> tuple[np.ndarray, ...]:
    parent = np.arange(-1, len(of) - 1, dtype=np.int32)
    return parent, np.array([start for start, _ in of]), np.array([end for _, end in of])


def covered(interval: list[int], begin: int, stop: int) -> int:
    return min(interval[1], stop) - max(interval[0], begin)


@given(intervals, st.tuples(st.integers(0, LAST), st.integers(0, LAST)).map(sorted), st.data())
def test_the_deepest_that_covers_half_of_a_stretch(
    of: list[list[int]], stretch: list[int], data: st.DataObject
) -> None:
    row = data.draw(st.integers(NOBODY, len(of) - 1))
    begin, stop = stretch
    enough = [at for at in range(row + 1) if covered(of[at], begin, stop) >= (stop - begin) / 2]
    found = half_covering(*arrays(of), np.array([row]), np.array([begin]), np.array([stop]))
    assert found.tolist() == [max(enough, default=NOBODY)]


@given(intervals, st.tuples(st.integers(0, LAST), st.integers(0, LAST)).map(sorted), st.integers(0, LAST), st.data())
def test_what_stands_for_a_stretch(of: list[list[int]], stretch: list[int], at: int, data: st.DataObject) -> None:
    row = data.draw(st.integers(NOBODY, len(of) - 1))
    begin, stop = stretch
    chain = [row, *(around for around in range(row - 1, -1, -1) if of[around][1] > at)] if row >= 0 else []
    named = row
    for around in chain:
        if covered(of[around], begin, stop) > CLEARLY * covered(of[named], begin, stop):
            named = around
    root = chain[-1] if chain else NOBODY
    most = covered(of[root], begin, stop) if chain else 0
    given = (np.array([one]) for one in (row, at, begin, stop))
    assert [one.tolist() for one in standing_for(*arrays(of), *given)] == [[named], [root], [most]]
