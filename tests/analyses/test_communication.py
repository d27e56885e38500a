"""The table of collectives: literal rows, and an oracle over recordings."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import stepscope
from building import kernel, opened
from stepscope.schema import TABLES

SIZES = {"Float": 4, "Byte": 1, "BFloat16": 2, "Half": 2, "Long": 8}
SPELLINGS = {
    "allreduce": "all_reduce",
    "all_gather": "all_gather",
    "_allgather_base": "all_gather",
    "_reduce_scatter_base": "reduce_scatter",
    "all_to_allv": "all_to_all",
    "broadcast": "broadcast",
    "barrier": "barrier",
    "send": "send",
    "recv": "recv",
}


def all_reduce(start: int, end: int, elements: int | None, dtype: str = "Float") -> dict[str, Any]:
    args: dict[str, Any] = {"Collective name": "allreduce", "dtype": dtype, "Group size": 2}
    args |= {"Process Group Name": "3", "Process Group Description": "tensor_parallel"}
    if elements is not None:
        args |= {"In msg nelems": elements, "Out msg nelems": elements}
    return kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", start, end, **args)


def test_calls_of_one_kind_group_and_type_are_a_row(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        all_reduce(0, 10_000, 256),
        all_reduce(20_000, 50_000, 1024),
        kernel("gemm", 25_000, 35_000, stream=8),
        all_reduce(60_000, 65_000, None),
        kernel("ncclKernel_Broadcast_RING_LL(x)", 70_000, 74_000),
    )
    table = profile.show("communication")
    shown = ("op", "group", "ranks", "dtype", "calls", "bytes", "total_ns", "exposed_ns", "sized_calls")
    assert table.select(shown).rows() == [
        ("all_reduce", "tensor_parallel", 2, "Float", 3, 5120, 45_000, 35_000, 2),
        ("broadcast", None, None, None, 1, None, 4_000, 4_000, 0),
    ]
    assert table["mean_ns"].to_list() == [15_000, 4_000]
    assert profile.notes("communication") == [
        "durations include waiting for other ranks: the shortest call waited least",
        "2 of 4 calls have no recorded size: bytes exclude them",
    ]


def test_by_size_tells_the_sizes_of_calls_apart(tmp_path: Path) -> None:
    profile = opened(tmp_path, all_reduce(0, 10, 256), all_reduce(20, 50, 1024), all_reduce(60, 62, 256))
    table = profile.show("communication", by="size")
    assert table.select("op", "call_bytes", "calls", "bytes").rows() == [
        ("all_reduce", 4096, 1, 4096),
        ("all_reduce", 1024, 2, 2048),
    ]


def test_a_recording_without_communication_says_so(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("gemm", 0, 10))
    table = profile.show("communication")
    assert len(table) == 0
    assert dict(table.schema) == TABLES["communication"].schema
    assert profile.notes("communication") == ["no rows: no communication kernel ran in the selection"]


@pytest.mark.real_trace
@pytest.mark.parametrize("folder", ["collectives4", "fsdp4"])
def test_sums_agree_with_the_events_of_the_files(shared_data: Path, folder: str) -> None:
    expected: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for path in sorted((shared_data / "h200" / "ranks" / folder).glob("rank*.json.gz")):
        trace = json.loads(gzip.decompress(path.read_bytes()))
        for event in trace["traceEvents"]:
            args = event.get("args", {})
            if event.get("cat") == "kernel" and args.get("Collective name"):
                row = expected[trace["distributedInfo"]["rank"], SPELLINGS[args["Collective name"]]]
                row[0] += 1
                row[1] += max(args["In msg nelems"], args["Out msg nelems"]) * SIZES[args["dtype"]]
                row[2] += round(event["dur"] * 1000)
    table = stepscope.open(shared_data / "h200" / "ranks" / folder).show("communication", by="rank")
    told = table.filter(table["group"].is_not_null())
    found = {(rank, op): [*rest] for rank, op, *rest in told.select("rank", "op", "calls", "bytes", "total_ns").rows()}
    assert found == dict(expected)
