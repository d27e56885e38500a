"""The peaks of several ranks side by side."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import stepscope
from building import flat, kernel, launched, operator, step, write
from building.snapshots import MadeSnapshot, random_history, small_training
from stepscope.analyses.memory.block_categories import CATEGORIES
from stepscope.analyses.memory.memory_ranks import column_of

MIB = 1 << 20


def rank_with(activation: int) -> MadeSnapshot:
    """Weights of 4 MiB, and an activation."""
    made = MadeSnapshot()
    large = made.segment(200 * MIB)
    made.alloc(large, 4 * MIB, "torch/nn/modules/linear.py:9 __init__", "train.py:3 build")
    scratch = made.alloc(large, activation, "torch/nn/modules/linear.py:20 forward", "train.py:9 forward")
    made.alloc(large, 512, "torch/optim/sgd.py:50 step", "train.py:12 main")
    made.free(scratch)
    return made


def ranks(folder: Path, *activations: int) -> stepscope.OpenProfile:
    for rank, activation in enumerate(activations):
        rank_with(activation).write(folder / f"rank{rank}_snapshot.pickle")
    return stepscope.open(folder)


@pytest.mark.long
def test_who_peaks_and_with_what(tmp_path: Path) -> None:
    profile = ranks(tmp_path, 10 * MIB, 50 * MIB, 12 * MIB)
    columns = ("rank", "peak_bytes", "above_median_bytes", "above_category", "above_category_bytes", "source")
    assert profile.show("memory_ranks").select(columns).rows() == [
        (1, 54 * MIB + 512, 38 * MIB, "activations", 38 * MIB, "train.py:9"),
        (2, 16 * MIB + 512, 0, "parameters", 0, "train.py:9"),
        (0, 14 * MIB + 512, -2 * MIB, "parameters", 0, "train.py:9"),
    ]
    assert profile.notes("memory_ranks")[0] == (
        "rank 1 peaks: 54.0 MiB on cuda:0, 38.0 MiB more than the median of 3; of activations it holds 38.0 MiB more "
        "than the median"
    )
    text = profile.report()
    assert "Who peaks, and with what" in text
    assert "rank 1 peaks: 54.0 MiB" in text


@pytest.mark.parametrize("seed", range(3))
def test_categories_sum_to_the_peak(tmp_path: Path, seed: int) -> None:
    for rank in range(3):
        random_history(seed * 10 + rank, 500).write(tmp_path / f"rank{rank}_snapshot.pickle")
    profile = stepscope.open(tmp_path)
    rows = profile.show("memory_ranks")
    assert (rows.select(pl.sum_horizontal(map(column_of, CATEGORIES))).to_series() == rows["peak_bytes"]).all()
    peaks = profile.show("memory_timeline").group_by("rank").agg(pl.col("allocated_bytes", "reserved_bytes").max())
    assert rows.sort("rank")["peak_bytes"].to_list() == peaks.sort("rank")["allocated_bytes"].to_list()
    assert rows.sort("rank")["reserved_bytes"].to_list() == peaks.sort("rank")["reserved_bytes"].to_list()


@pytest.mark.long
def test_one_rank_has_no_median_and_no_section(tmp_path: Path) -> None:
    profile = small_training().opened(tmp_path)
    row = profile.show("memory_ranks").row(0, named=True)
    assert (row["above_median_bytes"], row["above_category"], row["peak_bytes"]) == (None, None, 16_000_001)
    assert "Who peaks" not in profile.report()


def test_memory_events_of_traces_have_no_categories(tmp_path: Path) -> None:
    for rank in range(2):
        size = 1000 * (rank + 1)
        memory = {"name": "[memory]", "ph": "i", "cat": "cpu_instant_event", "ts": 12, "pid": 1, "tid": 1, "s": "t"}
        memory["args"] = {"Total Allocated": size, "Bytes": size, "Device Id": 0, "Device Type": 1, "Addr": 5}
        events = flat([step(1, 0, 100), operator("aten::mm", 0, 30), launched(kernel("gemm", 20, 60, 1), 10)])
        write(tmp_path / f"rank{rank}.json", *events, memory, distributedInfo={"rank": rank, "world_size": 2})
    profile = stepscope.open(tmp_path)
    rows = profile.show("memory_ranks").select("rank", "peak_bytes", "above_median_bytes", "activations_bytes", "op")
    assert rows.rows() == [(1, 2000, 1000, None, "(unattributed)"), (0, 1000, 0, None, "(unattributed)")]
    assert profile.notes("memory_ranks") == ["rank 1 peaks: 1.95 KiB on cuda:0, 1000 B more than the median of 2"]
