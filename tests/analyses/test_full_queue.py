"""Launches that wait for room in the launch queue, also where work from before the recording fills it."""

from __future__ import annotations

from pathlib import Path

from building import call, kernel, opened
from stepscope.analyses.critical_path.queue import gpu_queue
from stepscope.analyses.critical_path.waits import FULL_QUEUE, host_waits
from stepscope.api import OpenProfile


def backlog(folder: Path, launches: int) -> OpenProfile:
    """Kernels of 1 us launched before the recording, and one launch that takes until the first of them has ended."""
    kernels = [kernel("k", 1_000 * n, 1_000 * (n + 1), n + 1) for n in range(launches)]
    last = kernel("k", 1_000 * launches, 1_000 * (launches + 1), launches + 1)
    return opened(folder, kernels, call(0, 30_000, launches + 1), last)


def blocked(profile: OpenProfile) -> list[bool]:
    rank = profile.profile.ranks[0]
    return host_waits(rank, gpu_queue(rank)).room.tolist()


def test_what_was_launched_before_fills_the_queue(tmp_path: Path) -> None:
    """Such launches were taken for host work of 36 ms a step."""
    assert blocked(backlog(tmp_path, FULL_QUEUE)) == [True]


def test_a_long_launch_with_room_in_the_queue_waits_for_nothing(tmp_path: Path) -> None:
    assert blocked(backlog(tmp_path, FULL_QUEUE // 2)) == []


def test_a_graph_launched_before_is_one_launch(tmp_path: Path) -> None:
    """Its nodes share a correlation number."""
    nodes = [kernel("k", 1_000 * n, 1_000 * (n + 1), 1) for n in range(2 * FULL_QUEUE)]
    last = kernel("k", 2_000 * FULL_QUEUE, 2_000 * FULL_QUEUE + 5, 2)
    assert blocked(opened(tmp_path, nodes, call(0, 30_000, 2), last)) == []
