"""Recordings of rocprofv3: the same one in each of its formats gives the same tables."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import polars as pl
import pytest

import stepscope
from readers.contract import read
from readers.rocm_building import MadeRocpd, csv, document
from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers import registry
from stepscope.readers.finding import find_sources
from stepscope.readers.rocm.format import Rocpd, RocprofCsv, RocprofJson
from stepscope.readers.sources import Source

FORMATS = ("json", "csv", "rocpd", "rocpd 4")


def made(folder: Path, kind: str) -> Source:
    """The recording in a format."""
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "json":
        (folder / "77_results.json").write_text(json.dumps(document()))
    elif kind == "csv":
        for name, text in csv().items():
            (folder / name).write_text(text)
    else:
        MadeRocpd(folder / "77_results.db", 4 if kind == "rocpd 4" else 3).add().close()
    (source,) = find_sources(str(folder))
    return source


def frames(source: Source) -> dict[str, pl.DataFrame]:
    """Tables of a recording, codes as texts."""
    reader = {"db": Rocpd, "json": RocprofJson, "csv": RocprofCsv}[source.path.rsplit(".", 1)[-1]]()
    found = read(reader, source).frames
    texts = found.pop("texts")["text"]
    return {
        table: frame.with_columns(
            texts.gather(frame[name]).alias(name)
            for name, kind in frame.schema.items()
            if kind == pl.UInt32 and name != "event"
        )
        for table, frame in found.items()
    }


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_gives_the_same_events(kind: str, tmp_path: Path) -> None:
    found = frames(made(tmp_path / kind, kind))
    columns = ["name", "process", "thread", "start_ns", "duration_ns", "correlation", "device", "stream"]
    columns += ["grid", "block"]
    kernels = found["activity"].filter(pl.col("category") == "kernel")
    assert kernels.select(columns).rows() == [
        ("vec_add(float*, float*)", "0", "0", 2500, 600, 5, 0, 0, "[4, 1, 1]", "[256, 1, 1]"),
        ("vec_mul(float*, float*)", "0", "3", 3000, 600, 6, 0, 3, "[1, 2, 1]", "[64, 2, 1]"),
    ]
    copies = found["activity"].filter(pl.col("category") == "gpu_memcpy")
    assert copies.select("name", "start_ns", "duration_ns", "correlation", "device", "direction").rows() == [
        ("MEMORY_COPY_DEVICE_TO_HOST", 4000, 400, 7, 0, "DtoH")
    ]
    assert copies["bytes"].to_list() == ([None] if kind == "csv" else [4096])
    calls = found["runtime"].select("category", "name", "process", "thread", "start_ns", "duration_ns", "correlation")
    assert sorted(calls.rows(), key=lambda row: row[4]) == [
        ("hip_runtime", "hipLaunchKernel", "77", "78", 2000, 100, 5),
        ("hip_runtime", "hipLaunchKernel", "77", "78", 2200, 100, 6),
        ("hip_driver", "hsa_amd_memory_async_copy", "77", "78", 3900, 50, 7),
    ]
    assert found["annotation"].select("category", "name", "start_ns", "duration_ns").rows() == [
        ("user_annotation", "iteration 0", 1900, 2600)
    ]
    assert found["other"].select("phase", "name", "start_ns").rows() == [("i", 'a "mark"', 4600)]


@pytest.mark.parametrize("kind", FORMATS)
def test_launches_kernels_and_the_gpu_are_shown(kind: str, tmp_path: Path) -> None:
    opened = stepscope.open(made(tmp_path / kind, kind).path)
    assert opened.show("memcpy")["kind"].to_list() == ["DtoH"]
    assert opened.show("kernels").select("name", "calls", "total_ns").rows() == [
        ("vec_add(float*, float*)", 1, 600),
        ("vec_mul(float*, float*)", 1, 600),
    ]
    health = dict(opened.show("health").select("check", "value").rows())
    assert health["linked_launches"] == "100 %"
    assert "MI300X" in str(opened.profile.ranks[0].trace.head)


@pytest.mark.parametrize("schema", [3, 4])
def test_each_process_of_a_merged_database_is_a_rank(schema: int, tmp_path: Path) -> None:
    path = tmp_path / "merged.db"
    MadeRocpd(path, schema).add("_0001", 77).add("_0002", 90, shift=10_000).close()
    opened = stepscope.open(str(path))
    assert opened.show("summary")["rank"].to_list() == [0, 1]
    assert opened.show("kernels", rank=1)["calls"].to_list() == [1, 1]
    assert [one.number for one in opened.profile.ranks[1].trace.own_processes] == [90]


@pytest.mark.parametrize("kind", FORMATS)
def test_host_command_and_environment_stay_out(kind: str, tmp_path: Path) -> None:
    source = made(tmp_path / kind, kind)
    found = frames(source)
    said = str({table: frame.to_dict(as_series=False) for table, frame in found.items()})
    assert "hidden" not in said
    assert "secret" not in said


def test_files_of_one_prefix_are_one_recording(tmp_path: Path) -> None:
    for name, text in csv().items():
        (tmp_path / name).write_text(text)
        (tmp_path / name.replace("77_", "90_")).write_text(text)
    found = find_sources(str(tmp_path))
    assert [source.name for source in found] == ["77_kernel_trace.csv", "90_kernel_trace.csv"]
    assert {len(source.companions) for source in found} == {len(csv()) - 1}


@pytest.mark.parametrize("name", ["77_kernel_trace.csv", "77_marker_api_trace.csv"])
def test_of_a_file_cut_within_a_row_the_whole_rows_are_read(name: str, tmp_path: Path) -> None:
    """Seen of copies cut at random: within a name nothing was read, elsewhere the file was said to end as it should."""
    made(tmp_path, "csv")
    text = csv()[name]
    last = text.rindex("\n", 0, -1) + 1
    for end in (text.index('"', last + 1) - 1, len(text) - 4):
        (tmp_path / name).write_text(text[:end])
        health = stepscope.open(str(tmp_path)).show("health").filter(check="complete")
        assert f"{name} is cut off within a row" in health["detail"][0]


def test_a_file_beside_the_kernels_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    """Seen of an empty file of ranges: nothing of the recording was read, and the file of kernels was blamed."""
    made(tmp_path, "csv")
    (tmp_path / "77_marker_api_trace.csv").write_text("")
    recorded = stepscope.open(str(tmp_path))
    assert recorded.show("kernels")["calls"].sum() == 2
    assert "77_marker_api_trace.csv" in recorded.show("health").filter(check="complete")["detail"][0]


def test_a_document_that_is_cut_off_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "77_results.json").write_text(json.dumps(document())[:-2])
    with pytest.raises(UnreadableInput, match="its end is missing"):
        stepscope.open(str(tmp_path))


def test_csv_without_agents_has_their_numbers(tmp_path: Path) -> None:
    files = csv()
    for name in ("77_kernel_trace.csv", "77_memory_copy_trace.csv"):
        (tmp_path / name).write_text(files[name])
    (source,) = find_sources(str(tmp_path))
    assert frames(source)["activity"]["device"].to_list() == [4, 4, 4]


def test_a_database_of_an_older_tool_is_named(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "trace.db")
    connection.execute("CREATE TABLE rocpd_api (id INTEGER, start INTEGER)")
    connection.execute("CREATE TABLE rocpd_op (id INTEGER, start INTEGER)")
    connection.commit()
    connection.close()
    match = registry.recognised(Source(str(tmp_path / "trace.db")))
    assert (match.format, match.is_read) == ("rocpd", False)
    assert match.reason == Message("reader-rocm-old")


@pytest.mark.parametrize(
    "header",
    [
        '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"',
        '"Correlation_Id","Dispatch_Id","Agent_Id","Kernel_Name","Counter_Name","Counter_Value"',
    ],
)
def test_sums_and_counters_are_named_for_what_they_are(tmp_path: Path, header: str) -> None:
    """They were said to be text and no trace of torch.profiler."""
    path = tmp_path / "1_sums.csv"
    path.write_text(f"{header}\n1,2,3,4,5,6,7,8\n")
    with pytest.raises(UnreadableInput, match="sums or counters of rocprofv3"):
        stepscope.open(str(path))


def test_launches_without_kernels_are_no_matter_of_cupti(tmp_path: Path) -> None:
    (tmp_path / "1_hip_api_trace.csv").write_text(csv()["77_hip_api_trace.csv"])
    health = stepscope.open(str(tmp_path / "1_hip_api_trace.csv")).show("health")
    (detail,) = health.filter(check="gpu_activity")["detail"]
    assert "--kernel-trace" in detail
    assert "CUPTI" not in detail


@pytest.mark.parametrize(
    "text",
    [
        '{"rocprofiler-sdk-tool": [{"metadata": {}}]}',
        '{"rocprofiler-sdk-tool": []}',
        '{"rocprofiler-sdk-tool": [{"buffer_records": {"hip_api": 5}}]}',
        '{"rocprofiler-sdk-tool": [{"x": ' + "[" * 5000,
    ],
)
def test_documents_without_records_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(UnreadableInput):
        read(RocprofJson(), Source(str(tmp_path / "a.json")))
