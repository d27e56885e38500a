"""Who is late in made jobs, by how much and why, is what was planted; where nothing was, nobody is accused."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import stepscope
from made_ranks import (
    MS,
    Clock,
    Compute,
    Copy,
    Extra,
    HostWork,
    Layout,
    MadeRanks,
    Parallel,
    data_parallel,
    fully_sharded,
    loading,
)
from stepscope.analyses.ranks.alignment import MESSAGE_ENDS
from stepscope.analyses.ranks.waiting import above_others

REPLICAS = MadeRanks(data_parallel(Layout(dp=4)), 4)
ALL_DIMENSIONS = MadeRanks(Parallel(Layout(dp=2, tp=2, pp=2)), 8)


def accused(opened: stepscope.OpenProfile) -> pl.DataFrame:
    return opened.show("stragglers").filter(pl.col("verdict") == "straggler")


@pytest.mark.parametrize(
    ("extra", "cause", "names"),
    [
        (Extra(2, Compute(5 * MS, range="extra_work")), "compute", "under extra_work"),
        (Extra(2, loading(5 * MS)), "data loading", "enumerate(DataLoader)#"),
        (Extra(2, HostWork(5 * MS, "write_logs")), "host", "write_logs"),
        (Extra(2, HostWork(5 * MS)), "host", "(between operators)"),
        (Extra(2, HostWork(5 * MS, "gc.collect")), "garbage collection", "gc.collect"),
        (Extra(2, Copy(5 * MS)), "copies", "Memcpy HtoD"),
    ],
    ids=["compute", "loading", "range", "sleep", "gc", "copies"],
)
def test_the_late_rank_is_accused_with_its_cause(extra: Extra, cause: str, names: str, tmp_path: Path) -> None:
    late = accused(replace(REPLICAS, extras=(extra,)).open(tmp_path / "run"))
    assert late["rank"].to_list() == [2]
    row = late.row(0, named=True)
    assert row["lateness_ns"] == pytest.approx(5 * MS, rel=0.05)
    assert (row["cause"], row["late_steps"]) == (cause, 2)
    assert names in row["detail"]


def test_lateness_is_counted_once_though_it_shows_at_every_bucket(tmp_path: Path) -> None:
    """Backward runs beside the all-reduces: a rank that is 5 ms behind is behind at each of them."""
    opened = replace(REPLICAS, extras=(Extra(2, Compute(5 * MS)),)).open(tmp_path / "run")
    late = opened.show("collectives").filter(pl.col("last_rank") == 2)
    assert late["lateness_ns"].sum() / 3 > 9 * MS
    assert accused(opened)["lateness_ns"][0] == pytest.approx(5 * MS, rel=0.05)
    assert opened.show("rank_matrix").filter(pl.col("rank") == 2)["lateness_ns"].max() < 5.1 * MS


@pytest.mark.long
def test_several_late_ranks_are_all_accused(tmp_path: Path) -> None:
    made = MadeRanks(data_parallel(Layout(dp=8)), 8, extras=tuple(Extra(rank, Compute(5 * MS)) for rank in (3, 4)))
    assert sorted(accused(made.open(tmp_path / "run"))["rank"].to_list()) == [3, 4]


@pytest.mark.long
@pytest.mark.parametrize("made", [REPLICAS, ALL_DIMENSIONS, replace(REPLICAS, jitter_ns=300_000, steps=6)])
def test_nobody_is_accused_where_nothing_is_planted(made: MadeRanks, tmp_path: Path) -> None:
    opened = made.open(tmp_path / "run")
    assert len(accused(opened)) == 0
    assert opened.notes("stragglers")[0].startswith(("No straggler: ", "Rank "))


@pytest.mark.parametrize("seed", range(4))
def test_ranks_whose_work_scatters_are_not_accused(seed: int, tmp_path: Path) -> None:
    """Of few steps of eight uneven ranks one is always the latest, by a tenth of a step now and then."""
    made = MadeRanks(data_parallel(Layout(dp=8)), 8, steps=3, jitter_ns=2 * MS, seed=seed)
    assert len(accused(made.open(tmp_path / "run"))) == 0


def test_steps_that_bear_other_numbers_on_one_rank_are_judged_as_one(tmp_path: Path) -> None:
    made = replace(REPLICAS, steps=4, extras=(Extra(2, Compute(5 * MS)),))
    paths = made.write(tmp_path / "run")
    text = paths[3].read_text()
    paths[3].write_text(re.sub(r"ProfilerStep#(\d+)", lambda found: f"ProfilerStep#{100 + int(found[1])}", text))
    late = accused(stepscope.open(str(tmp_path / "run")))
    assert late["rank"].to_list() == [2]
    assert late["lateness_ns"][0] == pytest.approx(5 * MS, rel=0.05)


@pytest.mark.long
@pytest.mark.parametrize("clocks", [{}, {2: Clock(7 * MS), 3: Clock(7 * MS)}], ids=["one clock", "two machines"])
def test_a_late_replica_of_a_stage_is_accused_of_what_the_job_loses(clocks: dict[int, Clock], tmp_path: Path) -> None:
    """Its 5 ms of extra work pass while it waits for the stage before, in part: the job takes 2 ms longer."""
    plain = MadeRanks(Parallel(Layout(dp=2, pp=2)), 4, clocks=clocks)
    quick, slow = (
        replace(plain, extras=extras).open(tmp_path / name)
        for name, extras in (("quick", ()), ("slow", (Extra(3, Compute(5 * MS)),)))
    )
    assert len(accused(quick)) == 0
    late = accused(slow)
    assert late["rank"].to_list() == [3]
    lost = slow.show("job", step=[1, 2])["duration_ns"][0] - quick.show("job", step=[1, 2])["duration_ns"][0]
    assert late["lateness_ns"][0] == pytest.approx(lost, rel=0.05)
    for rank, offset, method in slow.show("clocks").select("rank", "offset_ns", "method").iter_rows():
        assert abs(offset - clocks.get(rank, Clock()).offset_ns) < MS // 10
        assert offset == 0 or method == MESSAGE_ENDS


def test_one_late_step_is_no_straggler(tmp_path: Path) -> None:
    made = replace(REPLICAS, steps=4, extras=(Extra(3, Compute(5 * MS), steps=(2,)),))
    opened = made.open(tmp_path / "run")
    assert len(accused(opened)) == 0
    row = opened.show("stragglers", by="step").row(0, named=True)
    assert (row["rank"], row["step"], row["late_steps"]) == (3, 2, 1)


def test_a_rank_that_alone_is_late_in_every_other_step_is_accused(tmp_path: Path) -> None:
    made = replace(REPLICAS, steps=6, extras=(Extra(3, Compute(5 * MS), steps=(1, 3, 5)),))
    late = accused(made.open(tmp_path / "run"))
    assert late.select("rank", "late_steps", "steps").rows() == [(3, 3, 5)]


def test_steps_that_could_not_be_judged_wholly_do_not_dilute(tmp_path: Path) -> None:
    """The extra work stands before the first gather: that of the first step has nothing to be compared with."""
    made = MadeRanks(fully_sharded(Layout(dp=4)), 4, extras=(Extra(2, Compute(5 * MS)),))
    row = accused(made.open(tmp_path / "run")).row(0, named=True)
    assert (row["rank"], row["steps"], row["late_steps"]) == (2, 2, 2)
    assert row["lateness_ns"] == pytest.approx(5 * MS, rel=0.05)


@pytest.mark.long
def test_a_rank_made_late_by_another_is_not_accused(tmp_path: Path) -> None:
    """Rank 1 is late at the tensor parallel group's calls; rank 0 then comes late to its replica, for no fault."""
    late = Extra(1, Compute(3 * MS, range="x"), at=1)
    opened = replace(ALL_DIMENSIONS, extras=(late,)).open(tmp_path / "run")
    assert accused(opened)["rank"].to_list() == [1]


@pytest.mark.long
def test_clocks_that_are_off_change_nothing(tmp_path: Path) -> None:
    extras = (Extra(2, Compute(5 * MS)),)
    right, wrong = (
        replace(REPLICAS, extras=extras, clocks=clocks).open(tmp_path / name)
        for name, clocks in (("right", {}), ("wrong", {0: Clock(7 * MS), 2: Clock(-40 * MS), 3: Clock(10**12)}))
    )
    for table in ("stragglers", "rank_matrix", "job"):
        first, second = (opened.show(table).select(pl.selectors.integer()) for opened in (right, wrong))
        assert (first - second).select(pl.all().abs().max()).max_horizontal()[0] < MS // 10, table


@pytest.mark.parametrize("folder", ["ddp4", "collectives4", "fsdp4"])
def test_no_recorded_rank_is_accused_without_reason(shared_data: Path, folder: str) -> None:
    opened = stepscope.open(str(shared_data / "h200" / "ranks" / folder))
    assert accused(opened)["rank"].to_list() == []


def test_the_recorded_straggler_is_accused_of_its_extra_work(shared_data: Path) -> None:
    opened = stepscope.open(str(shared_data / "h200" / "ranks" / "ddp4_straggler"))
    row = accused(opened).row(0, named=True)
    assert (row["rank"], row["cause"], row["late_steps"], row["steps"]) == (2, "compute", 3, 3)
    assert "under extra_work" in row["detail"]
    assert "in 20 more kernels" in row["detail"]
    # Without the extra work the same job takes 223 ms a step, with it 341 ms: see truth.json of both.
    assert row["lateness_ns"] == pytest.approx(118.3 * MS, rel=0.05)


@pytest.mark.parametrize("ranks", [[2], [0, 1]])
def test_a_selection_of_ranks_is_judged_by_all_of_them(ranks: list[int], shared_data: Path) -> None:
    opened = stepscope.open(str(shared_data / "h200" / "ranks" / "ddp4_straggler"))
    whole = opened.show("stragglers").filter(pl.col("rank").is_in(ranks))
    assert opened.show("stragglers", rank=ranks).equals(whole)
    if 2 not in ranks:
        assert opened.notes("stragglers", rank=ranks)[0] == "Rank 2, which is not selected, is a straggler"


def test_above_others_is_the_difference_to_the_lower_median_of_the_rest() -> None:
    values = {0: [5], 1: [4, 9], 2: [1, 2, 3], 3: [7, 7, 1, 8, 2]}
    group = pl.Series([key for key, of in values.items() for _ in of]).to_numpy()
    found = above_others(group, pl.Series([one for of in values.values() for one in of]).to_numpy())
    expected = []
    for of in values.values():
        for at, one in enumerate(of):
            others = sorted(of[:at] + of[at + 1 :])
            expected.append(one - others[(len(others) - 1) // 2] if others else 0)
    assert found.tolist() == expected
