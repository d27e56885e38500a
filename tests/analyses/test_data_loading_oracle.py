"""Waits for data on recordings, compared with the oracle and with what was planted."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from oracles import general as oracle
from oracles import loading as loading_oracle

RECORDINGS = Path(__file__).resolve().parent.parent / "recordings"

_PAIRS = "h200/pairs/dataloader_workers.{}.pt.trace.json.gz"
_LIGHT = "h200/pairs_light/dataloader_workers.{}.light.pt.trace.json.gz"


def compare(path: Path) -> None:
    expected = loading_oracle.data_loading(oracle.read(path))
    assert expected
    table = stepscope.open(path).show("data_loading")
    assert table.select(*expected[0]).to_dicts() == expected


@pytest.mark.parametrize("name", ["in_the_main_process", "slow_workers", "four_fetches_a_step"])
def test_recordings_without_a_gpu(name: str) -> None:
    compare(RECORDINGS / f"loader_{name}.json.gz")


@pytest.mark.slow
@pytest.mark.real_trace
@pytest.mark.parametrize(
    "name",
    [
        _PAIRS.format("slow"),
        _PAIRS.format("mended"),
        _LIGHT.format("slow"),
        _LIGHT.format("mended"),
        "h200/diverse/vit_prefetcher.pt.trace.json.gz",
    ],
)
def test_recordings(shared_data: Path, name: str) -> None:
    compare(shared_data / name)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("in_the_main_process", "processing"),
        ("slow_workers", "processing"),
        ("slow_workers_stacks", "processing"),
        ("fast_workers", "not the problem"),
        ("large_batches_stacks", "hand-over"),
        ("four_fetches_a_step", "hand-over"),
    ],
)
def test_the_verdict_is_what_was_planted(name: str, verdict: str) -> None:
    """Recorded with torch 2.13: batches that take 10 ms to make in the main process; 40 ms in two workers, against
    steps of 5 ms; 10 ms in two workers, against steps of 20 ms; 31 MB that take no time to make; four fetches a step,
    each of a batch that is ready."""
    table = stepscope.open(RECORDINGS / f"loader_{name}.json.gz").show("data_loading", by="rank")
    assert table["verdict"].to_list() == [verdict]


def test_without_stacks_a_slow_hand_over_looks_like_slow_workers_and_a_note_says_so() -> None:
    profile = stepscope.open(RECORDINGS / "loader_large_batches.json.gz")
    assert profile.show("data_loading", by="rank")["verdict"].to_list() == ["processing"]
    assert any("with_stack=True" in note for note in profile.notes("data_loading"))


@pytest.mark.parametrize(
    ("name", "changes", "longest_ms"), [("new_workers_each_epoch", 3, 69), ("persistent_workers", 3, 8)]
)
def test_changes_of_the_epoch_are_told_apart(name: str, changes: int, longest_ms: int) -> None:
    """Epochs of five batches. New workers take tens of milliseconds to start; workers that stay do not."""
    profile = stepscope.open(RECORDINGS / f"loader_{name}.json.gz")
    table = profile.show("data_loading")
    assert (table["epoch_ns"] > 0).sum() == changes
    assert longest_ms - 1 < table["epoch_ns"].max() / 1e6 < longest_ms + 1
    assert f"{changes} epoch boundaries of" in " ".join(profile.notes("data_loading"))


@pytest.mark.real_trace
def test_the_mended_loader_is_not_the_problem(shared_data: Path) -> None:
    """Without workers 60 % of the step is exposed: 56 ms, and mending it saved 56 ms."""
    slow, mended = (
        stepscope.open(shared_data / _PAIRS.format(side)).show("data_loading", by="rank").row(0, named=True)
        for side in ("slow", "mended")
    )
    assert (slow["verdict"], slow["workers"]) == ("processing", "single-process")
    assert (mended["verdict"], mended["workers"]) == ("not the problem", "multi-process")
    assert slow["h2d_pageable_bytes"] == slow["h2d_bytes"] > 3 * 19_000_000
    assert mended["h2d_pageable_bytes"] == 0
    assert slow["exposed_ns"] / 3e6 == pytest.approx(83.9 - 27.7, rel=0.1)


@pytest.mark.real_trace
def test_a_range_that_waits_for_the_gpu_is_not_waiting_for_data(shared_data: Path) -> None:
    """The range ``load_batch`` lasts 318 ms of a 338 ms step: its copy waits for all work queued before it."""
    table = stepscope.open(shared_data / "h200/ranks/ddp4_straggler/rank0.json.gz").show("data_loading")
    assert table["wait_ns"].max() > 300_000_000
    assert table["exposed_ns"].max() < 1_000_000
    assert set(table["verdict"]) == {"not the problem"}


@pytest.mark.real_trace
def test_ranges_count_in_any_category(shared_data: Path) -> None:
    """Annotations since torch 1.13 or so; the TensorBoard plugin shows 0 for these twelve (kineto issue 610)."""
    table = stepscope.open(shared_data / "cpu/dataloader_2workers.pt.trace.json").show("data_loading")
    [row] = table.select("fetches", "wait_ns", "exposed_ns", "workers", "verdict").rows()
    assert row == (12, 49_266_431, 49_266_431, "multi-process", "processing")
