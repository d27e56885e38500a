"""Pieces of stretches, and their sums, against a look at every single moment."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepscope.numeric import pieces
from stepscope.numeric.intervals import Ints
from stepscope.numeric.pieces import Intervals, Stretches, innermost_pieces, innermost_sums

MOMENTS = 24
INTERVAL = st.tuples(st.integers(0, 2), st.integers(0, MOMENTS), st.integers(0, 8))
STRETCH = st.tuples(st.integers(0, 3), st.integers(0, MOMENTS), st.integers(0, 9), st.integers(0, 2))

Interval, Stretch = tuple[int, int, int], tuple[int, int, int, int]


def in_order(rows: Ints, groups: Ints) -> Ints:
    """Of equal intervals the later row is inside."""
    return np.lexsort((rows, groups)).argsort()


def made(intervals: list[Interval], stretches: list[Stretch]) -> tuple[Intervals, Stretches, Ints]:
    """Arrays of both; stretches of a thread that overlap an earlier one are left out."""
    apart: list[Stretch] = []
    for thread, first, length, group in sorted(stretches):
        if not apart or apart[-1][0] != thread or apart[-1][1] + apart[-1][2] <= first:
            apart.append((thread, first, length, group))
    thread, start, took = np.array(intervals, np.int64).reshape(-1, 3).T
    of_thread, first, length, group = np.array(apart, np.int64).reshape(-1, 4).T
    return (thread, start, start + took, np.zeros(len(thread), np.int64)), (of_thread, first, first + length), group


def innermost(intervals: Intervals, thread: int, moment: int) -> int:
    """The interval with the latest start, then the shortest, then the last, that is open at a moment; -1 for none."""
    rows = zip(*(array.tolist() for array in intervals[:3]), strict=True)
    opened = [(start, -end, at) for at, (of, start, end) in enumerate(rows) if of == thread and start <= moment < end]
    return max(opened)[2] if opened else -1


@given(st.lists(INTERVAL, max_size=10), st.lists(STRETCH, max_size=8))
def test_pieces_name_the_innermost_interval_of_each_moment(intervals: list[Interval], stretches: list[Stretch]) -> None:
    given_intervals, given_stretches, _ = made(intervals, stretches)
    found = innermost_pieces(given_intervals, in_order, given_stretches)
    told = [
        (stretch, moment, row)
        for stretch, row, start, end in zip(*(array.tolist() for array in found), strict=True)
        for moment in range(start, end)
    ]
    assert told == [
        (stretch, moment, innermost(given_intervals, thread, moment))
        for stretch, (thread, first, last) in enumerate(zip(*(a.tolist() for a in given_stretches), strict=True))
        for moment in range(first, last)
    ]


@pytest.mark.parametrize("room", [1, 3, 1 << 12])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(intervals=st.lists(INTERVAL, max_size=10), stretches=st.lists(STRETCH, max_size=8))
def test_sums_are_those_of_the_pieces_however_many_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch, room: int, intervals: list[Interval], stretches: list[Stretch]
) -> None:
    monkeypatch.setattr(pieces, "_ROOM", room)
    given_intervals, given_stretches, group = made(intervals, stretches)
    key = np.append(np.arange(len(intervals)) % 3, 3)
    time, count = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for stretch, row, start, end in zip(*innermost_pieces(given_intervals, in_order, given_stretches), strict=True):
        time[group[stretch], key[row]] += end - start
        count[group[stretch], key[row]] += 1
    summed_time, summed_count = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for of, kind, length, many in zip(
        *innermost_sums(given_intervals, in_order, given_stretches, group, key), strict=True
    ):
        summed_time[of, kind] += length
        summed_count[of, kind] += many
    assert (summed_time, summed_count) == (time, count)
