"""Collectives of made ranks are found again on all of them, whatever the recordings lack."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import stepscope
from made_ranks import MS, Clock, Compute, Extra, Layout, MadeRanks, Parallel, data_parallel, fully_sharded
from stepscope.analyses.ranks.call_alignment import best_shift, lay
from stepscope.analyses.ranks.matching import matched_calls
from stepscope.analyses.ranks.waiting import coverage

ALL_DIMENSIONS = Parallel(Layout(dp=2, tp=2, pp=2))
EXPERTS = MadeRanks(Parallel(Layout(dp=4, tp=1, pp=2, ep=2), expert_load=(3 << 20, 1 << 20)), 8)
REPLICAS = MadeRanks(data_parallel(Layout(dp=4)), 4)
SPLIT = MadeRanks(ALL_DIMENSIONS, 8)
LATE = Extra(2, Compute(5 * MS))


def some_calls(made: MadeRanks, rank: int, *numbers: int) -> frozenset[tuple[int, int]]:
    """The n-th calls in which a rank takes part, as `MadeRanks.dropped` names them."""
    mine = [number for number, call in enumerate(made.calls) if rank in call.arrivals]
    return frozenset((rank, mine[number]) for number in numbers)


def truth(made: MadeRanks, calls: pl.DataFrame) -> pl.DataFrame:
    """The calls with the number of the call that each kernel truly belongs to."""
    known: dict[tuple[int, int, int | None, int | None], int] = {}
    for number, call in enumerate(made.calls):
        sender, receiver = call.ranks if call.call.peer is not None else (None, None)
        for rank, arrival in call.arrivals.items():
            known[rank, made.shown(rank, arrival), sender, receiver] = number
    keys = calls.select("rank", "start_ns", "sender", "receiver").rows()
    return calls.with_columns(pl.Series("truth", [known.get(key) for key in keys], dtype=pl.Int64))


CASES = {
    "replicas": REPLICAS,
    "a late rank": replace(REPLICAS, extras=(LATE,)),
    "sharded": MadeRanks(fully_sharded(Layout(dp=4)), 4),
    "data, tensor and pipeline parallel": SPLIT,
    "experts": EXPERTS,
    "groups of one name": replace(SPLIT, named_alike=True),
    "numbered": replace(SPLIT, numbered=True, dropped=some_calls(SPLIT, 1, 2, 7), windows={1: (1, 2)}),
    "other windows": replace(SPLIT, steps=4, windows={0: (0, 2), 1: (1, 3), 2: (2, 3)}),
    "began before the recording": replace(REPLICAS, unlaunched={0: 3, 1: 7, 2: 5}, windows={0: (1, 2), 1: (1, 2)}),
    "calls are missing": replace(SPLIT, dropped=some_calls(SPLIT, 0, 2) | some_calls(SPLIT, 3, 5, 6)),
    "equal calls are missing": replace(REPLICAS, dropped=some_calls(REPLICAS, 0, 1) | some_calls(REPLICAS, 2, 3)),
    "clocks far apart": replace(REPLICAS, clocks={1: Clock(3 * MS), 2: Clock(-1_000_000_000)}, extras=(LATE,)),
    "a group of forty": MadeRanks(data_parallel(Layout(dp=40)), 40),
}


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.long) if case == "a group of forty" else case for case in CASES]
)
def test_kernels_of_a_collective_are_found_on_all_ranks(case: str, tmp_path: Path) -> None:
    made = CASES[case]
    calls = truth(made, matched_calls(made.open(tmp_path / "run").profile))
    matched = calls.filter(pl.col("collective").is_not_null())
    assert (matched.group_by("collective").agg(pl.col("truth").n_unique())["truth"] == 1).all(), "others are mixed in"
    shared = calls.filter(pl.len().over("truth") > 1)
    assert shared["collective"].null_count() == 0, "some are missed"
    assert (shared.group_by("truth").agg(pl.col("collective").n_unique())["collective"] == 1).all(), "some are parted"
    alone = calls.filter(pl.len().over("truth") == 1)
    assert alone["collective"].is_null().all(), "no other rank has them"


@pytest.mark.long
def test_without_metadata_order_alone_is_believed_where_kernels_run_together(tmp_path: Path) -> None:
    made = replace(REPLICAS, described=False)
    calls = truth(made, matched_calls(made.open(tmp_path / "run").profile))
    assert calls["collective"].null_count() == 0
    assert (calls.group_by("collective").agg(pl.col("truth").n_unique())["truth"] == 1).all()
    apart = replace(made, clocks={rank: Clock(rank * 1_000_000_000) for rank in range(1, 4)})
    assert matched_calls(apart.open(tmp_path / "apart").profile)["collective"].is_null().all()


def test_ranks_that_are_not_open_are_missed_by_name(tmp_path: Path) -> None:
    opened = REPLICAS.open(tmp_path / "run", [0, 1, 3])
    share = coverage(opened.profile)
    assert (share.calls, share.matched, share.complete) == (27, 27, 0)
    assert opened.notes("stragglers")[1:] == [
        ("27 of 27 matched kernels lack partners on some ranks of their group: the last rank to arrive may not be open")
    ]


def test_messages_launched_as_one_are_matched_in_groups_of_two_only(tmp_path: Path) -> None:
    """Ranks of a longer pipeline run different numbers of them: by order they would be mixed up."""
    for stages, matched in ((2, True), (4, False)):
        made = MadeRanks(Parallel(Layout(pp=stages)), stages)
        for path in made.write(tmp_path / str(stages)):
            text = path.read_text().replace('"Collective name": "send"', '"Collective name": "coalesced"')
            text = text.replace('"Collective name": "recv"', '"Collective name": "coalesced"')
            path.write_text(re.sub(r'"(Src|Dst) Rank": \d+, ', "", text))
        calls = matched_calls(stepscope.open(str(tmp_path / str(stages))).profile)
        assert calls["op"].unique().to_list() == ["coalesced"]
        assert calls["collective"].is_not_null().any() == matched


def test_one_rank_has_no_partners(tmp_path: Path) -> None:
    opened = REPLICAS.open(tmp_path / "run", [1])
    assert matched_calls(opened.profile)["collective"].is_null().all()
    for table in ("collectives", "stragglers", "rank_waits"):
        assert len(opened.show(table)) == 0
        assert opened.notes(table) == [
            "one rank is open: which rank waits for which is unknown; open the folder of all ranks"
        ]


@pytest.mark.long
def test_the_order_of_the_files_does_not_matter(tmp_path: Path) -> None:
    SPLIT.write(tmp_path / "a")
    for rank in range(8):
        (tmp_path / "b").mkdir(exist_ok=True)
        (tmp_path / "b" / f"{7 - rank}.json").write_bytes((tmp_path / "a" / f"rank{rank}.json").read_bytes())
    first, second = (stepscope.open(str(tmp_path / name)) for name in "ab")
    for table in ("collectives", "stragglers", "rank_matrix", "job", "communication"):
        assert first.show(table).equals(second.show(table)), table


def test_lists_are_laid_where_most_agree_then_where_they_are_near() -> None:
    array = pl.Series
    found = lay(
        array([7, 7, 8]).to_numpy(),
        array([7, 7, 7, 8]).to_numpy(),
        array([0, 21, 30]).to_numpy(),
        array([0, 10, 20, 30]).to_numpy(),
    )
    assert found.tolist() == [0, 2, 3]


def test_a_list_is_shifted_to_where_names_agree() -> None:
    array = pl.Series
    names, times = array([1, 2, 3, 1, 2, 3]).to_numpy(), array([0, 10, 20, 30, 40, 50]).to_numpy()
    assert best_shift((names[1:], times[1:], times[1:] + 5), (names, times, times + 5)) == 1
    assert best_shift((names[:-1], times[:-1], times[:-1] + 5), (names, times, times + 5)) == 0
