"""Nesting against its definition, moment by moment.

At a moment the innermost interval of a thread is the one with the latest start, then the shorter, then the higher tie.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.nesting import (
    NOBODY,
    Nesting,
    credit_upwards,
    innermost_at,
    nest,
    nesting_order,
    union_by_key,
)

LAST = 14
"""Times run from 0 to here: small enough to look at every moment, and for equal times to be common."""


@dataclass(frozen=True)
class Interval:
    """An interval of a thread."""

    row: int
    thread: int
    start: int
    end: int
    tie: int

    def is_open(self, thread: int, at: int) -> bool:
        return self.thread == thread and self.start <= at < self.end


def _numbered(found: list[tuple[int, int, int]]) -> list[Interval]:
    """Intervals in the order of the list; their ties are a permutation, so that no two are equal in all."""
    count = len(found)
    return [
        Interval(row, thread, min(a, b), max(a, b), (row * 7 + 3) % count if count % 7 else -row)
        for row, (thread, a, b) in enumerate(found)
    ]


intervals = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, LAST), st.integers(0, LAST)), min_size=1, max_size=9
).map(_numbered)


def column(of: list[Interval], name: str) -> np.ndarray:
    return np.array([getattr(interval, name) for interval in of], np.int64)


def nested(of: list[Interval]) -> Nesting:
    return nest(*(column(of, name) for name in ("thread", "start", "end", "tie")))


def around(of: list[Interval], thread: int, at: int) -> list[Interval]:
    """Intervals open on a thread at a moment, innermost first."""
    found = [interval for interval in of if interval.is_open(thread, at)]
    return sorted(found, key=lambda one: (one.start, one.start - one.end, one.tie), reverse=True)


def innermost(of: list[Interval], thread: int, at: int) -> int:
    return next((interval.row for interval in around(of, thread, at)), NOBODY)


def outside(of: list[Interval], interval: Interval) -> list[Interval]:
    """Those around an interval at its start, innermost first: further out than itself."""
    rank = (interval.start, interval.start - interval.end, interval.tie)
    everyone = around(of, interval.thread, interval.start)
    return [one for one in everyone if (one.start, one.start - one.end, one.tie) < rank]


MOMENTS = [(thread, at) for thread in (0, 1) for at in range(-1, LAST + 2)]


@given(intervals)
def test_self_time_is_the_time_as_the_innermost(of: list[Interval]) -> None:
    found = nested(of).self_ns
    owners = [innermost(of, thread, at) for thread, at in MOMENTS]
    assert found.tolist() == [owners.count(interval.row) for interval in of]


@given(intervals)
def test_self_times_of_a_thread_sum_to_the_time_it_is_in_any(of: list[Interval]) -> None:
    found = nested(of).self_ns
    for thread in (0, 1):
        held = {at for interval in of if interval.thread == thread for at in range(interval.start, interval.end)}
        assert sum(found[interval.row] for interval in of if interval.thread == thread) == len(held)


@given(intervals)
def test_the_parent_is_the_innermost_around_the_start(of: list[Interval]) -> None:
    found = nested(of).parent
    assert found.tolist() == [next((one.row for one in outside(of, each)), NOBODY) for each in of]


@given(intervals)
def test_depth_counts_those_around_the_start(of: list[Interval]) -> None:
    assert nested(of).depth.tolist() == [len(outside(of, each)) for each in of]


@given(intervals)
def test_what_ends_after_its_parent_sticks_out(of: list[Interval]) -> None:
    parents = [next(iter(outside(of, each)), None) for each in of]
    expected = [parent is not None and each.end > parent.end for each, parent in zip(of, parents, strict=True)]
    assert nested(of).sticks_out.tolist() == expected


@given(intervals, st.one_of(st.just(MOMENTS), st.permutations(MOMENTS)))
def test_the_innermost_at_a_moment_has_the_latest_start(of: list[Interval], moments: list[tuple[int, int]]) -> None:
    threads = np.array([thread for thread, _ in moments], np.int64)
    times = np.array([at for _, at in moments], np.int64)
    arrays = [column(of, name) for name in ("thread", "start", "end")]
    found = innermost_at(nested(of), *arrays, threads, times)
    assert found.tolist() == [innermost(of, thread, at) for thread, at in moments]


def test_nobody_is_on_a_thread_that_has_no_intervals() -> None:
    of = _numbered([(1, 2, 5)])
    arrays = [column(of, name) for name in ("thread", "start", "end")]
    found = innermost_at(nested(of), *arrays, np.array([-1, 0, 2, 1]), np.array([3, 3, 3, 3]))
    assert found.tolist() == [NOBODY, NOBODY, NOBODY, 0]


@given(intervals, st.lists(st.integers(-1, 2), min_size=9, max_size=9))
def test_an_amount_goes_once_to_each_group_that_is_open(of: list[Interval], groups: list[int]) -> None:
    """An amount at every moment, to the innermost interval then; group -1 is none."""
    key = np.array(groups[: len(of)], np.int64)
    asked = [(innermost(of, thread, at), thread, at) for thread, at in MOMENTS]
    row = np.array([row for row, _, _ in asked], np.int64)
    at = np.array([at for _, _, at in asked], np.int64)
    amount = np.arange(1, len(asked) + 1, dtype=np.int64)
    found = credit_upwards(nested(of).parent, column(of, "end"), key, 3, row, at, amount)
    expected = [0, 0, 0]
    for number, (_, thread, moment) in enumerate(asked, 1):
        for group in {groups[interval.row] for interval in around(of, thread, moment)} - {-1}:
            expected[group] += number
    assert found.tolist() == expected


@pytest.mark.long
@given(intervals, st.lists(st.integers(0, 2), min_size=9, max_size=9))
def test_the_union_of_a_group_counts_each_moment_of_a_thread_once(of: list[Interval], groups: list[int]) -> None:
    order = nested(of).order
    arrays = [column(of, name) for name in ("thread", "start", "end")]
    found = union_by_key(order, *arrays, np.array(groups[: len(of)], np.int64), 3)
    expected = [
        len(
            {
                (interval.thread, at)
                for interval in of
                if groups[interval.row] == group
                for at in range(interval.start, interval.end)
            }
        )
        for group in range(3)
    ]
    assert found.tolist() == expected


@given(intervals)
def test_the_order_is_by_thread_start_length_and_tie(of: list[Interval]) -> None:
    found = nesting_order(*(column(of, name) for name in ("thread", "start", "end", "tie")))
    expected = sorted(of, key=lambda one: (one.thread, one.start, -one.end, one.tie))
    assert found.tolist() == [interval.row for interval in expected]


def test_heaps_of_equal_starts_are_ordered_like_few() -> None:
    """Traces in whole microseconds have hundreds; beyond 64 they are sorted in another way."""
    count = 300
    rng = np.random.default_rng(7)
    end, tie = rng.integers(100, 110, count), rng.permutation(count)
    found = nesting_order(np.zeros(count, np.int64), np.full(count, 50), end, tie)
    assert found.tolist() == sorted(range(count), key=lambda row: (-end[row], tie[row]))


def test_times_too_far_apart_for_one_key_are_ordered_all_the_same() -> None:
    """Thread and start no longer fit into 62 bits together."""
    thread = np.array([1, 0, 1, 0])
    start = np.array([1 << 61, 5, 3, 1 << 61])
    end = start + np.array([1, 2, 3, 4])
    assert nesting_order(thread, start, end, np.zeros(4, np.int64)).tolist() == [1, 3, 2, 0]


@pytest.mark.parametrize("at", [40, 1 << 61], ids=["near", "too far apart for one key"])
def test_what_is_equal_in_everything_is_settled_by_the_caller(at: int) -> None:
    """Rows 1, 3 and 4 are alike, and so are 2 and 5; the last letter is outside."""
    letters = np.array([ord(letter) for letter in "-ba-cd"])
    thread, tie = np.array([0, 0, 1, 0, 0, 1]), np.zeros(6, np.int64)
    start = np.array([0, at, 7, at, at, 7])
    asked: list[tuple[list[int], list[int]]] = []

    def settle(rows: np.ndarray, groups: np.ndarray) -> np.ndarray:
        asked.append((rows.tolist(), np.unique(groups, return_inverse=True)[1].tolist()))
        return 1000 * groups - letters[rows]

    found = nest(thread, start, start + 5, tie, settle)
    assert asked == [([1, 3, 4, 2, 5], [0, 0, 0, 1, 1])]
    assert found.order.tolist() == [0, 4, 1, 3, 5, 2]
    assert found.parent.tolist() == [NOBODY, 4, 5, 1, NOBODY, NOBODY]


def test_intervals_before_time_zero_nest() -> None:
    of = _numbered([(0, 0, 0)])
    thread, start, end, tie = (np.array(values) for values in ([0, 0], [-100, -60], [10, -50], [0, 1]))
    found = nest(thread, start, end, tie)
    assert found.parent.tolist() == [NOBODY, 0]
    assert found.self_ns.tolist() == [100, 10]
    assert nested(of).self_ns.tolist() == [0]


def test_nothing_nests_to_nothing() -> None:
    empty = np.empty(0, np.int64)
    found = nest(empty, empty, empty, empty)
    assert [len(column) for column in found] == [0, 0, 0, 0, 0]
