"""What the time of repeated steps is made of: by hand, and that it is all of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from replaying import FREE, activities, cases, items, launch
from stepscope.numeric.bottleneck_chain import Chain, binding_chain
from stepscope.numeric.replay import (
    BY_EVENT,
    BY_LAUNCH,
    BY_STREAM,
    MARK,
    WAIT_ALL,
    WAIT_STREAM,
    Activities,
    Backlog,
    Items,
    replay,
)


def chain(of: Items, work: Activities, *, backlog: Backlog = FREE, room: int = 1000, passes: int = 8) -> Chain:
    return binding_chain(replay(of, work, backlog, 2, room, passes, keep=True), work)


def test_a_slow_host_is_all_of_the_path() -> None:
    found = chain(items(launch(0, 100, 0, 1), (MARK, 0, 50)), activities((0, 30, 5, 1)))
    assert found.passes == 4
    assert found.worked.tolist() == [400, 200]
    assert found.total_ns() == 600


def test_a_slow_gpu_is_all_of_the_path_with_the_gaps_of_its_stream() -> None:
    found = chain(items(launch(0, 10, 0, 1), (MARK, 0, 5)), activities((0, 300, 5, 1)))
    assert found.ran.tolist() == [1200]
    assert found.late.sum(axis=1).tolist() == [0, 4, 0]
    assert found.total_ns() == 4 * 301


def test_a_host_that_waits_hands_the_path_to_the_gpu_and_takes_it_back() -> None:
    found = chain(items(launch(0, 10, 0, 1), (WAIT_STREAM, 0, 2, 0, 7)), activities((0, 300, 5, 1)))
    assert found.worked.tolist() == [40, 0]
    assert found.late[BY_LAUNCH].tolist() == [20]
    assert found.ran.tolist() == [1200]
    assert found.returned.tolist() == [0, 28]


def test_an_event_leads_to_the_other_stream() -> None:
    of = items(launch(0, 10, 0, 1), launch(0, 0, 1, 2), (WAIT_ALL, 0))
    found = chain(of, activities((0, 100), (1, 50, 0, 0, 0, 3)))
    assert found.ran.tolist() == [400, 200]
    assert found.late[BY_EVENT].tolist() == [0, 12]
    assert found.worked.tolist() == [40, 0, 0]


def test_room_in_the_queue_is_the_gpus_time() -> None:
    of = items(*(launch(0, 1, number, number + 1) for number in range(8)))
    found = chain(of, activities(*((0, 100) for _ in range(8))), room=2)
    assert found.total_ns() == found.ran.sum() == 4 * 800


def test_what_was_launched_before_is_not_explained() -> None:
    backlog = Backlog(np.array([5000]), np.array([], np.int64))
    found = chain(
        items(launch(0, 10, 0, 1), (WAIT_STREAM, 0, 0, 0)), activities((0, 5, 0, 2)), backlog=backlog, passes=2
    )
    assert found.total_ns() == 10 + 5
    assert found.unknown == 0


@given(cases())
def test_the_parts_are_the_steady_passes_and_none_is_less_than_nothing(
    case: tuple[list[tuple[int, ...]], list[tuple[int, ...]], int],
) -> None:
    rows, work, room = case
    of, works = items(*rows), activities(*work)
    timed = replay(of, works, FREE, 2, room, 6, keep=True)
    found = binding_chain(timed, works)
    first, last, passes = timed.period()
    assert (found.total_ns(), found.passes) == (last - first, passes)
    assert min(found.unknown, *(int(part.min()) for part in (found.worked, found.returned, found.ran, found.late))) >= 0
    # No more of an item or activity than it takes in all these passes.
    assert (found.worked <= passes * of.work).all()
    assert (found.ran <= passes * works.duration).all()


@pytest.mark.long
@given(cases())
def test_a_replay_that_keeps_all_passes_says_the_same(
    case: tuple[list[tuple[int, ...]], list[tuple[int, ...]], int],
) -> None:
    rows, work, room = case
    one, all_of = (replay(items(*rows), activities(*work), FREE, 2, room, 4, keep=keep) for keep in (False, True))
    assert one.host.tolist() == all_of.host.tolist()
    assert one.moment[0].tolist() == all_of.moment[-1].tolist()
    assert one.before[0].tolist() == all_of.before[-1].tolist()


def test_a_stream_without_work_before_waits_for_its_launch_only() -> None:
    found = chain(items(launch(0, 10, 0, 2)), activities((0, 100), (1, 500)))
    assert found.ran.tolist() == [0, 2000]
    assert found.late[BY_STREAM].sum() == 0
