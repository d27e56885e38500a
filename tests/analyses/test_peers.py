"""Tables against the numbers of other tools on the same recordings, where their definitions agree with ours.

The numbers lie beside the recordings: an exact GPU breakdown made from the decimal text, outputs of TraceLens and of
torch-tb-profiler (with three entries of its category map mended, else it shows zeros), and torch's own
``key_averages()`` table.
"""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import stepscope
from oracles import general as oracle
from stepscope.api import OpenProfile

pytestmark = pytest.mark.real_trace

BREAKDOWNS = {
    "hta/v100-2rank-ddp-profile_memory-rank1.json.gz": "v100-2rank-ddp-profile_memory-rank1.json.gz",
    "hta/a100-8rank-old_schema-rank3.json.gz": "a100-8rank-old_schema-rank3.json.gz",
    "hta/a100-2rank-nccl_metadata-rank0.json.gz": "a100-2rank-nccl_metadata-rank0.json.gz",
    "hta/mi250-rocm6.2-minitoy.json.gz": "mi250-rocm6.2-minitoy.json.gz",
    "hta/critical_path/a100-alexnet-cuda_sync.json.gz": "a100-alexnet-cuda_sync.json.gz",
    "hta/two_rank/sampled-128world-rank0.json.gz": "sampled-128world-rank0.json.gz",
    "hta/two_rank/sampled-128world-rank1.json.gz": "sampled-128world-rank1.json.gz",
    "tracelens/b200__eager_trace.json.gz": "eager_trace.json.gz",
    "tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz": "Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    "tracelens/h100__gaunernst_bert-small-uncased__1016001.json.gz": "gaunernst_bert-small-uncased__1016001.json.gz",
}
LONGEST_NAME = 150
"""The breakdown cuts longer kernel names off."""


def show(path: Path) -> OpenProfile:
    return stepscope.open(str(path))


def nanoseconds(microseconds: float) -> int:
    return round(microseconds * 1000)


@pytest.mark.parametrize(("trace", "reference"), BREAKDOWNS.items())
def test_gpu_time_is_that_of_the_exact_breakdown(shared_data: Path, trace: str, reference: str) -> None:
    """One span differs by 1 ns: 4458677083276.404 + 154.782 - 4458676422880.181 us are 660551.005, not .006."""
    path = shared_data / "reference" / "hta-reference" / "exact-gpu-breakdown.json"
    wanted = json.loads(path.read_text())["traces"][reference]
    profile = show(shared_data / "public" / trace)
    [row] = profile.show("summary").to_dicts()
    slack = 1 if "nccl_metadata" in trace else 0
    assert row["kernels"] + row["memcpys"] + row["memsets"] == wanted["gpu_events"]
    assert abs(row["span_ns"] - nanoseconds(wanted["span_us"])) <= slack
    assert abs(row["idle_ns"] - nanoseconds(wanted["idle_us"])) <= slack
    assert row["busy_ns"] == nanoseconds(wanted["busy_us"])
    assert row["memory_ns"] == nanoseconds(wanted["mem_us"])
    assert row["communication_ns"] == nanoseconds(wanted["comm_wide_us"])
    if wanted["comm_wide_us"] == wanted["comm_us"]:
        assert row["compute_ns"] == nanoseconds(wanted["compute_us"])
        assert row["exposed_communication_ns"] == nanoseconds(wanted["exposed_comm_us"])
        assert row["overlap_pct"] == (
            wanted["comm_overlap_pct"] and pytest.approx(wanted["comm_overlap_pct"], abs=1e-4)
        )
    kernels = {kernel["name"]: (kernel["calls"], kernel["total_ns"]) for kernel in profile.show("kernels").to_dicts()}
    top = [one for one in wanted["top_kernels"] if one["kind"] != "mem" and len(one["name"]) < LONGEST_NAME]
    for one in top:
        assert kernels[one["name"]] == (one["calls"], nanoseconds(one["total_us"])), one["name"]


def test_custom_all_reduce_kernels_are_communication(shared_data: Path) -> None:
    """18 % of the busy time of this recording; tools that know NCCL's names only report 22 us."""
    [row] = show(shared_data / "public/tracelens/b200__eager_trace.json.gz").show("summary").to_dicts()
    assert row["communication_ns"] == 2_141_501
    assert row["compute_ns"] == 8_652_137
    assert row["busy_ns"] == 11_596_482


@pytest.mark.parametrize(
    ("trace", "reference"),
    [
        ("hta/a100-2rank-nccl_metadata-rank0.json.gz", "a100-2rank-nccl_metadata-rank0"),
        ("tracelens/b200__eager_trace.json.gz", "b200-eager"),
        ("tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz", "h100-qwen"),
    ],
)
def test_operators_have_the_gpu_time_of_the_tensorboard_plugin(shared_data: Path, trace: str, reference: str) -> None:
    """In whole microseconds. It counts an operator inside one of its own name otherwise: not called, and no total."""
    path = shared_data / "reference" / "tb-reference" / f"{reference}.patched.json"
    [result] = json.loads(path.read_text())["results"].values()
    table = {row["name"]: row for row in show(shared_data / "public" / trace).show("operators").to_dicts()}
    assert len(result["operators"]) >= 45
    for wanted in result["operators"]:
        row = table[wanted["name"]]
        assert abs(row["device_self_ns"] - 1000 * wanted["device_self_duration"]) <= 1000, wanted["name"]
        if row["calls"] == wanted["calls"] and wanted["name"] != "aten::arange":
            assert abs(row["device_total_ns"] - 1000 * wanted["device_total_duration"]) <= 1000, wanted["name"]
            assert abs(row["host_total_ns"] - 1000 * wanted["host_total_duration"]) <= 1000, wanted["name"]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    "name",
    [
        "h100__Qwen_Qwen1.5-0.5B-Chat__1016005",
        "h100__gaunernst_bert-small-uncased__1016001",
        "torch_compile_triton__trace",
    ],
)
def test_kernels_and_operators_have_the_times_of_tracelens(shared_data: Path, name: str) -> None:
    folder = shared_data / "public" / "tracelens"
    profile = show(folder / f"{name}.json.gz")
    calls: dict[tuple[str, str | None], int] = defaultdict(int)
    time: dict[tuple[str, str | None], float] = defaultdict(float)
    for row in rows_of(folder / "reference" / name / "kernel_summary.csv"):
        key = row["Kernel name"], row["Parent cpu_op"] or None
        calls[key] += int(float(row["Kernel duration (µs)_count"]))
        time[key] += float(row["Kernel duration (µs)_sum"])
    table = {(row["name"], row["op"]): row for row in profile.show("kernels", by="op").to_dicts()}
    assert {key: row["calls"] for key, row in table.items()} == calls
    assert {key: row["total_ns"] for key, row in table.items()} == {
        key: pytest.approx(1000 * value, abs=1) for key, value in time.items()
    }
    operators = {row["name"]: row for row in profile.show("operators").to_dicts()}
    for wanted in rows_of(folder / "reference" / name / "ops_summary.csv"):
        row = operators[wanted["name"]]
        # Written through 32-bit floats: 7 digits.
        assert row["device_self_ns"] == pytest.approx(1000 * float(wanted["total_direct_kernel_time_sum"]), abs=50)
        assert row["device_total_ns"] == pytest.approx(1000 * float(wanted["total_subtree_kernel_time_sum"]), abs=50)


@pytest.mark.parametrize(
    "name",
    [
        "h100__gaunernst_bert-small-uncased__1016001",
        "inference__vllm_prefilldecode_piecewise__graph_execution",
        "torch_compile_triton__trace",
    ],
)
def test_gpu_time_is_that_of_tracelens_where_every_kernel_is_linked(shared_data: Path, name: str) -> None:
    """It drops unlinked kernels, and counts fills as computing: only recordings without either compare."""
    folder = shared_data / "public" / "tracelens"
    [row] = show(folder / f"{name}.json.gz").show("summary").to_dicts()
    wanted = {
        one["type"]: 1e6 * float(one["time ms"]) for one in rows_of(folder / "reference" / name / "gpu_timeline.csv")
    }
    assert {
        "busy_time": row["busy_ns"],
        "idle_time": row["idle_ns"],
        "total_time": row["span_ns"],
        "computation_time": row["compute_ns"],
        "exposed_comm_time": row["exposed_communication_ns"],
        "exposed_memcpy_time": row["exposed_memory_ns"],
    } == {
        key: pytest.approx(wanted[key], abs=50) for key in wanted if not key.startswith("total_") or key == "total_time"
    }


UNITS = {"us": 1e3, "ms": 1e6, "s": 1e9}


def key_averages(path: Path) -> dict[str, dict[str, Any]]:
    """First row of each name of torch's table; times as (ns, rounding)."""
    found: dict[str, dict[str, Any]] = {}
    for line in path.read_text().splitlines():
        cells = re.split(r"\s{2,}", line.strip())
        if len(cells) < 16 or not re.fullmatch(r"[\d.]+%", cells[1]):
            continue
        times = {}
        for column, text in (("self_cpu", cells[2]), ("cpu", cells[4]), ("self_cuda", cells[6]), ("cuda", cells[8])):
            match = re.fullmatch(r"([\d.]+)(us|ms|s)", text)
            assert match is not None, line
            times[column] = pytest.approx(float(match[1]) * UNITS[match[2]], abs=0.0005 * UNITS[match[2]] + 1)
        found.setdefault(cells[0], {**times, "calls": int(cells[14]), "kflops": cells[15]})
    return found


def test_operators_have_the_times_of_torchs_own_table(shared_data: Path) -> None:
    """torch takes runtime calls out of self times, so they are taken out here too before comparing.

    Names longer than 55 characters are cut off there, and some are then no longer one. `aten::div` calls itself here,
    which torch counts as one call.
    """
    folder = shared_data / "h200" / "train"
    wanted = key_averages(folder / "cnn.key_averages.txt")
    profile = show(folder / "cnn.step12.pt.trace.json.gz")
    events = oracle.read(folder / "cnn.step12.pt.trace.json.gz")
    own: dict[str | None, int] = defaultdict(int)
    with_calls = oracle.walk([*events.operators, *events.runtime]).self_ns
    for operator in events.operators:
        own[operator.name] += with_calls.get(operator.number, 0)
    compared = 0
    for row in profile.show("operators").to_dicts():
        other = wanted.get(row["name"])
        if other is None:
            continue
        compared += 1
        assert row["calls"] == (6 if row["name"] == "aten::div" else other["calls"]), row["name"]
        assert row["host_total_ns"] == other["cpu"], row["name"]
        assert own[row["name"]] == other["self_cpu"], row["name"]
        assert row["host_self_ns"] >= own[row["name"]]
        assert row["device_total_ns"] == other["cuda"], row["name"]
        assert row["device_self_ns"] == other["self_cuda"], row["name"]
    assert compared >= 65


@pytest.mark.parametrize("name", ["aten::conv2d", "aten::mm", "aten::addmm"])
def test_flops_are_those_of_torchs_own_table(shared_data: Path, name: str) -> None:
    folder = shared_data / "h200" / "train"
    wanted = key_averages(folder / "cnn.key_averages.txt")[name]["kflops"]
    table = show(folder / "cnn.step12.pt.trace.json.gz").show("operators")
    flops = dict(zip(table["name"], table["flops"], strict=True))
    assert flops[name] == pytest.approx(1000 * float(wanted), rel=1e-6)
