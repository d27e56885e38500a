"""What ranks hold in memory: the last ones used, and no more events than fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

from building import kernel, step, write
from stepscope.analyses import make_table
from stepscope.analyses.steps.steps import rank_steps
from stepscope.schema import TABLES
from stepscope.store import memory_budget
from stepscope.store.memory_budget import Holding
from stepscope.store.opening import open_profile
from stepscope.store.profile import Rank


class Held:
    """A rank that counts how often it has to forget."""

    def __init__(self, weight: int) -> None:
        self.weight = weight
        self.forgot = 0

    def forget(self) -> None:
        self.forgot += 1


def test_the_one_not_used_for_longest_forgets() -> None:
    ranks = [Held(10) for _ in range(4)]
    held = Holding(events=30, ranks=1)
    for used in (0, 1, 0, 2, 3):
        held.use(ranks[used])
    assert [rank.forgot for rank in ranks] == [0, 1, 0, 0]
    held.use(ranks[1])
    assert [rank.forgot for rank in ranks] == [1, 1, 0, 0]


def test_some_ranks_are_left_alone_however_large() -> None:
    ranks = [Held(1000) for _ in range(3)]
    held = Holding(events=30, ranks=2)
    for rank in ranks:
        held.use(rank)
    assert [rank.forgot for rank in ranks] == [1, 0, 0]


def test_a_rank_that_is_gone_holds_nothing() -> None:
    held = Holding(events=30, ranks=1)
    held.use(Held(1000))
    rank = Held(20)
    held.use(rank)
    assert rank.forgot == 0


@pytest.mark.long
def test_tables_are_the_same_when_every_rank_forgets_at_once(
    tmp_path: Path, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(examples / "ddp4_straggler")
    profile = open_profile(path)
    expected = {name: make_table(profile, name) for name in ("summary", "kernels", "operators", "idle", "modules")}
    monkeypatch.setattr(memory_budget.Holding.__init__, "__defaults__", (1, 1))
    small = open_profile(path)
    for name, frame in expected.items():
        assert TABLES[name].columns
        assert_frame_equal(make_table(small, name), frame, check_exact=True)
    assert sum("activity" in rank.__dict__ for rank in small.ranks) <= 1


def test_what_is_forgotten_is_read_and_computed_again(tmp_path: Path) -> None:
    path = write(tmp_path / "trace.json", [step(1, 0, 50), kernel("a", 0, 10), step(2, 50, 90)])
    rank: Rank = open_profile(str(path)).ranks[0]
    steps = rank_steps(rank)
    assert rank_steps(rank) is steps
    before = rank.activity
    rank.forget()
    assert rank.trace._columns == {}
    assert rank_steps(rank) is not steps
    assert_frame_equal(rank_steps(rank), steps)
    assert_frame_equal(rank.activity, before)
