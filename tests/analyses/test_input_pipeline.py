"""The input pipeline: what limits it, its queues and waits, its batches, and the use of CPUs."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

import polars as pl
import pytest

import stepscope
from readers.mindspore_files import CPU, DATA, iterator, pipeline, queue
from readers.test_mindspore import written
from stepscope.analyses.input_pipeline.diagnosis import Diagnosis, diagnosed
from stepscope.analyses.input_pipeline.recorded import recorded_pipeline

KNOWN = {
    # Which operator is slow, is known of each: it sleeps, or computes.
    "md_slow_map": ("processing", "MapOp"),
    "md_slow_source": ("processing", "GeneratorOp"),
    "md_cpu_map": ("processing", "MapOp"),
    "md_slow_consumer": ("not the problem", None),
    "iv_200": ("processing", "MapOp"),
    "iv_1000": ("processing", "MapOp"),
}


def diagnosis(folder: Path) -> Diagnosis:
    recorded = recorded_pipeline(stepscope.open(folder).profile.ranks[0])
    assert recorded is not None
    return diagnosed(recorded)


def test_waits_by_the_interval_of_the_file_are_said_to_be(tmp_path: Path) -> None:
    """Seen with a pipeline_profiling file alone: a third of the real waits, without a word."""
    folder = written(tmp_path, {"pipeline_profiling_0.json": DATA["pipeline_profiling_0.json"]})
    assert stepscope.open(folder / "pipeline_profiling_0.json").notes("input_pipeline")[-1] == (
        "wait assumes 20.0 ms per sample, the interval set in the file: on a busy machine MindData samples less often, "
        "so actual waits were longer; minddata_cpu_utilization beside the file has the times of the samples"
    )
    assert not any("wait assumes" in note for note in stepscope.open(written(folder, DATA)).notes("input_pipeline"))


def made(folder: Path, *operators: Any, batches: str | None = None, cpu: str | None = None) -> Path:
    files = {"pipeline_profiling_0.json": pipeline(*operators)}
    files |= {"dataset_iterator_profiling_0.txt": batches} if batches else {}
    return written(folder, files | ({"minddata_cpu_utilization_0.json": cpu} if cpu else {}))


@pytest.mark.real_trace
@pytest.mark.parametrize("name", list(KNOWN))
def test_the_slow_operator_of_a_recorded_pipeline_is_the_one_that_is_slow(shared_data: Path, name: str) -> None:
    found = diagnosis(shared_data / "mindspore" / "real-minddata" / name)
    assert (found.verdict, found.slow and found.slow.name) == KNOWN[name]


@pytest.mark.real_trace
@pytest.mark.parametrize("name", list(KNOWN))
def test_queues_and_waits_are_those_that_json_reads(shared_data: Path, name: str) -> None:
    """Samples lie further apart than the file says; those of CPUs were taken with them and have times."""
    folder = shared_data / "mindspore" / "real-minddata" / name
    known = json.loads((folder / "pipeline_profiling_0.json").read_text())["op_info"]
    times = json.loads((folder / "minddata_cpu_utilization_0.json").read_text())["time_stamp"]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    stand = [gaps[0], *gaps]
    expected = []
    for one in known:
        sizes, room = one["metrics"]["output_queue"]["size"], one["metrics"]["output_queue"]["length"]
        wait = sum(ms for ms, size in zip(stand, sizes, strict=True) if size == 0) * 10**6
        row = (one["op_id"], one["op_type"], one["num_workers"], room, wait)
        expected.append((*row, pytest.approx(100 * mean(sizes) / room)))
    table = stepscope.open(folder).show("input_pipeline")
    assert table.select("id", "operator", "workers", "capacity", "wait_ns", "fill_pct").rows() == expected


@pytest.mark.real_trace
@pytest.mark.parametrize("name", list(KNOWN))
def test_cpu_utilization_takes_every_second_sample_of_the_machine(shared_data: Path, name: str) -> None:
    folder = shared_data / "mindspore" / "real-minddata" / name
    found = json.loads((folder / "minddata_cpu_utilization_0.json").read_text())
    machine, times = found["device_info"], found["time_stamp"]
    assert len(machine["idle_utilization"]) >= 2 * len(times) - 1
    idle = machine["idle_utilization"][2 : 2 * len(times) : 2]
    user = machine["user_utilization"][2::2]
    table = stepscope.open(folder).show("cpu_utilization").filter(pl.col("scope") == "machine").row(0, named=True)
    assert table["samples"] == len(times) - 1
    assert table["idle_pct"] == pytest.approx(mean(idle))
    assert table["user_pct"] == pytest.approx(mean(user)) if user else table["user_pct"] is None
    assert table["covered_pct"] == pytest.approx(100 * len(user) / (len(times) - 1))
    process = found["process_info"]
    row = stepscope.open(folder).show("cpu_utilization").filter(pl.col("scope") == "process").row(0, named=True)
    assert row["user_pct"] == pytest.approx(mean(process["user_utilization"][: len(times)]))


@pytest.mark.real_trace
def test_batches_are_those_of_the_lines(shared_data: Path) -> None:
    folder = shared_data / "mindspore" / "real-minddata" / "md_slow_map"
    text = (folder / "dataset_iterator_profiling_0.txt").read_text()
    lines = [list(map(int, line.split())) for line in text.splitlines()]
    took = {batch: ms * 10**6 for kind, extra, batch, ms, _ in lines if (kind, extra) == (0, 0)}
    sizes = {batch: size for kind, _, batch, size, _ in lines if kind == 1}
    table = stepscope.open(folder).show("input_batches")
    assert dict(table.select("number", "get_ns").iter_rows()) == took
    assert dict(table.select("number", "queued").iter_rows()) == sizes
    assert sum(size == 0 for size in sizes.values()) == 46


def test_the_walk_ends_at_the_operator_whose_input_is_not_empty(tmp_path: Path) -> None:
    found = diagnosis(written(tmp_path, DATA))
    assert found.slow is not None
    assert (found.slow.name, found.slow.workers) == ("MapOp", 2)
    assert found.slow.input_pct == pytest.approx(100 * 47 / 48)
    assert (found.host and found.host.empty, found.host and found.host.batches) == (2, 3)


def test_a_pipeline_whose_consumer_is_slow_blames_nobody(tmp_path: Path) -> None:
    """A source whose queue is filled to less than 60 % is no bottleneck when training does not wait for it."""
    operators = [(0, "BatchOp", 1, [1], queue(16, 15)), (1, "GeneratorOp", 1, [], queue(2, 3))]
    found = diagnosis(made(tmp_path, *operators, batches=iterator(0, 5, 5, 5)))
    assert (found.verdict, found.slow) == ("not the problem", None)


def test_the_first_batch_alone_says_nothing(tmp_path: Path) -> None:
    """Seen of a run that took one batch: "1 of 1 batches were not ready", although the first one never is."""
    folder = made(tmp_path, (0, "BatchOp", 1, [1], queue(16, 15)), batches=iterator(0))
    assert diagnosis(folder).verdict == "too few batches"
    assert stepscope.open(folder).notes("input_pipeline")[0] == (
        "No batch was recorded after the first, which always waits: too few to say whether training waits for its "
        "input."
    )
    later = made(tmp_path / "later", (0, "BatchOp", 1, [1], queue(16, 15)), batches=iterator(0, 0, 5))
    assert stepscope.open(later).notes("input_pipeline")[0].startswith("2 batches were recorded after the first")


def test_a_single_batch_that_is_late_on_the_device_is_no_verdict(tmp_path: Path) -> None:
    files = {"dataset_iterator_profiling_0.txt": iterator(0, 5, 5, 5)}
    few = "GetNext 0 10 0\n" + "GetNext 20 30 2\n" * 9
    many = "GetNext 0 10 0\n" * 5 + "GetNext 20 30 2\n" * 5
    found = [
        diagnosis(written(tmp_path / name, files | {"minddata_getnext_profiling_0.txt": text}))
        for name, text in (("few", few), ("many", many))
    ]
    assert [one.verdict for one in found] == ["not the problem", "transfer"]


def test_operators_without_a_queue_are_passed_over(tmp_path: Path) -> None:
    """The root of old files has ``metrics: null``, and so do operators that run in their consumer's thread."""
    operators = [
        (4, "DeviceQueueOp", 1, [0], None),
        (0, "BatchOp", 1, [1], queue(0, 0)),
        (1, "ProjectOp", 1, [2], None),
        (2, "GeneratorOp", 3, [], queue(0, 0)),
    ]
    found = diagnosis(made(tmp_path, *operators, batches=iterator(0, 0, 0, 0)))
    assert found.slow is not None
    assert (found.slow.name, found.slow.input_pct) == ("GeneratorOp", None)


def test_of_two_inputs_the_emptier_one_is_followed(tmp_path: Path) -> None:
    operators = [
        (0, "ZipOp", 1, [1, 2], queue(0, 0)),
        (1, "MapOp", 1, [3], queue(16, 16)),
        (2, "MapOp", 1, [4], queue(0, 1)),
        (3, "TFReaderOp", 1, [], queue(16, 16)),
        (4, "GeneratorOp", 1, [], queue(12, 16)),
    ]
    found = diagnosis(made(tmp_path, *operators, batches=iterator(0, 0, 0, 0)))
    assert found.slow is not None
    assert found.slow.id == 2


def test_without_batches_the_last_queue_says_whether_training_waits(tmp_path: Path) -> None:
    found = diagnosis(
        made(tmp_path, (0, "BatchOp", 1, [1], queue(0, 0, 3)), (1, "GeneratorOp", 1, [], queue(16, 16, 9)))
    )
    assert (found.host, found.sampled and found.sampled.empty, found.verdict) == (None, 2, "processing")


def test_an_operator_that_feeds_itself_ends_the_walk(tmp_path: Path) -> None:
    operators = [(0, "MapOp", 1, [1], queue(0, 0)), (1, "MapOp", 1, [0], queue(0, 0))]
    assert diagnosis(made(tmp_path, *operators, batches=iterator(0, 0, 0, 0))).slow is not None
    assert len(stepscope.open(tmp_path).show("input_pipeline")) == 2


@pytest.mark.parametrize(
    ("use", "advice"),
    [(150, "compute all the time"), (10, "mostly wait"), (90, "neither compute nor wait"), (None, "record CPU use")],
)
def test_the_cpu_use_of_a_worker_chooses_the_advice(tmp_path: Path, use: int | None, advice: str) -> None:
    """CPU use counts for all workers of an operator; the map has two."""
    cpu = json.loads(CPU)
    cpu["op_info"] = [{"op_id": 1, "metrics": {"user_utilization": [use] * 3, "sys_utilization": [0] * 3}}]
    files = DATA | {"minddata_cpu_utilization_0.json": json.dumps(cpu)}
    if use is None:
        del files["minddata_cpu_utilization_0.json"]
    table = stepscope.open(written(tmp_path, files)).show("findings")
    assert table["id"].to_list() == ["slow-input-operator"]
    assert advice in table["advice"][0]


def test_machine_and_process_have_scales_of_their_own(tmp_path: Path) -> None:
    table = stepscope.open(written(tmp_path, DATA)).show("cpu_utilization")
    rows = {(row["scope"], row["id"]): row for row in table.iter_rows(named=True)}
    assert {scope: rows[scope]["of"] for scope in rows} == {
        ("machine", None): "all cores",
        ("process", None): "one core",
        ("operator", -1): "one core",
        ("operator", 1): "one core",
    }
    machine = rows["machine", None]
    assert (machine["samples"], machine["idle_pct"], machine["io_pct"], machine["active_pct"]) == (2, 45, 5, 50)
    assert (machine["user_pct"], machine["system_pct"], machine["covered_pct"]) == (50, 10, 50)
    assert (machine["runnable"], machine["context_switches"]) == (6, 300)
    assert rows["process", None]["system_pct"] == 10, "arrays of the process may be shorter than the times"
    assert rows["operator", 1]["active_pct"] == 170


def test_files_that_store_a_sample_once_are_taken_as_they_are(tmp_path: Path) -> None:
    """Old files spell the key of runnable threads in another way."""
    cpu = json.loads(CPU)
    cpu["device_info"] = {
        "user_utilization": [10, 20, 30],
        "sys_utilization": [10, 20, 30],
        "io_utilization": [10, 10, 10],
        "idle_utilization": [70, 50, 30],
        "runable_processes": [10, 20, 30],
        "context_switch_count": [10, 20, 30],
    }
    folder = written(tmp_path, DATA | {"minddata_cpu_utilization_0.json": json.dumps(cpu)})
    row = stepscope.open(folder).show("cpu_utilization").filter(pl.col("scope") == "machine").row(0, named=True)
    assert (row["samples"], row["user_pct"], row["idle_pct"], row["runnable"]) == (3, 20, 50, 20)


def test_cpu_time_is_use_times_the_time_between_samples(tmp_path: Path) -> None:
    row = stepscope.open(written(tmp_path, DATA)).show("input_pipeline").filter(pl.col("id") == 1).row(0, named=True)
    assert row["cpu_ns"] == round((1.5 + 1.8 + 1.8) * 20e6)
    assert row["worker_cpu_pct"] == pytest.approx(85)


@pytest.mark.long
def test_a_trace_with_a_pipeline_beside_it_says_what_training_waits_for(tmp_path: Path) -> None:
    written(tmp_path / "vm_1_2_ascend_ms" / "FRAMEWORK", {"cpu_op_execute_timestamp_0.txt": "a;HostCpuOps;1000,1,0 \n"})
    written(tmp_path / "minddata", DATA)
    profile = stepscope.open(tmp_path)
    assert "The slow operator of the input pipeline is MapOp (2 workers)" in profile.verdict
    assert profile.show("recordings").select("kind", "rank", "used").rows() == [
        ("trace", 0, True),
        ("input_pipeline", 0, True),
    ]
