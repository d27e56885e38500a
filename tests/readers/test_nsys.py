"""Exports of Nsight Systems as the tables of a trace."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

import stepscope
from readers.nsys_building import BASE_NS, PROCESS, Export, thread, training
from stepscope.analyses import make_table
from stepscope.errors import UnreadableInput
from stepscope.readers.registry import recognised
from stepscope.readers.sources import Source
from stepscope.store.opening import open_profile
from stepscope.store.profile import Profile


def opened(made: Export, folder: Path) -> Profile:
    """The export, written and read."""
    return open_profile(str(made.write(folder / "export.sqlite")))


@pytest.mark.long
def test_a_training_run_has_steps_kernels_copies_and_launches(tmp_path: Path) -> None:
    profile = opened(training(), tmp_path)
    steps = make_table(profile, "steps")
    assert steps["duration_ns"].to_list() == [90_000] * 3
    kernels = make_table(profile, "kernels").sort("name")
    assert kernels.select("name", "calls", "total_ns").rows() == [
        ("gemm<float>", 3, 60_000),
        ("gemm_backward", 3, 73_500),
    ]
    copies = make_table(profile, "memcpy")
    assert copies.select("kind", "calls", "bytes", "total_ns").rows() == [("HtoD", 3, 3 * 4096, 45_000)]
    launches = make_table(profile, "launches").sort("name")
    assert launches.select("name", "calls").rows() == [
        ("cuLaunchKernelEx", 3),
        ("cudaLaunchKernel", 3),
        ("cudaMemcpyAsync", 3),
    ]


def test_the_recording_says_who_made_it_and_when(tmp_path: Path) -> None:
    profile = opened(training(), tmp_path)
    (row,) = make_table(profile, "recordings").rows(named=True)
    assert (row["kind"], row["recorder"], row["recorder_version"]) == ("trace", "Nsight Systems", "2025.3.2.0")
    trace = profile.ranks[0].trace
    assert trace.time_base_ns == BASE_NS
    assert trace.head["deviceProperties"][0]["name"] == "NVIDIA H200"
    assert trace.head["deviceProperties"][0]["maxThreadsPerMultiprocessor"] == 2048


def test_environment_hosts_and_output_never_enter_the_store(tmp_path: Path) -> None:
    made = training()
    made.add("TARGET_INFO_SYSTEM_ENV", 1, "env", "HF_TOKEN", 0, "secret-1")
    made.add("META_DATA_CAPTURE", "PROCESS_0:ENVIRONMENT_VARIABLE", "TOKEN=secret-2")
    made.add("PROCESSES", thread(0), PROCESS, "secret-3")
    made.add("DIAGNOSTIC_EVENT", 0, 0, 1, 3, "secret-4 at /home/somebody")
    made.text("secret-5: what the program printed")
    profile = opened(made, tmp_path)
    folder = profile.ranks[0].trace.folder
    assert all(b"secret" not in path.read_bytes() for path in folder.iterdir() if path.is_file())
    assert not profile.ranks[0].trace.texts.str.contains("secret").any()


def test_operators_of_emit_nvtx_have_sequence_numbers(tmp_path: Path) -> None:
    made = training(1)
    made.range("aten::mm, seq = 12, op_id = 34, sizes = [[2, 3], [3, 4]]", 25_500, 29_000)
    made.range("MmBackward0, seq = 12, op_id = 56", 39_000, 44_000, tid=612)
    profile = opened(made, tmp_path)
    frame = profile.ranks[0].trace.frame("operator", ["name", "sequence", "record_function_id", "input_dims"])
    names = profile.ranks[0].trace.text(frame["name"]).to_list()
    assert names == ["aten::mm", "MmBackward0"]
    assert frame["sequence"].to_list() == [12, 12]
    assert profile.ranks[0].trace.text(frame["input_dims"]).to_list() == ["[[2, 3], [3, 4]]", None]
    operators = make_table(profile, "operators")
    row = operators.filter(operators["name"] == "aten::mm").row(0, named=True)
    assert row["device_total_ns"] == 20_000


def test_registered_texts_open_ranges_marks_and_domains(tmp_path: Path) -> None:
    made = training(2)
    made.add("ANALYSIS_DETAILS", 0, 1_000_000, 0, 1_000_000)
    made.range("NCCL", 0, None, kind=75, domain=1)
    made.add("NVTX_EVENTS", 5_000, 6_000, 59, None, thread(), made.text("registered"), 1)
    made.range("never closed", 185_000, None)
    made.range("here", 7_000, None, kind=34)
    made.range("overlapping", 8_000, 150_000, kind=60)
    trace = opened(made, tmp_path).ranks[0].trace
    frame = trace.frame("annotation", ["name", "category", "domain", "start_ns", "duration_ns"])
    rows = {
        name: (category, domain, length)
        for name, category, domain, length in zip(
            trace.text(frame["name"]),
            trace.text(frame["category"]),
            trace.text(frame["domain"]),
            frame["duration_ns"],
            strict=True,
        )
    }
    assert rows["registered"] == ("user_annotation", "NCCL", 1_000)
    assert rows["never closed"] == ("user_annotation", None, 815_000)
    assert rows["overlapping"] == ("nvtx_start_end", None, 142_000)
    assert trace.text(trace.frame("other", ["name"])["name"]).to_list() == ["here"]


def test_graphs_launched_as_a_whole_keep_the_gpu_busy(tmp_path: Path) -> None:
    made = training(1)
    made.call("cudaGraphLaunch_v10000", 80_000, 81_000, 99)
    made.add("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", 82_000, 89_000, 0, 1, 7, 99, thread(0), 3)
    profile = opened(made, tmp_path)
    kernels = make_table(profile, "kernels")
    assert kernels.filter(kernels["name"] == "CUDA graph 3")["total_ns"].to_list() == [7_000]


def test_metrics_of_the_gpu_are_counters_with_their_unit(tmp_path: Path) -> None:
    made = training(2)
    kind = (1 << 48) + 0x0000_1400
    made.add("TARGET_INFO_GPU_METRICS", kind, 1, "", 0, "SMs Active [Throughput %]")
    made.add("TARGET_INFO_GPU_METRICS", kind, 1, "", 1, "GPC Clock Frequency [MHz]")
    made.add("TARGET_INFO_GPU_METRICS", kind, 1, "", 2, "Compute Warps in Flight [Avg]")
    made.add("TARGET_INFO_GPU_METRICS", kind, 1, "", 3, "Compute Warps in Flight [Avg Warps per Cycle]")
    for at in range(10):
        made.add("GPU_METRICS", 0, 10_000 * at, kind, 0, 50 if at else -3)
        for metric, value in ((1, 1_980_000_000), (2, 831_600), (3, 42)):
            made.add("GPU_METRICS", 0, 10_000 * at, kind, metric, value)
    table = make_table(opened(made, tmp_path), "telemetry").sort("counter")
    assert table.select("counter", "unit", "gpu", "mean").rows() == [
        ("Compute Warps in Flight [Avg Warps per Cycle]", "warps", 0, 42.0),
        ("Compute Warps in Flight [Avg]", "warp cycles", 0, 831_600.0),
        ("GPC Clock Frequency", "Hz", 0, 1_980_000_000.0),
        ("SMs Active", "%", 0, 50.0),
    ]


def test_rows_without_sense_are_counted(tmp_path: Path) -> None:
    made = training(2)
    made.kernel("backwards", 500, 400, 77)
    trace = opened(made, tmp_path).ranks[0].trace
    assert trace.meta["damaged"] == 1
    assert "backwards" not in trace.text(trace.frame("activity", ["name"])["name"]).to_list()


def test_tables_and_columns_that_an_old_export_lacks(tmp_path: Path) -> None:
    made = training(2)
    made.write(tmp_path / "old.sqlite", leave_out=("NVTX_EVENTS", "TARGET_INFO_GPU", "META_DATA_EXPORT"))
    profile = open_profile(str(tmp_path / "old.sqlite"))
    assert len(make_table(profile, "kernels")) == 2
    assert make_table(profile, "recordings")["recorder_version"].to_list() == [None]


def test_a_compressed_export_is_unpacked(tmp_path: Path) -> None:
    data = training().write(tmp_path / "a.sqlite").read_bytes()
    (tmp_path / "b.sqlite.gz").write_bytes(gzip.compress(data))
    first, second = (make_table(open_profile(str(tmp_path / name)), "kernels") for name in ("a.sqlite", "b.sqlite.gz"))
    assert first.equals(second)


def test_an_export_without_events_is_refused_in_a_sentence(tmp_path: Path) -> None:
    made = Export().add("ANALYSIS_DETAILS", 0, 5, 0, 5)
    with pytest.raises(UnreadableInput, match="it holds no event of CUDA or NVTX"):
        opened(made, tmp_path)


REPORT = b"NVIDIA Tegra Profiler Report 2025@5@1@121-123\n" + bytes(range(256))


def test_a_report_without_nsys_says_what_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "a.nsys-rep").write_bytes(REPORT)
    with pytest.raises(UnreadableInput, match=r"only Nsight Systems 2025\.5 or newer can read this report"):
        open_profile(str(tmp_path / "a.nsys-rep"))
    assert not recognised(Source(str(tmp_path / "a.nsys-rep"))).is_read


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for nsys is a script for a shell")
def test_a_report_is_exported_by_the_user_s_own_nsys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in copies an export to where it is told; its last argument is the report."""
    export = training().write(tmp_path / "made.sqlite")
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin" / "nsys"
    script.write_text(f'#!/bin/sh\ncase "$8" in *bad*) exit 1;; esac\ncp "{export}" "$7"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    for name in ("-a.nsys-rep", "bad.nsys-rep"):
        (tmp_path / name).write_bytes(REPORT)
    kernels = make_table(open_profile(str(tmp_path / "-a.nsys-rep")), "kernels")
    assert kernels.equals(make_table(open_profile(str(export)), "kernels"))
    with pytest.raises(UnreadableInput, match=r"nsys could not export it: it needs Nsight Systems 2025\.5 or newer"):
        open_profile(str(tmp_path / "bad.nsys-rep"))


def test_a_file_that_is_cut_says_so(tmp_path: Path) -> None:
    data = training(400).write(tmp_path / "a.sqlite").read_bytes()
    (tmp_path / "cut.sqlite").write_bytes(data[: len(data) * 3 // 4])
    with pytest.raises(UnreadableInput, match="the file is shorter than it says"):
        open_profile(str(tmp_path / "cut.sqlite"))


def test_the_user_s_file_is_not_touched(tmp_path: Path) -> None:
    path = training().write(tmp_path / "a.sqlite")
    before = (path.read_bytes(), sorted(tmp_path.iterdir()))
    stepscope.open(str(path)).show("kernels")
    assert (path.read_bytes(), sorted(tmp_path.iterdir())) == before


def test_no_overhead_of_another_recorder_is_assumed(tmp_path: Path) -> None:
    row = make_table(opened(training(), tmp_path), "step_time").row(0, named=True)
    assert row["recorded_ns"] == row["unprofiled_ns"] or row["unprofiled_ns"] is None


def test_health_says_what_an_export_mixes_and_lacks(tmp_path: Path) -> None:
    made = training(2)
    made.add("DIAGNOSTIC_EVENT", 0, 0, 1, 2, "a warning").add("DIAGNOSTIC_EVENT", 0, 0, 1, 3, "an error")
    made.add("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", 95_000, 99_000, 0, 1, 7, 99, thread(0), 3)
    rows = {row["check"]: row for row in make_table(opened(made, tmp_path), "health").rows(named=True)}
    assert {rows[name]["status"] for name in ("recorder_diagnostics", "whole_graphs")} == {"warning"}
    assert "check-nsys-graphs" in str(rows["whole_graphs"])


def test_advice_on_steps_is_of_this_recorder(tmp_path: Path) -> None:
    """Seen in public exports: "call profiler.step() in the loop", which Nsight Systems knows nothing of."""
    health = make_table(opened(training(1), tmp_path), "health")
    (row,) = health.filter(health["check"] == "steps").rows(named=True)
    assert "check-steps-whole-recorder" in row["detail"]
