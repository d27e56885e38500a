"""What MindSpore's profiler divides and adds up itself: steps, operators, kernels."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

import stepscope
from analyses.test_every_table import assert_tables
from readers.mindspore_files import BY_STEP, DATA, GPU, KERNEL
from readers.test_mindspore import written
from stepscope.commands import cli
from stepscope.findings.kept_tables import made_verdicts


def test_host_time_and_gpu_activity_stand_side_by_side(tmp_path: Path) -> None:
    """On a GPU the time of operators is the host's; ordered by the GPU's."""
    profile = stepscope.open(written(tmp_path / "profiler", GPU))
    table = profile.show("operator_totals")
    assert table.select("name", "type", "side", "calls", "activity_ns", "activities", "host_ns").rows() == [
        ("Default/MatMul-op1", "MatMul", "Device", 1, 10_125, 1, 50_000),
        ("Default/FillV2-op5", "FillV2", "Device", 2, 9_500, 6, 100_750),
    ]
    assert "host time is no GPU time" in profile.notes("operator_totals")[0]
    # The same as the runs of the operators, on the host.
    runs = {
        row["name"]: (row["calls"], row["host_total_ns"]) for row in profile.show("operators").iter_rows(named=True)
    }
    assert runs["Default/FillV2-op5"] == (2, 100_750)
    assert runs["Default/MatMul-op1"] == (1, 50_000)


def test_operators_of_a_cpu_have_no_gpu_activity(tmp_path: Path) -> None:
    text = (
        "op_side,op_type,op_name,full_op_name,op_occurrences,op_total_time(ms),op_avg_time(ms),total_proportion,"
        "subgraph,pid\nHost,MatMul,MatMul,MatMul,60,380.768,6.34614,0.0950575,Default,26511\n"
    )
    files = {"cpu_op_detail_info_0.csv": text, "cpu_op_execute_timestamp_0.txt": "MatMul;HostCpuOps;1000,1,0 \n"}
    profile = stepscope.open(written(tmp_path / "profiler", files))
    row = profile.show("operator_totals").row(0, named=True)
    assert (row["host_ns"], row["host_mean_ns"], row["activity_ns"]) == (380_768_000, 6_346_133, None)
    assert profile.notes("operator_totals") == []


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["graph_old", "pynative_old", "pynative_stopat"])
def test_totals_are_those_of_the_file(shared_data: Path, name: str) -> None:
    (folder,) = (shared_data / "mindspore" / "real-cpu" / name).glob("*_ascend_ms")
    with (folder / "FRAMEWORK" / "cpu_op_detail_info_0.csv").open() as file:
        expected = sorted(
            (row["full_op_name"], int(row["op_occurrences"]), round(float(row["op_total_time(ms)"]) * 1e6))
            for row in csv.DictReader(file)
        )
    table = stepscope.open(folder).show("operator_totals")
    assert sorted(table.select("name", "calls", "host_ns").rows()) == expected
    by_type = dict(stepscope.open(folder).show("operator_totals", by="type").select("type", "calls").iter_rows())
    with (folder / "FRAMEWORK" / "cpu_op_type_info_0.csv").open() as file:
        assert by_type == {row["op_type"]: int(row["type_occurrences"]) for row in csv.DictReader(file)}


def test_kernels_are_those_of_the_launches_and_their_totals_those_of_the_file(tmp_path: Path) -> None:
    profile = stepscope.open(written(tmp_path / "profiler", GPU))
    kernels = profile.show("kernels").select("name", "calls", "total_ns").rows()
    assert kernels == [("sgemm_32x32", 1, 10_125), (KERNEL, 2, 4_750)]
    totals = profile.show("activity_totals")
    assert totals.select("name", "calls", "total_ns", "mean_ns", "operator", "block").rows() == [
        ("sgemm_32x32", 1, 10_125, 10_125, "Default/MatMul-op1", "128,1,1"),
        (KERNEL, 2, 4_750, 2_375, "Default/FillV2-op5", "512,1,1"),
    ]
    assert "of the first launch" in profile.notes("activity_totals")[0]


@pytest.mark.parametrize("text", [GPU["step_trace_profiling_0.txt"], BY_STEP])
def test_a_recorded_step_is_divided_exactly(tmp_path: Path, text: str) -> None:
    table = stepscope.open(written(tmp_path / "run", {"step_trace_profiling_0.txt": text})).show("step_trace")
    parts = table["interval_ns"] + table["forward_backward_ns"] + table["tail_ns"]
    assert (parts == table["total_ns"]).all()
    assert table["steady"].to_list() == [False, True], "the interval of the first step is not known"
    assert table["clock"].unique().to_list() == ["recorder"]


@pytest.mark.real_trace
def test_the_average_is_recomputed_and_not_imported(shared_data: Path, tmp_path: Path) -> None:
    """The row ``-`` of averages is the mean of the steps from the second on in some versions, of all in others."""
    name = "step_trace_raw_0_detail_time.csv"
    text = (shared_data / "mindspore/mindinsight-samples/utils/resource/profiler" / name).read_text()
    profile = stepscope.open(written(tmp_path / "run", {name: text}))
    assert len(profile.show("step_trace")) == 20
    row = profile.show("step_trace", by="average").row(0, named=True)
    rows = [row for row in csv.DictReader(text.splitlines()) if row["step_num"] not in ("-", "1")]
    assert row["total_ns"] == pytest.approx(sum(int(row["total"]) for row in rows) * 10 / 19, abs=1)
    assert round(row["total_ns"] / 1e6, 3) == 130.456
    assert round(row["interval_ns"] / 1e6, 3) == 90.354
    assert row["interval_ns"] + row["forward_backward_ns"] + row["tail_ns"] == row["total_ns"]


def test_steps_of_another_clock_than_the_operators_are_not_steps_of_the_timeline(tmp_path: Path) -> None:
    late = "a 900000000,900000001\nb 900000100,900000101\nc 900000200,900000201\n"
    profile = stepscope.open(written(tmp_path / "run", GPU | {"step_trace_profiling_0.txt": late}))
    assert profile.profile.ranks[0].all_steps.source == "whole trace"
    assert profile.show("step_trace")["total_ns"].to_list() == [2010]
    near = stepscope.open(written(tmp_path / "near", GPU))
    assert near.profile.ranks[0].all_steps.ranges["step"].to_list() == [1, 2]


def test_a_step_trace_alone_says_how_long_steps_wait(tmp_path: Path) -> None:
    """Of a run on Ascend often nothing but the step trace is at hand."""
    late = "a 1000,1001 3000,3001\nb 1400,1500 3400,3500\nc 1600,1700 3600,3700\n"
    verdict = stepscope.open(written(tmp_path / "run", {"step_trace_profiling_0.txt": late})).verdict
    assert "Steps begin 13.0 us late, 65 % of their time" in verdict
    assert "A step takes 20.0 us on average (1 step, without the first one)" in verdict


@pytest.mark.long
@pytest.mark.parametrize(("second", "said"), [(300, True), (140, False)])
def test_ranks_are_uneven_where_one_waits_a_fifth_longer(tmp_path: Path, second: int, said: bool) -> None:
    """MindInsight's rule for cards of a cluster, with what it is of a step."""
    head = "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail\n"
    files = {}
    for device, wait in ((0, 100), (1, second)):
        rows = [(1, 0, 1000, 0, 900), *((step, 1000 * (step - 1), 1000 * step, wait, 900) for step in (2, 3))]
        cells = [(n, a, b, b - a, a + f, a + e, f, e - f, b - a - e) for n, a, b, f, e in rows]
        files[f"step_trace_raw_{device}_detail_time.csv"] = head + "".join(
            ",".join(map(str, row)) + "\n" for row in cells
        )
    profile = stepscope.open(written(tmp_path / "profiler", files))
    assert any("MindInsight calls cards uneven" in note for note in profile.notes("step_trace")) == said
    if said:
        text = CliRunner().invoke(cli, ["report", str(tmp_path / "profiler")]).stdout
        assert "rank 1 waits 3.00 us before its forward pass, 50 % longer than the mean of 2 ranks (2.00 us)" in text
        assert "stepscope show step_trace" in text


@pytest.mark.long
def test_a_row_of_steps_that_was_left_empty_is_no_step_of_no_length(tmp_path: Path) -> None:
    """Seen with the sample run_2/normal_run of MindInsight, whose step 0 has no times: the list of runs said 11.9 ms,
    half of the only step, and the verdict called the mean of one step the median of two."""
    raw = "step_num,start_point,end_point,total,fp_point,bp_point\n0,0,0,0,0,0\n1,1000,3370,2370,1000,3366\n"
    profile = stepscope.open(written(tmp_path / "run", {"step_trace_raw_0_detail_time.csv": raw}))
    assert profile.show("steps").select("step", "duration_ns", "cut").rows() == [(0, 0, True), (1, 23_700, False)]
    (found,) = made_verdicts(profile.profile, lambda: profile.show("utilization"))
    assert (found.step_ns, found.steps, found.averaged) == (23_700, 1, "mean")
    assert "(1 step, without the first one)" in profile.verdict


def test_every_device_of_a_folder_is_a_rank(tmp_path: Path) -> None:
    other = {name.replace("_0.", "_3."): text for name, text in GPU.items()}
    slow = other["step_trace_profiling_3.txt"].replace("130000", "150000")
    files = GPU | DATA | other | {"step_trace_profiling_3.txt": slow}
    files["profiler_info_3.json"] = '{"rank_id": "3", "rank_size": 4, "ms_version": "2.2.14"}'
    profile = stepscope.open(written(tmp_path / "profiler", files))
    assert [rank.number for rank in profile.profile.ranks] == [0, 3]
    assert profile.show("operator_totals")["rank"].to_list() == [0, 0, 3, 3]
    assert profile.show("step_trace").group_by("rank", maintain_order=True).agg(pl.col("total_ns").sum()).rows() == [
        (0, 300_000),
        (3, 500_000),
    ]
    assert profile.show("input_pipeline")["rank"].unique().to_list() == [0]


@pytest.mark.long
def test_every_table_of_a_run_on_a_gpu(tmp_path: Path) -> None:
    assert_tables(stepscope.open(written(tmp_path / "profiler", GPU | DATA)).profile)


@pytest.mark.long
def test_every_table_of_two_devices(tmp_path: Path) -> None:
    other = {name.replace("_0.", "_1."): text for name, text in GPU.items()}
    profile = stepscope.open(written(tmp_path / "profiler", GPU | DATA | other)).profile
    assert_tables(profile)
    assert_tables(profile.select([1], (2, 2)))


@pytest.mark.long
def test_every_table_of_an_input_pipeline_alone(tmp_path: Path) -> None:
    assert_tables(stepscope.open(written(tmp_path / "minddata", DATA)).profile)
