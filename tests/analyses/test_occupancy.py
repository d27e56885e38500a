"""Occupancy of kernels for which the profiler records 0."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import stepscope
from building import Event, kernel, opened
from oracles import general as oracle
from oracles import occupancy as occupancy_oracle
from stepscope.analyses.gpu.occupancy import kernel_occupancy

H100 = {
    "id": 0,
    "name": "NVIDIA H100",
    "computeMajor": 9,
    "computeMinor": 0,
    "warpSize": 32,
    "regsPerMultiprocessor": 65536,
    "sharedMemPerMultiprocessor": 233472,
    "maxThreadsPerMultiprocessor": 2048,
}


def configured(threads: int, registers: int, shared: int, blocks: float, occupancy: int) -> Event:
    return {
        "block": [threads, 1, 1],
        "registers per thread": registers,
        "shared memory": shared,
        "blocks per SM": blocks,
        "est. achieved occupancy %": occupancy,
    }


def found(folder: Path, args: Event, **device: Any) -> tuple[float | None, str | None]:
    """Estimate and limit of one kernel on an H100, or one that differs from it."""
    [rank] = opened(folder, kernel("k", 0, 10, **args), deviceProperties=[H100 | device]).profile.ranks
    return kernel_occupancy(rank, rank.activity["row"]).row(0)


@pytest.mark.parametrize(
    ("args", "estimate", "limit"),
    [
        # 228 KiB hold one block of 199 KiB + 1 KiB: 384 of 2,048 threads.
        (configured(384, 40, 199 << 10, 8.0, 0), 18.75, "shared memory"),
        # A warp of 168 registers takes 5,376: three fit into a quarter of the registers, so one block of 12 warps.
        (configured(384, 168, 100 << 10, 8.0, 0), 18.75, "registers"),
        # Half a block per SM.
        (configured(1024, 16, 60 << 10, 0.5, 0), 25.0, "grid"),
        # -99 is a failure as well.
        (configured(256, 24, 0, 16.0, -99), 100.0, "threads"),
        # What was recorded stays as it is; a tiny kernel's share may well round to 0.
        (configured(256, 24, 1024, 16.0, 93), 93.0, "threads"),
        (configured(32, 16, 0, 0.01, 0), 0.0, "grid"),
        (configured(32, 16, 0, 64.0, 50), 50.0, "blocks"),
    ],
)
def test_estimate_and_limit(tmp_path: Path, args: Event, estimate: float, limit: str) -> None:
    assert found(tmp_path, args) == (estimate, limit)


def test_older_gpus_hold_fewer_blocks_and_reserve_nothing(tmp_path: Path) -> None:
    """T4: 16 blocks of 32 threads; 64 KiB hold one block of exactly 64 KiB."""
    t4 = {
        "computeMajor": 7,
        "computeMinor": 5,
        "sharedMemPerMultiprocessor": 65536,
        "maxThreadsPerMultiprocessor": 1024,
    }
    assert found(tmp_path, configured(32, 16, 0, 64.0, 50), **t4) == (50.0, "blocks")
    assert found(tmp_path, configured(512, 16, 65536, 64.0, 0), **t4) == (50.0, "shared memory")


@pytest.mark.parametrize(
    "lacking",
    [{"warpSize": None}, {"warpSize": 64}, {"regsPerMultiprocessor": "many"}, {"computeMajor": 6}],
)
def test_without_the_devices_facts_a_failed_estimate_is_none(tmp_path: Path, lacking: Any) -> None:
    assert found(tmp_path, configured(384, 168, 100 << 10, 8.0, 0), **lacking) == (None, None)
    assert found(tmp_path, configured(384, 168, 1 << 10, 8.0, 12), **lacking) == (12.0, None)


@pytest.mark.parametrize("block", [None, "text", [], [0, 1, 1], [128, "x", 1], [2048, 1, 1], 128])
def test_a_block_that_is_none_gives_no_estimate(tmp_path: Path, block: Any) -> None:
    args = configured(384, 168, 100 << 10, 8.0, 0) | {"block": block}
    assert found(tmp_path, args) == (None, None)


def test_a_kernel_without_any_detail(tmp_path: Path) -> None:
    assert found(tmp_path, {}) == (None, None)


@pytest.mark.real_trace
@pytest.mark.parametrize(
    "name",
    [
        "h200/train/cnn.step12.pt.trace.json.gz",
        "h200/ranks/ddp4/rank1.json.gz",
        "public/hta/a100-2rank-nccl_metadata-rank0.json.gz",
        "public/hta/critical_path/a100-alexnet-cuda_sync.json.gz",
        "public/tracelens/b200__eager_trace.json.gz",
        "public/tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    ],
)
def test_the_rules_give_what_the_profiler_recorded_and_fill_in_the_rest(shared_data: Path, name: str) -> None:
    """All recorded estimates up to rounding, where it made any; and the same rules where it made none."""
    [rank] = stepscope.open(str(shared_data / name)).profile.ranks
    devices = {device["id"]: device for device in rank.trace.head["deviceProperties"]}
    mended = kernel_occupancy(rank, rank.activity["row"])["estimate_pct"]
    failed = 0
    for event, estimate in zip(oracle.read(shared_data / name).activity, mended, strict=True):
        if "est. achieved occupancy %" not in event.args:
            continue
        args = event.args | {"blocks per SM": float(event.args["blocks per SM"])}
        expected = occupancy_oracle.estimate(args, devices[args["device"]])
        recorded = args["est. achieved occupancy %"]
        assert expected is not None
        if args["shared memory"] > 48 << 10:
            failed += 1
            assert (recorded, estimate) == (0, pytest.approx(expected))
        else:
            assert (abs(expected - recorded) <= 0.51, estimate) == (True, recorded)
    assert failed
