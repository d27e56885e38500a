"""Jobs of several ranks on each side."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from building import Events, kernel, launched, step, write
from stepscope.comparison.job import compare_profiles
from stepscope.errors import BadRequest
from stepscope.store.opening import open_profile
from stepscope.store.profile import Profile

LENGTH = 1_000_000


def job(folder: Path, computes: list[int]) -> Profile:
    """Ranks that compute for some time in each step and wait for each other in a collective up to its end."""
    folder.mkdir()
    for rank, lasts in enumerate(computes):
        events: list[Events] = []
        for n in range(4):
            start, number = n * LENGTH, 10 * n + 1
            begin = start + 100_000 + lasts
            collective = kernel("ncclDevKernel_AllReduce", begin, start + LENGTH - 10_000, number + 1)
            events += [step(n, start, start + LENGTH)]
            events += launched(kernel("gemm", start + 100_000, begin, number), start + 1_000)
            events += launched(collective, start + 2_000)
        write(folder / f"rank{rank}.json", *events, distributedInfo={"rank": rank, "world_size": len(computes)})
    return open_profile(str(folder))


@pytest.mark.long
def test_the_rank_is_compared_whose_own_time_changed_most(tmp_path: Path) -> None:
    base = job(tmp_path / "base", [300_000, 310_000, 305_000])
    new = job(tmp_path / "new", [300_000, 310_000, 805_000])
    found = compare_profiles([base], [new])
    assert found.base[0].number == 2
    assert found.ranks is not None
    assert found.ranks.select("rank", "delta_ns", "delta_own_ns").rows() == [(0, 0, 0), (1, 0, 0), (2, 0, 500_000)]


@pytest.mark.long
def test_only_ranks_that_both_sides_have_are_compared(tmp_path: Path) -> None:
    base, new = job(tmp_path / "base", [300_000, 300_000]), job(tmp_path / "new", [300_000, 300_000, 900_000])
    found = compare_profiles([base], [new])
    assert found.ranks is not None
    assert found.ranks["rank"].to_list() == [0, 1]


def test_a_rank_that_is_named_is_compared_alone(tmp_path: Path) -> None:
    both = job(tmp_path / "base", [300_000, 300_000])
    found = compare_profiles([both], [both], 1)
    assert (found.new[0].number, found.ranks) == (1, None)


def test_recordings_of_one_rank_each_are_compared_whatever_its_number(tmp_path: Path) -> None:
    base, new = job(tmp_path / "base", [300_000, 300_000]), job(tmp_path / "new", [300_000])
    shutil.rmtree(tmp_path / "base")
    alone = base.select([1])
    found = compare_profiles([alone], [new])
    assert (found.base[0].number, found.new[0].number) == (1, 0)


def test_sides_without_a_rank_in_common_are_refused(tmp_path: Path) -> None:
    one, two = job(tmp_path / "base", [300_000] * 4), job(tmp_path / "new", [300_000] * 4)
    with pytest.raises(BadRequest, match="the sides have no rank in common"):
        compare_profiles([one.select([0, 1])], [two.select([2, 3])])
