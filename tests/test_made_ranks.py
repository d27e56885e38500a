"""Made traces of many ranks hold what they promise: the tests that use them rest on it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

from building import rows
from made_ranks import (
    MS,
    Call,
    Clock,
    Compute,
    Copy,
    Extra,
    HostWork,
    Layout,
    MadeRanks,
    Network,
    Parallel,
    data_parallel,
    fully_sharded,
    loading,
)
from ranks_simulated import Ran
from ranks_working import Item

EVERYTHING = Layout(dp=2, tp=2, pp=2, ep=2)
PROGRAMS = {
    "data parallel": MadeRanks(data_parallel(Layout(dp=4)), world=4),
    "fully sharded": MadeRanks(fully_sharded(Layout(dp=4)), world=4),
    "everything": MadeRanks(Parallel(EVERYTHING, microbatches=3), world=8),
}


@pytest.mark.parametrize("made", PROGRAMS.values(), ids=PROGRAMS)
def test_true_times_obey_causality(made: MadeRanks) -> None:
    for call in made.calls:
        assert set(call.arrivals) == set(call.ends) == set(call.ranks)
        assert {end - call.transfer_ns for end in call.ends.values()} == {max(call.arrivals.values())}
    for player in made.job.players:
        on_gpu = [one for one in player.ran if one.stream >= 0]
        launches = {one.linked: one.start for one in player.ran if one.kind == "launch"}
        assert all(launches[one.linked] < one.start for one in on_gpu)
        for stream in {one.stream for one in on_gpu}:
            times = [_times(player.rank, one) for one in on_gpu if one.stream == stream]
            assert all(end < start for (_, end), (start, _) in pairwise(times))


def _times(rank: int, ran: Ran) -> tuple[int, int]:
    end = ran.end if ran.kind != "call" else ran.about[0].ends[rank]
    assert end > ran.start
    return ran.start, end


@pytest.mark.parametrize("made", PROGRAMS.values(), ids=PROGRAMS)
def test_files_are_read_without_complaint(made: MadeRanks, tmp_path: Path) -> None:
    profile = made.open(tmp_path)
    wrong = profile.show("health").filter(
        (pl.col("status") != "ok") & ~pl.col("check").is_in(["shapes", "stacks", "memory"])
    )
    assert rows(wrong, "rank", "check", "value") == []
    assert profile.show("steps")["step"].to_list() == [0, 1, 2] * made.world
    assert profile.show("communication")["calls"].sum() == sum(len(call.ends) for call in made.calls)


@pytest.mark.parametrize(
    ("extra", "table", "column"),
    [
        (Compute(5 * MS, range="extra_work"), "summary", "compute_ns"),
        (Copy(5 * MS), "summary", "memory_ns"),
        (loading(5 * MS), "data_loading", "wait_ns"),
        (HostWork(5 * MS), "steps", "other_ns"),
    ],
)
def test_extra_work_makes_its_rank_the_last(extra: Item, table: str, column: str, tmp_path: Path) -> None:
    """The steps of all become longer by it, and only the rank that has it shows what it was."""
    made = MadeRanks(fully_sharded(Layout(dp=4)), world=4, jitter_ns=0, extras=(Extra(2, extra),))
    first = [call for call in made.calls if call.position % 6 == 0]
    assert [call.last for call in first] == [2, 2, 2]
    assert all(call.waits[2] == 0 and 4.9 * MS < call.waits[0] < 5.1 * MS for call in first)
    of_rank = dict(rows(made.open(tmp_path).show(table).group_by("rank").agg(pl.col(column).sum()), "rank", column))
    assert round((of_rank[2] - of_rank.get(0, 0)) / MS) == 15


def test_clocks_shift_what_is_shown() -> None:
    made = MadeRanks(data_parallel(Layout(dp=2)), world=2, clocks={1: Clock(offset_ns=-7 * MS, drift_ppm=100)})
    assert made.shown(0, 2_000 * MS) - made.shown(0, 0) == 2_000 * MS
    assert made.shown(1, 0) - made.shown(0, 0) == -7 * MS
    assert made.shown(1, 2_000 * MS) - made.shown(1, 0) == 2_000 * MS + 200_000


def test_a_slow_link_is_slow() -> None:
    slow = MadeRanks(Parallel(Layout(pp=3)), world=3, network=Network(slow={(1, 2): 10.0}))
    speeds = {call.ranks: round(call.bytes / call.transfer_ns) for call in slow.calls}
    assert speeds[(0, 1)] == speeds[(1, 0)] > 5 * speeds[(1, 2)] == 5 * speeds[(2, 1)]


def test_a_root_may_leave_early() -> None:
    """A broadcast's root needs nobody; the others need only the root."""

    def late_receiver(rank: int, step: int) -> list[Item]:
        return [Compute((1, 5, 1)[rank] * MS), Call("broadcast", (0, 1, 2), 1 << 20)]

    (call,) = MadeRanks(late_receiver, world=3, steps=1, network=Network(root_leaves=True)).calls
    assert call.ends[0] < call.arrivals[1] < call.ends[1]
    assert call.ends[2] < call.arrivals[1]


def test_ranks_that_wait_for_each_other_are_no_job() -> None:
    def crossed(rank: int, step: int) -> list[Item]:
        calls: list[Item] = [Call("allreduce", (0, 1), 8, description=text) for text in ("one", "other")]
        return calls if rank else calls[::-1]

    with pytest.raises(AssertionError, match="for ever"):
        len(MadeRanks(crossed, world=2).calls)


def test_what_was_launched_before_the_window_says_nothing_of_itself(tmp_path: Path) -> None:
    made = MadeRanks(
        fully_sharded(Layout(dp=2)),
        world=2,
        steps=4,
        windows={1: (1, 2)},
        unlaunched={0: 5},
        dropped=frozenset({(1, 9)}),
    )
    profile = made.open(tmp_path)
    assert profile.show("steps").group_by("rank").agg(pl.col("step")).sort("rank")["step"].to_list() == [
        [0, 1, 2, 3],
        [1, 2],
    ]
    kernels = [event for event in made.events(0) if event["cat"] == "kernel" and "nccl" in event["name"]]
    assert ["Collective name" in event["args"] for event in kernels[:4]] == [False, False, False, True]
    assert len([event for event in made.events(1) if event["name"].startswith("nccl")]) == 2 * 6 - 1


def test_long_groups_are_cut_as_pytorch_cuts_them() -> None:
    made = MadeRanks(data_parallel(Layout(dp=40), buckets=1), world=40, steps=1)
    listed = {event["args"].get("Process Group Ranks") for event in made.events(3)} - {None}
    assert [text[-12:] for text in listed] == ["28, 29, ...]"]
    assert made.head(3)["distributedInfo"]["pg_config"][1]["ranks"] == tuple(range(40))
