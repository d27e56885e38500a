"""Telemetry, snapshots and exports beside a trace: on one clock, how surely, and why not."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building import check, flat, kernel, launched, operator, step, write
from building.snapshots import MIB, START_US, MadeSnapshot
from readers.nsys_building import BASE_NS, training
from stepscope.api import OpenProfile
from stepscope.messages.rendering import render

SECOND = 10**9
BASE = 1_790_000_000 * SECOND
"""2026-09-21 14:13:20 UTC."""


def trace(path: Path, start: int = 0, device: int = 0, base: int = BASE, **head: object) -> None:
    """A trace of two steps of a second each, which begins so many ns after `BASE`."""
    events = []
    for i in range(2):
        at = start + i * SECOND
        events += [step(i, at, at + SECOND), operator("aten::mm", at + 10, at + 40)]
        events.append(launched(kernel("gemm", at + 50, at + SECOND - 50, i + 1), at + 20))
        events[-1][1]["args"]["device"] = device
    write(path, *flat(events), baseTimeNanoseconds=base, schemaVersion=1, **head)


def log(path: Path, start: int, count: int = 40, gpus: tuple[int, ...] = (0,), interval: int = SECOND // 4) -> None:
    """A CSV with a sample of each GPU every interval, the power 100 W for each number of the GPU and one more."""
    lines = ["time_ns,gpu,power_w,gpu_util_pct"]
    lines += [f"{start + i * interval},{gpu},{100 * (gpu + 1)},50" for i in range(count) for gpu in gpus]
    path.write_text("\n".join(lines) + "\n")


def local(path: Path, first: str, seconds: int) -> None:
    """What nvidia-smi writes: a sample a second from a local time on, ``HH:MM:SS`` of the trace's day."""
    hour, minute, second = (int(part) for part in first.split(":"))
    lines = ["timestamp, index, power.draw [W]"]
    for i in range(seconds):
        total = (hour * 60 + minute) * 60 + second + i
        lines.append(f"2026/09/21 {total // 3600:02}:{total // 60 % 60:02}:{total % 60:02}.000, 0, 300.5 W")
    path.write_text("\n".join(lines) + "\n")


def beside(profile: OpenProfile) -> dict[str, object]:
    """The row of ``recordings`` of what stands beside the trace."""
    (row,) = [row for row in profile.show("recordings").to_dicts() if row["kind"] != "trace"]
    return row


def beside_of(profile: OpenProfile, recorder: str) -> dict[str, object]:
    """The row of a recorder."""
    (row,) = profile.show("recordings").filter(recorder=recorder).to_dicts()
    return row


def test_a_log_of_the_same_time_is_on_the_clock_of_the_trace(tmp_path: Path) -> None:
    trace(tmp_path / "trace.json")
    log(tmp_path / "gpu.csv", BASE - SECOND)
    profile = stepscope.open(tmp_path)
    row = beside(profile)
    assert (row["joined"], row["start_ns"], row["used"]) == ("clock", -SECOND, True)
    assert row["uncertainty_ns"] == 10**6  # quarters of a second are whole milliseconds
    assert profile.show("telemetry", by="step").filter(counter="power")["samples"].to_list() == [4, 4]


def test_a_log_of_another_time_is_not_joined(tmp_path: Path) -> None:
    trace(tmp_path / "trace.json")
    log(tmp_path / "gpu.csv", BASE + 62 * SECOND)
    profile = stepscope.open(tmp_path)
    row = beside(profile)
    assert (row["joined"], row["used"], row["start_ns"]) == (None, False, 62 * SECOND)
    assert row["note"] == "not joined: it begins 60.0 s after the recording by Kineto ends"
    assert len(profile.show("telemetry")) == 0


@pytest.mark.parametrize(("first", "zone"), [("22:13:15", "UTC+8"), ("10:43:15", "UTC-3:30"), ("14:13:15", "UTC")])
def test_the_only_zone_that_fits_is_assumed(tmp_path: Path, first: str, zone: str) -> None:
    trace(tmp_path / "trace.json")
    local(tmp_path / "smi.csv", first, 20)
    profile = stepscope.open(tmp_path)
    row = beside(profile)
    assert (row["joined"], row["start_ns"], row["used"]) == ("zone", -5 * SECOND, True)
    assert f"only {zone} makes them cover it (assumed" in str(row["note"])
    found = check(profile, "joined")
    assert found is not None
    assert found[:2] == ("warning", "1 joined")
    assert zone in found[2]


def test_a_log_that_fits_several_zones_is_not_joined(tmp_path: Path) -> None:
    trace(tmp_path / "trace.json")
    local(tmp_path / "smi.csv", "21:00:00", 2 * 3600)
    row = beside(stepscope.open(tmp_path))
    assert (row["joined"], row["start_ns"], row["used"]) == (None, None, False)
    assert str(row["note"]).startswith("not joined: its times name no zone, and several make them cover")
    assert str(row["note"]).endswith("(UTC+7, UTC+8, UTC+8:45)")


def test_a_log_that_fits_no_zone_is_not_joined(tmp_path: Path) -> None:
    trace(tmp_path / "trace.json")
    local(tmp_path / "smi.csv", "14:05:00", 20)
    assert "in none do they cover" in str(beside(stepscope.open(tmp_path))["note"])


def test_the_log_of_a_machine_stands_beside_each_rank_with_its_gpu(tmp_path: Path) -> None:
    for rank in range(2):
        trace(tmp_path / f"rank{rank}.json", device=rank, distributedInfo={"rank": rank, "world_size": 2})
    log(tmp_path / "gpu.csv", BASE - SECOND, gpus=(0, 1, 2))
    profile = stepscope.open(tmp_path)
    row = beside(profile)
    assert (row["rank"], row["joined"], row["used"]) == (None, "clock", True)
    power = profile.show("telemetry").filter(counter="power").select("rank", "gpu", "mean").rows()
    assert power == [(0, 0, 100.0), (1, 1, 200.0)]


def test_ranks_that_say_the_same_gpu_are_not_joined_with_a_log(tmp_path: Path) -> None:
    for rank in range(2):
        trace(tmp_path / f"rank{rank}.json", distributedInfo={"rank": rank, "world_size": 2})
    log(tmp_path / "gpu.csv", BASE - SECOND, gpus=(0, 1))
    profile = stepscope.open(tmp_path)
    row = beside(profile)
    assert (row["rank"], row["joined"], row["used"]) == (None, None, False)
    assert str(row["note"]).startswith("not joined: 2 ranks say GPU 0")
    assert len(profile.show("telemetry")) == 0


def test_annotations_of_both_say_how_far_a_snapshot_is_off(tmp_path: Path) -> None:
    made = MadeSnapshot()
    start = START_US * 1000
    segment = made.segment(4 * MIB)
    for i in range(2):
        made.now_us = START_US + i * 1_000_000 + (70 if i else 60)
        made.range(f"ProfilerStep#{i}")
        made.alloc(segment, MIB, "train.py:3 main")
        made.range(f"ProfilerStep#{i}", end=True)
    made.write(tmp_path / "snapshot.pickle")
    trace(tmp_path / "trace.json", base=start)
    row = beside(stepscope.open(tmp_path))
    assert (row["joined"], row["uncertainty_ns"]) == ("annotations", 10_000)
    assert "2 annotations put it on the clock" in str(row["note"])


def counter_titles(profile: OpenProfile) -> list[str]:
    """Tracks of counters on the timeline of the only rank."""
    from stepscope.timeline.lane_cache import counters

    (rank,) = profile.profile.ranks
    return [render(track.title) for track in counters(rank).tracks]


def test_counters_beside_a_trace_are_on_its_timeline_and_gone_without_them(tmp_path: Path) -> None:
    """Once, what was kept of the trace alone was shown of it with telemetry."""
    made = MadeSnapshot()
    made.now_us = BASE // 1000 + 10
    made.alloc(made.segment(4 * MIB), MIB, "train.py:3 main")
    made.write(tmp_path / "both" / "snapshot.pickle")
    trace(tmp_path / "both" / "trace.json")
    log(tmp_path / "both" / "gpu.csv", BASE - SECOND)
    alone = counter_titles(stepscope.open(tmp_path / "both" / "trace.json"))
    both = counter_titles(stepscope.open(tmp_path / "both"))
    assert [title for title in both if title not in alone] == [
        "memory allocated · cuda:0",
        "memory reserved · cuda:0",
        "gpu_util · GPU 0",
        "power · GPU 0",
    ]
    assert counter_titles(stepscope.open(tmp_path / "both" / "trace.json")) == alone


@pytest.mark.parametrize(("later", "joined"), [(0, "clock"), (10 * SECOND, None)])
def test_an_export_of_the_same_time_is_counted_once(tmp_path: Path, later: int, joined: str | None) -> None:
    """The tables are those of the trace; the export beside it adds no kernels."""
    trace(tmp_path / "trace.json", start=later, base=BASE_NS)
    alone = stepscope.open(tmp_path / "trace.json").show("kernels")
    training().write(tmp_path / "export.sqlite")
    profile = stepscope.open(tmp_path)
    row = beside_of(profile, "Nsight Systems")
    assert (row["joined"], row["used"]) == (joined, False)
    said = "of the same 290 us" if joined else "not joined: it ends 10.0 s before"
    assert said in str(row["note"])
    assert profile.show("kernels").equals(alone)


def test_a_snapshot_of_another_time_keeps_its_tables(tmp_path: Path) -> None:
    made = MadeSnapshot()
    made.alloc(made.segment(4 * MIB), MIB, "train.py:3 main")
    made.write(tmp_path / "snapshot.pickle")
    trace(tmp_path / "trace.json")
    profile = stepscope.open(tmp_path)
    row = beside(profile)
    assert (row["joined"], row["used"]) == (None, True)
    assert "the memory tables are of it, on no common clock: it ends" in str(row["note"])
    assert len(profile.show("memory_timeline")) > 0
    assert not any("memory" in title for title in counter_titles(profile))
