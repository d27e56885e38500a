"""What names people and machines stays out of the store, of every report, and of copies that are passed on."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

import stepscope
from building import flat, kernel, launched, operator, step, timed
from building.snapshots import small_training
from readers.ncu_building import MadeKernel, bytes_field, lengthed, number_field, report
from readers.ncu_files import TWO
from readers.nsys_building import Export, as_folder, everything_beside, thread, training
from readers.telemetry_files import DCGM_MONITORED, EXPORTED, MONITORED, OWN, PLAIN, QUERIED
from stepscope.analyses import make_table
from stepscope.commands import cli
from stepscope.errors import BadRequest, UnreadableInput
from stepscope.readers.redaction.hiding import Hiding
from stepscope.readers.redaction.redacting import redact
from stepscope.schema import TABLES
from stepscope.store.opening import open_profile

SECRET = "s3cr3t"


def planted_export() -> Export:
    """A secret wherever an export tells of the machine and of other programs."""
    made = training()
    made.add("TARGET_INFO_SYSTEM_ENV", 1, "env", "HF_TOKEN", 0, f"{SECRET}-environment")
    made.add("META_DATA_CAPTURE", "PROCESS_0:ENVIRONMENT_VARIABLE", f"TOKEN={SECRET}")
    made.add("META_DATA_EXPORT", "EXPORT_HOST", f"{SECRET}-host")
    made.add("PROCESSES", thread(0), 583, f"{SECRET}-process")
    made.add("DIAGNOSTIC_EVENT", 0, 0, 1, 3, f"{SECRET} at /home/somebody")
    made.add("ThreadNames", made.text(f"{SECRET}-editor"), 0, thread(77, 77))
    made.add("COMPOSITE_EVENTS", 9, 5_000, 3, 1, thread(77, 77), 1)
    made.add("SAMPLING_CALLCHAINS", 9, made.text(f"{SECRET}_function"), made.text(f"/opt/{SECRET}.so"), 0, 0, 0, 0)
    made.add("COMPOSITE_EVENTS", 1, 5_000, 3, 1, thread(), 1)
    made.add("SAMPLING_CALLCHAINS", 1, made.text("gemm"), made.text(f"/home/{SECRET}/lib/libgemm.so"), 0, 0, 0, 0)
    made.text(f"{SECRET}: what the program printed")
    return made


def planted_trace(path: Path) -> Path:
    """A trace whose head holds the environment and whose paths lie in a user's home."""
    events = flat([step(1, 0, 100), operator("aten::mm", 0, 30), launched(kernel("gemm", 20, 60, 1), 10)])
    source = timed("python_function", f"/home/{SECRET}/train.py(3): step", 0, 50, process=1, thread=1)
    told = timed("cpu_op", "aten::add", 31, 40, process=1, thread=1, hostname=SECRET, env={"a": [SECRET, "}"]})
    head = {
        "schemaVersion": 1,
        "env": {"HF_TOKEN": SECRET, "deep": [{"x": SECRET}]},
        "hostname": SECRET,
        "deviceProperties": [{"id": 0, "name": "NVIDIA H200", "owner": SECRET}],
        "distributedInfo": {"rank": 0, "world_size": 1, "master": SECRET},
    }
    tail = {"traceName": f"/home/{SECRET}/{SECRET}_1.json", "user": SECRET}
    path.write_text(json.dumps({**head, "traceEvents": [*events, source, told], **tail}, default=float))
    return path


def everything(path: Path) -> Iterator[bytes]:
    """All that is made of a recording: every table, the reports, and the files of the store."""
    profile = open_profile(str(path))
    for name in TABLES:
        yield make_table(profile, name).write_csv().encode()
    opened = stepscope.open(str(path))
    yield str(opened.report()).encode()
    runner = CliRunner()
    for format_ in ("text", "json", "html", "markdown"):
        target = path.with_name(f"{path.name}.report.{format_}")
        assert runner.invoke(cli, ["report", str(path), "--format", format_, "-o", str(target)]).exit_code == 0
        yield target.read_bytes()
    for rank in profile.ranks:
        yield "\n".join(rank.trace.texts.to_list()).encode()
        yield from (file.read_bytes() for file in rank.trace.folder.iterdir() if file.is_file())


@pytest.mark.long
def test_nothing_planted_in_an_export_reaches_the_store_or_a_report(tmp_path: Path) -> None:
    path = planted_export().write(tmp_path / "export.sqlite")
    assert all(SECRET.encode() not in data for data in everything(path))


@pytest.mark.long
def test_nothing_planted_around_a_trace_reaches_the_store_or_a_report(tmp_path: Path) -> None:
    """Paths and arguments of events are the program's own: they are shown, and are hidden in copies alone."""
    content = json.loads(planted_trace(tmp_path / "planted.json").read_text())
    content["traceEvents"] = [event for event in content["traceEvents"] if SECRET not in json.dumps(event)]
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(content))
    assert all(SECRET.encode() not in data for data in everything(path))


def tables_of(path: Path) -> dict[str, Any]:
    profile = open_profile(str(path))
    kept = ("kernels", "memcpy", "annotations", "steps", "api_calls", "operators", "launches", "cpu_samples")
    return {name: make_table(profile, name).rows() for name in kept}


def test_a_copy_of_an_export_holds_no_secret_and_says_the_same(tmp_path: Path) -> None:
    path = planted_export().write(tmp_path / "export.sqlite")
    said = redact(str(path), tmp_path / "copy.sqlite")
    content = (tmp_path / "copy.sqlite").read_bytes()
    assert SECRET.encode() not in content
    assert b"/home/xxxxxx/lib/libgemm.so" in content
    assert tables_of(tmp_path / "copy.sqlite") == tables_of(path)
    assert said[0]["tables"] == 4
    with sqlite3.connect(tmp_path / "copy.sqlite") as base:
        names = {name for (name,) in base.execute("SELECT name FROM sqlite_master")}
    base.close()
    assert not {"TARGET_INFO_SYSTEM_ENV", "META_DATA_CAPTURE", "PROCESSES", "DIAGNOSTIC_EVENT"} & names


@pytest.mark.parametrize("ending", ["json", "json.gz"])
def test_a_copy_of_a_trace_holds_no_secret_and_says_the_same(tmp_path: Path, ending: str) -> None:
    path = planted_trace(tmp_path / "trace.json")
    redact(str(path), tmp_path / f"copy.{ending}")
    content = (tmp_path / f"copy.{ending}").read_bytes()
    content = gzip.decompress(content) if ending.endswith("gz") else content
    assert SECRET.encode() not in content
    copy = json.loads(content)
    assert copy["deviceProperties"] == [{"id": 0, "name": "NVIDIA H200"}]
    assert copy["traceEvents"][-1]["args"] == {"hostname": "", "env": ""}
    assert set(copy) == {"schemaVersion", "deviceProperties", "distributedInfo", "traceEvents"}
    assert tables_of(tmp_path / f"copy.{ending}") == tables_of(path)


def test_a_long_trace_is_copied_event_by_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of 100 bytes cut keys, names and escapes anywhere."""
    from stepscope.readers.redaction import trace_copy

    monkeypatch.setattr(trace_copy, "_PIECE", 100)
    path = planted_trace(tmp_path / "trace.json")
    redact(str(path), tmp_path / "small.json")
    monkeypatch.undo()
    redact(str(path), tmp_path / "large.json")
    assert (tmp_path / "small.json").read_bytes() == (tmp_path / "large.json").read_bytes()


def test_a_list_of_events_and_one_that_is_cut(tmp_path: Path) -> None:
    made = flat([operator("aten::mm", 0, 30), operator("aten::add", 31, 40)])
    events = json.loads(json.dumps(made, default=float))
    (tmp_path / "list.json").write_text(json.dumps(events))
    redact(str(tmp_path / "list.json"), tmp_path / "copy.json")
    assert json.loads((tmp_path / "copy.json").read_text()) == events
    whole = json.dumps({"traceEvents": events})
    (tmp_path / "cut.json").write_text(whole[:-20])
    said = redact(str(tmp_path / "cut.json"), tmp_path / "copy2.json")
    assert said[-1].id == "redact-cut"
    assert json.loads((tmp_path / "copy2.json").read_text()) == {"traceEvents": events[:1]}


@pytest.mark.long
@pytest.mark.parametrize("ending", ["pickle", "pickle.gz"])
def test_a_copy_of_a_snapshot_says_the_same(tmp_path: Path, ending: str) -> None:
    made = small_training().write(tmp_path / "snapshot.pickle")
    # Of one length with what the file holds: a path of another length would be another pickle.
    content = made.read_bytes().replace(b"train.py", b"train.py")
    assert b"/" in content
    (tmp_path / "snapshot.pickle").write_bytes(content)
    redact(str(made), tmp_path / f"copy.{ending}", ["train.py"])
    copy = (tmp_path / f"copy.{ending}").read_bytes()
    copy = gzip.decompress(copy) if ending.endswith("gz") else copy
    assert len(copy) == len(content)
    assert b"train.py" not in copy
    first, second = (open_profile(str(tmp_path / name)) for name in ("snapshot.pickle", f"copy.{ending}"))
    assert make_table(first, "memory_timeline").equals(make_table(second, "memory_timeline"))


@pytest.mark.parametrize(("source", "copy"), [("a.sqlite.gz", "b.sqlite"), ("a.sqlite", "b.sqlite.gz")])
def test_a_compressed_export_has_a_copy(tmp_path: Path, source: str, copy: str) -> None:
    """Once a copy named .sqlite.gz was a plain database, and compressed exports had none."""
    path = planted_export().write(tmp_path / "export.sqlite")
    data = path.read_bytes()
    (tmp_path / source).write_bytes(gzip.compress(data) if source.endswith("gz") else data)
    redact(str(tmp_path / source), tmp_path / copy)
    content = (tmp_path / copy).read_bytes()
    content = gzip.decompress(content) if copy.endswith("gz") else content
    assert SECRET.encode() not in content
    assert tables_of(tmp_path / copy) == tables_of(path)
    assert {one.name for one in tmp_path.iterdir()} == {"export.sqlite", source, copy}


@pytest.mark.long
@pytest.mark.parametrize("ending", ["parquet", "arrow", "stream"])
def test_a_copy_of_a_folder_of_tables_holds_no_secret_and_says_the_same(tmp_path: Path, ending: str) -> None:
    made = everything_beside(planted_export(), 583)
    made.add("META_DATA_EXPORT", "EXPORT_SCHEMA_VERSION", f"3.20 {SECRET}/")
    path = as_folder(made.write(tmp_path / "export.sqlite"), tmp_path / "export_pqtdir", ending)
    said = redact(str(path), tmp_path / "copy")
    for file in (tmp_path / "copy").iterdir():
        frame = pl.read_parquet(file) if file.suffix == ".parquet" else pl.read_ipc(file)
        assert SECRET not in frame.write_csv(), file.name
    assert tables_of(tmp_path / "copy") == tables_of(path) == tables_of(tmp_path / "export.sqlite")
    names = {file.stem for file in (tmp_path / "copy").iterdir()}
    assert not {"TARGET_INFO_SYSTEM_ENV", "META_DATA_CAPTURE", "PROCESSES", "DIAGNOSTIC_EVENT"} & names
    assert said[0]["tables"] == 4
    # Of a database the same is kept.
    redact(str(tmp_path / "export.sqlite"), tmp_path / "copy.sqlite")
    with sqlite3.connect(tmp_path / "copy.sqlite") as base:
        assert {name for (name,) in base.execute("SELECT name FROM sqlite_master")} == names
    base.close()


def test_the_command_copies_a_folder_into_a_new_one(tmp_path: Path) -> None:
    path = as_folder(training().write(tmp_path / "export.sqlite"), tmp_path / "export_pqtdir")
    runner = CliRunner()
    assert runner.invoke(cli, ["redact", f"{path}/"]).exit_code == 0
    assert tables_of(tmp_path / "export_pqtdir.redacted") == tables_of(path)
    for target in ("export_pqtdir", "export_pqtdir.redacted", "export.sqlite"):
        assert runner.invoke(cli, ["redact", str(path), "-o", str(tmp_path / target)]).exit_code != 0
    (path / "NVTX_EVENTS.parquet").write_bytes(b"PAR1 damaged")
    assert runner.invoke(cli, ["redact", str(path), "-o", str(tmp_path / "other")]).exit_code != 0
    assert {one.name for one in tmp_path.iterdir()} == {"export.sqlite", "export_pqtdir", "export_pqtdir.redacted"}


_QUERIED = f"""timestamp, index, uuid, name, serial, vbios_version, utilization.gpu [%], power.draw [W], pstate
2026/10/03 10:00:01.123, 0, GPU-{SECRET}, NVIDIA {SECRET}, 1650523012345, {SECRET}, 98 %, 312.51 W, P0
{SECRET}: connection lost
2026/10/03 10:00:01.127, 1, GPU-a{SECRET}, NVIDIA, 1650523012346, 96.00, [N/A], {SECRET}, P8
"""
_UNNUMBERED = f"""timestamp, uuid, utilization.gpu [%]
2026/10/03 10:00:01.123, GPU-b{SECRET}, 98 %
2026/10/03 10:00:01.123, GPU-a{SECRET}, 12 %
2026/10/03 10:00:02.123, GPU-a{SECRET}, 14 %
"""
_MONITORED = (
    MONITORED + f"# host {SECRET}\n 20261003   10:00:03      1     {SECRET}     31      -      0   3201    345\n"
)
_EXPORTED = (
    EXPORTED.replace('hostname="h"', f'hostname="{SECRET}", pod="{SECRET} gpu=\\"9\\""')
    + f'node_load1{{instance="{SECRET}"}} 3 1790000000000\n# HELP DCGM_FI_DEV_SM_CLOCK Clock of {SECRET} (in MHz).\n'
)
_PLAIN = (
    PLAIN.replace("throttle_reasons\n", f"throttle_reasons,seen by {SECRET}\n")
    .replace(",0\n", f",0,{SECRET}\n")
    .replace(",4\n", ",4,5\n")
)
_TIMED = "".join(f"2026-10-03T10:00:0{at}.5 {line}\n" for at, line in enumerate(DCGM_MONITORED.splitlines()))
_DCGM = f"{DCGM_MONITORED}GPU 0     300.5   1980    {SECRET}   7\nError on {SECRET}\n"
_OWN = (
    OWN.replace("node-3", SECRET)
    .replace("not supported", SECRET)
    .replace('"cpu.busy_pct"]', f'"cpu.busy_pct","disk {SECRET}.read"]')
    .replace(",8,12.5]", f',8,12.5,"{SECRET}"]')
    .replace('"values":{', f'"values":{{"process 7 {SECRET}.cpu_pct":3.5,')
    + f'{{"note":"{SECRET}"}}\n["{SECRET}",1,2,3]\nError on {SECRET}\n'
)
_LOGS = {
    "q.csv": (_QUERIED, 1, 6),
    "u.csv": (_UNNUMBERED, 0, 0),
    "plain.csv": (_PLAIN, 0, 5),
    "dmon.log": (_MONITORED, 1, 1),
    "node.prom": (_EXPORTED, 1, 0),
    "dcgmi.log": (_DCGM, 1, 1),
    "timed.log": (_TIMED, 0, 0),
    "as_it_was.csv": (QUERIED, 0, 0),
    "own.telemetry.jsonl": (_OWN, 5, 2),
}


@pytest.mark.parametrize("name", _LOGS)
def test_a_copy_of_a_log_holds_no_secret_and_the_same_samples(tmp_path: Path, name: str) -> None:
    text, lines, cells = _LOGS[name]
    (tmp_path / name).write_text(text)
    said = redact(str(tmp_path / name), tmp_path / f"copy_{name}")
    content = (tmp_path / f"copy_{name}").read_text()
    assert SECRET not in content
    assert "1650523012345" not in content
    assert (said[0]["lines"], said[0]["cells"]) == (lines, cells)
    first, second = (make_table(open_profile(str(tmp_path / one)), "telemetry") for one in (name, f"copy_{name}"))
    renamed = [row for row in second.rows() if not row[3].startswith("column_")]
    assert renamed == [row for row in first.rows() if SECRET not in row[3]]


def planted_report() -> bytes:
    """Two kernels, and a third with code and comments, between blocks with an environment, a host and a path."""
    extra = bytes_field(15, SECRET) + bytes_field(18, SECRET) + bytes_field(21, SECRET)
    kernel = MadeKernel("own", {"gpu__time_duration.sum": 5.0}).message(["gpu__time_duration.sum"]) + extra
    session = bytes_field(9, bytes_field(1, f"/opt/{SECRET}") + bytes_field(4, f"TOKEN={SECRET}")) + bytes_field(
        11, SECRET
    )
    process = bytes_field(2, SECRET) + bytes_field(3, f"/opt/{SECRET}/train")
    header = bytes_field(3, session) + bytes_field(6, process) + number_field(2, 1) + number_field(1, 1)
    payload = lengthed(SECRET.encode()) + lengthed(kernel)
    return report(TWO, graphs=1) + lengthed(header + number_field(5, len(payload))) + payload


@pytest.mark.long
@pytest.mark.parametrize("ending", ["ncu-rep", "ncu-rep.gz"])
def test_a_copy_of_a_kernel_report_holds_no_secret_and_says_the_same(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "own.ncu-rep"
    path.write_bytes(planted_report())
    said = redact(str(path), tmp_path / f"copy.{ending}")
    content = (tmp_path / f"copy.{ending}").read_bytes()
    content = gzip.decompress(content) if ending.endswith("gz") else content
    assert SECRET.encode() not in content
    assert b"/home/" not in content
    # Of code and of results that are not read: two sources, one range.
    assert (said[0]["kernels"], said[0]["left_out"]) == (3, 3)
    names = ("kernel_reports", "kernel_metrics", "kernel_rules", "kernel_details")
    both = [
        {name: stepscope.open(one).show(name).drop("report").rows() for name in names} for one in tmp_path.iterdir()
    ]
    assert both[0] == both[1]
    assert len(both[0]["kernel_reports"]) == 3


def test_words_are_hidden_in_kernel_reports_and_what_is_cut_is_copied_so_far(tmp_path: Path) -> None:
    (tmp_path / "own.ncu-rep").write_bytes(report(TWO)[:-10])
    said = redact(str(tmp_path / "own.ncu-rep"), tmp_path / "copy.ncu-rep", ["scale"])
    assert [one.id for one in said] == ["redact-kernels", "redact-names", "redact-cut"]
    assert stepscope.open(tmp_path / "copy.ncu-rep").show("kernel_reports")["name"].to_list() == ["xxxxx(float *)"]
    (tmp_path / "other.ncu-rep").write_bytes(b"NVR\0" + lengthed(b"\xff"))
    with pytest.raises(UnreadableInput):
        redact(str(tmp_path / "other.ncu-rep"), tmp_path / "none.ncu-rep")


def test_names_of_users_in_every_kind_of_path() -> None:
    hidden = Hiding().hidden
    assert hidden(b"/home/alice/x /Users/bob/y /home/al.i-ce") == b"/home/xxxxx/x /Users/xxx/y /home/xxxxxxx"
    assert hidden(rb"C:\\Users\\alice\\x.py") == rb"C:\\Users\\xxxxx\\x.py"
    assert hidden(rb"\/home\/alice\/x.py") == rb"\/home\/xxxxx\/x.py"
    assert hidden("/home/josé/x".encode()) == b"/home/xxxxx/x"
    assert hidden(b"/homes/alice and home/alice") == b"/homes/alice and home/alice"


def test_in_a_pickle_instructions_behind_a_name_are_no_part_of_it() -> None:
    hidden = Hiding(is_binary=True).hidden
    assert hidden(b"\x8c\x0b/home/alice\x94\x8c\x05lines") == b"\x8c\x0b/home/alice\x94\x8c\x05lines"
    assert hidden(b"\x8c\x10/home/alice/a.py\x94") == b"\x8c\x10/home/xxxxx/a.py\x94"


def test_the_command_writes_beside_the_recording_and_never_over_one(tmp_path: Path) -> None:
    path = planted_trace(tmp_path / "rank0.pt.trace.json")
    runner = CliRunner()
    assert runner.invoke(cli, ["redact", str(path)]).exit_code == 0
    assert (tmp_path / "rank0.redacted.pt.trace.json").exists()
    before = path.read_bytes()
    for target in (path, tmp_path / "rank0.redacted.pt.trace.json"):
        assert runner.invoke(cli, ["redact", str(path), "-o", str(target)]).exit_code != 0
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["rank0.pt.trace.json", "rank0.redacted.pt.trace.json"]


def test_what_has_no_copy_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    with pytest.raises(BadRequest, match="of such a file no copy can be made"):
        redact(str(tmp_path / "a.txt"), tmp_path / "b.txt")
    path = planted_trace(tmp_path / "trace.json")
    with pytest.raises(BadRequest, match="too short or too long"):
        redact(str(path), tmp_path / "b.json", ["ab"])
    damaged = training().write(tmp_path / "c.sqlite").read_bytes()
    (tmp_path / "c.sqlite").write_bytes(damaged[: len(damaged) // 2])
    with pytest.raises(UnreadableInput):
        redact(str(tmp_path / "c.sqlite"), tmp_path / "d.sqlite")
