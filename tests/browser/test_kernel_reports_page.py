"""The page of kernel reports: what limits each profiled kernel, why, and what NVIDIA's rules say; none of a trace."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import stepscope
from browsing.pages import expect_parameter, nameless, settled
from building import flat, kernel, launched, step, write
from kernel_cases import CURVE, MEASURED, STALL, WELL, write_beside_trace, write_report
from readers.ncu_building import MadeKernel, MadeRule, report

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served

RECORDINGS = Path(__file__).resolve().parents[1] / "recordings"
LATENCY = "smsp__average_warp_latency_per_inst_issued.ratio"
FMA = "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"


def test_the_longest_kernel_first_with_its_cause(served: Served, page: Page, tmp_path: Path) -> None:
    write_report(tmp_path / "kernels.ncu-rep")
    page.goto(served(tmp_path).at("kernel_reports", run="kernels.ncu-rep"))
    main = page.locator("main")
    expect(main).to_contain_text("2 kernels profiled, 400 us together; 75.0 % of it in transpose.")
    expect(main.get_by_role("heading", name="transpose", exact=True)).to_be_visible()
    for said in (
        "10.0 wavefronts for each",
        "75.0 % of the profiled time",
        "Pad the rows of the shared array",
        "mio_throttle",
        "A 10-way bank",
    ):
        expect(main).to_contain_text(said)
    expect(main).to_contain_text("Est. speedup 62.5 %")
    # "No steps were marked: the whole trace is one step", of a file without times.
    expect(page.get_by_text("No step was recorded.")).to_be_visible()
    assert nameless(page) == []


def test_another_kernel_is_chosen_and_kept_in_the_address(served: Served, page: Page, tmp_path: Path) -> None:
    write_report(tmp_path / "kernels.ncu-rep")
    page.goto(served(tmp_path).at("kernel_reports", run="kernels.ncu-rep"))
    page.get_by_role("navigation", name="Profiled kernels").get_by_role("button", name="well").click()
    expect(page.get_by_role("heading", name="well", exact=True)).to_be_visible()
    expect_parameter(page, "kernel", "0|kernels.ncu-rep|0")
    main = page.locator("main")
    expect(main).to_contain_text("memory-bound: DRAM bandwidth is at 80 % of its peak")
    expect(main).to_contain_text("Warp states were not collected")
    expect(main).to_contain_text("The report holds no rule for this kernel.")


def test_the_hierarchy_of_memory_is_a_picture_and_a_table(served: Served, page: Page, tmp_path: Path) -> None:
    write_report(tmp_path / "kernels.ncu-rep")
    page.goto(served(tmp_path).at("kernel_reports", run="kernels.ncu-rep"))
    chart = page.get_by_role("img", name="Memory. Global load, L1/TEX to Kernel: 12.5 KiB, 5.0 % of peak")
    expect(chart).to_be_visible()
    expect(chart).to_contain_text("40.0 % of peak · 50.0 wavefronts/request")
    expect(chart).to_contain_text("25.0 % hit")
    page.get_by_role("button", name="Links as a table").click()
    rows = page.get_by_role("grid", name="Links as a table").get_by_role("row")
    expect(rows.filter(has_text="Global load")).to_contain_text("L1/TEX")
    expect(rows).to_have_count(5)
    assert nameless(page) == []


def test_roofline_pipes_and_occupancy_of_a_kernel(served: Served, page: Page, tmp_path: Path) -> None:
    write_report(tmp_path / "kernels.ncu-rep")
    page.goto(served(tmp_path).at("kernel_reports", run="kernels.ncu-rep"))
    main = page.locator("main")
    expect(main.get_by_role("group", name="Roofline. Closest to the roof: FP32 at 4.0 % of what DRAM")).to_be_visible()
    for said in (
        "FP32 arithmetic and integer multiplication",
        "3 blocks, 24 warps per SM",
        "48 warps fit; below 32 it would be 64.",
        "3 blocks per SM may fill all of its warps; on average 90.0 % of them were active.",
    ):
        expect(main).to_contain_text(said)
    page.get_by_role("navigation", name="Profiled kernels").get_by_role("button", name="well").click()
    for said in ("No floating-point operations were measured", "Memory traffic was not collected", "Pipes were not"):
        expect(main).to_contain_text(said)


def test_a_second_kernel_stands_beside_the_first(served: Served, page: Page, tmp_path: Path) -> None:
    write_report(tmp_path / "kernels.ncu-rep")
    page.goto(served(tmp_path).at("kernel_reports", run="kernels.ncu-rep"))
    page.get_by_label("Compare with").select_option("well")
    expect_parameter(page, "baseline", "0|kernels.ncu-rep|0")
    main = page.locator("main")
    expect(main).to_contain_text("100 us in the baseline, ▲ 200 %")
    page.get_by_role("button", name="Figures by section").click()
    row = main.get_by_role("table", name="GPU Speed Of Light Throughput").get_by_role("row").filter(has_text="Duration")
    expect(row).to_contain_text("300 us")
    expect(row).to_contain_text("▲ 200 %")
    page.reload()
    expect(main).to_contain_text("100 us in the baseline, ▲ 200 %")


def _row_of(table: pl.DataFrame, kernel: str, **where: str) -> dict[str, Any]:
    """The row of a table of kernel reports that the page sets beside another one."""
    chosen = [pl.col("kernel").str.starts_with(kernel), *(pl.col(column) == value for column, value in where.items())]
    return table.filter(*chosen).row(0, named=True)


def _two_that_wait(folder: Path) -> Path:
    """Two kernels with warp states, pipes, memory and curves; the second waits for memory, the first does so less."""
    rule = MadeRule("WarpStateStats", "CPIStall", 4, "Each warp waits 6.0 cycles for memory.", 2, 60.0)
    lesser = MadeRule("WarpStateStats", "CPIStall", 4, "Each warp waits 1.5 cycles for memory.", 2, 20.0)
    extra = MadeRule("LaunchStats", "LaunchConfiguration", 4, "The grid is small.")
    waits = {STALL.format("long_scoreboard"): 6.0, STALL.format("selected"): 2.0, LATENCY: 8.0}
    fewer = {STALL.format("long_scoreboard"): 1.5, STALL.format("selected"): 1.0, LATENCY: 2.5}
    quick = WELL | MEASURED | fewer | {FMA: 90.0, "launch__occupancy_limit_registers": 6.0}
    slow = WELL | MEASURED | waits | {"gpu__time_duration.sum": 300_000.0}
    path = folder / "kernels.ncu-rep"
    rules = {"slow": [rule], "quick": [lesser, extra]}
    made = [
        MadeKernel("slow(float *)", slow, rules=rules["slow"], instances=CURVE),
        MadeKernel("quick(float *)", quick, rules=rules["quick"], instances=CURVE),
    ]
    path.write_bytes(report(made))
    return path


def test_warp_states_and_pipes_have_those_of_the_baseline(served: Served, page: Page, tmp_path: Path) -> None:
    recorded = stepscope.open(_two_that_wait(tmp_path))
    page.goto(served(tmp_path).at("kernel_reports", run="kernels.ncu-rep", baseline="0|kernels.ncu-rep|1"))
    main = page.locator("main")
    expect(main).to_contain_text("Baseline: quick")
    stalls = recorded.show("kernel_stalls")
    for reason in ("long_scoreboard", "selected"):
        own, base = (_row_of(stalls, kernel, reason=reason) for kernel in ("slow", "quick"))
        shown = main.get_by_role("listitem").filter(has_text=reason)
        expect(shown).to_contain_text(f"{own['cycles']:.2f} cycles · {own['share_pct']:.1f} %")
        more = 100 * (own["cycles"] / base["cycles"] - 1)
        said = f"{base['cycles']:.2f} cycles · {base['share_pct']:.1f} % in the baseline, ▲ {more:.0f} %"
        expect(shown).to_contain_text(said)
    expect(main).to_contain_text("8.0 together, 2.5 in the baseline, ▲ 220 %")
    own, base = (_row_of(recorded.show("kernel_pipes"), kernel, pipe="fma") for kernel in ("slow", "quick"))
    fma = main.get_by_role("listitem").filter(has_text="FP32 arithmetic")
    expect(fma).to_contain_text(f"{own['utilization_pct']:.1f} %")
    expect(fma).to_contain_text(f"{base['utilization_pct']:.1f} % in the baseline, ▼ 50.0 %")
    assert nameless(page) == []


def test_memory_occupancy_and_rules_have_those_of_the_baseline(served: Served, page: Page, tmp_path: Path) -> None:
    recorded = stepscope.open(_two_that_wait(tmp_path))
    page.goto(served(tmp_path).at("kernel_reports", run="kernels.ncu-rep", baseline="0|kernels.ncu-rep|1"))
    main = page.locator("main")
    expect(page.get_by_role("img", name="Memory. Global load")).to_contain_text("12.5 KiB, =")
    base = _row_of(recorded.show("kernel_occupancy"), "quick", limit="registers")
    said = f"{base['blocks']} blocks, {base['warps']} warps per SM in the baseline, ▼ 50.0 %"
    expect(main.get_by_role("listitem").filter(has_text="Registers")).to_contain_text(said)
    curve = page.get_by_role("img", name="Registers per thread: from 0 on 64 warps")
    expect(curve).to_contain_text("255")
    expect(main).to_contain_text("Against the baseline: 0 new, 1 gone, 1 estimate changed.")
    expect(main.get_by_role("listitem").filter(has_text="waits 6.0 cycles")).to_contain_text(
        "20.0 % in the baseline, ▲ 200 %"
    )
    page.get_by_role("button", name="In the baseline alone (1)").click()
    expect(main).to_contain_text("The grid is small.")


def test_lines_of_two_builds_stand_beside_each_other(served: Served, page: Page, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    write_beside_trace(tmp_path / "run")
    for name in ("before", "after"):
        content = (RECORDINGS / "ncu_source.ncu-rep.gz").read_bytes()
        (tmp_path / "run" / f"{name}.ncu-rep.gz").write_bytes(content)
    chosen = {"kernel": "0|after.ncu-rep.gz|1", "baseline": "0|before.ncu-rep.gz|1"}
    page.goto(served(tmp_path).at("kernel_reports", run="run", **chosen))
    main = page.locator("main")
    expect(main).to_contain_text("1 of 1 line also in the baseline, paired by file and number or by text.")
    expect(main).to_contain_text("101,598, 100 % of the kernel in the baseline, =")
    page.get_by_role("button", name="144 instructions").click()
    rows = main.get_by_role("table", name="Instructions of patterns.cu:4").get_by_role("row")
    expect(rows.first).to_contain_text("Baseline samples")
    expect(rows.filter(has_text="FADD").first).to_contain_text(re.compile(r"46,533.*46,533"))
    page.get_by_label("Compare with").select_option("saxpy · before.ncu-rep.gz · 0")
    expect(main).to_contain_text(
        "None of these lines is in the baseline; in the baseline alone: patterns.cu:3 (100 %)."
    )


def test_compare_leads_to_the_kernel_of_the_same_name_in_the_other_report(
    served: Served, page: Page, tmp_path: Path
) -> None:
    for name, took in (("before", 300_000.0), ("after", 100_000.0)):
        (tmp_path / name).mkdir()
        kernels = [MadeKernel("gemm(float *)", WELL | {"gpu__time_duration.sum": took}), MadeKernel("copy()", WELL)]
        (tmp_path / name / "kernels.ncu-rep").write_bytes(report(kernels))
    sides = {"base": "before/kernels.ncu-rep", "new": "after/kernels.ncu-rep"}
    page.goto(served(tmp_path).at("compare", new=sides["new"]))
    page.get_by_role("link", name="Compare kernel reports").click()
    expect_parameter(page, "run", sides["new"])
    expect_parameter(page, "base_run", sides["base"])
    main = page.locator("main")
    expect(main).to_contain_text("Baseline: gemm")
    expect(main).to_contain_text("before/kernels.ncu-rep")
    expect(main).to_contain_text("300 us in the baseline, ▼ 66.7 %")
    expect(main).to_contain_text("2 kernels profiled, 200 us together")
    page.get_by_role("navigation", name="Profiled kernels").get_by_role("button", name="copy").click()
    expect(main).to_contain_text("Baseline: copy")
    page.get_by_label("of run").select_option("this one")
    expect(main).not_to_contain_text("Baseline:")


def test_as_many_warps_in_other_blocks_are_not_said_to_be_the_same(served: Served, page: Page, tmp_path: Path) -> None:
    """Seen of two kernels of patterns.cu: "10 blocks, 64 warps" against "16 blocks, 64 warps in the baseline, ="."""
    limit = "launch__occupancy_limit_registers"
    kernels = [MadeKernel(f"{name}()", WELL | MEASURED | {limit: blocks}) for name, blocks in (("a", 10), ("b", 16))]
    (tmp_path / "kernels.ncu-rep").write_bytes(report(kernels))
    chosen = {"kernel": "0|kernels.ncu-rep|0", "baseline": "0|kernels.ncu-rep|1"}
    page.goto(served(tmp_path).at("kernel_reports", run="kernels.ncu-rep", **chosen))
    registers = page.get_by_role("listitem").filter(has_text="Registers")
    expect(registers).to_contain_text(re.compile("10 blocks, 64 warps.*16 blocks, 64 warps per SM in the baseline$"))


def test_of_one_name_in_two_runs_and_without_roofline(served: Served, page: Page, tmp_path: Path) -> None:
    """Figures of two runs had one name above both columns; a kernel without FLOPs had those of the baseline alone."""
    for name, more in (("before", MEASURED), ("after", {})):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kernels.ncu-rep").write_bytes(report([MadeKernel("gemm(float *)", WELL | more)]))
    runs = {"run": "after/kernels.ncu-rep", "base_run": "before/kernels.ncu-rep"}
    page.goto(served(tmp_path).at("kernel_reports", **runs))
    main = page.locator("main")
    expect(main).to_contain_text("No floating-point operations were measured")
    page.get_by_role("button", name="Figures by section").click()
    table = main.get_by_role("table", name="GPU Speed Of Light Throughput")
    expect(table.get_by_role("row").first).to_contain_text("this kernelbaseline")
    runs = {"run": "before/kernels.ncu-rep", "base_run": "after/kernels.ncu-rep"}
    page.goto(served(tmp_path).at("kernel_reports", **runs))
    expect(main).to_contain_text("Baseline: No floating-point operations were measured")


def test_beside_a_trace_a_kernel_leads_to_what_its_steps_would_be(served: Served, page: Page, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    write_beside_trace(tmp_path / "run")
    page.goto(served(tmp_path).at("kernel_reports", run="run"))
    main = page.locator("main")
    expect(main).to_contain_text("3 launches of this grid and block")
    main.get_by_role("link", name="What if: its launches in the trace").click()
    expect(page.get_by_role("checkbox", name="load GPU 400 us")).to_be_checked()
    expect(main).to_contain_text("400 us of GPU time a step, in 1 activity")
    expect(main).to_contain_text("their reports say the most")


def test_source_lines_with_their_samples_and_instructions(served: Served, page: Page, tmp_path: Path) -> None:
    (tmp_path / "code.ncu-rep.gz").write_bytes((RECORDINGS / "ncu_source.ncu-rep.gz").read_bytes())
    page.goto(served(tmp_path).at("kernel_reports", run="code.ncu-rep.gz"))
    main = page.locator("main")
    for said in (
        "patterns.cu:4",
        "101,598, 100 % of the kernel",
        "long_scoreboard · 29,360,128 sectors fetched in vain",
    ):
        expect(main).to_contain_text(said)
    expect(main).to_contain_text("__global__ void strided(int n,int s,const float*x,float*y)")
    page.get_by_role("button", name="144 instructions").click()
    rows = main.get_by_role("table", name="Instructions of patterns.cu:4").get_by_role("row")
    expect(rows).to_have_count(145)
    expect(rows.filter(has_text="46,533")).to_contain_text("FADD")
    assert nameless(page) == []


def test_without_lines_the_page_says_how_to_record_them(served: Served, page: Page, tmp_path: Path) -> None:
    write_report(tmp_path / "kernels.ncu-rep")
    page.goto(served(tmp_path).at("kernel_reports", run="kernels.ncu-rep"))
    expect(page.locator("main")).to_contain_text("record with ncu --set full --import-source yes")


def test_a_range_says_that_it_is_one(served: Served, page: Page, tmp_path: Path) -> None:
    (tmp_path / "range.ncu-rep.gz").write_bytes((RECORDINGS / "ncu_range.ncu-rep.gz").read_bytes())
    page.goto(served(tmp_path).at("kernel_reports", run="range.ncu-rep.gz"))
    main = page.locator("main")
    expect(main.get_by_role("heading", name="range: scale, add")).to_be_visible()
    expect(main).to_contain_text("2 ranges of kernels profiled, 1.02 ms together; 52.2 % of it in range: scale, add.")
    expect(main).to_contain_text("range of 5 kernels, measured together")
    expect(main).not_to_contain_text("grid")
    expect(main).not_to_contain_text("Occupancy was not collected")


def test_a_trace_has_no_such_page_in_the_rail(served: Served, page: Page, tmp_path: Path) -> None:
    write(tmp_path / "trace.json", *flat([step(0, 0, 100), launched(kernel("gemm", 20, 60, 1), 10)]))
    page.goto(served(tmp_path).at("kernels", run="trace.json"))
    settled(page)
    expect(page.get_by_role("link", name="Kernel reports")).to_have_count(0)


def test_a_report_of_one_file_holds_the_page(report_page: Any, tmp_path: Path) -> None:
    write_report(tmp_path / "kernels.ncu-rep")
    page = report_page(tmp_path / "kernels.ncu-rep", page="kernel_reports")
    expect(page.get_by_role("heading", name="transpose", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Every metric of every kernel")).to_have_count(0)
