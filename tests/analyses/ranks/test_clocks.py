"""Clocks of made ranks are put right by as much as they are wrong, and left alone where they are not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import stepscope
from made_ranks import MS, Clock, Compute, Extra, Layout, MadeRanks, Parallel, data_parallel
from stepscope.analyses.ranks.alignment import END_SKEW_NS, ONE_CLOCK, SAME_HOST, rank_clocks, rank_shifts

REPLICAS = MadeRanks(data_parallel(Layout(dp=4)), 4, steps=8)
LATE = Extra(2, Compute(5 * MS))


@pytest.mark.parametrize("extras", [(), (LATE,)], ids=["alike", "a late rank"])
def test_offsets_are_found_whoever_is_late(extras: tuple[Extra, ...], tmp_path: Path) -> None:
    clocks = {1: Clock(3 * MS), 2: Clock(-1_000_000_000), 3: Clock(300_000)}
    made = replace(REPLICAS, clocks=clocks, extras=extras)
    found = rank_clocks(made.open(tmp_path / "run").profile)
    for rank, clock in found.items():
        planted = clocks.get(rank, Clock()).offset_ns
        assert abs(clock.offset_ns - planted) <= (clock.uncertainty_ns or 0) <= 2 * END_SKEW_NS
        assert clock.drift is None


def test_a_drift_is_found_where_the_recording_is_long_enough(tmp_path: Path) -> None:
    made = replace(REPLICAS, steps=60, clocks={1: Clock(2 * MS, 100.0)})
    opened = made.open(tmp_path / "run", [0, 1])
    clock = rank_clocks(opened.profile)[1]
    assert clock.drift == pytest.approx(100e-6, rel=0.02)
    # In the middle of the recording the clock has gained half of the drift.
    middle = clock.middle_ns - made.shown(0, 0)
    assert abs(clock.offset_ns - (2 * MS + round(100e-6 * middle))) <= END_SKEW_NS
    table = opened.show("collectives")
    truth = [max(call.arrivals.values()) - min(call.arrivals.values()) for call in made.calls]
    assert len(truth) == len(table)
    apart = opened.show("collectives")["end_spread_ns"]
    assert apart.max() <= END_SKEW_NS, "ends of a collective agree on the job's clock"


def test_drifting_clocks_agree_in_the_middle_of_the_job(tmp_path: Path) -> None:
    """Ranks 0 and 3 meet through 1 and through 2 only: every drift counts from one moment, else they part there."""
    layout = Layout(dp=2, tp=2)
    clocks = {1: Clock(MS, 80.0), 2: Clock(-2 * MS, -50.0), 3: Clock(5 * MS, 120.0)}
    made = MadeRanks(Parallel(layout), 4, steps=60, clocks=clocks)
    opened = made.open(tmp_path / "run")
    found = rank_clocks(opened.profile)
    assert len({clock.middle_ns for clock in found.values()}) == 1
    for rank, planted in clocks.items():
        middle = found[rank].middle_ns - made.shown(0, 0)
        expected = planted.offset_ns + round(planted.drift_ppm * middle / 1e6)
        assert abs(found[rank].offset_ns - expected) <= (found[rank].uncertainty_ns or 0)


def test_one_clock_is_left_as_it_is(tmp_path: Path) -> None:
    opened = REPLICAS.open(tmp_path / "run")
    assert set(rank_shifts(opened.profile).values()) == {0}
    assert opened.show("clocks")["method"].to_list() == ["the job's clock", *[ONE_CLOCK] * 3]


@pytest.mark.parametrize("folder", ["ddp4", "ddp4_straggler", "fsdp4", "collectives4"])
def test_recorded_ranks_of_one_machine_share_a_clock(shared_data: Path, folder: str) -> None:
    """Their ends differ by some ms, because they take turns on one GPU: that is no offset."""
    table = stepscope.open(str(shared_data / "h200" / "ranks" / folder)).show("clocks")
    assert table["offset_ns"].to_list() == [0, 0, 0, 0]
    assert (table["uncertainty_ns"][1:] > 1_000_000).all()


def test_machines_that_meet_only_through_others_are_joined(tmp_path: Path) -> None:
    """Ranks 0 and 3 share no collective: 0 meets 1, and 1 meets 3."""
    layout = Layout(dp=2, tp=2)
    made = MadeRanks(Parallel(layout), 4, steps=4, clocks={1: Clock(MS), 2: Clock(5 * MS), 3: Clock(9 * MS)})
    found = rank_clocks(made.open(tmp_path / "run").profile)
    assert {rank: round(clock.offset_ns / MS, 1) for rank, clock in found.items()} == {0: 0, 1: 1, 2: 5, 3: 9}


def test_ranks_without_a_collective_in_common_keep_their_clocks(tmp_path: Path) -> None:
    made = MadeRanks(data_parallel(Layout(dp=2)), 2, clocks={1: Clock(MS)}, described=True)
    made.write(tmp_path / "run")
    for rank in (0, 1):
        path = tmp_path / "run" / f"rank{rank}.json"
        path.write_text(path.read_text().replace("[0, 1]", f"[{rank}]").replace('"Group size": 2', '"Group size": 1'))
    opened = stepscope.open(str(tmp_path / "run"))
    assert opened.show("clocks")["uncertainty_ns"].to_list() == [0, None]
    assert opened.notes("clocks") == ["rank 1: no collective joins its clock to the job's, so it is not corrected"]


def test_files_named_after_their_machine_share_its_clock(tmp_path: Path) -> None:
    clocks = {2: Clock(4 * MS), 3: Clock(4 * MS)}
    paths = replace(REPLICAS, clocks=clocks).write(tmp_path / "run")
    for rank, path in enumerate(paths):
        path.rename(path.with_name(f"node{rank // 2}_{100 + rank}.17{rank}.pt.trace.json"))
    table = stepscope.open(str(tmp_path / "run")).show("clocks")
    assert table["host"].to_list() == ["node0", "node0", "node1", "node1"]
    assert table["method"][1] == SAME_HOST
    assert table["offset_ns"][2] == table["offset_ns"][3] == pytest.approx(4 * MS, abs=END_SKEW_NS)


def checks(opened: stepscope.OpenProfile) -> dict[str, tuple[str, str]]:
    table = opened.show("health")
    names = ("matched_collectives", "common_clock")
    return {row[0]: row[1:] for row in table.select("check", "status", "value").rows() if row[0] in names}


@pytest.mark.long
def test_health_says_what_was_matched_and_whose_clock_is_off(tmp_path: Path) -> None:
    right = REPLICAS.open(tmp_path / "right")
    assert checks(right) == {"matched_collectives": ("ok", "100 %"), "common_clock": ("ok", "one clock")}
    off = replace(REPLICAS, clocks={1: Clock(3 * MS)}).open(tmp_path / "off")
    assert checks(off)["common_clock"] == ("ok", "offsets up to 3.00 ms")
    missing = REPLICAS.open(tmp_path / "missing", [0, 1])
    assert checks(missing)["matched_collectives"] == ("warning", "100 %")
    assert checks(REPLICAS.open(tmp_path / "one", [0])) == {}


@pytest.mark.long
def test_a_collective_that_a_rank_leaves_before_another_comes_is_told(tmp_path: Path) -> None:
    paths = REPLICAS.write(tmp_path / "run")
    trace = json.loads(paths[3].read_text())
    calls = [event for event in trace["traceEvents"] if event["name"].startswith("nccl")]
    for event in calls[::12]:
        event["ts"] = f"{float(event['ts']) + 900:.3f}"
    paths[3].write_text(json.dumps(trace))
    row = (
        stepscope.open(str(tmp_path / "run"))
        .show("health")
        .filter(pl.col("check") == "common_clock")
        .row(0, named=True)
    )
    assert row["status"] == "warning"
    wrong = "of them a rank leaves before another arrives: the matching or the clocks are wrong there"
    assert row["detail"].endswith(wrong)
