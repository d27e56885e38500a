"""Two recordings compared: what grew between their peaks."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import stepscope
from building import operator, step, write
from building.snapshots import MadeSnapshot, random_history, small_training
from stepscope.errors import BadRequest

MIB = 1 << 20
GROUPINGS = ("", "category", "operator", "stack")


def changed_training() -> MadeSnapshot:
    """`small_training` with a larger activation, no optimizer's state, and a cache."""
    made = MadeSnapshot()
    large = made.segment(64 << 20)
    made.alloc(large, 4_000_000, "torch/nn/modules/linear.py:9 __init__", "train.py:3 build")
    made.alloc(large, 1_000_000, "train.py:20 cache")
    scratch = made.alloc(large, 9_000_001, "torch/nn/modules/linear.py:20 forward", "train.py:9 forward")
    made.range("Optimizer.step#SGD.step")
    made.range("Optimizer.step#SGD.step", end=True)
    made.free(made.alloc(large, 500, "torch/autograd/graph.py:8 _engine_run_backward", "train.py:10 main"))
    made.free(scratch)
    return made


def test_what_grew_by_category_and_line(tmp_path: Path) -> None:
    before, after = small_training().opened(tmp_path / "a"), changed_training().opened(tmp_path / "b")
    compared = after.with_base(before)
    columns = ("category", "source", "base_bytes", "new_bytes", "delta_bytes", "base_blocks", "new_blocks", "status")
    assert compared.show("memory_diff").select(columns).rows() == [
        ("optimizer state", "train.py:12", 4_000_000, None, -4_000_000, 1, None, "gone"),
        ("activations", "train.py:9", 8_000_001, 9_000_001, 1_000_000, 1, 1, "changed"),
        ("unknown", "train.py:20", None, 1_000_000, 1_000_000, None, 1, "new"),
        ("temporaries", "train.py:10", None, 500, 500, None, 1, "new"),
        ("parameters", "train.py:3", 4_000_000, 4_000_000, 0, 1, 1, "same"),
    ]
    assert compared.notes("memory_diff") == ["cuda:0: peak 15.3 MiB before, 13.4 MiB after"]
    levels = compared.show("memory_diff", by="level").select("level", "base_bytes", "new_bytes", "delta_bytes")
    assert levels.rows() == [
        ("allocated in the end", 8_000_000, 5_000_000, -3_000_000),
        ("most allocated", 16_000_001, 14_000_501, -1_999_500),
        ("most reserved", 64 * MIB, 64 * MIB, 0),
        ("reserved in the end", 64 * MIB, 64 * MIB, 0),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_differences_add_up_to_that_of_the_peaks(tmp_path: Path, seed: int) -> None:
    before = random_history(seed, 600).opened(tmp_path / "a")
    after = random_history(seed + 100, 900, timed=bool(seed % 2)).opened(tmp_path / "b")
    peaks = [int(one.show("memory_timeline")["allocated_bytes"].max()) for one in (before, after)]  # type: ignore[arg-type]
    for by in GROUPINGS:
        rows = after.with_base(before).show("memory_diff", by=by)
        assert rows.select(pl.col("base_bytes", "new_bytes", "delta_bytes").sum()).row(0) == (
            *peaks,
            peaks[1] - peaks[0],
        )
        back = before.with_base(after).show("memory_diff", by=by)
        assert sorted(back["delta_bytes"].to_list()) == sorted(-one for one in rows["delta_bytes"].to_list())


def test_a_recording_differs_in_nothing_from_itself(tmp_path: Path) -> None:
    profile = random_history(3, 600).opened(tmp_path)
    for by in (*GROUPINGS, "level"):
        assert set(profile.with_base(profile).show("memory_diff", by=by)["status"]) == {"same"}


def test_ranks_are_compared_by_their_numbers(tmp_path: Path) -> None:
    for folder, ranks in (("a", (0, 1)), ("b", (1, 2))):
        for rank in ranks:
            small_training(steps=rank + 1).write(tmp_path / folder / f"rank{rank}.pickle")
    compared = stepscope.open(tmp_path / "b").with_base(stepscope.open(tmp_path / "a"))
    status = compared.show("memory_diff", by="category").group_by("rank").agg(pl.col("status").unique()).sort("rank")
    assert status.rows() == [(0, ["gone"]), (1, ["same"]), (2, ["new"])]
    assert "rank 2 cuda:0: only in the recording after" in compared.notes("memory_diff")
    assert compared.show("memory_diff", rank=1)["status"].unique().to_list() == ["same"]


def test_single_ranks_are_compared_whatever_their_numbers(tmp_path: Path) -> None:
    before = small_training().opened(tmp_path, "rank3_before.pickle")
    rows = small_training().opened(tmp_path, "rank5_after.pickle").with_base(before).show("memory_diff")
    assert rows.select("rank", "status").unique().rows() == [(5, "same")]


def test_chosen_steps_are_chosen_of_both(tmp_path: Path) -> None:
    before, after = small_training(steps=2).opened(tmp_path / "a"), small_training(steps=4).opened(tmp_path / "b")
    assert set(after.with_base(before).show("memory_diff", step=1)["status"]) == {"same"}
    with pytest.raises(BadRequest):
        after.with_base(before).show("memory_diff", step=3)


def test_without_a_recording_to_compare_with(tmp_path: Path) -> None:
    profile = small_training().opened(tmp_path)
    assert len(profile.show("memory_diff")) == 0
    assert profile.notes("memory_diff") == [
        "nothing to compare with: name the recording before the change with --base PATH"
    ]


def test_other_tables_refuse_it(tmp_path: Path) -> None:
    profile = small_training().opened(tmp_path)
    with pytest.raises(BadRequest, match="cannot compare memory_peak with another recording"):
        profile.with_base(profile).show("memory_peak")
    with pytest.raises(BadRequest, match="cannot take a value of type int as the recording to compare with"):
        profile.with_base(3)  # type: ignore[arg-type]


def test_memory_events_of_traces_are_compared_by_operator(tmp_path: Path) -> None:
    for name, size in (("before", 1000), ("after", 3000)):
        event = {"name": "[memory]", "ph": "i", "cat": "cpu_instant_event", "ts": 12, "pid": 1, "tid": 1, "s": "t"}
        event["args"] = {"Total Allocated": size, "Bytes": size, "Device Id": 0, "Device Type": 1, "Addr": 5}
        write(tmp_path / f"{name}.json", step(1, 0, 100), operator("aten::mm", 0, 30), event)
    before, after = (stepscope.open(tmp_path / f"{name}.json") for name in ("before", "after"))
    rows = after.with_base(before).show("memory_diff").select("category", "source", "delta_bytes", "status").rows()
    assert rows == [(None, None, 2000, "changed")]
