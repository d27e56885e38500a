"""A part of a snapshot's history: what is read, and that it says the same as the whole."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import stepscope
from analyses.test_memory_snapshots import leaking
from building import kernel, operator, write
from building.snapshots import START_US, MadeSnapshot, random_history, small_training
from stepscope.errors import BadRequest, UnreadableInput

MIB = 1 << 20
LEVELS = ["event", "at_ns", "change_bytes", "allocated_bytes", "active_bytes", "reserved_bytes"]


def opened(folder: Path, made: MadeSnapshot, between: tuple[int | None, int | None]) -> stepscope.OpenProfile:
    return stepscope.open(made.write(folder / "snapshot.pickle"), between_ns=between)


@pytest.mark.parametrize("seed", range(8))
def test_a_part_says_what_the_whole_says_of_it(tmp_path: Path, seed: int) -> None:
    made = random_history(seed, 1500)
    whole = made.opened(tmp_path)
    timeline = whole.show("memory_timeline")
    first, last = int(timeline["at_ns"].min()), int(timeline["at_ns"].max())  # type: ignore[arg-type]
    dice = random.Random(seed)
    begin, end = sorted(dice.randrange(last - first) for _ in range(2))
    part = opened(tmp_path, made, (begin, end + 1))
    inside = pl.col("at_ns").is_between(first + begin, first + end) & pl.col("event").is_not_null()
    own = part.show("memory_timeline")
    assert own.filter(pl.col("event").is_not_null()).select(LEVELS).equals(timeline.filter(inside).select(LEVELS))
    assert own["at_ns"][0] == first + begin
    before = timeline.filter(pl.col("at_ns") < first + begin).tail(1) if begin else timeline.head(1)
    assert own.select(LEVELS[3:]).row(0) == before.select(LEVELS[3:]).row(0)
    assert int(part.show("memory_peak")["alive_bytes"].sum()) == own["allocated_bytes"].max()
    for table in ("memory_segments", "memory_blocks", "memory_fragmentation"):
        columns = [name for name in part.show(table).columns if name not in ("category", "start_ns")]
        assert part.show(table).select(columns).equals(whole.show(table).select(columns))
    assert_events(part, whole, first + begin, first + end + 1)


def assert_events(part: stepscope.OpenProfile, whole: stepscope.OpenProfile, begin: int, end: int) -> None:
    alive = (pl.col("start_ns").is_null() | (pl.col("start_ns") < end)) & (
        pl.col("end_ns").is_null() | (pl.col("end_ns") >= begin)
    )
    columns = ["address", "bytes", "start_ns", "end_ns", "fate", "event"]
    expected = whole.show("memory_events").filter(alive).select(columns).sort(columns)
    assert part.show("memory_events").select(columns).sort(columns).equals(expected)


def test_what_was_left_out_is_told(tmp_path: Path) -> None:
    made = MadeSnapshot()
    large = made.segment(64 * MIB)
    for _ in range(10):
        made.free(made.alloc(large, 1 * MIB, "train.py:3 main"))
    profile = opened(tmp_path, made, (16_000, 19_000))
    assert profile.show("memory_timeline")["event"].to_list() == [None, 16, 17, 18]
    row = profile.show("health").filter(pl.col("check") == "memory_history").row(0, named=True)
    assert (row["status"], row["value"]) == ("warning", "in part")
    assert row["detail"] == (
        "only what was alive at 16.0 us to 19.0 us of the history was read, as --between says; 27 entries are left out"
    )
    assert profile.notes("memory_peak")[-1] == (
        "of snapshot.pickle only what was alive at 16.0 us to 19.0 us of its history is shown; 27 entries are left out"
    )
    assert profile.show("recordings")["events"].to_list() == [31 - 27]


def test_open_ends(tmp_path: Path) -> None:
    made = small_training()
    assert (
        opened(tmp_path, made, (None, None))
        .show("memory_timeline")
        .equals(made.opened(tmp_path).show("memory_timeline"))
    )
    assert len(opened(tmp_path, made, (10**18, None)).show("memory_timeline")) == 1


def test_each_part_is_kept_apart_from_the_whole(tmp_path: Path) -> None:
    made = small_training()
    profiles = [opened(tmp_path, made, (0, end)) for end in (3_000, 5_000)]
    assert [len(one.show("memory_timeline")) for one in (*profiles, made.opened(tmp_path))] == [4, 6, 16]


def test_memory_that_ran_out_elsewhere_is_left_out(tmp_path: Path) -> None:
    made = MadeSnapshot()
    large = made.segment(64 * MIB)
    made.alloc(large, 1 * MIB, "train.py:3 main")
    made.oom(100 * MIB, 0, "train.py:4 main")
    made.alloc(large, 2 * MIB, "train.py:5 main")
    made.oom(200 * MIB, 0, "train.py:6 main")
    assert opened(tmp_path, made, (4_000, None)).show("memory_oom")["requested_bytes"].to_list() == [200 * MIB]
    assert opened(tmp_path, made, (0, 4_000)).show("memory_oom")["requested_bytes"].to_list() == [100 * MIB]


def test_growth_counts_the_steps_of_the_part(tmp_path: Path) -> None:
    made = MadeSnapshot()
    large = made.segment(4000 * MIB)
    for number in range(12):
        if number >= 6:
            made.alloc(large, 2 * MIB, "train.py:7 log")
        made.free(made.alloc(large, 20 * MIB, "train.py:5 forward"))
        made.range("Optimizer.step#AdamW.step")
        made.range("Optimizer.step#AdamW.step", end=True)
    assert len(made.opened(tmp_path).show("memory_leaks")) == 0
    at = (made.annotations[13]["time_us"] - START_US) * 1000
    rows = opened(tmp_path, made, (at, None)).show("memory_leaks").select("source", "bytes_per_step", "alive_bytes")
    assert rows.rows() == [("train.py:7", 2 * MIB, 12 * MIB)]


def test_growth_of_a_part_counts_no_part_of_a_step(tmp_path: Path) -> None:
    """Steps 3 and 10 are cut by its edges, the first whole one is left out; what is made later is not alive in it."""
    made = leaking(12)
    made.write(tmp_path / "snapshot.pickle")
    begins = [(one["time_us"] - START_US) * 1000 for one in made.annotations if one["stage"] == "START"]
    part = opened(tmp_path, made, (begins[2] + 4000, begins[9] + 4000))
    steps = part.show("memory_leaks", by="step")
    assert steps["step"].to_list() == [5, 6, 7, 8, 9]
    last = steps.row(-1, named=True)
    assert (last["then_bytes"], last["then_blocks"]) == (20 * MIB, 10)
    assert (last["alive_bytes"], last["blocks"]) == (22 * MIB, 11)
    few = opened(tmp_path, made, (begins[4] + 4000, begins[7]))
    assert len(few.show("memory_leaks")) == 0
    assert few.notes("memory_leaks")[0] == (
        "rank 0: the part shown holds fewer than three whole steps, too few to tell what grows"
    )


def test_only_snapshots_with_times_are_read_in_part(tmp_path: Path) -> None:
    untimed = MadeSnapshot(timed=False)
    untimed.alloc(untimed.segment(2 * MIB), 1000, "train.py:3 main")
    with pytest.raises(UnreadableInput, match="its entries have no times"):
        opened(tmp_path, untimed, (0, 5))
    write(tmp_path / "trace.json", operator("aten::mm", 100, 200), kernel("gemm", 150, 300))
    with pytest.raises(BadRequest, match="only memory snapshots can be read in part"):
        stepscope.open(tmp_path / "trace.json", between_ns=(0, 5))


@pytest.mark.parametrize("value", [5, (1,), (5, 5), (-1, None), ("a", "b"), (1, 2, 3), (7, 3)])
def test_what_is_no_part_is_refused(tmp_path: Path, value: Any) -> None:
    with pytest.raises(BadRequest, match="cannot read the part"):
        opened(tmp_path, small_training(), value)


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["dit_train", "leak", "oom"])
def test_categories_of_a_recorded_part_are_those_of_the_whole(shared_data: Path, name: str) -> None:
    path = shared_data / "h200" / "memory" / f"{name}.pickle.gz"
    whole = stepscope.open(path)
    at = whole.show("memory_timeline")["at_ns"]
    begin = int(0.96 * (int(at.max()) - int(at.min())))  # type: ignore[arg-type]
    part = stepscope.open(path, between_ns=(begin, None))
    sides = [one.show("memory_categories", by="point").drop_nulls("event") for one in (whole, part)]
    both = sides[0].join(sides[1], ["event", "category"], suffix="_part")
    assert len(both) > 100
    assert (both["bytes"] == both["bytes_part"]).all()
