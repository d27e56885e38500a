"""Waiting, transfer and bandwidth against the truth of made ranks, and sums that have to be exact."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import stepscope
from made_ranks import MS, Compute, Extra, Layout, MadeRanks, Parallel, TrueCall, data_parallel, fully_sharded

MADE = {
    "replicas": MadeRanks(data_parallel(Layout(dp=4)), 4, extras=(Extra(1, Compute(2 * MS)),)),
    "sharded": MadeRanks(fully_sharded(Layout(dp=4)), 4, jitter_ns=200_000),
    "all": MadeRanks(Parallel(Layout(dp=2, tp=2, pp=2, ep=2)), 8),
}
PARTS = ("compute", "exposed_wait", "exposed_transfer", "exposed_unmatched", "exposed_memory", "idle")


@pytest.fixture(params=[*MADE, "ddp4_straggler", "fsdp4", "collectives4"])
def opened(request: pytest.FixtureRequest, tmp_path: Path, shared_data: Path) -> stepscope.OpenProfile:
    made = MADE.get(request.param)
    if made is not None:
        return made.open(tmp_path / "run")
    return stepscope.open(str(shared_data / "h200" / "ranks" / request.param))


def test_parts_of_a_step_add_up(opened: stepscope.OpenProfile) -> None:
    rows = opened.show("rank_matrix")
    parts = pl.sum_horizontal(f"{part}_ns" for part in PARTS)
    assert rows.filter(parts != pl.col("duration_ns")).rows() == []
    assert rows.select(pl.col(f"{part}_ns").min() >= 0 for part in PARTS).row(0) == (True,) * len(PARTS)
    assert rows.filter(pl.col("own_ns") + pl.col("exposed_wait_ns") != pl.col("duration_ns")).rows() == []


def test_waiting_transfer_and_what_was_not_matched_add_up(opened: stepscope.OpenProfile) -> None:
    for by in ("", "size", "rank"):
        table = opened.show("communication", by=by)
        told = pl.col("transfer_ns").fill_null(0) + pl.col("wait_ns").fill_null(0) + pl.col("unmatched_ns")
        assert table.filter(told != pl.col("total_ns")).rows() == []
        assert table.filter(pl.col("exposed_wait_ns") > pl.col("exposed_ns")).rows() == []
    waits = opened.show("rank_waits")["wait_ns"].sum()
    assert waits == opened.show("collectives")["wait_ns"].sum() == opened.show("communication")["wait_ns"].sum()


def test_the_job_is_its_ranks(opened: stepscope.OpenProfile) -> None:
    job, rows = opened.show("job"), opened.show("rank_matrix").filter(pl.col("cut") == 0)
    for row in job.filter(pl.col("step").is_not_null()).iter_rows(named=True):
        mine = rows.filter(pl.col("step") == row["step"])
        assert row["duration_ns"] == mine["duration_ns"].max()
        assert (row["best_ns"], row["slowest_ns"]) == (mine["own_ns"].min(), mine["own_ns"].max())
        assert row["exposed_wait_ns"] == pytest.approx(mine["exposed_wait_ns"].mean(), abs=1)
    exposed = ("exposed_wait_ns", "exposed_transfer_ns", "exposed_unmatched_ns")
    assert job.filter(pl.sum_horizontal(exposed) != pl.col("exposed_communication_ns")).rows() == []


def test_who_is_waited_for_on_the_mean_is_who_is_in_its_steps(tmp_path: Path) -> None:
    """Two ranks recorded one step more, in which they wait long for one of them: no step of the job."""
    extras = (Extra(1, Compute(2 * MS)), Extra(3, Compute(20 * MS), steps=(3,)))
    windows = {0: (0, 2), 2: (0, 2)}
    opened = MadeRanks(data_parallel(Layout(dp=4)), 4, steps=4, extras=extras, windows=windows).open(tmp_path / "run")
    assert opened.show("job").select("step", "waited_for").rows() == [(None, 1), (0, 1), (1, 1), (2, 1)]


@pytest.mark.long
@pytest.mark.parametrize("name", MADE)
def test_waits_are_those_of_the_truth(name: str, tmp_path: Path) -> None:
    made = MADE[name]
    table = made.open(tmp_path / "run").show("collectives")
    begun: dict[tuple[int, int], list[TrueCall]] = {}
    for call in made.calls:
        if call.call.peer is None and len(call.arrivals) > 1:
            first = min(made.shown(rank, at) for rank, at in call.arrivals.items())
            begun.setdefault((first, len(call.arrivals)), []).append(call)
    checked = 0
    for row in table.filter(pl.col("op") != "send_recv").iter_rows(named=True):
        calls = begun[row["start_ns"], row["matched"]]
        if len(calls) > 1:
            continue  # two groups begin in the same nanosecond
        (call,) = calls
        last = max(call.arrivals.values())
        assert row["skew_ns"] == last - min(call.arrivals.values())
        expected = {rank: end - last for rank, end in call.ends.items()}
        assert row["transfer_ns"] == pytest.approx(expected[row["last_rank"]], abs=2)
        assert row["wait_ns"] == pytest.approx(sum(call.waits.values()), abs=2 * len(call.ranks))
        checked += 1
    assert checked > len(begun) / 2


def test_bandwidth_is_bytes_over_transfer_times_the_factor(tmp_path: Path) -> None:
    opened = MADE["sharded"].open(tmp_path / "run")
    for row in opened.show("communication", by="size").filter(pl.col("dtype").is_not_null()).iter_rows(named=True):
        assert row["algbw"] == pytest.approx(row["bytes"] / row["transfer_ns"])
        assert row["busbw"] == pytest.approx(row["algbw"] * 3 / 4)
    gathered = opened.show("collectives").filter(pl.col("op") == "all_gather").row(0, named=True)
    # The size of an all-gather is what every rank has in the end: 4 parts of 1 Mi bfloat16.
    assert gathered["call_bytes"] == 4 * 2 * (1 << 20)
    assert gathered["algbw"] == pytest.approx(gathered["call_bytes"] / gathered["transfer_ns"])


def test_without_matched_partners_no_bandwidth_is_given(tmp_path: Path) -> None:
    opened = MADE["sharded"].open(tmp_path / "run", [2])
    table = opened.show("communication")
    assert table["algbw"].null_count() == len(table)
    assert (table["unmatched_ns"] == table["total_ns"]).all()


def test_selected_steps_are_matched_with_all_of_the_others(tmp_path: Path) -> None:
    opened = MADE["replicas"].open(tmp_path / "run")
    whole = opened.show("collectives")
    assert opened.show("collectives", step=1).equals(whole.filter(pl.col("step") == 1))
    assert opened.show("rank_matrix", step=1).equals(opened.show("rank_matrix").filter(pl.col("step") == 1))


@pytest.mark.long
def test_a_group_that_moves_less_than_others_is_named(tmp_path: Path) -> None:
    """Of four groups one moves half of what the others do."""
    layout = Layout(dp=2, tp=4)
    alike = MadeRanks(data_parallel(layout, elements=16 << 20), 8, jitter_ns=0)
    assert [note for note in alike.open(tmp_path / "alike").notes("communication") if "GB/s" in note] == []
    paths = alike.write(tmp_path / "slow")
    for rank in layout.groups("dp")[1]:
        trace = json.loads(paths[rank].read_text())
        for event in trace["traceEvents"]:
            if event["name"].startswith("nccl"):
                event["dur"] = f"{2 * float(event['dur']):.3f}"
        paths[rank].write_text(json.dumps(trace))
    (told,) = [note for note in stepscope.open(str(tmp_path / "slow")).notes("communication") if "GB/s" in note]
    assert told.startswith("all_reduce of 32.0 MiB: ranks [1, 5] reach ")
    assert told.endswith(" % of the median of 4 groups")
