"""The nearest wanted interval on the way up."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.ancestry import nearest, open_ancestor


def test_a_row_is_its_own_nearest() -> None:
    parent = np.array([-1, 0, 1, 2, -1, 4])
    wanted = np.array([True, False, True, False, False, False])
    assert nearest(wanted, parent).tolist() == [0, 0, 2, 2, -1, -1]


def test_a_wanted_row_that_ended_early_is_passed_over() -> None:
    parent, end = np.array([-1, 0, 1, 2]), np.array([50, 40, 20, 45])
    wanted = nearest(np.array([True, False, True, False]), parent)
    rows, times = np.array([3, 3, 3, -1, 1]), np.array([10, 30, 50, 10, 10])
    assert open_ancestor(wanted, parent, end, rows, times).tolist() == [2, 0, -1, -1, 0]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 1 << 20)), max_size=40), st.randoms(use_true_random=False))
def test_walking_up_row_by_row_finds_the_same(drawn: list[tuple[bool, int]], random: object) -> None:
    # A parent comes from before its child in some order, and rows are numbered in another.
    order = list(range(len(drawn)))
    random.shuffle(order)  # type: ignore[attr-defined]
    parent, wanted = [-1] * len(drawn), [flag for flag, _ in drawn]
    for place, (_, number) in enumerate(drawn):
        above = number % (place + 1) - 1
        parent[order[place]] = order[above] if above >= 0 else -1

    def up(row: int) -> int:
        while row >= 0 and not wanted[row]:
            row = parent[row]
        return row

    found = nearest(np.array(wanted, np.bool_), np.array(parent, np.int64))
    assert found.tolist() == [up(row) for row in range(len(drawn))]
