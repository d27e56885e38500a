"""MindSpore's folders, timelines and MindData files: what is read of them equals what ten lines of csv or json read."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

import stepscope
from readers.mindspore_files import BY_STEP, DATA, GPU, KERNEL, iterator, timeline
from stepscope.api import OpenProfile
from stepscope.errors import UnreadableInput
from stepscope.messages.rendering import render
from stepscope.readers.mindspore import operators, pipeline, steps
from stepscope.readers.probe import probe
from stepscope.readers.redaction.redacting import redact

CPU_RUNS = ["graph_old", "pynative_old", "pynative_new", "pynative_stopat"]


def written(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def operator_rows(profile: OpenProfile) -> list[tuple[str, int, int]]:
    frame = profile.profile.ranks[0].trace.frame("operator", ["name", "start_ns", "duration_ns"])
    names = profile.profile.ranks[0].trace.text(frame["name"]).to_list()
    return sorted(zip(names, frame["start_ns"].to_list(), frame["duration_ns"].to_list(), strict=True))


@pytest.mark.real_trace
@pytest.mark.parametrize("name", CPU_RUNS)
def test_operators_of_a_timeline_are_those_that_json_reads(shared_data: Path, name: str) -> None:
    """A bare list, times as texts, an empty category: a reader made for Kineto takes none of it for an operator."""
    (path, *_) = sorted(
        (shared_data / "mindspore" / "real-cpu" / name).glob("*/ASCEND_PROFILER_OUTPUT/trace_view.json")
    )
    expected = sorted(
        (event["name"], int(Decimal(event["ts"]) * 1000), int(Decimal(event["dur"]) * 1000))
        for event in json.loads(path.read_text())
        if event["ph"] == "X" and event["args"].get("type") == "HostCpuOps"
    )
    assert operator_rows(stepscope.open(path)) == expected
    assert operator_rows(stepscope.open(path.parent.parent)) == expected


@pytest.mark.real_trace
@pytest.mark.parametrize("name", CPU_RUNS)
def test_operators_without_a_timeline_are_those_of_the_raw_file(shared_data: Path, tmp_path: Path, name: str) -> None:
    """Durations are in ms there; what the profiler adds up beside them has six digits."""
    (folder, *_) = sorted((shared_data / "mindspore" / "real-cpu" / name).glob("*/FRAMEWORK"))
    written(tmp_path / "run", {path.name: path.read_text() for path in folder.iterdir()})
    profile = stepscope.open(tmp_path / "run")
    shown = {name: (calls, total) for name, calls, total in _totals(operator_rows(profile))}
    with (folder / "cpu_op_detail_info_0.csv").open() as file:
        for row in csv.DictReader(file):
            calls, total = shown.pop(row["full_op_name"])
            assert calls == int(row["op_occurrences"])
            assert total == pytest.approx(float(row["op_total_time(ms)"]) * 1e6, rel=1e-5)
    assert shown == {}


def _totals(rows: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    calls = Counter(name for name, _, _ in rows)
    return [(name, calls[name], sum(ns for other, _, ns in rows if other == name)) for name in calls]


@pytest.mark.real_trace
def test_graph_mode_has_the_known_operators(shared_data: Path) -> None:
    table = stepscope.open(shared_data / "mindspore" / "real-cpu" / "graph_old").show("operators")
    kinds = table.with_columns(pl.col("name").str.extract(r"([^/]+?)(?:-op\d+)?$").alias("kind"))
    by_kind = kinds.group_by("kind").agg(pl.col("calls").sum(), pl.col("host_total_ns").sum())
    known = {kind: (calls, ns) for kind, calls, ns in by_kind.iter_rows()}
    whole = sum(ns for _, ns in known.values())
    assert table["calls"].sum() == 420
    assert known["Conv2D"][0] == 20
    assert known["Conv2D"][1] / 20 == pytest.approx(30.18e6, rel=1e-3)
    assert known["Conv2D"][1] / whole == pytest.approx(0.483, abs=5e-4)
    assert known["Conv2DBackpropFilter"][1] / whole == pytest.approx(0.084, abs=5e-4)
    assert known["MatMul"][0] == 60


@pytest.mark.real_trace
def test_folders_of_one_process_are_spans_and_minddata_stands_beside_them(shared_data: Path) -> None:
    profile = stepscope.open(shared_data / "mindspore" / "real-cpu" / "pynative_new")
    table = profile.show("recordings").sort("kind", "span")
    assert table.select("kind", "recorder", "rank", "span", "events").rows() == [
        ("input_pipeline", "MindData", 0, None, 551),
        ("trace", "MindSpore", 0, 1, 82),
        ("trace", "MindSpore", 0, 2, 82),
    ]


def test_a_time_as_text_keeps_its_nanoseconds(tmp_path: Path) -> None:
    path = tmp_path / "trace_view.json"
    path.write_text(json.dumps(timeline()))
    assert operator_rows(stepscope.open(path)) == [
        ("Default/net/Conv2D-op0", 1795182072202369500, 14361),
        ("Default/net/Conv2D-op0", 1795182072202400001, 10000),
    ]
    trace = stepscope.open(path).profile.ranks[0].trace
    scopes = trace.frame("other", ["category", "thread"])
    assert [trace.text(scopes[name]).to_list() for name in ("category", "thread")] == [["scope"], ["scope 0"]]
    checks = dict(stepscope.open(path).show("health").select("check", "status").iter_rows())
    assert checks["unknown_categories"] == "ok", "ranges of scopes are known"


def test_operators_in_the_scope_of_gradients_are_the_backward_pass(tmp_path: Path) -> None:
    """Seen with a training step in graph mode: "no backward pass was found, as in inference"."""
    first, second, forward, _, scope = timeline()
    backward = forward | {"name": "Gradients/Default/net/Grad_Conv2D/Conv2DBackpropFilter-op0", "dur": "30.000"}
    optimizer = forward | {"name": "Default/optimizer-Momentum/ApplyMomentum-op0", "dur": "5.000"}
    events = [backward | {"ts": "1795182072202400.000"}, optimizer | {"ts": "1795182072202440.000"}]
    (tmp_path / "trace_view.json").write_text(json.dumps([first, second, forward, *events, scope]))
    table = stepscope.open(tmp_path / "trace_view.json").show("step_trace")
    names = ("passes", "interval_ns", "forward_ns", "backward_ns", "tail_ns", "first_forward", "last_backward")
    assert table.select(names).rows() == [(1, 0, 30_500, 30_000, 15_000, forward["name"], backward["name"])]


def test_names_of_processes_behind_their_events_count_too(tmp_path: Path) -> None:
    path = tmp_path / "trace_view.json"
    first, second, *events = timeline()
    path.write_text(json.dumps([second, *events, first]))
    assert len(operator_rows(stepscope.open(path))) == 2


def test_a_timeline_and_a_folder_are_named_by_kind(tmp_path: Path) -> None:
    (tmp_path / "trace_view.json").write_text(json.dumps(timeline()))
    written(tmp_path / "profiler", GPU)
    written(tmp_path / "minddata", DATA)
    found = [probe(str(tmp_path / name)) for name in ("trace_view.json", "profiler", "minddata")]
    assert [(one.kind, one.recorder, one.framework, one.is_read) for one in found] == [
        ("trace", "MindSpore", "MindSpore", True),
        ("trace", "MindSpore", "MindSpore", True),
        ("input_pipeline", "MindData", "MindSpore", True),
    ]


@pytest.mark.parametrize("name", list(DATA))
def test_a_file_of_minddata_is_read_alone(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, DATA) / name
    assert stepscope.open(path).profile.ranks[0].trace.kind == "input_pipeline"


def test_a_folder_with_nothing_but_derived_files_says_so(tmp_path: Path) -> None:
    folder = written(tmp_path / "profiler", {"ascend_timeline_display_0.json": "[]", "notes_1.txt": "hello"})
    found = probe(str(folder))
    assert (found.recorder, found.is_read) == ("MindSpore", False)
    assert "files that MindSpore derived on Ascend are not" in render(found.reason)


def test_a_folder_of_which_nothing_can_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match=r"none of its files can be read, among them pipeline_profiling_0\.json"):
        stepscope.open(written(tmp_path / "data", {"pipeline_profiling_0.json": "{"}))
    with pytest.raises(UnreadableInput, match="it holds nothing that is read of MindSpore"):
        stepscope.open(written(tmp_path / "run", {"gpu_op_execute_timestamp_0.txt": ""}))


def test_a_damaged_file_of_a_folder_costs_its_own_rows_and_is_named(tmp_path: Path) -> None:
    folder = written(tmp_path / "minddata", DATA | {"pipeline_profiling_0.json": '{"op_info": [{"op_'})
    profile = stepscope.open(folder)
    trace = profile.profile.ranks[0].trace
    assert (trace.rows("pipeline_operator"), trace.rows("pipeline_batch")) == (0, 6)
    complete = profile.show("health").filter(pl.col("check") == "complete")
    assert complete["status"].to_list() == ["error"]
    assert complete["value"].to_list() == ["no"]
    assert "pipeline_profiling_0.json could not be read" in complete["detail"][0]


def test_a_damaged_file_of_minddata_beside_a_run_is_named(tmp_path: Path) -> None:
    """Seen with a pipeline_profiling file cut in half: ``health`` looked at the run alone, and ``input_pipeline``
    said that the recording had no pipeline."""
    run = written(tmp_path / "vm_1_2026_ascend_ms" / "ASCEND_PROFILER_OUTPUT", {})
    written(run, {"trace_view.json": json.dumps(timeline())})
    files = DATA | {"pipeline_profiling_0.json": '{"op_info": [{"op_'}
    files |= {"dataset_iterator_profiling_0.txt": iterator(0, 0, 0, 3)[:-3]}
    written(tmp_path / "minddata", files)
    profile = stepscope.open(tmp_path)
    (detail,) = profile.show("health").filter(pl.col("check") == "damaged_files")["detail"]
    assert detail == (
        "minddata: pipeline_profiling_0.json could not be read and dataset_iterator_profiling_0.txt is cut off within "
        "a row"
    )
    assert profile.notes("input_pipeline") == ["no rows: pipeline_profiling_0.json could not be read, see health"]


def test_kernels_are_split_from_the_right() -> None:
    frame, odd = operators.kernels(f"{KERNEL};0;1010000;2.5\nshort;1\n\n")
    assert frame.rows() == [(KERNEL, 0, 1010000, 2500)]
    assert odd == 1


def test_operators_of_the_cpu_are_in_ms_and_those_of_the_gpu_in_us() -> None:
    text = "Default/a;b;HostCpuOps;1000,0.0125,7 2000,1e-05,7 bad \n"
    frame, odd = operators.operators(text, 1e6)
    assert frame.rows() == [
        ("HostCpuOps", "Default/a;b", 1000, 12500, "7"),
        ("HostCpuOps", "Default/a;b", 2000, 10, "7"),
    ]
    assert odd == 1
    assert operators.operators("op;GpuOps;1000,60.5 \n", 1e3)[0].rows() == [("GpuOps", "op", 1000, 60500, "")]


def test_operators_of_the_cpu_are_put_on_the_clock_of_the_gpu(tmp_path: Path) -> None:
    """Beside a GPU they count on the host's monotonic clock: ``gpu_start - host_start`` is added."""
    rows = operator_rows(stepscope.open(written(tmp_path / "profiler", GPU)))
    assert rows[0] == ("Default/Cast-op0", 400_000 + 600_000, 12_500)
    alone = {name: text for name, text in GPU.items() if not name.startswith("gpu_op_execute")}
    assert operator_rows(stepscope.open(written(tmp_path / "cpu", alone))) == [("Default/Cast-op0", 400_000, 12_500)]


def test_names_in_quotes_that_are_not_doubled_are_read_whole() -> None:
    frame, odd = operators.activity_totals(GPU["gpu_activity_data_0.csv"] + '"cut\n')
    assert odd == 1
    assert frame.select("name", "operator", "stream", "block", "grid", "calls", "total_ns").rows() == [
        (KERNEL, "Default/FillV2-op5", 0, "512,1,1", "8,1,1", 2, 4750),
        ("sgemm_32x32", "Default/MatMul-op1", 3, "128,1,1", "4,4,1", 1, 10125),
    ]


def test_steps_by_point_are_in_ticks_of_10_ns() -> None:
    """The backward pass ends where its last operator ends; a step begins where the one before it ended."""
    frame, odd = steps.recorded_steps(GPU["step_trace_profiling_0.txt"])
    assert odd == 0
    assert frame.rows() == [
        (1, 1_000_000, 1_000_000, 1_150_000, 1_180_000, "Default/FillV2-op5", "Default/MatMul-op1"),
        (2, 1_180_000, 1_200_000, 1_280_000, 1_300_000, "Default/FillV2-op5", "Default/MatMul-op1"),
    ]


def test_steps_by_line_are_in_nanoseconds() -> None:
    frame, odd = steps.recorded_steps(BY_STEP)
    assert odd == 0
    assert frame.select(pl.exclude("first", "last")).rows() == [
        (1, 1000, 1500, 5000, 6000),
        (2, 6000, 6400, 9000, 9900),
    ]


def test_an_empty_step_trace_is_no_damage() -> None:
    frame, odd = steps.recorded_steps("")
    assert (len(frame), odd) == (0, 0)


def test_times_of_getnext_are_in_ns_and_those_of_ascend_in_us() -> None:
    frame, odd = pipeline.device_queue(
        "GetNext 5000 25000 0\nGetNext_dequeue_wait 154907895305 154907895306 3\nGet 1\n"
    )
    assert odd == 1
    assert frame.select("queue", "time_ns", "size", "get_ns").rows() == [
        ("device", 5000, 0, 20_000),
        ("device", 154907895305000, 3, 1000),
    ]


def test_a_queue_without_a_column_of_times_is_read() -> None:
    frame, odd = pipeline.host_queue("1 64 1 3\n0 0 1 7 2000\n")
    assert odd == 0
    assert frame.select("batch", "size", "capacity", "get_ns").rows() == [(1, 3, 64, 7_000_000)]


def test_of_a_pipeline_the_root_feeds_nothing() -> None:
    frame, samples, interval_ns, odd = pipeline.pipeline(DATA["pipeline_profiling_0.json"])
    assert (interval_ns, odd, len(samples)) == (20_000_000, 0, 9)
    assert frame.select("operator", "feeds", "workers", "capacity").rows() == [
        (0, None, 1, 16),
        (1, 0, 2, 16),
        (2, 1, 1, 16),
    ]


def test_a_pipeline_of_old_files_is_read() -> None:
    """Operators without a queue have ``metrics: null``; the root need not be number 0."""
    frame, samples, _, _ = pipeline.pipeline(
        '{"sampling_interval": 10, "op_info": [{"op_id": 4, "op_type": "DeviceQueueOp", "num_workers": 1,'
        ' "metrics": null, "children": [0]}, {"op_id": 0, "op_type": "BatchOp", "num_workers": 4, "children": null,'
        ' "metrics": {"output_queue": {"length": 64, "size": [0, 2], "throughput": [0.0, 1e-9]}}}]}'
    )
    assert frame.rows() == [(4, "DeviceQueueOp", None, 1, None), (0, "BatchOp", 4, 4, 64)]
    assert samples.rows() == [(0, 0, 0), (0, 1, 2)]


@pytest.mark.real_trace
@pytest.mark.parametrize(
    "name",
    [
        "mindinsight-samples/utils/resource/profiler/step_trace_raw_0_detail_time.csv",
        "mindinsight-samples/utils/resource/profiler/step_trace_raw_10_detail_time.csv",
        "mindinsight-samples/utils/resource/run_1/normal_run/profiler/step_trace_raw_1_detail_time.csv",
    ],
)
def test_derived_steps_are_divided_as_their_rows_say(shared_data: Path, name: str) -> None:
    """The row of averages, ``-``, is left out."""
    text = (shared_data / "mindspore" / name).read_text()
    frame, odd = steps.derived_steps(text)
    rows = [row for row in csv.DictReader(text.splitlines()) if row["step_num"] != "-"]
    assert (len(frame), odd) == (len(rows), 0)
    for row, (_, start, forward, backward, end, *_) in zip(rows, frame.iter_rows(), strict=True):
        assert int(row["total"]) * 10 == end - start
        assert int(row["iteration_interval"]) * 10 == forward - start
        assert int(row["fp_and_bp"]) * 10 == backward - forward
        assert int(row["tail"]) * 10 == end - backward


def test_batches_of_an_iterator_are_a_row_each() -> None:
    frame, odd = pipeline.host_queue(iterator(0, 5))
    assert odd == 0
    assert frame.select("batch", "size", "capacity", "get_ns", "push_ns", "total_ns").rows() == [
        (1, 0, 16, 3_000_000, 0, 3_000_000),
        (2, 5, 16, 3_000_000, 0, 3_000_000),
    ]


def test_the_file_of_a_run_says_its_rank_where_others_count_from_0(tmp_path: Path) -> None:
    for rank in (0, 1):
        folder = written(tmp_path / f"vm_{rank}_2026_ascend_ms", {f"profiler_info_{rank}.json": '{"rank_size": 2}'})
        written(folder / "ASCEND_PROFILER_OUTPUT", {"trace_view.json": json.dumps(timeline())})
    ranks = stepscope.open(tmp_path).profile.ranks
    assert [(rank.number, rank.trace.head["distributedInfo"]) for rank in ranks] == [
        (0, {"rank": 0, "world_size": 2}),
        (1, {"rank": 1, "world_size": 2}),
    ]


def test_advice_names_options_of_mindspores_profiler(tmp_path: Path) -> None:
    """Seen with a run on a CPU: "torch.profiler records it with record_shapes=True"."""
    path = tmp_path / "trace_view.json"
    path.write_text(json.dumps(timeline()))
    profile = stepscope.open(path)
    assert "torch" not in str(profile.show("health")["detail"].to_list())
    assert profile.notes("memory") == [
        (
            "no rows: the recording has no memory events; mindspore.profiler.profile records this with "
            "profile_memory=True (npu_memory) on Ascend"
        )
    ]
    assert profile.notes("modules") == [
        "no rows: the recording has no Python stacks; stepscope reads nothing of that from MindSpore"
    ]


def test_a_timeline_can_be_copied_without_names(tmp_path: Path) -> None:
    """Recognised as MindSpore's, it is a trace like others."""
    path = tmp_path / "trace_view.json"
    path.write_text(json.dumps(timeline()).replace("Conv2D", "home/somebody/Conv2D"))
    redact(str(path), tmp_path / "copy.json", ["somebody"])
    assert "somebody" not in (tmp_path / "copy.json").read_text()
    assert len(operator_rows(stepscope.open(tmp_path / "copy.json"))) == 2
