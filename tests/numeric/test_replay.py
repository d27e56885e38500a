"""Steps timed again: by hand, and against a longest path through everything that waits for something."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replaying import FREE, activities, cases, items, launch
from stepscope.numeric.replay import (
    BY_QUEUE,
    BY_WAIT,
    HAND_OVER,
    LAUNCH,
    MARK,
    WAIT,
    WAIT_ALL,
    WAIT_STREAM,
    Activities,
    Backlog,
    Items,
    Timed,
    replay,
)


def timed(of: Items, work: Activities, *, backlog: Backlog = FREE, room: int = 1000, passes: int = 4) -> Timed:
    return replay(of, work, backlog, 2, room, passes)


def test_a_host_that_is_slower_than_its_gpu_sets_the_period() -> None:
    found = timed(items(launch(0, 100, 0, 1), (MARK, 0, 50)), activities((0, 30, 5, 1)))
    assert found.period_ns() == 150
    assert found.host.tolist() == [150, 300, 450, 600]
    assert found.gpu.tolist() == [135, 285, 435, 585]


def test_a_gpu_that_is_slower_than_its_host_sets_the_period() -> None:
    found = timed(items(launch(0, 10, 0, 1), (MARK, 0, 5)), activities((0, 300, 5, 1)))
    assert found.period_ns() == 301
    assert found.host[-1] == 60


def test_a_host_that_waits_for_its_stream_takes_turns_with_it() -> None:
    found = timed(items(launch(0, 10, 0, 1), (WAIT_STREAM, 0, 2, 0, 7)), activities((0, 300, 5, 1)))
    assert found.period_ns() == 10 + 5 + 300 + 7
    assert found.why[0, 1] == BY_WAIT


def test_a_wait_for_an_activity_does_not_wait_for_what_was_launched_behind_it() -> None:
    of = items(launch(0, 10, 0, 1), launch(0, 10, 1, 2), (WAIT, 0, 0, 0, 0))
    found = timed(of, activities((0, 100), (0, 500)), passes=2)
    assert found.moment[0, 2] - found.moment[0, 0] < 500 + 100


def test_a_wait_for_everything_waits_for_the_longest_stream() -> None:
    of = items(launch(0, 10, 0, 1), launch(0, 10, 1, 2), (WAIT_ALL, 0))
    assert timed(of, activities((0, 100), (1, 500))).period_ns() == 520


def test_a_thread_goes_on_when_another_has_come_as_far() -> None:
    of = items((MARK, 0, 100), (HAND_OVER, 1, 0, 0), (MARK, 1, 40), (HAND_OVER, 0, 0, 1))
    assert timed(of, activities()).period_ns() == 140


def test_an_event_of_another_stream_is_waited_for() -> None:
    of = items(launch(0, 10, 0, 1), launch(0, 0, 1, 2), (WAIT_ALL, 0))
    assert timed(of, activities((0, 100), (1, 50, 0, 0, 0, 3))).period_ns() == 10 + 100 + 3 + 50


def test_a_launch_waits_for_room_in_the_queue() -> None:
    of = items(*(launch(0, 1, number, number + 1) for number in range(8)))
    work = activities(*((0, 100) for _ in range(8)))
    found = timed(of, work, room=2, passes=8)
    assert found.why[0, :8].tolist() == [BY_QUEUE] * 8
    assert found.period_ns() == 800
    # Two are pending at most: the host is never further ahead than that.
    assert found.gpu[-1] - found.host[-1] <= 200


def test_what_was_launched_before_holds_the_first_pass_only() -> None:
    backlog = Backlog(np.array([1000]), np.array([], np.int64))
    found = timed(items(launch(0, 10, 0, 1), (WAIT_STREAM, 0, 0, 0)), activities((0, 5)), backlog=backlog)
    assert found.host.tolist() == [1005, 1020, 1035, 1050]


def test_launches_before_fill_the_queue() -> None:
    backlog = Backlog(np.array([500]), np.array([400, 500]))
    found = timed(items(launch(0, 10, 0, 1)), activities((0, 5)), backlog=backlog, room=2, passes=2)
    assert found.moment[0, :1].tolist() == [500]
    assert found.host.tolist() == [400, 500]


def test_work_of_the_host_alone_has_no_last_activity() -> None:
    found = timed(items((MARK, 0, 50), (HAND_OVER, 1, 0, 0)), activities(), passes=12)
    assert found.host.tolist() == [50 * n for n in range(1, 13)]
    assert found.gpu.tolist() == [0] * 12
    assert found.final.tolist() == [23, -1]


def test_nothing_takes_no_time() -> None:
    assert timed(items(), activities()).period_ns() == 0


@pytest.mark.long
@given(cases())
def test_it_is_the_longest_path_through_what_waits_for_what(
    case: tuple[list[tuple[int, ...]], list[tuple[int, ...]], int],
) -> None:
    rows, work, room = case
    passes = 3
    found = timed(items(*rows), activities(*work), room=room, passes=passes)
    host = longest_paths(items(*rows), activities(*work), room, passes)
    assert found.moment[0, : found.items].tolist() == host


@pytest.mark.long
@given(cases(), st.lists(st.integers(0, 300), max_size=3), st.lists(st.integers(0, 300), max_size=4), st.booleans())
def test_passes_that_are_not_run_would_have_been_like_those_before(
    case: tuple[list[tuple[int, ...]], list[tuple[int, ...]], int], busy: list[int], pending: list[int], alone: bool
) -> None:
    rows, work, room = case
    if alone:  # the host, without a GPU
        rows, work = [row for row in rows if row[0] in (MARK, HAND_OVER)] or [(MARK, 0, 3)], []
    backlog = Backlog(np.array(busy, np.int64), np.array(sorted(pending), np.int64))
    run, threads = 12, 3  # the third thread does nothing
    short = replay(items(*rows), activities(*work), backlog, threads, room, run)
    every = replay(items(*rows), activities(*work), backlog, threads, room, run, keep=True)
    for one, other in zip(short[:3], every[:3], strict=True):
        assert one.tolist() == other.tolist()
    for name in ("moment", "why", "before"):
        assert getattr(short, name)[0].tolist() == getattr(every, name)[-1].tolist(), name


def longest_paths(of: Items, work: Activities, room: int, passes: int) -> list[int]:
    """When each item of the last pass is done, asked backwards from it."""
    count, total = len(of.kind), len(work.stream)
    every = [(turn, i) for turn in range(passes) for i in range(count)]
    launches = [at for at in every if of.kind[at[1]] == LAUNCH]
    launched = {(turn, a): (turn, i) for turn, i in launches for a in range(of.first[i], of.last[i])}
    order = {a: place for place, a in enumerate((turn, a) for turn in range(passes) for a in range(total))}
    position = {at: place for place, at in enumerate(every)}

    def before(at: tuple[int, int], streams: set[int]) -> list[tuple[int, int]]:
        """Activities of streams launched before an item."""
        return [a for a, item in launched.items() if position[item] < position[at] and work.stream[a[1]] in streams]

    @cache
    def ended(a: tuple[int, int]) -> int:
        turn, n = a
        starts = [done(launched[a]) + int(work.latency[n])]
        same = [b for b in order if order[b] < order[a] and work.stream[b[1]] == work.stream[n]]
        starts += [max(ended(b) for b in same) + int(work.gap[n])] if same else []
        starts += [ended((turn, int(work.event[n]))) + int(work.event_gap[n])] if work.event[n] >= 0 else []
        return max(starts) + int(work.duration[n])

    @cache
    def done(at: tuple[int, int]) -> int:
        turn, i = at
        kind, tail = of.kind[i], int(of.tail[i])
        earlier = [one for one in every[: position[at]] if of.thread[one[1]] == of.thread[i]]
        times = [(done(earlier[-1]) if earlier else 0) + int(of.work[i])]
        if kind == LAUNCH and launches.index(at) >= room:
            blocking = launches[launches.index(at) - room]
            own = [ended((blocking[0], a)) for a in range(of.first[blocking[1]], of.last[blocking[1]])]
            times.append(max([*own, done(blocking)]))
        if kind == WAIT:
            times += [ended((turn, int(of.target[i]))) + tail]
        if kind in (WAIT_STREAM, WAIT_ALL):
            streams = {int(of.target[i])} if kind == WAIT_STREAM else {0, 1}
            times += [ended(a) + tail for a in before(at, streams)]
        if kind == HAND_OVER:
            other = [one for one in every[: position[at]] if of.thread[one[1]] == of.target[i]]
            times += [(done(other[-1]) if other else 0) + tail]
        return max(times)

    return [done((passes - 1, i)) for i in range(count)]


@pytest.mark.parametrize("passes", [2, 8, 30])
def test_the_period_does_not_depend_on_how_often_it_is_repeated(passes: int) -> None:
    of = items(launch(0, 10, 0, 1), (WAIT_STREAM, 0, 2, 0, 7))
    assert timed(of, activities((0, 300, 5, 1)), passes=passes).period_ns() == 322
