"""Tables of what the profiler of an NPU says itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

import stepscope
from building import kernel, launched, step, write
from building.ascend import ALLOCATIONS, EPOCH_US, GROUP, MATRIX_CALLS, RECORDS, write_database, write_run
from stepscope.commands import cli


def test_kernels_by_shapes_with_the_units_that_worked(tmp_path: Path) -> None:
    table = stepscope.open(write_run(tmp_path)).show("npu_kernels")
    columns = ["type", "core", "shapes", "types", "calls", "total_ns", "share_pct", "mean_ns", "wait_ns", "cores_used"]
    assert table.select(columns).rows() == [
        ("MatMulV3", "AI_CORE", "64,32;32,16", "DT_BF16;DT_BF16", 2, 60_000, 200 / 3, 30_000, 3_000, 20.0),
        ("Cast", "AI_CPU", "8", "FLOAT", 2, 30_000, 100 / 3, 15_000, 25_000, None),
    ]
    units = table.select("cube_pct", "cube_load_pct", "vector_pct", "cube_utilization_pct").rows()
    assert units == [(75.0, 50.0, None, 90.5), (None, None, None, 0.0)]


def test_steps_as_the_profiler_has_them_and_as_measured(tmp_path: Path) -> None:
    profile = stepscope.open(write_run(tmp_path))
    table = profile.show("npu_steps")
    assert [dict(zip(table.columns, row, strict=True)) for row in table.rows()] == [
        {
            "rank": 0,
            "step": step,
            "computing_ns": 45_000,
            "measured_computing_ns": 45_000,
            "communication_ns": 20_000,
            "measured_communication_ns": 20_000,
            "exposed_ns": 10_000,
            "measured_exposed_ns": 10_000,
            "overlapped_ns": 10_000,
            "free_ns": 2_500,
            "measured_free_ns": 8_000,
            "measured_copies_ns": 5_000,
            "stage_ns": 57_500,
            "bubble_ns": 0,
            "preparing_ns": 20_000,
        }
        for step in (1, 2)
    ]
    assert "what started in a step" in profile.notes("npu_steps")[0]


def test_collectives_and_links(tmp_path: Path) -> None:
    profile = stepscope.open(write_run(tmp_path))
    table = profile.show("npu_collectives")
    assert table.rows() == [(0, "all_reduce", GROUP, False, 2, 40_000, 16_000, 24_000, 20_000, 0, 60.0)]
    links = profile.show("npu_links")
    assert links.rows() == [
        (0, "HCCS", "all_reduce", 2, 8_000, 16_000, 0.5, 4, 2_000, 25.0),
        (0, "SDMA", "all_reduce", 2, 8_000, 16_000, 0.5, None, None, None),
    ]
    assert "SDMA is the sum" in profile.notes("npu_links")[0]


def moved(calls: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Source, destination, link, operation, bytes, time, fastest, slowest and the slowest call, most time first."""
    found: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for _, source, destination, transport, size, time, speed, name in calls:
        op = {"allReduce": "all_reduce", "reduceScatter": "reduce_scatter"}[name.split("_")[1]]
        found.setdefault((source, destination, transport, op), []).append((speed, name, size, time))
    rows = [
        (*key, sum(one[2] for one in some), sum(one[3] for one in some), max(some)[0], *min(some)[:2])
        for key, some in found.items()
    ]
    return [
        (*row[:4], round(row[4] * 1e6), round(row[5] * 1e6), *row[6:]) for row in sorted(rows, key=lambda row: -row[5])
    ]


MOVED = ("source", "destination", "transport", "op", "bytes", "transit_ns", "fastest", "slowest", "slowest_call")


@pytest.mark.parametrize("step", [None, 1, 2])
def test_what_each_pair_of_ranks_moved(tmp_path: Path, step: int | None) -> None:
    table = stepscope.open(write_run(tmp_path)).show("npu_pairs", step=step)
    expected = moved([call for call in MATRIX_CALLS if step in (None, call[0])])
    assert table.select(MOVED).sort("transit_ns", "bytes", descending=True).rows() == expected
    assert table["transit_ns"].is_sorted(descending=True)
    assert table["bandwidth"].to_list() == [row[4] / row[5] for row in table.select(MOVED).rows()]


def test_numbers_in_a_group_are_ranks_where_a_recording_says_which(tmp_path: Path) -> None:
    """Rank 5 has number 0 in the group of the made file: it copies to itself by it."""
    profile = stepscope.open(write_run(tmp_path, 5))
    ends = ["source", "destination", "source_rank", "destination_rank", "group"]
    assert set(profile.show("npu_pairs").select(ends).rows()) == {(0, 1, 5, None, GROUP), (0, 0, 5, 5, GROUP)}


def test_a_number_that_two_ranks_claim_is_of_neither(tmp_path: Path) -> None:
    for rank in (0, 1):
        write_run(tmp_path, rank)
    table = stepscope.open(tmp_path).show("npu_pairs")
    assert table["source_rank"].null_count() == len(table) == 6


def held(calls: list[tuple[Any, ...]], of_graphs: bool) -> list[tuple[Any, ...]]:
    """Component, operator, blocks, bytes, bytes that stay and time of the peak of an allocator."""
    own = [call for call in calls if call[0].startswith("cann::") == of_graphs]
    total, at = max((call[4], call[2]) for call in own)
    alive = [call for call in own if call[2] <= at and (call[3] is None or call[3] > at)]
    found: list[tuple[Any, ...]] = []
    for name in {call[0] for call in alive}:
        same = [call for call in alive if call[0] == name]
        found.append((name, len(same), sum(one[1] for one in same), sum(one[1] for one in same if one[3] is None)))
    rest = total - sum(one[2] for one in found)
    found += [("(not in the recorded events)", None, rest, None)] if rest else []
    ordered = sorted(found, key=lambda one: -one[2])
    return [("GE" if of_graphs else "PTA", *one, (EPOCH_US + at) * 1000) for one in ordered]


@pytest.mark.parametrize("write_one", [write_run, write_database])
def test_operators_that_held_most_at_the_peak(tmp_path: Path, write_one: Callable[[Path], Path]) -> None:
    profile = stepscope.open(write_one(tmp_path))
    table = profile.show("npu_memory_peak")
    columns = ["component", "op", "blocks", "bytes", "kept_bytes", "at_ns"]
    assert table.select(columns).rows() == [*held(ALLOCATIONS, False), *held(ALLOCATIONS, True)]
    assert table.group_by("component").agg(pl.col("share_pct").sum().round(9))["share_pct"].to_list() == [100.0] * 2
    said = "NPU:2, PTA: peak 21.5 KiB; of the operators aten::mm held most, 6.00 KiB"
    assert profile.notes("npu_memory_peak")[0] == said


@pytest.mark.parametrize("write_one", [write_run, write_database])
def test_peaks_of_each_allocator(tmp_path: Path, write_one: Callable[[Path], Path]) -> None:
    table = stepscope.open(write_one(tmp_path)).show("npu_memory")
    for component in ("PTA", "GE", "PTA+GE", "APP"):
        own = [record[1:] for record in RECORDS if record[0] == component]
        peak = max(record[1] or 0 for record in own)
        first = min(own, key=lambda record: -(record[1] or 0))
        (row,) = table.filter(pl.col("component") == component).rows(named=True)
        assert (row["records"], row["peak_allocated_bytes"]) == (len(own), peak or None)
        assert row["at_ns"] == ((EPOCH_US + first[0]) * 1000 if peak else None)
        assert row["reserved_then_bytes"] == (first[2] if peak else None)
        assert row["peak_reserved_bytes"] == max(record[2] for record in own)
    assert table["component"].to_list() == ["PTA+GE", "PTA", "GE", "HCCL", "APP", "APP (module)"]
    columns = ["records", "peak_allocated_bytes", "peak_reserved_bytes", "peak_active_bytes"]
    modules = table.filter(pl.col("component").is_in(["HCCL", "APP (module)"])).select(columns).rows()
    assert modules == [(2, None, 3 << 20, None), (1, None, 1 << 20, None)]


def test_the_peak_of_selected_steps(tmp_path: Path) -> None:
    """What was allocated before the step is held in it."""
    table = stepscope.open(write_run(tmp_path)).show("npu_memory_peak", step=2)
    rows = table.filter(pl.col("component") == "PTA").select("op", "bytes", "kept_bytes").rows()
    assert rows == [
        ("(not in the recorded events)", 10_752, None),
        ("aten::empty", 4_096, 4_096),
        ("aten::add", 1_536, 0),
        ("aten::mm", 512, 512),
    ]


@pytest.mark.long
def test_a_report_says_what_held_the_memory(tmp_path: Path) -> None:
    said = CliRunner().invoke(cli, ["report", str(write_run(tmp_path))]).stdout
    assert "NPU memory at its peak" in said
    assert "of the operators aten::mm held most" in said


def test_the_selected_steps_count(tmp_path: Path) -> None:
    profile = stepscope.open(write_run(tmp_path))
    assert profile.show("npu_steps", step=2)["step"].to_list() == [2]
    assert profile.show("npu_kernels", step=2)["calls"].to_list() == [1, 1]
    assert profile.show("npu_collectives", step=2)["calls"].to_list() == [1]


@pytest.mark.long
def test_commands_call_the_device_npu_and_no_other_one(tmp_path: Path) -> None:
    """A report of an NPU spoke of the GPU and advised to remove torch.cuda.synchronize()."""
    write_run(tmp_path / "npu")
    run = CliRunner()
    reports = (["report", str(tmp_path / "npu"), "--lang", language] for language in ("en", "zh"))
    said = [run.invoke(cli, command).stdout for command in reports]
    assert "NPU busy 60.0 % of the step" in said[0]
    assert "Remove torch.npu.synchronize()" in said[0]
    assert not any(word in text for word in ("GPU", "torch.cuda") for text in said)
    write(tmp_path / "trace.json", step(1, 0, 100), launched(kernel("GPU_NPU_kernel", 20, 60, 1), 10))
    other = run.invoke(cli, ["report", str(tmp_path / "trace.json"), "--lang", "en"]).stdout
    assert "GPU busy" in other
    assert "NPU" not in other.replace("GPU_NPU_kernel", "")


@pytest.mark.long
def test_the_python_interface_calls_the_device_npu(tmp_path: Path) -> None:
    npu = stepscope.open(write_run(tmp_path / "npu"))
    trace = write(tmp_path / "trace.json", step(1, 0, 100), launched(kernel("gemm", 20, 60, 1), 10))
    gpu = stepscope.open(trace)
    assert ("NPU busy" in npu.verdict, "GPU" in npu.verdict) == (True, False)
    assert ("GPU busy" in gpu.verdict, "NPU" in gpu.verdict) == (True, False)
    texts = [
        npu.report(),
        npu.findings.drop("change").write_csv(),
        *npu.notes("summary"),
        npu.report(tmp_path / "npu.md"),
    ]
    assert not any(word in text for word in ("GPU", "torch.cuda") for text in texts)
    assert "NPU work, CANN calls" in npu.show("recordings")["recorded"][0]
    assert "NPU" not in gpu.report()


def test_other_recordings_have_none_of_it(tmp_path: Path) -> None:
    missing = dict.fromkeys(
        (
            "kernel_details_csv",
            "communication_json",
            "communication_matrix_json",
            "step_trace_time_csv",
            "memory_record_csv",
            "npu_module_mem_csv",
        )
    )
    profile = stepscope.open(write_run(tmp_path, **missing))
    assert len(profile.show("npu_kernels")) == 0
    assert profile.notes("npu_collectives")[0].startswith("no rows")
    assert "communication_matrix.json" in profile.notes("npu_pairs")[0]
    assert "profile_memory=True" in profile.notes("npu_memory")[0]
