"""Tables of memory snapshots: small ones made here, and recorded ones against what PyTorch said of them."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import stepscope
from building import flat, kernel, launched, operator, step, write
from building.snapshots import START_US, MadeSnapshot, small_training
from oracles.snapshot import alive_at_peak, fragmentation, levels

MIB = 1 << 20
NAMES = ["dit_train", "leak", "oom"]


def recorded(shared_data: Path, name: str) -> tuple[Any, dict[str, Any]]:
    """A recorded snapshot, opened by stepscope and by Python."""
    path = shared_data / "h200" / "memory" / f"{name}.pickle.gz"
    return stepscope.open(path), pickle.loads(gzip.decompress(path.read_bytes()))


def assert_timeline(profile: Any, document: dict[str, Any]) -> None:
    shown = profile.show("memory_timeline").select("allocated_bytes", "active_bytes", "reserved_bytes").rows()
    actions = [one["action"] for one in document["device_traces"][0]]
    expected = levels(document)
    changing = [at + 1 for at, action in enumerate(actions) if action not in ("oom", "snapshot")]
    assert shown == [expected[at] for at in (0, *changing)]


def test_levels_are_those_of_each_entry_counted_from_the_end(tmp_path: Path) -> None:
    made = small_training()
    assert_timeline(made.opened(tmp_path), made.document())


def test_what_was_there_before_the_history_is_in_the_levels(tmp_path: Path) -> None:
    """A history is a ring: viewers that count from zero show 110 GB on a card of 80, or too little."""
    made = small_training()
    del made.history[:5]
    profile = made.opened(tmp_path)
    assert_timeline(profile, made.document())
    assert profile.show("memory_timeline")["allocated_bytes"][0] == 4_000_000
    assert any("3.81 MiB were allocated before the history" in note for note in profile.notes("memory_timeline"))


def test_memory_of_a_stream_that_still_uses_it_is_active(tmp_path: Path) -> None:
    made = MadeSnapshot()
    address = made.alloc(made.segment(20 * MIB), 5 * MIB, "train.py:3 main")
    made.free(address, completed=False)
    profile = made.opened(tmp_path)
    last = profile.show("memory_timeline").row(-1, named=True)
    assert (last["allocated_bytes"], last["active_bytes"]) == (0, 5 * MIB)
    assert profile.show("memory_events")["fate"].to_list() == ["awaiting release"]
    assert profile.show("memory_fragmentation")["pending_bytes"].to_list() == [5 * MIB]


def test_both_names_of_the_pending_state(tmp_path: Path) -> None:
    made = MadeSnapshot()
    made.free(made.alloc(made.segment(2 * MIB), 1000, "train.py:3 main"), completed=False)
    document = made.document()
    document["segments"][0]["blocks"][0]["state"] = "active_awaiting_free"
    path = tmp_path / "made.pickle"
    path.write_bytes(pickle.dumps(document))
    assert stepscope.open(path).show("memory_fragmentation")["pending_bytes"].to_list() == [1024]


def test_the_peak_by_line_category_and_stack(tmp_path: Path) -> None:
    profile = small_training().opened(tmp_path)
    peak = profile.show("memory_peak").select("category", "source", "blocks", "alive_bytes", "kept_bytes")
    assert peak.rows() == [
        ("activations", "train.py:9", 1, 8_000_001, 0),
        ("optimizer state", "train.py:12", 1, 4_000_000, 4_000_000),
        ("parameters", "train.py:3", 1, 4_000_000, 4_000_000),
    ]
    by_category = profile.show("memory_peak", by="category").select("category", "alive_bytes").rows()
    assert by_category == [("activations", 8_000_001), ("optimizer state", 4_000_000), ("parameters", 4_000_000)]
    stacks = profile.show("memory_peak", by="stack")["lines"].to_list()
    assert stacks[0] == "train.py:9 forward()"


def test_categories_of_a_step(tmp_path: Path) -> None:
    """Forward, backward and optimizer, as PyTorch's stacks show them; each category is made once."""
    engine, call = "torch/autograd/graph.py:8 _engine_run_backward", "torch/nn/modules/module.py:5 _call_impl"
    made = MadeSnapshot()
    large = made.segment(200 * MIB)
    made.alloc(large, 1 * MIB, "torch/nn/modules/linear.py:9 __init__", "train.py:3 build")
    gradient = None
    for _ in range(2):
        batch = made.alloc(large, 7 * MIB, "train.py:5 load")
        activation = made.alloc(large, 2 * MIB, call, "train.py:6 main")
        scratch = made.alloc(large, 3 * MIB, call, "train.py:6 main")
        made.free(scratch)
        workspace = made.alloc(large, 4 * MIB, engine, "train.py:7 main")
        gradient = made.alloc(large, 5 * MIB, "torch::autograd::AccumulateGrad::apply():0 x", engine, "train.py:7 main")
        made.free(workspace)
        made.free(activation)
        made.alloc(large, 6 * MIB, "torch/optim/adamw.py:9 _init_group", "train.py:8 main")
        made.free(gradient)
        made.free(batch)
    found = made.opened(tmp_path).show("memory_events").select("bytes", "category").unique().sort("bytes").rows()
    assert found == [
        (1 * MIB, "parameters"),
        (2 * MIB, "activations"),
        (3 * MIB, "temporaries"),
        (4 * MIB, "temporaries"),
        (5 * MIB, "gradients"),
        (6 * MIB, "optimizer state"),
        (7 * MIB, "unknown"),
    ]


def test_an_empty_stack_among_others_is_the_autograd_engines(tmp_path: Path) -> None:
    """Its threads run no Python, so with Python stacks alone their allocations have none."""
    made = MadeSnapshot()
    large = made.segment(100 * MIB)
    made.alloc(large, MIB, "torch/nn/modules/linear.py:9 __init__", "train.py:3 build")
    activation = made.alloc(large, 2 * MIB, "model.py:4 forward")
    gradient = made.alloc(large, 3 * MIB)
    made.free(activation)
    made.alloc(large, 4 * MIB, "torch/optim/sgd.py:9 step", "train.py:8 main")
    made.free(gradient)
    events = made.opened(tmp_path).show("memory_events").sort("bytes")["category"].to_list()
    assert events == ["parameters", "activations", "gradients", "optimizer state"]


@pytest.mark.parametrize("by", ["", "step"])
def test_categories_over_time_sum_to_the_level(tmp_path: Path, by: str) -> None:
    profile = small_training().opened(tmp_path)
    name = by or "slice"
    sums = profile.show("memory_categories", by=by).group_by(name).agg(pl.col("bytes").sum()).sort(name)
    whole = (
        profile.show("memory_timeline", by=name).select(name, "allocated_bytes").filter(pl.col("allocated_bytes") > 0)
    )
    assert sums.rows() == whole.rows()


def test_fragmentation_adds_up(tmp_path: Path) -> None:
    made = MadeSnapshot()
    first, second = made.segment(20 * MIB), made.segment(20 * MIB)
    small = made.segment(2 * MIB, pool=(0, 3))
    kept = made.alloc(first, 5 * MIB, "train.py:3 main")
    made.free(made.alloc(first, 6 * MIB + 1, "train.py:4 main"))
    made.free(made.alloc(second, 7 * MIB, "train.py:5 main"))
    made.alloc(small, 700, "train.py:6 main")
    assert kept
    frame = made.opened(tmp_path).show("memory_fragmentation")
    assert frame.select("pool", "size_class", "segments").rows() == [("(0, 0)", "large", 2), ("(0, 3)", "small", 1)]
    assert_fragmentation(frame, made.document())


def assert_fragmentation(frame: pl.DataFrame, document: dict[str, Any]) -> None:
    expected = fragmentation(document)
    largest = expected.pop("largest_free")
    assert {name: int(frame[f"{name}_bytes"].sum()) for name in expected} == expected
    assert frame["largest_free_bytes"].max() == largest
    parts = ("allocated_bytes", "pending_bytes", "whole_free_bytes", "hole_bytes")
    assert (sum((frame[name] for name in parts), frame["reserved_bytes"] * 0) == frame["reserved_bytes"]).all()


def leaking(steps: int, grows: bool = True, annotated: bool = True) -> MadeSnapshot:
    made = MadeSnapshot()
    large = made.segment(4000 * MIB)
    made.alloc(large, 10 * MIB, "torch/nn/modules/linear.py:9 __init__", "train.py:3 build")
    for number in range(steps):
        scratch = made.alloc(large, 20 * MIB, "train.py:5 forward")
        if grows or number == 1:
            made.alloc(large, 2 * MIB, "torch/_tensor.py:1 clone", "train.py:7 log")
        if number == 0:
            made.alloc(large, 20 * MIB, "torch/optim/adamw.py:5 _init_group", "train.py:9 main")
        made.free(scratch)
        if annotated:
            made.range("Optimizer.step#AdamW.step")
            made.range("Optimizer.step#AdamW.step", end=True)
    return made


def test_what_grows_in_each_step_is_listed_alone(tmp_path: Path) -> None:
    columns = ("source", "bytes_per_step", "alive_bytes", "blocks", "grew", "steps")
    found = leaking(8).opened(tmp_path).show("memory_leaks").select(columns)
    assert found.rows() == [("train.py:7", 2 * MIB, 16 * MIB, 8, 6, 6)]


def test_growth_by_step_is_what_was_alive_at_its_end_and_what_it_added(tmp_path: Path) -> None:
    """Steps 0 to 7 leave 2 MiB each; the first one and the one that the history cuts are not looked at."""
    found = leaking(8).opened(tmp_path).show("memory_leaks", by="step")
    rows = found.select("source", "step", "then_bytes", "added_bytes", "bytes_per_step", "alive_bytes").rows()
    expected = [("train.py:7", step, (step + 1) * 2 * MIB, 2 * MIB, 2 * MIB, 16 * MIB) for step in found["step"]]
    assert rows == expected
    assert len(rows) == 6


def test_without_steps_tenths_of_the_history_take_their_place(tmp_path: Path) -> None:
    found = leaking(40, annotated=False).opened(tmp_path).show("memory_leaks")
    assert found.select("source", "bytes_per_step", "alive_bytes", "grew").rows() == [("train.py:7", None, 80 * MIB, 8)]


def test_what_fills_once_does_not_grow(tmp_path: Path) -> None:
    profile = leaking(8, grows=False).opened(tmp_path)
    assert len(profile.show("memory_leaks")) == 0
    assert "no stack grew in nearly each of 6 steps" in profile.notes("memory_leaks")[0]


def test_a_history_of_two_steps_cannot_say_what_grows(tmp_path: Path) -> None:
    profile = leaking(2).opened(tmp_path)
    assert len(profile.show("memory_leaks")) == 0
    assert "too short to tell what grows" in profile.notes("memory_leaks")[0]


def holed() -> tuple[MadeSnapshot, int]:
    """A segment of 40 MiB: 10 used, 6 free, 4 used, 4 free, 12 used, 4 free."""
    made = MadeSnapshot()
    large = made.segment(40 * MIB)
    sizes = (10, 6, 4, 4, 12)
    addresses = [made.alloc(large, size * MIB, f"train.py:{at} main") for at, size in enumerate(sizes, start=1)]
    for at in (1, 3):
        made.free(addresses[at])
    return made, large


@pytest.mark.parametrize(
    ("asked", "device_free", "reason", "evicted"),
    [
        (13 * MIB, 0, "fragmentation", (4 * MIB, 1)),  # 14 MiB are free in three pieces
        (15 * MIB, 1 << 40, "a set limit", (10 * MIB, 1)),
        (15 * MIB, 15 * MIB, "capacity", (10 * MIB, 1)),  # a segment would be 16 MiB
        (50 * MIB, 0, "capacity", (None, None)),
    ],
)
def test_why_memory_ran_out(
    tmp_path: Path, asked: int, device_free: int, reason: str, evicted: tuple[int | None, int | None]
) -> None:
    made, _ = holed()
    made.oom(asked, device_free, "train.py:20 main")
    row = made.opened(tmp_path).show("memory_oom").row(0, named=True)
    assert (row["requested_bytes"], row["free_bytes"], row["reason"]) == (asked, device_free, reason)
    assert (row["evict_bytes"], row["evict_blocks"]) == evicted
    assert (row["hole_bytes"], row["largest_free_bytes"], row["source"]) == (14 * MIB, 6 * MIB, "train.py:20")
    limits = (40 * MIB, 40 * MIB + 16 * MIB) if reason == "a set limit" else (None, None)
    assert (row["limit_bytes"], row["limit_below_bytes"]) == limits
    assert "12.0 MiB" in row["largest"]


def test_the_state_when_memory_ran_out_is_not_that_of_the_end(tmp_path: Path) -> None:
    """The program catches the exception and lets go of everything before the snapshot is written."""
    made, _ = holed()
    made.oom(13 * MIB, 0, "train.py:20 main")
    for address in [address for address, block in made.blocks.items() if block["state"] == "active_allocated"]:
        made.free(address)
    row = made.opened(tmp_path).show("memory_oom").row(0, named=True)
    assert (row["allocated_bytes"], row["hole_bytes"], row["reason"]) == (26 * MIB, 14 * MIB, "fragmentation")


def test_other_processes_are_named_where_the_size_of_the_device_is_known(tmp_path: Path) -> None:
    made, _ = holed()
    made.oom(100 * MIB, 10 * MIB, "train.py:20 main")
    made.write(tmp_path / "rank0_snapshot.pickle")
    events = flat([step(1, 0, 100), operator("aten::mm", 0, 30), launched(kernel("gemm", 20, 60, 1), 10)])
    properties = [{"id": 0, "name": "NVIDIA T4", "totalGlobalMem": 500 * MIB}]
    write(tmp_path / "rank0.json", *events, deviceProperties=properties)
    profile = stepscope.open(tmp_path)
    assert profile.show("memory_oom")["reason"].to_list() == ["other processes"]
    assert profile.show("memory_peak")["capacity_pct"].to_list() != [None]
    assert any("from the snapshot rank0_snapshot.pickle" in note for note in profile.notes("memory_peak"))
    rows = profile.show("recordings").select("kind", "rank", "used").rows()
    assert rows == [("trace", 0, True), ("memory_snapshot", 0, True)]


def test_expandable_segments_grow_and_shrink(tmp_path: Path) -> None:
    made = MadeSnapshot()
    large = made.segment(20 * MIB, expandable=True)
    made.segments[large]["total_size"] += 20 * MIB
    made._entry("segment_map", large + 20 * MIB, 20 * MIB, (), 0)
    made.alloc(large, 30 * MIB, "train.py:3 main")
    profile = made.opened(tmp_path)
    assert profile.show("memory_timeline")["reserved_bytes"].to_list() == [0, 20 * MIB, 40 * MIB, 40 * MIB]
    assert profile.show("memory_segments").select("bytes", "expandable").rows() == [(40 * MIB, True)]


def test_a_snapshot_without_history_shows_what_there_was_in_the_end(tmp_path: Path) -> None:
    document = small_training().document() | {"device_traces": [[]], "external_annotations": []}
    path = tmp_path / "made.pickle"
    path.write_bytes(pickle.dumps(document))
    profile = stepscope.open(path)
    assert profile.show("memory_timeline").select("at_ns", "allocated_bytes").rows() == [(None, 8_000_000)]
    assert int(profile.show("memory_peak")["alive_bytes"].sum()) == 8_000_000
    assert len(profile.show("memory_segments")) == 1
    for table in ("memory_leaks", "memory_oom", "memory_categories"):
        assert len(profile.show(table)) == 0
        assert profile.notes(table)
    assert any("has no event history: record with" in note for note in profile.notes("memory_peak"))


def test_a_snapshot_without_times_keeps_the_order(tmp_path: Path) -> None:
    made = MadeSnapshot(timed=False)
    large = made.segment(20 * MIB)
    made.free(made.alloc(large, 5 * MIB, "train.py:3 main"))
    profile = made.opened(tmp_path)
    assert_timeline(profile, made.document())
    assert profile.show("memory_timeline")["at_ns"].null_count() == 5
    assert len(profile.show("memory_categories")) == 0


def test_chosen_steps_limit_the_timeline_and_the_peak(tmp_path: Path) -> None:
    profile = small_training().opened(tmp_path)
    whole = profile.show("memory_timeline")
    chosen = profile.show("memory_timeline", step=1)
    assert 0 < len(chosen) < len(whole)
    first, last = profile.show("steps").filter(pl.col("step") == 1).select("start_ns", "duration_ns").row(0)
    assert chosen["at_ns"].min() == first
    assert chosen["at_ns"].max() < first + last  # type: ignore[operator]


def test_two_devices_are_counted_apart(tmp_path: Path) -> None:
    document, other = small_training().document(), small_training(steps=1).document()
    for segment in other["segments"]:
        segment["device"] = 1
    document["segments"] += other["segments"]
    document["device_traces"] += other["device_traces"]
    path = tmp_path / "made.pickle"
    path.write_bytes(pickle.dumps(document))
    peaks = stepscope.open(path).show("memory_peak").group_by("device").agg(pl.col("alive_bytes").sum()).sort("device")
    assert peaks.rows() == [("cuda:0", 16_000_001), ("cuda:1", 16_000_001)]


def test_times_are_on_the_clock_of_the_trace_beside(tmp_path: Path) -> None:
    made = small_training()
    made.write(tmp_path / "rank0.pickle")
    events = flat([step(1, 0, 100), operator("aten::mm", 0, 30), launched(kernel("gemm", 20, 60, 1), 10)])
    base = START_US * 1000 - 5_000
    write(tmp_path / "rank0.json", *events, baseTimeNanoseconds=base)
    profile = stepscope.open(tmp_path)
    assert profile.show("memory_timeline")["at_ns"][0] == made.history[0]["time_us"] * 1000 - base


@pytest.mark.real_trace
@pytest.mark.parametrize("name", NAMES)
def test_recorded_levels_peaks_and_fragmentation(shared_data: Path, name: str) -> None:
    profile, document = recorded(shared_data, name)
    assert_timeline(profile, document)
    assert_fragmentation(profile.show("memory_fragmentation"), document)
    peak = profile.show("memory_peak")
    before = levels(document)[0][0]
    assert int(peak["alive_bytes"].sum()) == max(level[0] for level in levels(document))
    assert int(peak["alive_bytes"].sum()) == sum(alive_at_peak(document).values()) + before


@pytest.mark.real_trace
def test_recorded_training_agrees_with_pytorchs_statistics(shared_data: Path) -> None:
    profile, _ = recorded(shared_data, "dit_train")
    truth = json.loads((shared_data / "h200" / "memory" / "truth.json").read_text())["dit_train"]
    stats = truth["stats"]
    timeline, kept = profile.show("memory_timeline"), profile.show("memory_fragmentation")
    assert timeline["allocated_bytes"].max() == stats["requested_bytes.all.peak"]
    assert timeline["allocated_bytes"][-1] == stats["requested_bytes.all.current"]
    assert timeline.filter(pl.col("change_bytes") > 0)["change_bytes"].sum() == stats["requested_bytes.all.allocated"]
    assert timeline["reserved_bytes"].max() == truth["max_reserved"]
    assert kept["allocated_bytes"].sum() == truth["allocated"]
    assert kept["segments"].sum() == stats["segment.all.current"]
    assert len(profile.show("memory_events")) == stats["allocation.all.allocated"]
    assert (
        kept.filter(pl.col("size_class") == "small")["reserved_bytes"].sum() == stats["reserved_bytes.small_pool.peak"]
    )


@pytest.mark.real_trace
def test_the_planted_leak_is_named_alone_with_its_line(shared_data: Path) -> None:
    profile, _ = recorded(shared_data, "leak")
    truth = json.loads((shared_data / "h200" / "memory" / "truth.json").read_text())["leak"]
    found = profile.show("memory_leaks")
    assert found["bytes_per_step"].to_list() == [truth["leaks_per_step_bytes"]]
    assert found["source"][0].endswith("tools.py:44")
    assert profile.show("memory_fragmentation")["allocated_bytes"].sum() == truth["allocated"]
    for name in ("dit_train", "oom"):
        assert len(recorded(shared_data, name)[0].show("memory_leaks")) == 0


@pytest.mark.real_trace
def test_the_planted_limit_is_why_memory_ran_out(shared_data: Path) -> None:
    """The device had 133.7 GiB left; the limit itself is not in the file, but the bounds hold it."""
    profile, _ = recorded(shared_data, "oom")
    _, requested, limit, free = json.loads((shared_data / "h200" / "memory" / "truth.json").read_text())["oom"]["args"]
    row = profile.show("memory_oom").row(0, named=True)
    assert (row["requested_bytes"], row["free_bytes"], row["reason"]) == (requested, free, "a set limit")
    assert row["limit_bytes"] <= limit < row["limit_below_bytes"]
    assert "activations" in row["largest"]
    assert row["hole_bytes"] == pytest.approx(284.71 * MIB, rel=1e-3)
