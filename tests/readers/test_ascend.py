"""Files of runs on Ascend NPUs, made as their documentation says."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

import stepscope
from building.ascend import (
    ALLOCATION_HEADER,
    EPOCH_US,
    MEMORY_HEADER,
    communication,
    kernel_details,
    matrix,
    memory_record,
    module_memory,
    operator_memory,
    timeline,
    write_database,
    write_run,
)
from readers.contract import check_sound, read
from readers.fuzzing import mutated
from stepscope.errors import UnreadableInput
from stepscope.readers.ascend import memory
from stepscope.readers.ascend.format import AscendFolder
from stepscope.readers.ascend.matrix import pairs
from stepscope.readers.redaction.redacting import redact
from stepscope.readers.registry import recognised, recognised_folder
from stepscope.readers.sources import Source

MOMENT = EPOCH_US * 1000


def test_work_of_the_npu_is_linked_to_what_enqueued_it_and_to_its_operator(tmp_path: Path) -> None:
    (rank,) = stepscope.open(write_run(tmp_path)).profile.ranks
    activity, trace = rank.activity, rank.trace
    calls = trace.frame("runtime", ["name", "start_ns"])
    rows = activity.select(
        trace.text(activity["name"]).alias("name"),
        "activity",
        (pl.col("start_ns") - MOMENT).alias("start"),
        "duration_ns",
        "device",
        "stream",
        trace.text(calls["name"].gather(activity["launch"])).alias("launch"),
        trace.text(trace.frame("operator", ["name"])["name"].gather(activity["operator"])).alias("operator"),
        "communication",
    ).rows()
    assert rows[:4] == [
        ("MatMul", 0, 20_000, 30_000, 2, 2, "Enqueue", "aten::MatMul", False),
        ("hcom_allReduce", 0, 40_000, 20_000, 2, 4, "Enqueue", "aten::hcom_allReduce__586_1_1", True),
        ("Cast", 0, 62_500, 15_000, 2, 2, "Enqueue", "aten::Cast", False),
        ("MEMCPY_ASYNC", 1, 78_000, 5_000, 2, 2, "Enqueue", "aten::MEMCPY_ASYNC", False),
    ]
    assert len(rows) == 8


def test_times_of_collectives_are_counted_once(tmp_path: Path) -> None:
    """Their parts are on streams and on planes, and the profiler adds up what computed on rows of its own."""
    (rank,) = stepscope.open(write_run(tmp_path)).profile.ranks
    other = rank.trace.frame("other", ["category", "name"])
    found = other.select(rank.trace.text(other[name]).alias(name) for name in other.columns)
    assert found.sort("category", "name").group_by("category", "name", maintain_order=True).len().rows() == [
        ("collective part", "Memcpy", 2),
        ("collective part", "Notify Wait", 2),
        ("collective part", "SDMA", 2),
        ("overlap analysis", "Computing", 2),
    ]


def test_what_a_collective_is_stands_in_its_name_and_its_arguments(tmp_path: Path) -> None:
    (rank,) = stepscope.open(write_run(tmp_path)).profile.ranks
    names = ["collective", "process_group", "dtype", "group_size", "in_elements", "out_elements", "collective_sequence"]
    frame = rank.trace.frame("activity", names).filter(pl.col("collective").is_not_null())
    texts = [rank.trace.text(frame[name]).alias(name) for name in names[:3]]
    assert frame.with_columns(texts).rows() == [
        ("all_reduce", "586", "Float", 2, 1000, 1000, 1),
        ("all_reduce", "586", "Float", 2, 1000, 1000, 2),
    ]


def test_without_the_arrow_the_number_of_the_connection_links(tmp_path: Path) -> None:
    events = [one for one in timeline() if one.get("cat") != "HostToDevice"]
    (rank,) = stepscope.open(write_run(tmp_path, trace_view_json=json.dumps(events))).profile.ranks
    assert rank.activity["launch"].null_count() == 0


def test_without_calls_of_cann_the_arrow_links(tmp_path: Path) -> None:
    """At level 0 there are no calls of CANN."""
    events = [one for one in timeline() if one["name"] != "Node@launch"]
    (rank,) = stepscope.open(write_run(tmp_path, trace_view_json=json.dumps(events))).profile.ranks
    assert rank.activity["launch"].null_count() == 0


def test_without_a_queue_the_call_of_cann_launches(tmp_path: Path) -> None:
    events = [one for one in timeline() if one.get("cat") not in ("enqueue", "dequeue")]
    (rank,) = stepscope.open(write_run(tmp_path, trace_view_json=json.dumps(events))).profile.ranks
    names = rank.trace.frame("runtime", ["name"])["name"].gather(rank.activity["launch"])
    assert set(rank.trace.text(names)) == {"Node@launch"}


def test_an_event_that_is_recorded_or_waited_for_is_no_work(tmp_path: Path) -> None:
    (rank,) = stepscope.open(write_run(tmp_path)).profile.ranks
    sync = rank.trace.frame("sync", ["name", "stream"])
    assert sync.with_columns(rank.trace.text(sync["name"])).rows() == [("EVENT_RECORD", 2)] * 2


def test_a_call_that_waits_for_the_npu_is_found(tmp_path: Path) -> None:
    table = stepscope.open(write_run(tmp_path)).show("sync")
    assert table.select("name", "waits_for", "calls").rows() == [("aclrtSynchronizeStream", "stream", 2)]


def test_ranks_say_who_they_are(tmp_path: Path) -> None:
    for rank in (1, 0):
        write_run(tmp_path, rank)
    ranks = stepscope.open(tmp_path).profile.ranks
    assert [(rank.number, rank.trace.head["distributedInfo"]) for rank in ranks] == [
        (0, {"rank": 0, "world_size": 2}),
        (1, {"rank": 1, "world_size": 2}),
    ]
    assert ranks[0].trace.head["deviceProperties"] == [{"id": 2, "name": "Ascend NPU"}]
    assert ranks[0].trace.meta["recorder_version"] == "torch_npu 2.7.1, CANN 8.3"


def test_a_list_that_its_analysis_did_not_close_is_read_and_named(tmp_path: Path) -> None:
    (rank,) = stepscope.open(write_run(tmp_path, trace_view_json=json.dumps(timeline())[:-1])).profile.ranks
    assert len(rank.activity) == 8
    assert rank.trace.truncated is not None


def test_a_folder_that_was_not_analysed_is_named(tmp_path: Path) -> None:
    run = tmp_path / "node_1_20260101000000000_ascend_pt"
    (run / "FRAMEWORK").mkdir(parents=True)
    (run / "PROF_000001").mkdir()
    match = recognised(Source(str(run)))
    assert (match.format, match.recorder) == ("ascend", "torch_npu")
    with pytest.raises(UnreadableInput, match=r"was not analysed.*Analyse it where torch_npu"):
        stepscope.open(run)


def test_a_file_that_is_damaged_leaves_the_others(tmp_path: Path) -> None:
    profile = stepscope.open(write_run(tmp_path, communication_json="{", kernel_details_csv=""))
    (rank,) = profile.profile.ranks
    assert len(rank.activity) == 8
    assert len(profile.show("npu_steps")) == 2
    assert rank.trace.meta["unread_files"] == ["kernel_details.csv", "communication.json"]


def test_a_table_of_kernels_that_is_cut_is_named(tmp_path: Path) -> None:
    """Seen with half a ``kernel_details.csv``: the kernels behind the cut were missing, and ``health`` was content."""
    whole = kernel_details()
    profile = stepscope.open(write_run(tmp_path, kernel_details_csv=whole[: len(whole) // 2]))
    (row,) = profile.show("health").filter(pl.col("check") == "complete").select("status", "value", "detail").rows()
    detail = "kernel_details.csv is cut off within a row: the tables lack what it held"
    assert row == ("error", "cut off", detail)
    profile = stepscope.open(write_run(tmp_path / "empty", kernel_details_csv=""))
    assert profile.notes("npu_kernels") == ["no rows: kernel_details.csv could not be read, see health"]


def test_advice_names_options_of_the_npus_profiler(tmp_path: Path) -> None:
    """Seen in ``health``: "this recording is by torch_npu; torch.profiler records it with with_stack=True"."""
    table = stepscope.open(write_run(tmp_path)).show("health").filter(pl.col("check").is_in(["stacks", "memory"]))
    assert table.select("check", "value", "detail").rows() == [
        (
            "stacks",
            "not recorded",
            "cannot show source lines and modules: torch_npu.profiler.profile records it with with_stack=True",
        ),
        ("memory", "recorded", None),
    ]


def test_headers_of_other_versions_are_read(tmp_path: Path) -> None:
    old = kernel_details().replace("Block Num", "Block Dim").replace("Accelerator Core", "Task Type")
    profile = stepscope.open(write_run(tmp_path, kernel_details_csv=old.replace("Name,Type", "Op Name,OP Type")))
    assert profile.show("npu_kernels", by="core").select("core", "calls", "cores_used").rows() == [
        ("AI_CORE", 2, 20.0),
        ("AI_CPU", 2, None),
    ]


def test_a_run_of_mindspore_with_a_device_is_read_alike() -> None:
    name = "node_1_20260101000000000_ascend_ms"
    with_device = recognised_folder(name, ["ASCEND_PROFILER_OUTPUT", "PROF_000001", "FRAMEWORK"])
    without = recognised_folder(name, ["ASCEND_PROFILER_OUTPUT", "FRAMEWORK", "profiler_info_0.json"])
    assert with_device is not None
    assert without is not None
    assert (with_device.format, with_device.recorder, without.format) == ("ascend", "MindSpore", "mindspore")


def test_a_timeline_alone_is_recognised_and_copied_without_names(tmp_path: Path) -> None:
    path = tmp_path / "trace_view.json"
    path.write_text(json.dumps(timeline()).replace("aten::Cast", "/home/somebody/Cast"))
    assert recognised(Source(str(path))).format == "ascend_timeline"
    redact(str(path), tmp_path / "copy.json")
    assert "somebody" not in (tmp_path / "copy.json").read_text()
    assert len(stepscope.open(tmp_path / "copy.json").profile.ranks[0].activity) == 8


def test_names_in_the_file_of_collectives_may_be_of_anything() -> None:
    from stepscope.readers.ascend.collectives import collectives

    odd = {"step": {"p2p": {"x": {"Communication Time Info": {"Elapse Time(ms)": 1e300}}}, "y": 3}, "z": []}
    rows, links, lost = collectives(json.dumps(communication() | odd))
    assert (len(rows), len(links), lost) == (2, 4, 1)


def test_names_in_the_file_of_pairs_may_be_of_anything() -> None:
    said = {"Transit Size(MB)": 0.001, "Transit Time(ms)": "x", "Transport Type": 3, "Bandwidth(GB/s)": -1}
    links = {"0-1": said, "0": said, "1-1": 3, "a-b": said, "1-2": {}, "2-3": said | {"Transit Size(MB)": 0}}
    odd = {"step9": {"collective": {"allgather-total@7": links, "y": 3}, "p2p": []}, "z": []}
    rows, lost = pairs(json.dumps(matrix() | odd))
    whole, _ = pairs(json.dumps(matrix()))
    assert (len(rows), len(whole), lost) == (5, 4, 5)
    assert rows.filter(pl.col("step") == 9).row(0)[:8] == ("all_gather", 9, "7", 0, 1, None, 1_000, None)


def test_pairs_of_msprof_alone_have_each_call() -> None:
    """Its file has no steps, and no sums."""
    said = {"Transport Type": "RDMA", "Transit Size(MB)": 0.002, "Transit Time(ms)": 0.004, "Bandwidth(GB/s)": 0.5}
    slow = said | {"Transit Time(ms)": 0.008, "Bandwidth(GB/s)": 0.25}
    calls = {"hcom_send__586_1_1@7": {"0-8": said}, "hcom_send__586_2_1@7": {"0-8": slow}, "Total Op Info": {}}
    rows, lost = pairs(json.dumps(calls))
    assert lost == 0
    assert rows.rows() == [("send", None, "7", 0, 8, "RDMA", 4_000, 12_000, 0.5, 0.25, "hcom_send__586_2_1")]


def test_sums_that_are_missing_are_not_nothing() -> None:
    """A pair of which its file has single calls alone moved something."""
    made = matrix()
    for step in made.values():
        step["collective"] = {name: one for name, one in step["collective"].items() if "-total" not in name}
    rows, _ = pairs(json.dumps(made))
    assert rows.select("bytes", "transit_ns").null_count().row(0) == (4, 4)
    assert rows["slowest"].null_count() == 0


@pytest.mark.parametrize("content", ["", "{", "[]", "3", "[" * 9_999])
def test_a_damaged_file_of_pairs_costs_its_own_rows(tmp_path: Path, content: str) -> None:
    profile = stepscope.open(write_run(tmp_path, communication_matrix_json=content))
    (rank,) = profile.profile.ranks
    assert rank.trace.meta["unread_files"] == ["communication_matrix.json"]
    assert (len(profile.show("npu_links")), len(profile.show("npu_pairs"))) == (2, 0)
    assert "communication_matrix.json" in str(profile.show("health").rows())


def test_rows_of_pairs_in_a_database_may_be_of_anything(tmp_path: Path) -> None:
    run = write_database(tmp_path)
    base = sqlite3.connect(run / "ASCEND_PROFILER_OUTPUT" / "analysis.db")
    columns = "hccl_op_name, group_name, src_rank, dst_rank, transit_size, transit_time, bandwidth"
    for row in ("'a-total', 'g', 'x', 1, 1, 1, 1", "'a-total', 'g', 0, 1, NULL, 1, 1", "NULL, 'g', 0, 1, 1, 1, 1e999"):
        base.execute(f"INSERT INTO CommAnalyzerMatrix ({columns}) VALUES ({row})")
    base.commit()
    base.close()
    profile = stepscope.open(run)
    assert len(profile.show("npu_pairs")) == 2
    assert profile.profile.ranks[0].trace.meta["damaged"] == 3


@pytest.mark.parametrize("name", ["memory_record.csv", "operator_memory.csv"])
@pytest.mark.parametrize("content", ["", "\x00", "x,y\n1,2\n"])
def test_a_damaged_file_of_memory_costs_its_own_rows(tmp_path: Path, name: str, content: str) -> None:
    changed = {"npu_module_mem_csv": None, name.replace(".", "_"): content}
    profile = stepscope.open(write_run(tmp_path, **changed))
    (rank,) = profile.profile.ranks
    assert rank.trace.meta["damaged"] == int(content.startswith("x"))
    assert rank.trace.meta["cut_files"] == ([name] if content == "\x00" else [])
    assert rank.trace.meta["unread_files"] == ([name] if content == "" else [])
    lost = {"memory_record.csv": "npu_memory", "operator_memory.csv": "npu_memory_peak"}
    assert [len(profile.show(table)) > 0 for table in lost.values()] == [lost[name] != table for table in lost.values()]


def test_lines_of_memory_may_be_of_anything() -> None:
    lines = f"PTA,x,1,1,1,0,NPU:0\nPTA,{EPOCH_US},,,,0,NPU:0\n,{EPOCH_US},1,1,1,0,NPU:0\n"
    rows, lost = memory.totals(memory_record() + lines)
    assert (len(rows), lost) == (7, 3)
    rows, lost = memory.totals(MEMORY_HEADER.replace("MB", "KB") + f"\nGE,{EPOCH_US},1.5,2,-1,0,NPU:0\n")
    assert (rows.row(0)[3:], lost) == ((1_536, 2_048, None), 0)
    lines = f"2,HCCL,x,1,NPU:2\n2,,{EPOCH_US},1,NPU:2\n2,HCCL,{EPOCH_US},,NPU:2\n2,HCCL,{EPOCH_US},-1,NPU:2\n"
    rows, lost = memory.modules(module_memory() + lines)
    assert (len(rows), lost) == (3, 3)
    rows, lost = memory.modules(f"Component,Timestamp(us),Total Reserved(MB),Device\nHCCL,{EPOCH_US},1.5,NPU:0\n")
    assert (rows["reserved_bytes"].to_list(), lost) == ([3 << 19], 0)
    lines = f"a,x,{EPOCH_US}\na,1,x\na,inf,{EPOCH_US}\n,1,{EPOCH_US}\n"
    rows, lost = memory.allocations(operator_memory() + lines)
    assert (len(rows), lost) == (7, 3)
    assert memory.allocations(ALLOCATION_HEADER + "\n")[1] == 0


def test_an_empty_file_of_pairs_is_no_damage(tmp_path: Path) -> None:
    profile = stepscope.open(write_run(tmp_path, communication_matrix_json="{}"))
    assert profile.profile.ranks[0].trace.meta["unread_files"] == []
    assert len(profile.show("npu_pairs")) == 0


def test_a_database_is_read_like_the_files(tmp_path: Path) -> None:
    profile = stepscope.open(write_database(tmp_path))
    (rank,) = profile.profile.ranks
    activity, trace = rank.activity, rank.trace
    calls, operators = trace.frame("runtime", ["name"])["name"], trace.frame("operator", ["name"])["name"]
    rows = activity.select(
        trace.text(activity["name"]).alias("name"),
        (pl.col("start_ns") - MOMENT).alias("start"),
        "duration_ns",
        "device",
        "stream",
        trace.text(calls.gather(activity["launch"])).alias("launch"),
        trace.text(operators.gather(activity["operator"])).alias("operator"),
        "communication",
    ).rows()
    assert rows == [
        ("MatMul", 20_000, 30_000, 2, 2, "Enqueue", "aten::MatMul", False),
        ("Cast", 62_500, 15_000, 2, 2, "Enqueue", "aten::Cast", False),
        ("hcom_allReduce", 40_000, 20_000, 2, 4, "Enqueue", "aten::hcom_allReduce", True),
    ]
    assert rank.steps["step"].to_list() == [1]
    assert trace.head["deviceProperties"] == [{"id": 2, "name": "Ascend910B"}]
    assert "node-of-somebody" not in trace.texts.to_list()


def test_tables_of_a_database(tmp_path: Path) -> None:
    profile = stepscope.open(write_database(tmp_path))
    kernels = profile.show("npu_kernels").select(
        "type", "core", "shapes", "total_ns", "wait_ns", "cores_used", "cube_pct"
    )
    assert kernels.rows() == [
        ("MatMulV3", "MIX_AIC", "64,32;32,16", 30_000, 1_500, 20.0, 70.0),
        ("Cast", "AI_CPU", "8", 15_000, 12_500, None, None),
    ]
    steps = profile.show("npu_steps").select("step", "computing_ns", "measured_computing_ns", "free_ns")
    assert steps.rows() == [(1, 45_000, 45_000, 2_500)]
    assert profile.show("npu_collectives").select("op", "calls", "wait_ns").rows() == [("all_reduce", 1, 12_000)]
    assert profile.show("npu_links").select("transport", "bytes", "packets").rows() == [("HCCS", 4_000, 2)]
    of_files = stepscope.open(write_run(tmp_path / "files")).show("npu_pairs", step=1)
    assert profile.show("npu_pairs").equals(of_files)
    assert len(of_files) == 2
    assert "1 kernel ran on AI CPUs" in profile.notes("npu_kernels")[0]


def test_a_task_of_which_others_are_parts_is_counted_once(tmp_path: Path) -> None:
    (rank,) = stepscope.open(write_database(tmp_path)).profile.ranks
    other = rank.trace.frame("other", ["category", "name"])
    found = other.select(rank.trace.text(other[name]).alias(name) for name in other.columns)
    assert sorted(found.rows()) == [
        ("collective part", "Notify Wait"),
        ("collective part", "SDMA"),
        ("task of parts", "KERNEL_AICORE"),
    ]


def test_a_database_alone_is_recognised(tmp_path: Path) -> None:
    path = next(write_database(tmp_path).rglob("ascend_pytorch_profiler_0.db"))
    alone = path.rename(tmp_path / "msprof_20260101.db")
    assert recognised(Source(str(alone))).format == "ascend_database"
    (rank,) = stepscope.open(alone).profile.ranks
    assert (len(rank.activity), rank.number) == (3, 0)


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_database_is_a_sentence_or_a_sound_result(tmp_path: Path, seed: int) -> None:
    run = write_database(tmp_path)
    for path in run.rglob("*.db"):
        path.write_bytes(mutated(path.read_bytes(), random.Random(seed)))
    source = Source(str(run))
    with suppress(UnreadableInput):
        check_sound(read(AscendFolder(), source))
