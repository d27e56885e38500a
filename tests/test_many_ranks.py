"""The generator of many ranks: what it plants is there, and nothing it makes is impossible."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import stepscope
from building import rows

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> tuple[Path, dict[str, Any]]:
    """Six ranks on three hosts, whose rank 4 is late by 30 ms in each of five steps."""
    source = BENCHMARKS.parent / "examples" / "ddp4_straggler" / "rank0.json.gz"
    folder = tmp_path_factory.mktemp("many")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        import many_ranks

        words = ["--straggler=4", "--extra-ms=30", "--steps=5", "--per-host=2"]
        words += ["--hosts-offset-us=0,700,-2500", "--drift-ppm=40"]
        asked = many_ranks.options([str(source), "6", str(folder), *words])
        return folder, many_ranks.make(asked.source, asked.count, asked.out, asked)


def events(folder: Path, rank: int) -> list[dict[str, Any]]:
    """Timed events of a rank with exact ``start`` and ``end``."""
    text = gzip.decompress((folder / f"rank{rank}.json.gz").read_bytes())
    found = [event for event in json.loads(text)["traceEvents"] if event.get("ph") == "X"]
    return [
        event | {"start": round(event["ts"] * 1000), "end": round((event["ts"] + event["dur"]) * 1000)}
        for event in found
    ]


def calls(folder: Path, truth: dict[str, Any], rank: int) -> list[tuple[int, int]]:
    """Start and end of each collective on the true clock."""
    host = next(host for host in truth["hosts"] if rank in host["ranks"])
    found = events(folder, rank)
    origin = min(event["start"] for event in events(folder, 0))
    shown = sorted((event["start"], event["end"]) for event in found if event["name"].startswith("ncclDev"))

    def true(time: int) -> int:
        since = time - host["offset_ns"] - origin
        return round(since / (1 + host["drift_ppm"] / 1e6))

    return [(true(start), true(end)) for start, end in shown]


@pytest.mark.long
def test_all_leave_a_collective_together_and_wait_for_the_late_rank(made: tuple[Path, dict[str, Any]]) -> None:
    folder, truth = made
    by_rank = [calls(folder, truth, rank) for rank in range(6)]
    assert {len(one) for one in by_rank} == {len(by_rank[0])}
    waits = []
    for together in zip(*by_rank, strict=True):
        starts, ends = zip(*together, strict=True)
        assert max(ends) - min(ends) <= 2
        waited = starts[4] - sorted(starts[:4] + starts[5:])[2]
        waits += [round(waited / 1e6)] if waited > 1e6 else []
    assert waits == [30] * 5 == [truth["late_ns_per_step"] // 10**6] * truth["late_steps"]


@pytest.mark.parametrize("rank", [0, 4])
def test_nothing_runs_before_its_launch_or_beside_itself(made: tuple[Path, dict[str, Any]], rank: int) -> None:
    found = events(made[0], rank)
    launches = {
        event["args"]["correlation"]: event for event in found if event["cat"] in ("cuda_runtime", "cuda_driver")
    }
    on_gpu = [event for event in found if event["cat"] in ("kernel", "gpu_memcpy", "gpu_memset")]
    assert all(launches[n]["start"] < e["start"] for e in on_gpu if (n := e["args"]["correlation"]) in launches)
    for stream in {event["tid"] for event in on_gpu}:
        times = sorted((event["start"], event["end"]) for event in on_gpu if event["tid"] == stream)
        assert all(end <= start + 1 for (_, end), (start, _) in pairwise(times))


def test_the_files_are_ranks_of_one_job(made: tuple[Path, dict[str, Any]], examples: Path) -> None:
    """Every check says of each rank what it says of the recording, and the late rank computes 30 ms more a step."""
    profile = stepscope.open(str(made[0]))
    assert rows(profile.show("steps"), "rank", "step") == [(rank, step) for rank in range(6) for step in range(2, 7)]
    compute = profile.show("summary")["compute_ns"].to_list()
    assert [round((ns - compute[0]) / 5e6) for ns in compute] == [0, 0, 0, 0, 30, 0]
    source = stepscope.open(str(examples / "ddp4_straggler" / "rank0.json.gz")).show("health")
    expected = dict(rows(source, "check", "status"))
    health = rows(profile.show("health"), "rank", "check", "status")
    assert [(rank, check) for rank, check, status in health if rank is not None and status != expected[check]] == []
