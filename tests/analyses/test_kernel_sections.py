"""Sections of kernel reports: roofline, memory, occupancy, details; on made values, and against NVIDIA's own pages."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stepscope
from kernel_cases import CLOCKS, CURVE, MEASURED, WELL
from readers.ncu_building import MadeKernel, Value, report
from stepscope.analyses.kernel_reports.kernel_memory import LINKS, links
from stepscope.analyses.kernel_reports.kernel_occupancy import limits, occupancy_sentence
from stepscope.analyses.kernel_reports.kernel_roofline import roofline
from stepscope.api import OpenProfile
from stepscope.messages.rendering import render

TENSOR = "sm__ops_path_tensor_{}.sum.{}"


def opened(folder: Path, metrics: dict[str, Value]) -> OpenProfile:
    path = folder / "kernels.ncu-rep"
    path.write_bytes(report([MadeKernel("a", metrics, instances=CURVE)]))
    return stepscope.open(path)


def test_the_roof_is_the_lower_of_arithmetic_and_bytes(tmp_path: Path) -> None:
    """2 x 50 fma + 20 add are 120 operations a cycle at 1 GHz; DRAM moves 40 bytes/ns of 1000, a roof of 3 TFLOP/s."""
    table = opened(tmp_path, WELL | MEASURED).show("kernel_roofline")
    rows = table.select("precision", "level", "intensity", "achieved_flops", "peak_flops", "bound", "pct_of_roof")
    assert [row[:2] for row in rows.rows()] == [("fp32", "dram"), ("fp32", "l2"), ("fp32", "l1")]
    assert rows.rows()[0][2:] == (3.0, 120e9, 4e12, "memory", pytest.approx(4.0))
    assert table["achieved_bandwidth"].to_list() == [40e9, 64e9, 128e9]
    assert table["peak_bandwidth"].to_list() == [1e12, 6.4e12, 12.8e12]


def test_numbers_packed_in_one_register_count_twice() -> None:
    name = "smsp__sass_thread_inst_executed_op_h{}_pred_on.sum.per_cycle_elapsed"
    work = {name.format(op): 1.0 for op in ("add", "mul", "fma")} | CLOCKS
    rows = list(roofline(work | {"dram__bytes.sum.per_second": 8e9}))
    assert [(one["precision"], one["achieved_flops"], one["pct_of_roof"]) for one in rows] == [("fp16", 8e9, None)]


def test_tensor_cores_are_measured_against_dense_matrices_unless_sparse_ones_ran() -> None:
    own = {
        TENSOR.format("src_bf16_dst_fp32", "per_second"): 3e12,
        TENSOR.format("src_bf16_dst_fp32", "peak_sustained"): 8192.0,
        TENSOR.format("op_hgmma_src_bf16_dst_fp32_sparsity_off", "per_second"): 3e12,
        TENSOR.format("op_hgmma_src_bf16_dst_fp32_sparsity_off", "peak_sustained"): 4096.0,
        TENSOR.format("op_hmma_src_bf16_dst_fp32_sparsity_off", "peak_sustained"): 2048.0,
        TENSOR.format("src_int8", "per_second"): 0.0,
        "dram__bytes.sum.per_second": 1e9,
        **CLOCKS,
    }
    (row,) = roofline(own)
    assert (row["precision"], row["achieved_flops"], row["peak_flops"]) == ("tensor bf16", 3e12, 4096e9)
    (row,) = roofline(own | {TENSOR.format("op_hgmma_src_bf16_dst_fp32_sparsity_on", "per_second"): 1e12})
    assert (row["achieved_flops"], row["peak_flops"]) == (3e12, 8192e9)


@given(st.dictionaries(st.sampled_from(sorted(MEASURED)), st.floats(0, 1e13)))
def test_any_part_of_the_metrics_gives_rows_or_none(values: dict[str, float]) -> None:
    for row in roofline(values):
        assert row["achieved_flops"] > 0
        assert row["bound"] in (None, "memory", "compute")
        assert row["pct_of_roof"] is None or row["pct_of_roof"] >= 0
    assert {row["link"] for row in links(values)} <= {link.name for link in LINKS}
    shares = [row["hit_pct"] for row in links(values) if row["hit_pct"] is not None]
    assert all(0 <= share <= 100 for share in shares)


def test_links_say_what_moved_and_what_the_caches_held(tmp_path: Path) -> None:
    table = opened(tmp_path, WELL | MEASURED).show("kernel_memory")
    assert table.select(
        "link", "from_unit", "to_unit", "requests", "transfers", "bytes", "peak_pct", "hit_pct"
    ).rows() == [
        ("global_load", "l1", "kernel", 100, 400, 12_800, 5.0, 25.0),
        ("shared_load", "shared", "kernel", 10, 320, None, 40.0, None),
        ("l2_read", "l2", "l1", None, 300, 9_600, 7.0, 50.0),
        ("dram_read", "dram", "l2", None, 150, 4_800, 48.0, None),
    ]
    assert table["achieved_bandwidth"].to_list() == [12_800 / 100e-6, None, 9_600 / 100e-6, 4_800 / 100e-6]


def test_what_was_not_collected_has_no_rows(tmp_path: Path) -> None:
    profile = opened(tmp_path, WELL)
    assert [len(profile.show(table)) for table in ("kernel_roofline", "kernel_memory")] == [0, 0]


def test_the_smallest_limit_is_the_theoretical_occupancy(tmp_path: Path) -> None:
    table = opened(tmp_path, WELL | MEASURED).show("kernel_occupancy")
    assert table.select("limit", "blocks", "warps", "occupancy_pct", "limiting").rows() == [
        ("registers", 3, 24, 37.5, True),
        ("shared_mem", 3, 24, 37.5, True),
        ("warps", 8, 64, 100.0, False),
        ("blocks", 32, 64, 100.0, False),
    ]


def test_a_sentence_says_what_limits_the_occupancy() -> None:
    values = {name: float(value) for name, value in (WELL | MEASURED).items() if isinstance(value, int | float)}
    values |= {"sm__maximum_warps_per_active_cycle_pct": 37.5, "sm__warps_active.avg.pct_of_peak_sustained_active": 30}
    said = occupancy_sentence(values)
    assert said is not None
    assert render(said, "en") == (
        "Occupancy is limited by registers and shared memory to 3 blocks per SM: at most 37.5 % of its warps;"
        " on average 30.0 % were active."
    )
    said = occupancy_sentence({"sm__maximum_warps_per_active_cycle_pct": 100.0, "launch__occupancy_limit_warps": 1.0})
    assert said is not None
    assert render(said, "en") == "Nothing limits the occupancy: 1 block per SM may fill all of its warps."
    assert occupancy_sentence({"launch__occupancy_limit_warps": 1.0}) is None
    assert list(limits({})) == []


def test_a_curve_has_a_row_where_it_changes_and_marks_the_launch(tmp_path: Path) -> None:
    """32 registers: 48 warps from 32 registers to 39."""
    table = opened(tmp_path, WELL | MEASURED).show("kernel_occupancy_curve")
    assert table.select("parameter", "setting", "warps", "occupancy_pct", "present").rows() == [
        ("registers", 0, 64, 100.0, False),
        ("registers", 32, 48, 75.0, True),
        ("registers", 40, 24, 37.5, False),
        ("registers", 64, 16, 25.0, False),
    ]


def test_the_busiest_pipe_comes_first(tmp_path: Path) -> None:
    pipe = "sm__inst_executed_pipe_{}.avg.pct_of_peak_sustained_active"
    table = opened(tmp_path, WELL | MEASURED | {pipe.format("xu"): 60.0, pipe.format("tex"): 0.0}).show("kernel_pipes")
    assert table.select("pipe", "utilization_pct", "executes").rows() == [
        ("xu", 60.0, "transcendental functions and conversions"),
        ("fma", 45.0, "FP32 arithmetic and integer multiplication"),
    ]


# The real reports, against what NVIDIA's own program prints of them.


def raw(shared_data: Path) -> list[dict[str, float]]:
    """Of each kernel the numbers of the raw page, in its units."""
    header, _, *rows = csv_rows(shared_data / "h200" / "ncu" / "patterns_full.raw.csv")
    return [dict(numbers(zip(header[11:], row[11:], strict=True))) for row in rows]


def csv_rows(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text().splitlines()))


def numbers(cells: Iterator[tuple[str, str]]) -> Iterator[tuple[str, float]]:
    for name, cell in cells:
        try:
            yield name, float(cell.replace(",", ""))
        except ValueError:
            continue


@pytest.mark.real_trace
def test_the_roofline_equals_the_figures_that_nvidia_derives(shared_data: Path) -> None:
    """Nsight Compute's own sums: operations with FMA doubled, bytes behind L1 and L2."""
    table = stepscope.open(shared_data / "h200" / "ncu" / "patterns_full.ncu-rep.gz").show("kernel_roofline")
    for number, page in enumerate(raw(shared_data)):
        own = table.filter((table["id"] == number) & (table["precision"] == "fp32"))
        name = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum.per_cycle_elapsed"
        each = page["derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2"]
        each += sum(page[name.format(op)] for op in ("fadd", "fmul"))
        flops = each * page["smsp__cycles_elapsed.avg.per_second"] * 1e9
        if flops == 0:
            assert len(own) == 0
            continue
        derived = (
            page["dram__bytes.sum.per_second"] * 1e12,
            page["derived__lts__lts2xbar_bytes.sum.per_second"] * 1e12,
            page["derived__l1tex__lsu_writeback_bytes_mem_lgds.sum.per_second"],
        )
        assert own["achieved_flops"].to_list() == pytest.approx([flops] * 3, rel=1e-5)
        assert own["achieved_bandwidth"].to_list() == pytest.approx(derived, rel=2e-4)
        peaks = own.select("peak_flops", "peak_bandwidth", "intensity").rows()
        roofs = [min(peak, bandwidth * intensity) for peak, bandwidth, intensity in peaks]
        assert own["pct_of_roof"].to_list() == pytest.approx([100 * flops / roof for roof in roofs], rel=1e-4)


@pytest.mark.real_trace
def test_the_rule_of_nvidia_says_the_same_share_of_the_peak(shared_data: Path) -> None:
    """SOLFPRoofline: "achieved close to 60% of this device's FP32 (...) peak performance"."""
    profile = stepscope.open(shared_data / "h200" / "ncu" / "patterns_full.ncu-rep.gz")
    said = profile.show("kernel_rules", where="rule = 'SOLFPRoofline'")
    shares = dict(zip(said["id"], said["message"].str.extract(r"achieved +(?:close to )?(\d+)% of"), strict=True))
    table = profile.show("kernel_roofline", where="precision = 'fp32' AND level = 'dram'")
    mine = dict(zip(table["id"], 100 * table["achieved_flops"] / table["peak_flops"], strict=True))
    assert len(shares) == 8
    assert {at: float(share) for at, share in shares.items()} == {at: round(mine.get(at, 0.0)) for at in shares}


@pytest.mark.real_trace
def test_links_equal_the_raw_page(shared_data: Path) -> None:
    table = stepscope.open(shared_data / "h200" / "ncu" / "patterns_full.ncu-rep.gz").show("kernel_memory")
    known = {(row["id"], row["link"]): row for row in table.iter_rows(named=True)}
    for number, page in enumerate(raw(shared_data)):
        for op, link in (("ld", "global_load"), ("st", "global_store")):
            sectors = page[f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum"]
            assert known.get((number, link), {"transfers": 0})["transfers"] == sectors
        assert known[number, "dram_read"]["transfers"] == page["dram__sectors_read.sum"]
        assert known[number, "dram_read"]["bytes"] == 32 * page["dram__sectors_read.sum"]
        assert known[number, "l2_read"]["bytes"] == 32 * page["lts__t_sectors_srcunit_tex_op_read.sum"]
        peak = page["dram__bytes_read.sum.pct_of_peak_sustained_elapsed"]
        assert known[number, "dram_read"]["peak_pct"] == pytest.approx(peak, abs=1e-5)


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["patterns_basic", "patterns_full"])
def test_details_equal_the_details_page(shared_data: Path, name: str) -> None:
    """All figures of the sections that were collected, in the page's order, but for those of sampling over time."""
    folder = shared_data / "h200" / "ncu"
    header, *rows = csv_rows(folder / f"{name}.details.csv")
    at, section, label, value = (header.index(one) for one in ("ID", "Section Name", "Metric Name", "Metric Value"))
    page = [(int(row[at]), row[section], row[label]) for row in rows if row[label] and row[section] != "PM Sampling"]
    table = stepscope.open(folder / f"{name}.ncu-rep.gz").show("kernel_details")
    collected = table.filter(table["section"].is_in({section for _, section, _ in page}))
    assert collected.select("id", "section", "label").rows() == page
    shown = {(int(row[at]), row[section], row[label]): row[value] for row in rows if row[label]}
    for row in collected.filter(collected["unit"] == "%").iter_rows(named=True):
        cell = shown[row["id"], row["section"], row["label"]]
        assert row["value"] == pytest.approx(float(cell.replace(",", "")), abs=0.006)


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["patterns_basic", "patterns_full"])
def test_limits_agree_with_the_theoretical_occupancy(shared_data: Path, name: str) -> None:
    profile = stepscope.open(shared_data / "h200" / "ncu" / f"{name}.ncu-rep.gz")
    least = profile.show("kernel_occupancy").group_by("id", maintain_order=True).first()
    whole = profile.show("kernel_reports")["theoretical_occupancy_pct"].to_list()
    assert least["occupancy_pct"].to_list() == pytest.approx(whole)
    assert least["limiting"].all()


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["patterns_basic", "patterns_full"])
def test_the_launch_lies_where_its_curves_say(shared_data: Path, name: str) -> None:
    """All three curves of a kernel meet at its theoretical occupancy."""
    profile = stepscope.open(shared_data / "h200" / "ncu" / f"{name}.ncu-rep.gz")
    present = profile.show("kernel_occupancy_curve", where="present")
    assert present.group_by("id").len()["len"].to_list() == [3] * 8
    whole = dict(profile.show("kernel_reports").select("id", "theoretical_occupancy_pct").iter_rows())
    assert present["occupancy_pct"].to_list() == pytest.approx([whole[at] for at in present["id"]])


@pytest.mark.real_trace
def test_pages_in_csv_give_the_same_sections(shared_data: Path) -> None:
    """The raw page rounds to six decimals at most; the details page has its own figures alone."""
    folder = shared_data / "h200" / "ncu"
    whole, raw_page, details = (
        stepscope.open(folder / f"patterns_full.{ending}") for ending in ("ncu-rep.gz", "raw.csv", "details.csv")
    )
    for table, numbers_of in (("kernel_roofline", "pct_of_roof"), ("kernel_memory", "peak_pct")):
        mine, theirs = (one.show(table).drop("report") for one in (whole, raw_page))
        keys = [name for name, dtype in mine.schema.items() if dtype == pl.String]
        assert mine.select(keys).equals(theirs.select(keys))
        assert mine[numbers_of].to_list() == pytest.approx(theirs[numbers_of].to_list(), rel=1e-3, abs=1e-5)
    for table in ("kernel_occupancy", "kernel_pipes"):
        key = ["id", "limit" if table == "kernel_occupancy" else "pipe"]
        assert whole.show(table).select(key).equals(raw_page.show(table).select(key))
    figures = [one.show("kernel_details").select("id", "section", "label") for one in (whole, details)]
    assert figures[0].equals(figures[1])
    assert len(raw_page.show("kernel_occupancy_curve")) == 0
