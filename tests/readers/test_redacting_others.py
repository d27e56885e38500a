"""Copies of recordings of Perfetto, ROCm, Ascend, MindSpore, torch.compile, NCCL and py-spy hold what is read alone."""

from __future__ import annotations

import gzip
import json
import pickle
import random
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

from building import ascend as ascend_building
from building.compiling import training
from building.hangs import one_left
from building.inspector import MadeLogs
from readers import rocm_building
from readers.contract import read
from readers.mindspore_files import DATA, GPU
from readers.perfetto_building import annotated, annotation, compressed, event, message, slices, snapshot, trace, track
from stepscope.commands import cli
from stepscope.errors import BadRequest, UnreadableInput
from stepscope.readers.redaction.redacting import redact
from stepscope.readers.registry import reader_of
from stepscope.readers.sources import Source

SECRET = "s3cr3t"
HOME = f"/home/{SECRET}"


def perfetto(path: Path) -> Path:
    """Events with arguments that tell, named in full and by number; a process with its command; the machine."""
    named = message((10, 1), (13, 1), (12, message((3, message((1, 7), (2, "hostname"))))))
    packets = [
        snapshot({6: 1_000, 1: 5_000_000_000}),
        named,
        message((60, message((1, 1), (3, message((1, 9), (2, SECRET), (6, "python")))))),
        track(2, "main", thread=(9, 10, "main"), parent=1),
        *slices(f"{HOME}/train.py", 2, 2_000, 500, "cpu_op", *annotated(user=SECRET, size=3, deep={"env": SECRET})),
        event(1, 2, 3_000, (23, "b"), (4, annotation(SECRET, (1, 7)))),
        event(2, 2, 3_100),
        message((45, message((1, SECRET)))),
        compressed(*slices("c", 2, 4_000, 10, "cpu_op", *annotated(hostname=SECRET)), message((45, SECRET))),
    ]
    path.write_bytes(trace(*packets))
    return path


def rocprof_json(path: Path) -> Path:
    made = rocm_building.document()
    (process,) = made["rocprofiler-sdk-tool"]
    process["metadata"] |= {"command": [SECRET], "node": {"hostname": SECRET}, "environment": {"TOKEN": SECRET}}
    process["strings"]["marker_api"].append({"key": 99, "value": f"{HOME}/x"})
    process["summary"] = [SECRET]
    path.write_text(json.dumps(made))
    return path


def rocprof_csv(path: Path) -> Path:
    made = rocm_building.csv()["77_kernel_trace.csv"].splitlines()
    path.write_text("\n".join([f'"Guid",{made[0]}', *(f'"{SECRET}",{line}' for line in made[1:])]) + "\n")
    return path


def rocpd(path: Path) -> Path:
    made = rocm_building.MadeRocpd(path).add()
    made.close()
    base = sqlite3.connect(path)
    base.execute("UPDATE rocpd_info_process_0001 SET command = ?, environment = ?", [SECRET, SECRET])
    base.execute("CREATE TABLE rocpd_info_node_0001 (id INTEGER PRIMARY KEY, hostname TEXT)")
    base.execute("INSERT INTO rocpd_info_node_0001 VALUES (1, ?)", [SECRET])
    base.execute("UPDATE rocpd_info_thread_0001 SET name = ?", [f"{HOME}/worker"])
    base.commit()
    base.close()
    return path


def ascend(folder: Path) -> Path:
    run = ascend_building.write_run(folder)
    (run / "profiler_metadata.json").write_text(
        json.dumps({"distributed_args": {"world_size": 2}, "ENV_VARIABLES": {"HOSTNAME": SECRET}})
    )
    info = run / "profiler_info_0.json"
    info.write_text(json.dumps(json.loads(info.read_text()) | {"host": SECRET}))
    view = run / "ASCEND_PROFILER_OUTPUT" / "trace_view.json"
    events = json.loads(view.read_text())
    events.append(ascend_building.event(900, 900, f"{HOME}/a.py", 5, 1, args={"hostname": SECRET}))
    view.write_text(json.dumps(events))
    (run / "PROF_1" / "host").mkdir(parents=True)
    (run / "PROF_1" / "host" / "info.json").write_text(SECRET)
    return run


def ascend_database(folder: Path) -> Path:
    run = ascend_building.write_database(folder)
    base = sqlite3.connect(run / "ASCEND_PROFILER_OUTPUT" / "ascend_pytorch_profiler_0.db")
    base.execute("DELETE FROM HOST_INFO")
    base.execute("INSERT INTO HOST_INFO VALUES (?, ?)", [SECRET, SECRET])
    base.commit()
    base.close()
    return run


def mindspore(folder: Path) -> Path:
    folder.mkdir()
    for name, content in (GPU | DATA).items():
        (folder / name).write_text(content)
    (folder / "notes.log").write_text(SECRET)
    return folder


def compile_log(path: Path) -> Path:
    log = training()
    log.record({"compilation_metrics": {"co_name": "fn", "dynamo_config": SECRET}}, None, "7/0")
    log.record({"str": [f"{HOME}/train.py", 7]})
    log.record({"dynamo_start": {"stack": [{"line": 3, "name": "f", "filename": 7, "loc": SECRET}]}}, None, "8/0")
    log.artifact("environment", json.dumps({"TOKEN": SECRET}), encoding="json")
    log.broken("7/0", 12, "print", file=f"{HOME}/train.py")
    path.write_text(log.text())
    return path


def inspector(path: Path) -> Path:
    made = MadeLogs()
    made.call(1, {0: 10, 1: 12})
    path.write_text(made.text(0).replace('"hostname":"node"', f'"hostname":"{SECRET}"'))
    return path


def dump(path: Path) -> Path:
    made = one_left().document(0)
    for entry in made["entries"]:
        for frame in entry["frames"]:
            frame["filename"] = f"{HOME}/train.py"
    path.write_bytes(pickle.dumps(made, 2))
    return path


def speedscope(path: Path) -> Path:
    sampled = {"type": "sampled", "name": "thread 1", "unit": "seconds", "startValue": 0, "endValue": 2}
    made: dict[str, Any] = {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "name": f"py-spy record -- python train.py --token {SECRET}",
        "exporter": "py-spy@0.4.3",
        "shared": {"frames": [{"name": "f", "file": f"{HOME}/a.py", "line": 3, "other": SECRET}]},
        "profiles": [sampled | {"samples": [[0], [0]], "weights": [1, 1]}],
    }
    path.write_text(json.dumps(made))
    return path


def collapsed(path: Path) -> Path:
    path.write_text(f'process 7:"python --token {SECRET}";f ({HOME}/a.py:3);g ({HOME}/a.py:4) 12\n')
    return path


MADE: dict[str, Callable[[Path], Path]] = {
    "trace.pftrace": perfetto,
    "1_results.json": rocprof_json,
    "1_kernel_trace.csv": rocprof_csv,
    "1_results.db": rocpd,
    "ascend": ascend,
    "ascend_db": ascend_database,
    "mindspore": mindspore,
    "compile.log": compile_log,
    "inspector.log": inspector,
    "nccl_trace_rank_0": dump,
    "stacks.json": speedscope,
    "stacks.raw": collapsed,
}


def everything(path: Path) -> bytes:
    return b"".join(one.read_bytes() for one in sorted(path.rglob("*") if path.is_dir() else [path]) if one.is_file())


def tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Rows of a recording as its reader stores them, with hidden letters where the secret was."""
    source = Source(str(path))
    if source.is_folder:
        reader = reader_of(source, None)
    else:
        with source.open() as stream:
            reader = reader_of(source, stream)
    frames = read(reader, source).frames
    texts = [text.replace(SECRET, "x" * len(SECRET)) for text in frames.pop("texts")["text"].to_list()]
    columns = {
        name: [
            frame[column].to_list()
            if frame[column].dtype != pl.UInt32 or column == "event"
            else [None if code is None else texts[code] for code in frame[column]]
            for column in frame.columns
        ]
        for name, frame in frames.items()
    }
    return {name: list(zip(*several, strict=True)) for name, several in columns.items()}


@pytest.mark.parametrize("name", MADE)
def test_a_copy_holds_no_secret_and_says_the_same(tmp_path: Path, name: str) -> None:
    path = MADE[name](tmp_path / name)
    assert SECRET.encode() in everything(path)
    copy = tmp_path / "copies" / path.name
    copy.parent.mkdir()
    said = redact(str(path), copy)
    assert SECRET.encode() not in everything(copy)
    first, second = tables(path), tables(copy)
    for emptied in _EMPTIED.get(name, ()):
        assert len(second.pop(emptied, ())) <= len(first.pop(emptied))
    assert first == second
    assert said[-1].id == "redact-names"


_EMPTIED = {"trace.pftrace": ["extras"], "ascend": ["extras"], "stacks.raw": ["stack_sample"]}
"""Tables whose rows hold what the copy does not: arguments, names of processes with their commands."""


def test_a_copy_of_packets_is_compressed_where_its_name_says_so_and_ends_where_they_end(tmp_path: Path) -> None:
    path = perfetto(tmp_path / "a.pftrace")
    redact(str(path), tmp_path / "b.pftrace.gz")
    plain = gzip.decompress((tmp_path / "b.pftrace.gz").read_bytes())
    assert SECRET.encode() not in plain
    path.write_bytes(path.read_bytes()[:-3])
    assert redact(str(path), tmp_path / "c.pftrace")[-1].id == "redact-cut"


def test_payloads_of_a_compile_log_are_those_that_it_says(tmp_path: Path) -> None:
    """Hiding a name changes a payload, and so its checksum."""
    redact(str(compile_log(tmp_path / "a.log")), tmp_path / "b.log")
    source = Source(str(tmp_path / "b.log"))
    with source.open() as stream:
        found = read(reader_of(source, stream), source)
    assert (found.facts.unchecked, found.facts.damaged) == (0, 0)  # type: ignore[attr-defined]  # facts of a log


@pytest.mark.long
@pytest.mark.parametrize("name", MADE)
def test_damage_raises_nothing_else(tmp_path: Path, name: str) -> None:
    """Bytes cut off, changed and put in: a copy is made, or refused in a sentence."""
    path = MADE[name](tmp_path / name)
    files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
    whole = {one: one.read_bytes() for one in files}
    for seed in range(8):
        dice = random.Random(seed)
        for one, data in whole.items():
            made, at = bytearray(data), dice.randrange(len(data))
            made[at : at + dice.choice((0, 1, 9))] = dice.randbytes(dice.choice((0, 1, 9)))
            one.write_bytes(made[: dice.randrange(len(made) + 1)] if dice.random() < 0.3 else made)
        with suppress(UnreadableInput, BadRequest):
            redact(str(path), tmp_path / f"copy{seed}.{name}")


def test_a_copy_may_have_a_name_without_an_ending(tmp_path: Path) -> None:
    """Seen of ``-o NAME`` for a dump: the temporary copy had the temporary file's own name, and was deleted."""
    one_left().write(tmp_path / "dumps")
    dump = tmp_path / "dumps" / "nccl_trace_rank_0"
    ran = CliRunner().invoke(cli, ["redact", "-o", str(tmp_path / "copy"), str(dump)])
    assert (ran.exit_code, [path.name for path in tmp_path.iterdir() if path.is_file()]) == (0, ["copy"])


def test_a_folder_of_dumps_is_copied_one_by_one(tmp_path: Path) -> None:
    """Seen: "of such a file no copy can be made" of a folder whose files can all be copied."""
    with pytest.raises(BadRequest) as error:
        redact(str(one_left().write(tmp_path / "dumps")), tmp_path / "copy")
    assert str(error.value).partition("dumps: ")[2] == (
        "it is a folder of files that are copied one by one. Name one of its files, as a dump of one rank, then the "
        "next."
    )
