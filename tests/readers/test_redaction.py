"""What names people and machines stays out of the store, of every report, and of copies that are passed on."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import stepscope
from building import flat, kernel, launched, operator, step, timed
from readers.nsys_building import Export, thread, training
from snapshot_building import small_training
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
