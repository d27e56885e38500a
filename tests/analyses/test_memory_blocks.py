"""The blocks of each segment, and what a damaged file makes of them."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import stepscope
from building.snapshots import MadeSnapshot, small_training

MIB = 1 << 20


def opened(folder: Path, document: dict[str, Any]) -> stepscope.OpenProfile:
    path = folder / "made.pickle"
    path.write_bytes(pickle.dumps(document))
    return stepscope.open(path)


def assert_adds_up(profile: stepscope.OpenProfile) -> None:
    sums = profile.show("memory_blocks").group_by("rank", "device", pl.col("segment").alias("address"))
    added = sums.agg(pl.col("bytes").sum(), pl.col("requested_bytes").sum())
    segments = profile.show("memory_segments").join(added, ["rank", "device", "address"], "left", suffix="_added")
    assert (segments["bytes_added"] == segments["bytes"]).all()
    assert (segments["requested_bytes_added"] == segments["requested_bytes"]).all()


def test_blocks_lie_one_behind_the_other(tmp_path: Path) -> None:
    made = MadeSnapshot()
    large = made.segment(20 * MIB, stream=7)
    made.alloc(large, 3 * MIB, "torch/nn/modules/linear.py:9 __init__", "train.py:3 build")
    made.free(made.alloc(large, 1000, "train.py:4 main"))
    made.free(made.alloc(large, 5 * MIB, "train.py:5 main"), completed=False)
    profile = made.opened(tmp_path)
    shown = profile.show("memory_blocks")
    columns = ("offset_bytes", "bytes", "requested_bytes", "state", "category", "source", "stream")
    assert shown.select(columns).rows() == [
        (0, 3 * MIB, 3 * MIB, "active_allocated", "parameters", "train.py:3", 7),
        (3 * MIB, 1024, 0, "inactive", None, None, 7),
        (3 * MIB + 1024, 5 * MIB, 5 * MIB, "active_pending_free", "temporaries", "train.py:5", 7),
        (8 * MIB + 1024, 12 * MIB - 1024, 0, "inactive", None, None, 7),
    ]
    assert shown["segment"].to_list() == [large] * 4
    assert_adds_up(profile)


def test_without_history_blocks_have_the_facts_of_their_stacks(tmp_path: Path) -> None:
    profile = opened(tmp_path, small_training().document() | {"device_traces": [[]]})
    assert profile.show("memory_blocks")["source"].drop_nulls().to_list() == ["train.py:3", "train.py:12"]
    assert_adds_up(profile)


@pytest.mark.long
def test_what_the_file_does_not_list_is_a_row(tmp_path: Path) -> None:
    document = small_training().document()
    blocks = document["segments"][0]["blocks"]
    missing = [blocks.pop(0), blocks.pop(-1)]
    profile = opened(tmp_path, document)
    rows = profile.show("memory_blocks").filter(pl.col("state") == "not listed")
    assert rows["bytes"].to_list() == [one["size"] for one in missing]
    assert rows["offset_bytes"].to_list() == [one["address"] - document["segments"][0]["address"] for one in missing]
    assert_adds_up(profile)


def test_blocks_that_overlap_are_counted_once(tmp_path: Path) -> None:
    document = small_training().document()
    document["segments"][0]["blocks"][0]["size"] += 3 * MIB
    profile = opened(tmp_path, document)
    found = profile.show("memory_blocks").filter(pl.col("state") == "counted twice")
    assert found.select("bytes", "offset_bytes").rows() == [(-3 * MIB, None)]
    assert_adds_up(profile)


@pytest.mark.parametrize("seed", range(20))
def test_rows_of_a_segment_add_up_whatever_the_file_says(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    document = small_training().document()
    segment = document["segments"][0]
    for block in list(segment["blocks"]):
        change = dice.randrange(6)
        if change == 0:
            segment["blocks"].remove(block)
        elif change == 1:
            block["address"] += dice.randrange(-5, 90) * MIB
        elif change == 2:
            block["size"] = dice.randrange(100) * MIB
        elif change == 3:
            block["state"] = dice.choice(["inactive", "of another kind", "active_awaiting_free"])
    dice.shuffle(segment["blocks"])
    assert_adds_up(opened(tmp_path, document))


def test_a_segment_listed_twice_counts_once_everywhere(tmp_path: Path) -> None:
    """Of a damaged file `memory_segments` dropped the second without a word and `memory_fragmentation` counted it."""
    document = small_training().document()
    plain = opened(tmp_path, document)
    tables = ("memory_segments", "memory_blocks", "memory_fragmentation", "memory_timeline", "memory_peak")
    expected = {name: plain.show(name) for name in tables}
    assert "memory_repeats" not in plain.show("health")["check"].to_list()
    again = pickle.loads(pickle.dumps(document["segments"]))
    profile = opened(tmp_path, document | {"segments": document["segments"] + again})
    for name, frame in expected.items():
        assert profile.show(name).equals(frame), name
    row = profile.show("health").filter(pl.col("check") == "memory_repeats").row(0, named=True)
    assert (row["status"], row["value"]) == ("warning", "1")
    assert row["detail"] == "1 segment that the file lists twice counts once"


def test_a_block_of_two_segments_counts_once(tmp_path: Path) -> None:
    document = small_training().document()
    other = pickle.loads(pickle.dumps(document["segments"][0])) | {"address": 1 << 40}
    profile = opened(tmp_path, document | {"segments": [*document["segments"], other]})
    assert int(profile.show("memory_fragmentation")["allocated_bytes"].sum()) == 8_000_512
    row = profile.show("health").filter(pl.col("check") == "memory_repeats").row(0, named=True)
    assert row["detail"] == "4 blocks that the file lists in two segments count once"


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["dit_train", "leak", "oom"])
def test_recorded_blocks_cover_their_segments(shared_data: Path, name: str) -> None:
    profile = stepscope.open(shared_data / "h200" / "memory" / f"{name}.pickle.gz")
    assert_adds_up(profile)
    blocks, segments = profile.show("memory_blocks"), profile.show("memory_segments")
    assert {"active_allocated", "inactive"} == set(blocks["state"].unique())
    assert len(blocks) == segments["blocks"].sum()
