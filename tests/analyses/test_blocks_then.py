"""Segments and blocks behind an earlier entry of the history, against a replay from the beginning."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

import stepscope
from building.snapshots import MIB, MadeSnapshot, random_history
from stepscope.analyses.memory.blocks_then import blocks_then
from stepscope.errors import BadRequest

ALLOCATED, PENDING = "active_allocated", "active_pending_free"


def replayed(made: MadeSnapshot, event: int) -> dict[int, tuple[int, str]]:
    """What is in use behind an entry, by address: bytes as asked for, and state."""
    used: dict[int, tuple[int, str]] = {}
    for entry in made.history[: event + 1]:
        address = entry.get("addr")
        if entry["action"] == "alloc":
            used[address] = entry["size"], ALLOCATED
        elif entry["action"] == "free_requested":
            used[address] = entry["size"], PENDING
        elif entry["action"] == "free_completed":
            del used[address]
    return used


def in_use(frame: pl.DataFrame) -> dict[int, tuple[int, str]]:
    rows = frame.filter(pl.col("state").str.starts_with("active"))
    return {row["address"]: (row["requested_bytes"], row["state"]) for row in rows.iter_rows(named=True)}


@pytest.mark.parametrize("seed", range(6))
def test_every_entry_says_what_a_replay_says(tmp_path: Path, seed: int) -> None:
    made = random_history(seed, 300, timed=bool(seed % 2), whole=True)
    profile = made.opened(tmp_path).profile
    dice = random.Random(seed)
    for event in [0, *dice.sample(range(len(made.history)), 12), len(made.history) - 1]:
        frame, notes = blocks_then(profile, event)
        assert in_use(frame) == replayed(made, event)
        assert int(frame["bytes"].sum()) == 4000 * MIB
        assert [note.id for note in notes] == ["note-blocks-then"]
        levels = stepscope.api.OpenProfile(profile).show("memory_timeline").filter(pl.col("event") <= event)
        asked = sum(size for size, state in in_use(frame).values() if state == ALLOCATED)
        assert asked == levels["allocated_bytes"][-1]


def test_behind_the_last_entry_is_the_end(tmp_path: Path) -> None:
    made = random_history(3, 200)
    profile = made.opened(tmp_path)
    columns = ["segment", "address", "bytes", "requested_bytes", "state", "category", "source"]
    active = pl.col("state").str.starts_with("active")
    then = blocks_then(profile.profile, len(made.history) - 1)[0].filter(active).select(columns)
    assert then.equals(profile.show("memory_blocks").filter(active).select(columns))


def test_segments_come_and_go(tmp_path: Path) -> None:
    made = MadeSnapshot()
    first = made.segment(8 * MIB)
    kept = made.alloc(first, 2 * MIB, "train.py:1 a")
    second = made.segment(4 * MIB)
    gone = made.alloc(second, MIB, "train.py:2 b")
    made.free(gone)
    made._entry("segment_free", second, 4 * MIB, (), 0)
    del made.segments[second]
    profile = made.opened(tmp_path).profile

    def told(event: int) -> list[tuple[int, int, int, str]]:
        frame = blocks_then(profile, event)[0]
        return frame.select("segment", "offset_bytes", "bytes", "state").rows()

    assert told(0) == [(first, 0, 8 * MIB, "inactive")]
    assert told(3) == [
        (first, 0, 2 * MIB, ALLOCATED),
        (first, 2 * MIB, 6 * MIB, "inactive"),
        (second, 0, MIB, ALLOCATED),
        (second, MIB, 3 * MIB, "inactive"),
    ]
    assert told(4)[2:] == [(second, 0, MIB, PENDING), (second, MIB, 3 * MIB, "inactive")]
    assert told(6) == [(first, 0, 2 * MIB, ALLOCATED), (first, 2 * MIB, 6 * MIB, "inactive")]
    assert kept == first


def test_what_cannot_be_told_is_refused(tmp_path: Path) -> None:
    made = MadeSnapshot()
    made.alloc(made.segment(8 * MIB, expandable=True), MIB, "train.py:1 a")
    made.alloc(made.segment(8 * MIB, expandable=True), MIB, "train.py:1 a")
    profile = made.opened(tmp_path).profile
    with pytest.raises(BadRequest, match="expandable ones grew or shrank since"):
        blocks_then(profile, 1)
    assert len(blocks_then(profile, 3)[0]) == 4
    with pytest.raises(BadRequest, match="the history has no such entry"):
        blocks_then(profile, 99)
