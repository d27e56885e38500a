"""Points in time that draw the levels, what they are for, and what was alive at each of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl
import pytest

import stepscope
from building.snapshots import MadeSnapshot, random_history, small_training

MIB = 1 << 20
_MOST_POINTS = 802


def assert_points(profile: stepscope.OpenProfile) -> None:
    every, drawn = profile.show("memory_timeline"), profile.show("memory_timeline", by="point")
    assert len(drawn) <= _MOST_POINTS
    assert drawn["point"].to_list() == list(range(len(drawn)))
    columns = ["at_ns", "event", "allocated_bytes", "active_bytes", "reserved_bytes"]
    assert len(drawn.join(every, columns, "semi", nulls_equal=True)) == len(drawn)
    for edge in (0, -1):
        assert drawn.select(columns).row(edge) == every.select(columns).row(edge)
    for edge in ("max", "min"):
        assert getattr(drawn["allocated_bytes"], edge)() == getattr(every["allocated_bytes"], edge)()
    levels = drawn.select("point", "allocated_bytes")
    for frame in (profile.show("memory_categories", by="point"), profile.show("memory_alive")):
        sums = frame.group_by("point").agg(pl.col("bytes").sum()).join(levels, "point")
        assert (sums["bytes"] == sums["allocated_bytes"]).all()
        assert frame["point"].max() == drawn["point"].max()


@pytest.mark.parametrize("timed", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_points_are_rows_of_the_timeline_with_its_extremes(tmp_path: Path, seed: int, timed: bool) -> None:
    profile = random_history(seed, 3000, timed).opened(tmp_path)
    assert_points(profile)
    assert (profile.show("memory_alive")["at_ns"].null_count() == 0) == timed


@pytest.mark.parametrize("seed", range(4))
def test_what_is_alive_is_what_was_allocated_and_not_released(tmp_path: Path, seed: int) -> None:
    """Entry by entry from Python's own objects, by line; so few lines that all are among the largest."""
    made = random_history(seed, 400, lines=5, whole=True)
    profile = made.opened(tmp_path)
    alive = profile.show("memory_alive")
    assert "(smaller ones)" not in alive["op"].to_list()
    held: dict[int, tuple[str, int]] = {}
    expected = [Counter[str]()]
    for one in made.history:
        if one["action"] == "alloc":
            held[one["addr"]] = (f"train.py:{one['frames'][-1]['line']}", one["size"])
        elif one["action"] == "free_requested":
            held.pop(one["addr"], None)
        expected.append(Counter())
        for line, size in held.values():
            expected[-1][line] += size
    events = profile.show("memory_timeline", by="point").select("point", "event").rows()
    told = set(alive["point"].to_list())
    assert len(told) > 50
    for point, event in events:
        shown = alive.filter(pl.col("point") == point).group_by("source").agg(pl.col("bytes").sum())
        assert point not in told or dict(shown.iter_rows()) == expected[0 if event is None else event + 1]


def test_the_largest_stacks_are_named_and_the_others_summed_up(tmp_path: Path) -> None:
    made = MadeSnapshot()
    large = made.segment(1000 * MIB)
    for line in range(1, 31):
        made.alloc(large, line * MIB, "torch/nn/modules/linear.py:9 __init__", f"train.py:{line} build")
    profile = made.opened(tmp_path)
    last = profile.show("memory_alive").filter(pl.col("point") == pl.col("point").max())
    assert last.select("category", "op", "source", "bytes", "blocks").rows()[:3] == [
        ("parameters", "(smaller ones)", None, sum(range(1, 15)) * MIB, 14),
        ("parameters", None, "train.py:30", 30 * MIB, 1),
        ("parameters", None, "train.py:29", 29 * MIB, 1),
    ]
    assert len(last) == 17
    assert any("the 16 largest stacks are named" in note for note in profile.notes("memory_alive"))


def test_what_was_there_before_the_history_is_alive(tmp_path: Path) -> None:
    made = small_training()
    del made.history[:5]
    first = made.opened(tmp_path).show("memory_alive").row(0, named=True)
    assert (first["bytes"], first["source"], first["at_ns"]) == (
        4_000_000,
        "train.py:3",
        made.history[0]["time_us"] * 1000,
    )


def test_memory_released_before_the_history_is_not_allocated(tmp_path: Path) -> None:
    """A block that a stream still used in the end, released before the history began, was allocated at every point.

    Its bytes were taken back in `(not in the recorded events)`, as a negative number.
    """
    made = MadeSnapshot()
    large = made.segment(20 * MIB)
    made.free(made.alloc(large, 5 * MIB, "train.py:3 main"), completed=False)
    made.history.clear()
    made.alloc(large, 1 * MIB, "train.py:4 main")
    profile = made.opened(tmp_path)
    assert profile.show("memory_peak").select("source", "alive_bytes").rows() == [("train.py:4", 1 * MIB)]
    assert profile.show("memory_alive").select("source", "bytes").rows() == [("train.py:4", 1 * MIB)]
    assert profile.show("memory_events")["fate"].to_list() == ["awaiting release", "kept"]


def test_without_history_the_end_is_the_only_point(tmp_path: Path) -> None:
    made = small_training()
    made.history.clear()
    profile = made.opened(tmp_path)
    assert profile.show("memory_alive").select("point", "source", "bytes").rows() == [
        (0, "train.py:12", 4_000_000),
        (0, "train.py:3", 4_000_000),
    ]
    assert profile.show("memory_categories", by="point")["bytes"].sum() == 8_000_000


def test_points_of_chosen_steps_lie_in_them(tmp_path: Path) -> None:
    profile = small_training().opened(tmp_path)
    drawn, chosen = profile.show("memory_timeline", step=1), profile.show("memory_timeline", step=1, by="point")
    assert chosen["at_ns"].to_list() == drawn["at_ns"].to_list()
    assert profile.show("memory_alive", step=1)["at_ns"].unique().is_in(drawn["at_ns"].implode()).all()


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["dit_train", "leak", "oom"])
def test_recorded_points_agree_with_the_peak(shared_data: Path, name: str) -> None:
    profile = stepscope.open(shared_data / "h200" / "memory" / f"{name}.pickle.gz")
    assert_points(profile)
    peak = profile.show("memory_peak", by="stack").select("category", "op", "source", "lines", "alive_bytes", "blocks")
    at = profile.show("memory_timeline", by="point").filter("peak")["point"][0]
    named = profile.show("memory_alive").filter((pl.col("point") == at) & (pl.col("op") != "(smaller ones)"))
    same = named.join(peak, ["category", "op", "source", "lines"], nulls_equal=True)
    assert len(same) == len(named) >= 10
    assert same.filter(
        (pl.col("bytes") != pl.col("alive_bytes")) | (pl.col("blocks") != pl.col("blocks_right"))
    ).is_empty()
