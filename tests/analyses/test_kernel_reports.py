"""What limits a kernel: each cause by the metrics that mean it, and on real kernels with one fault each."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest

import stepscope
from building import flat, kernel, launched, step, write
from kernel_cases import CASES, ELAPSED, IDLE, WELL
from readers.ncu_building import MadeKernel, MadeRule, Value, raw_page, report
from readers.ncu_files import TWO, UNITS
from stepscope.analyses.kernel_reports.causes import causes
from stepscope.analyses.kernel_reports.diagnosis import diagnosed
from stepscope.analyses.kernel_reports.figures import Kernel
from stepscope.api import OpenProfile


def numbers(metrics: Mapping[str, Value]) -> dict[str, float]:
    return {name: float(value) for name, value in metrics.items() if isinstance(value, int | float)}


def opened(folder: Path, *kernels: MadeKernel) -> OpenProfile:
    path = folder / "kernels.ncu-rep"
    path.write_bytes(report(kernels))
    return stepscope.open(path)


@pytest.mark.parametrize("cause", CASES)
def test_each_cause_is_told_from_its_metrics_and_no_other_is(cause: str) -> None:
    changed, bound_pct = CASES[cause]
    found = causes(Kernel(numbers(WELL | changed)))
    assert [one.id for one in found] == [cause]
    assert found[0].bound_pct == pytest.approx(bound_pct)


def test_a_kernel_without_a_fault_is_limited_by_its_busiest_unit() -> None:
    (found,) = diagnosed(numbers(WELL))
    assert (found.id, found.bound_pct) == ("dram", None)
    (found,) = diagnosed(numbers(WELL | {f"gpu__dram_throughput.avg.{ELAPSED}": 30.0}))
    assert found.id == "l2"
    (found,) = diagnosed(numbers(WELL | {f"sm__throughput.avg.{ELAPSED}": 95.0}))
    assert found.id == "compute"


def test_where_no_unit_is_busy_the_longest_wait_is_named() -> None:
    stalls = {
        "smsp__average_warp_latency_per_inst_issued.ratio": 10.0,
        "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio": 5.0,
        "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio": 4.0,
    }
    (found,) = diagnosed(numbers(WELL | IDLE | stalls))
    assert found.id == "latency"
    assert (found.says["reason"], found.says["share_pct"]) == ("wait", 40.0)
    (found,) = diagnosed(numbers(WELL | IDLE))
    assert found.says.id == "kernel-limit-latency-unknown"


def test_nothing_measured_is_unknown() -> None:
    (found,) = diagnosed({})
    assert (found.id, found.bound_pct) == ("unknown", None)


def test_what_costs_most_comes_first() -> None:
    both = WELL | CASES["divergence"][0] | CASES["uncoalesced"][0]
    assert [one.id for one in causes(Kernel(numbers(both)))] == ["uncoalesced", "divergence"]


def test_without_theoretical_sectors_the_bytes_used_of_each_sector_count() -> None:
    """Stores that there are none of have 0 bytes a sector, which is no waste."""
    known = {name: value for name, value in WELL.items() if "theoretical" not in name}
    used = "smsp__sass_average_data_bytes_per_sector_mem_global_op_{}.ratio"
    known |= {used.format("ld"): 8.0, used.format("st"): 0.0}
    known |= {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 10.0}
    (found,) = causes(Kernel(numbers(known)))
    assert (found.id, found.bound_pct) == ("uncoalesced", 75.0)


def test_low_occupancy_of_a_busy_kernel_is_no_fault() -> None:
    assert causes(Kernel(numbers(WELL | {"sm__maximum_warps_per_active_cycle_pct": 12.5}))) == []


def test_a_small_block_is_no_divergent_branch() -> None:
    """8 of 32 threads execute each instruction because a block has no more; that was called divergent branches."""
    small = {"launch__block_size": 8, "smsp__thread_inst_executed_per_inst_executed.ratio": 8.0}
    (found,) = causes(Kernel(numbers(WELL | IDLE | small)))
    assert (found.id, found.bound_pct) == ("partial_warps", 75.0)


def test_atomics_save_no_more_than_the_busiest_unit_leaves() -> None:
    busy = CASES["atomics"][0] | {f"sm__throughput.avg.{ELAPSED}": 70.0}
    assert [one.bound_pct for one in causes(Kernel(numbers(WELL | busy)))] == [pytest.approx(30.0)]


def test_whole_waves_have_no_tail() -> None:
    assert causes(Kernel(numbers(WELL | IDLE | {"launch__waves_per_multiprocessor": 2.0}))) == []


def test_the_tables_of_a_report(tmp_path: Path) -> None:
    rules = (
        MadeRule("Occupancy", "AchievedOccupancy", 4, "Local.", 1, 90.0),
        MadeRule("Occupancy", "AchievedOccupancy", 4, "Global.", 2, 12.5),
    )
    faulty = MadeKernel("void load<int>(int *)", WELL | CASES["uncoalesced"][0], rules=rules)
    profile = opened(tmp_path, MadeKernel("well(float *)", WELL), faulty)
    table = profile.show("kernel_reports")
    assert table.select("rank", "report", "id", "name", "grid", "block", "duration_ns").rows() == [
        (0, "kernels.ncu-rep", 0, "well(float *)", "[64, 1, 1]", "[256, 1, 1]", 100_000),
        (0, "kernels.ncu-rep", 1, "void load<int>(int *)", "[64, 1, 1]", "[256, 1, 1]", 100_000),
    ]
    assert table.select("registers", "bottleneck", "bound_pct", "estimated_speedup_pct").rows() == [
        (32, "dram", None, None),
        (32, "uncoalesced", 75.0, 12.5),
    ]
    assert table["finding"][1] == ("uncoalesced access: of every 32 bytes that are fetched from L2, 8.0 are used")
    assert len(profile.show("kernel_metrics")) == 2 * len(WELL)
    said = profile.show("kernel_rules").select("id", "number", "rule", "kind", "scope", "estimated_speedup_pct")
    assert said.rows() == [
        (1, 1, "AchievedOccupancy", "OPT", "local", 90.0),
        (1, 2, "AchievedOccupancy", "OPT", "global", 12.5),
    ]


def test_states_of_warps_add_up_to_the_cycles_between_instructions(tmp_path: Path) -> None:
    name = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
    cycles = {"long_scoreboard": 6.0, "selected": 1.0, "wait": 3.0, "sleeping": 0.0}
    metrics: dict[str, Value] = {name.format(reason): value for reason, value in cycles.items()}
    metrics["smsp__average_warp_latency_per_inst_issued.ratio"] = sum(cycles.values())
    table = opened(tmp_path, MadeKernel("a", metrics)).show("kernel_stalls")
    assert table.select("reason", "cycles", "share_pct").rows() == [
        ("long_scoreboard", 6.0, 60.0),
        ("wait", 3.0, 30.0),
        ("selected", 1.0, 10.0),
    ]
    assert table["means"][0] == "waits for data from global or local memory, or a texture"


def test_a_report_stands_beside_the_trace_of_its_rank(tmp_path: Path) -> None:
    write(tmp_path / "trace.json", *flat([step(0, 0, 100), launched(kernel("gemm", 20, 60, 1), 10)]))
    (tmp_path / "kernels.ncu-rep").write_bytes(report(TWO))
    profile = stepscope.open(tmp_path)
    assert len(profile.show("kernels")) == 1
    assert profile.show("kernel_reports")["rank"].to_list() == [0, 0]
    used = profile.show("recordings").select("recorder", "rank", "used")
    assert used.rows() == [("Kineto", 0, True), ("Nsight Compute", 0, True)]


def test_a_report_is_joined_with_the_trace_by_function_grid_and_block(tmp_path: Path) -> None:
    shape = {"grid": [64, 1, 1], "block": [256, 1, 1]}
    events = [
        launched(kernel("void ns::add<float>(float*, int)", 20, 60, 1, **shape), 10),
        launched(kernel("void ns::add<float>(float*, int)", 70, 90, 2, **shape), 65),
        launched(kernel("void ns::add<float>(float*, int)", 91, 99, 3, **(shape | {"grid": [8, 1, 1]})), 66),
    ]
    write(tmp_path / "trace.json", *flat([step(0, 0, 100), *events]))
    kernels = [MadeKernel("void ns::add<int>(int *, int)", WELL), MadeKernel("other(int)", WELL)]
    (tmp_path / "kernels.ncu-rep").write_bytes(report(kernels))
    table = stepscope.open(tmp_path).show("kernel_reports")
    assert table.select("calls", "trace_ns").rows() == [(2, 60), (0, 0)]


def test_reports_of_one_folder_are_shown_together(tmp_path: Path) -> None:
    for name in ("after", "before"):
        (tmp_path / f"{name}.ncu-rep").write_bytes(report(TWO))
    profile = stepscope.open(tmp_path)
    shown = profile.show("kernel_reports").select("rank", "report", "id").rows()
    assert shown == [(0, f"{name}.ncu-rep", number) for name in ("after", "before") for number in (0, 1)]


@pytest.mark.parametrize("ending", [".ncu-rep", ".ncu-rep.gz"])
def test_the_pages_of_a_report_beside_it_are_not_read_again(tmp_path: Path, ending: str) -> None:
    content = report(TWO)
    path = tmp_path / f"kernels{ending}"
    path.write_bytes(gzip.compress(content, mtime=0) if ending.endswith(".gz") else content)
    (tmp_path / "kernels.raw.csv").write_text(raw_page(TWO, UNITS))
    (tmp_path / "others.csv").write_text(raw_page(TWO, UNITS))
    shown = stepscope.open(tmp_path).show("kernel_reports")["report"].unique(maintain_order=True).to_list()
    assert shown == [path.name, "others.csv"]


def test_a_trace_alone_has_no_kernel_reports_and_says_what_makes_them(tmp_path: Path) -> None:
    path = write(tmp_path / "trace.json", *flat([step(0, 0, 100), launched(kernel("gemm", 20, 60, 1), 10)]))
    profile = stepscope.open(path)
    assert len(profile.show("kernel_reports")) == 0
    assert "ncu --set full" in profile.notes("kernel_reports")[0]


def test_the_verdict_and_findings_of_reports(tmp_path: Path) -> None:
    long = WELL | CASES["bank_conflicts"][0] | {"gpu__time_duration.sum": 300_000.0}
    kernels = [MadeKernel("well(float *)", WELL), MadeKernel("void ns::tile<4>(float *)", long)]
    profile = opened(tmp_path, *kernels)
    assert " ".join(profile.verdict.split()) == (
        "2 kernels profiled by Nsight Compute, 400 us total, 75 % of it in tile. tile (300 us, 75 %): bank conflicts in"
        " shared memory: 10.0 wavefronts for each that is needed, 90 % of all are extra; at most 81 % of its time could"
        " be saved. well (100 us, 25 %): memory-bound: DRAM bandwidth is at 80 % of its peak."
    )
    assert profile.show("findings").select("id", "severity", "category").rows() == [
        ("bank-conflicts-1", "note", "kernel")
    ]


def test_kernels_that_no_sentence_names_are_counted(tmp_path: Path) -> None:
    profile = opened(tmp_path, *(MadeKernel(f"well{number}(float *)", WELL) for number in range(7)))
    assert " ".join(profile.verdict.split()).endswith(" 2 more kernels take 200 us (29 %).")


def test_health_says_what_was_not_collected(tmp_path: Path) -> None:
    table = opened(tmp_path, *TWO).show("health")
    checks = {check: said for check, *said in table.select("check", "value", "detail").rows()}
    assert checks["warp_stalls"] == ["not recorded", "cannot show what warps wait for; record with ncu --set full"]
    assert "source_lines" not in checks
    (tmp_path / "graphs").mkdir()
    path = tmp_path / "graphs" / "kernels.ncu-rep"
    path.write_bytes(report(TWO, graphs=2))
    table = stepscope.open(path).show("health").filter(pl.col("check") == "unread_results")
    assert table.select("value", "detail").rows() == [
        ("2", "results of CUDA graphs are not read: only those of kernels and of ranges are")
    ]


FAULTS = {
    "saxpy": "dram",
    "strided": "uncoalesced",
    "bank_conflict": "bank_conflicts",
    "divergent": "divergence",
    "low_occupancy": "occupancy",
    "tail": "small_grid",
    "flops": "compute",
    "atomics": "atomics",
}
"""What `patterns.cu` was written to show: a well-formed copy and arithmetic, and six faults."""


@pytest.mark.real_trace
def test_each_real_kernel_has_its_own_fault_first_and_no_other(shared_data: Path) -> None:
    table = stepscope.open(shared_data / "h200" / "ncu" / "patterns_full.ncu-rep.gz").show("kernel_reports")
    names = table["name"].str.extract(r"^(\w+)\(").to_list()
    assert dict(zip(names, table["bottleneck"], strict=True)) == FAULTS


@pytest.mark.real_trace
def test_the_raw_page_gives_the_same_faults(shared_data: Path) -> None:
    folder = shared_data / "h200" / "ncu"
    whole, page = (
        stepscope.open(folder / name).show("kernel_reports").drop("report", "estimated_speedup_pct", "finding")
        for name in ("patterns_full.ncu-rep.gz", "patterns_full.raw.csv")
    )
    same = ["id", "name", "grid", "block", "device", "registers", "bottleneck"]
    assert whole.select(same).equals(page.select(same))
    assert ((whole["bound_pct"] - page["bound_pct"]).abs().fill_null(0) < 0.05).all()


@pytest.mark.real_trace
def test_the_basic_set_names_limits_and_launches(shared_data: Path) -> None:
    """What it does not collect is not guessed at."""
    table = stepscope.open(shared_data / "h200" / "ncu" / "patterns_basic.ncu-rep.gz").show("kernel_reports")
    assert table["bottleneck"].to_list() == [
        *("dram", "l2", "l1", "compute", "occupancy", "small_grid", "compute", "latency")
    ]


def test_launches_of_one_kernel_are_one_sentence(tmp_path: Path) -> None:
    """Of ten launches of one kernel the verdict said five times the same, and 10 % of the time in it."""
    conflicts = WELL | CASES["bank_conflicts"][0]
    longer = MadeKernel("tile(float *)", conflicts | {"gpu__time_duration.sum": 200_000.0})
    others = [
        MadeKernel("tile(float *)", conflicts),
        MadeKernel("tile(float *)", WELL),
        MadeKernel("well(float *)", WELL),
    ]
    verdict = " ".join(opened(tmp_path, longer, *others, longer).verdict.split())
    assert verdict.startswith(
        "5 kernels profiled by Nsight Compute, 700 us total, 71 % of it in tile. tile (3 launches, 500 us, 71 %): bank"
    )
    assert verdict.count("tile (") == 2, "what limits a launch differs"
