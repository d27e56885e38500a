"""Unions of intervals against sets of the whole numbers that they hold."""

from __future__ import annotations

import itertools
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.intervals import (
    EMPTY,
    Union,
    contains,
    covered_before,
    covered_within,
    gaps,
    length,
    merge,
    touched,
    union,
)
from stepscope.numeric.merging import merged

Pairs = list[tuple[int, int]]
pairs = st.lists(st.tuples(st.integers(-20, 40), st.integers(-20, 40)), max_size=12)
real_pairs = pairs.map(lambda found: [(start, end) for start, end in found if start < end])


def arrays(of: Pairs) -> Union:
    return np.array([start for start, _ in of], np.int64), np.array([end for _, end in of], np.int64)


def points(of: Pairs) -> set[int]:
    """Every n for which [n, n + 1) is covered."""
    return {point for start, end in of for point in range(start, end)}


def parts(of: Union) -> Pairs:
    return list(zip(of[0].tolist(), of[1].tolist(), strict=True))


def test_touching_intervals_become_one() -> None:
    assert parts(union(*arrays([(5, 9), (0, 5), (20, 30), (22, 25)]))) == [(0, 9), (20, 30)]


def test_empty_and_negative_intervals_count_nothing() -> None:
    assert parts(union(*arrays([(3, 3), (9, 4), (7, 8)]))) == [(7, 8)]
    assert parts(union(*arrays([(3, 3)]))) == []


def test_nothing_has_no_length_and_covers_nothing() -> None:
    assert length(EMPTY) == 0
    assert covered_before(EMPTY, np.array([5])).tolist() == [0]
    assert parts(merge(EMPTY, EMPTY)) == []
    assert parts(gaps(EMPTY)) == []


def test_nanoseconds_since_1970_stay_exact() -> None:
    epoch = 1_712_195_495_502_094_567
    of = union(*arrays([(epoch, epoch + 1), (epoch + 3, epoch + 7)]))
    assert length(of) == 5
    assert covered_before(of, np.array([epoch + 5])).tolist() == [3]


@pytest.mark.long
@given(pairs)
def test_a_union_holds_what_its_intervals_hold(of: Pairs) -> None:
    found = parts(union(*arrays(of)))
    assert points(found) == points(of)


@given(pairs)
def test_parts_of_a_union_are_sorted_and_apart(of: Pairs) -> None:
    found = parts(union(*arrays(of)))
    assert all(start < end for start, end in found)
    assert all(left[1] < right[0] for left, right in itertools.pairwise(found))


@given(pairs)
def test_the_length_of_a_union_counts_each_moment_once(of: Pairs) -> None:
    assert length(union(*arrays(of))) == len(points(of))


@given(pairs, pairs, pairs)
def test_merging_unions_is_the_union_of_all(first: Pairs, second: Pairs, third: Pairs) -> None:
    unions = [union(*arrays(of)) for of in (first, second, third)]
    expected = parts(union(*arrays([*first, *second, *third])))
    assert parts(merge(*unions)) == expected
    assert parts(reduce(merged, unions)) == expected  # as long ones are


def test_long_unions_are_merged_without_being_sorted() -> None:
    even, odd = (np.arange(begin, 60_000, 4) for begin in (0, 2))
    assert parts(merge((even, even + 1), (odd, odd + 1))) == [(at, at + 1) for at in range(0, 60_000, 2)]
    assert parts(merge((even, even + 2), (odd, odd + 2))) == [(0, 60_000)]


@given(pairs, st.lists(st.integers(-25, 45), max_size=8))
def test_covered_before_counts_what_lies_before_each_time(of: Pairs, times: list[int]) -> None:
    found = covered_before(union(*arrays(of)), np.array(times, np.int64))
    assert found.tolist() == [len([point for point in points(of) if point < time]) for time in times]


@given(pairs, real_pairs)
def test_covered_within_counts_what_lies_inside_each_interval(of: Pairs, windows: Pairs) -> None:
    found = covered_within(union(*arrays(of)), *arrays(windows))
    assert found.tolist() == [len(points(of) & points([window])) for window in windows]


@given(pairs, pairs)
def test_a_union_touches_the_intervals_of_which_it_covers_anything(of: Pairs, windows: Pairs) -> None:
    found = touched(union(*arrays(of)), *arrays(windows))
    assert found.tolist() == [bool(points(of) & points([window])) for window in windows]


@given(pairs, st.lists(st.integers(-25, 45), max_size=8))
def test_a_union_contains_the_times_that_its_intervals_hold(of: Pairs, times: list[int]) -> None:
    found = contains(union(*arrays(of)), np.array(times, np.int64))
    assert found.tolist() == [time in points(of) for time in times]


@given(pairs)
def test_gaps_hold_what_lies_between_the_parts(of: Pairs) -> None:
    held = points(of)
    between = set(range(min(held), max(held) + 1)) - held if held else set()
    assert points(parts(gaps(union(*arrays(of))))) == between
