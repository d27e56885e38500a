"""Late ranks of jobs whose ranks were recorded unevenly: other numbers, other windows, missing files, no steps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import stepscope
from made_ranks import MS, Call, Compute, Extra, Layout, MadeRanks, Network, Parallel, data_parallel, fully_sharded
from ranks_working import Item, Program
from stepscope.analyses.ranks.step_numbering import step_offsets

LATE = Compute(5 * MS)


def accused(opened: stepscope.OpenProfile) -> dict[int, int]:
    table = opened.show("stragglers").filter(pl.col("verdict") == "straggler")
    return dict(table.select("rank", "lateness_ns").rows())


def renumber(path: Path, by: int) -> None:
    renamed = re.sub(r"ProfilerStep#(\d+)", lambda found: f"ProfilerStep#{int(found[1]) + by}", path.read_text())
    path.write_text(renamed)


def test_offsets_are_those_to_the_numbers_of_most() -> None:
    """Ranks 1 and 2 meet 0 and 3 respectively, and each other once; the numbers of 4 and 5 nobody else knows."""
    steps = {0: 7, 1: 107, 2: 7, 3: 7, 4: 1, 5: 2}
    meetings = [(0, 1), (0, 1), (1, 2), (2, 3), (4, 5)]
    calls = [(at, rank, steps[rank]) for at, ranks in enumerate(meetings) for rank in ranks]
    calls.append((99, 0, 8))  # launched a step later, once
    calls.append((99, 2, 7))
    frame = pl.DataFrame(calls, schema=["collective", "rank", "step"], orient="row")
    assert step_offsets(frame) == {0: 0, 1: -100, 2: 0, 3: 0, 4: 0, 5: -1}
    assert step_offsets(frame.clear()) == {}


@pytest.mark.long
@pytest.mark.parametrize("renumbered", [4, 5])
@pytest.mark.parametrize("late", [4, 5])
def test_a_pair_of_which_one_counts_otherwise(late: int, renumbered: int, tmp_path: Path) -> None:
    """Of the two ranks of a tensor parallel pair none has the numbers of most."""
    made = MadeRanks(Parallel(Layout(dp=2, tp=2, pp=2)), 8, steps=5, extras=(Extra(late, LATE, at=1),))
    paths = made.write(tmp_path / "run")
    renumber(paths[renumbered], 100)
    opened = stepscope.open(str(tmp_path / "run"))
    assert accused(opened) == {late: pytest.approx(5 * MS, rel=0.02)}
    assert opened.show("job")["ranks"].to_list() == [8] * 6
    by_step = opened.show("stragglers", by="step")
    assert by_step.select("rank", "step").is_duplicated().sum() == 0
    assert by_step.filter(pl.col("rank") == renumbered)["step"].min() >= 100


def test_windows_that_overlap_in_two_steps(tmp_path: Path) -> None:
    """In the other steps most collectives lack partners: they tell nothing, and count for nothing."""
    windows = {rank: (2, 5) if rank % 2 else (0, 3) for rank in range(4)}
    made = MadeRanks(fully_sharded(Layout(dp=4)), 4, steps=6, windows=windows, extras=(Extra(1, LATE),))
    opened = made.open(tmp_path / "run")
    assert accused(opened) == {1: pytest.approx(5 * MS, rel=0.05)}


@pytest.mark.parametrize("layout", [Layout(dp=2, pp=2), Layout(dp=2, tp=2, pp=2)])
def test_a_missing_file_hides_no_straggler(layout: Layout, tmp_path: Path) -> None:
    """What rank 0 waits for the missing stage is not its own work, against which rank 1 would look quick."""
    made = MadeRanks(Parallel(layout), layout.world, steps=5, extras=(Extra(1, Compute(15 * MS)),))
    opened = made.open(tmp_path / "run", [rank for rank in range(layout.world) if rank != layout.world // 2])
    assert accused(opened) == {1: pytest.approx(15 * MS, rel=0.02)}


def test_a_rank_without_marked_steps_is_judged_by_the_others(tmp_path: Path) -> None:
    made = MadeRanks(data_parallel(Layout(dp=4)), 4, steps=5, extras=(Extra(2, LATE),))
    paths = made.write(tmp_path / "run")
    trace = json.loads(paths[2].read_text())
    trace["traceEvents"] = [one for one in trace["traceEvents"] if not one["name"].startswith("ProfilerStep")]
    paths[2].write_text(json.dumps(trace))
    opened = stepscope.open(str(tmp_path / "run"))
    assert accused(opened) == {2: pytest.approx(5 * MS, rel=0.05)}
    job = opened.show("job")
    assert job["ranks"].to_list() == [3] * 6
    assert job["waited_for"].to_list() == [2] * 6


def buffers_first(ranks: tuple[int, ...]) -> Program:
    """Replicas whose buffers the first one sends to the others at the beginning of each step."""
    plain: Callable[[int, int], list[Item]] = data_parallel(Layout(dp=len(ranks)))
    return lambda rank, step: [Call("broadcast", ranks, 1 << 16, description="data parallel"), *plain(rank, step)]


@pytest.mark.long
@pytest.mark.parametrize("root_leaves", [False, True])
@pytest.mark.parametrize("late", [0, 1])
def test_a_rank_that_is_late_at_a_broadcast(late: int, root_leaves: bool, tmp_path: Path) -> None:
    program, network = buffers_first((0, 1, 2, 3)), Network(root_leaves=root_leaves)
    made = MadeRanks(program, 4, steps=5, network=network, extras=(Extra(late, LATE),))
    assert accused(made.open(tmp_path / "late")) == {late: pytest.approx(5 * MS, rel=0.05)}
    plain = MadeRanks(program, 4, steps=5, network=network, jitter_ns=100_000)
    assert accused(plain.open(tmp_path / "plain")) == {}
