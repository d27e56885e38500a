"""The list of runs: what is found below a folder, what belongs together, and what cannot be opened, and why."""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from building import kernel, launched, operator, step, write
from building.snapshots import MIB, MadeSnapshot, small_training
from kernel_cases import write_report
from readers.ncu_building import raw_page
from readers.ncu_files import TWO, UNITS
from readers.test_nsys_processes import two_ranks
from served import Client, error, get, ids, notes, opened, until
from stepscope.server import file_scan, opening, runs
from stepscope.store.options import RanksRead

Serve = Callable[..., Client]
WORK = [step(1, 0, 100), operator("aten::mm", 0, 30), launched(kernel("gemm", 20, 60, 1), 10)]


@pytest.fixture(autouse=True)
def look_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request looks at the folder anew."""
    monkeypatch.setattr(runs, "_RESCAN_SECONDS", 0)
    monkeypatch.setattr(runs, "_SCAN_SHARE", 0)
    monkeypatch.setattr(opening, "_LOOK_AGAIN_SECONDS", 0)


def trace(path: Path, rank: int | None = None, world: int = 4) -> Path:
    """A trace, of a rank if one is given."""
    path.parent.mkdir(parents=True, exist_ok=True)
    told = {} if rank is None else {"distributedInfo": {"backend": "nccl", "rank": rank, "world_size": world}}
    return write(path, *WORK, schemaVersion=1, deviceProperties=[{"id": 0, "name": "NVIDIA H200"}], **told)


def only_run(client: Client) -> dict[str, Any]:
    (run,) = get(client, "runs")["runs"]
    assert isinstance(run, dict)
    return run


def test_a_trace_is_a_run(serve: Serve, tmp_path: Path) -> None:
    path = trace(tmp_path / "exp1" / "train.pt.trace.json")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert only_run(serve()) == {
        "id": "exp1/train.pt.trace.json",
        "name": "train",
        "path": "exp1/train.pt.trace.json",
        "kind": "trace",
        "framework": "PyTorch",
        "device": "NVIDIA H200",
        "recorder": "Kineto",
        "ranks": 1,
        "span": None,
        "world_size": None,
        "created_s": 1_700_000_000,
        "updated_s": 1_700_000_000,
        "size_bytes": path.stat().st_size,
        "steps": None,
        "health": None,
        "state": "unread",
        "reason": None,
        "advice": None,
        "snapshot": False,
        "summary": None,
        "opens": True,
    }


def test_the_newest_run_comes_first(serve: Serve, tmp_path: Path) -> None:
    for name, second in (("a", 1), ("b", 3), ("c", 2)):
        os.utime(trace(tmp_path / f"{name}.json"), (second, second))
    assert [run["id"] for run in get(serve(), "runs")["runs"]] == ["b.json", "c.json", "a.json"]


def test_ranks_of_a_folder_are_one_run_named_like_it(serve: Serve, tmp_path: Path) -> None:
    for rank in range(3):
        trace(tmp_path / "ddp" / f"rank{rank}.json", rank)
    (tmp_path / "ddp" / "settings.json").write_text("{}")
    run = only_run(serve())
    assert (run["id"], run["name"], run["ranks"], run["world_size"]) == ("ddp", "ddp", 3, 4)


def test_the_folder_served_may_be_the_run(serve: Serve, tmp_path: Path) -> None:
    for rank in range(2):
        trace(tmp_path / f"rank{rank}.json")
    run = only_run(serve())
    assert (run["id"], run["name"]) == (".", tmp_path.name)
    assert [rank["rank"] for rank in opened(serve(), ".")["ranks"]] == [0, 1]


def test_ranks_beside_other_traces_are_a_run_of_their_own(serve: Serve, tmp_path: Path) -> None:
    for name in ("job_rank0", "job_rank1", "other"):
        trace(tmp_path / f"{name}.json")
    client = serve()
    assert ids(client) == ["job_rank0.json", "other.json"]
    listed = {run["id"]: run for run in get(client, "runs")["runs"]}
    assert listed["job_rank0.json"]["name"] == "job_rank*"
    assert listed["job_rank0.json"]["ranks"] == 2
    command = get(client, "table", run="job_rank0.json", table="summary")["command"]
    assert command == f"stepscope show summary {tmp_path}/job_rank0.json {tmp_path}/job_rank1.json"


def test_a_folder_for_each_rank_is_one_run(serve: Serve, tmp_path: Path) -> None:
    for rank in range(2):
        trace(tmp_path / "job" / f"rank_{rank}" / "trace.json")
    client = serve()
    assert ids(client) == ["job/rank_0/trace.json"]
    assert [rank["rank"] for rank in opened(client, "job/rank_0/trace.json")["ranks"]] == [0, 1]


def test_unrelated_traces_of_a_folder_are_many_runs(serve: Serve, tmp_path: Path) -> None:
    for name in ("cnn.step7", "cnn.step12", "dit"):
        trace(tmp_path / f"{name}.json")
    assert ids(serve()) == ["cnn.step12.json", "cnn.step7.json", "dit.json"]


def test_files_of_the_handler_are_put_together_in_order_of_time(serve: Serve, tmp_path: Path) -> None:
    """`tensorboard_trace_handler` writes a file for each rank and cycle, named HOST_PID.TIME."""
    for cycle, second in ((0, 1_700_000_000), (1, 1_700_000_600)):
        for rank in range(2):
            at = f"{second + rank}{cycle:09}"
            trace(tmp_path / f"node1_{40 + rank}.{at}.pt.trace.json", rank, world=2)
    found = {run["id"]: run["ranks"] for run in get(serve(), "runs")["runs"]}
    assert found == {
        "node1_40.1700000000000000000.pt.trace.json": 2,
        "node1_40.1700000600000000001.pt.trace.json": 2,
    }


def test_how_many_ranks_are_in_one_file_is_known_when_it_was_read(serve: Serve, tmp_path: Path) -> None:
    two_ranks(20, 30).write(tmp_path / "export.sqlite")
    client = serve()
    assert only_run(client)["ranks"] is None
    assert [one["rank"] for one in opened(client, "export.sqlite")["ranks"]] == [0, 1]
    assert only_run(client)["ranks"] == 2


def test_two_files_of_one_rank_are_no_job(serve: Serve, tmp_path: Path) -> None:
    for name in ("rank0.json", "rank_0.json"):
        trace(tmp_path / name)
    assert len(ids(serve())) == 2


def test_memory_snapshots_are_listed_and_opened(serve: Serve, tmp_path: Path) -> None:
    small_training().write(tmp_path / "snapshot.pickle")
    content = (tmp_path / "snapshot.pickle").read_bytes()
    (tmp_path / "packed.pickle.gz").write_bytes(gzip.compress(content, mtime=0))
    client = serve()
    listed = get(client, "runs")["runs"]
    assert {(run["id"], run["kind"], run["opens"]) for run in listed} == {
        ("snapshot.pickle", "memory_snapshot", True),
        ("packed.pickle.gz", "memory_snapshot", True),
    }


@pytest.mark.long
def test_pages_of_a_report_belong_to_its_run(serve: Serve, tmp_path: Path) -> None:
    """Each was a run of its own beside the report that holds all it says."""
    write_report(tmp_path / "kernels.ncu-rep")
    page = raw_page(TWO, UNITS)
    for name in ("kernels.raw.csv", "kernels.csv", "alone.csv"):
        (tmp_path / name).write_text(page)
    client = serve()
    assert ids(client) == ["alone.csv", "kernels.ncu-rep"]
    assert notes(get(client, "runs")) == []
    assert opened(client, "kernels.ncu-rep")["tables"]["kernel_reports"]["available"]


def test_other_kinds_are_listed_but_not_opened(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weights.pkl").write_bytes(b"\x80\x04\x95}\x94\x8c\x06weight\x94]\x94.")
    with sqlite3.connect(tmp_path / "report.sqlite") as database:
        database.execute("create table CUPTI_ACTIVITY_KIND_KERNEL (start integer)")
    database.close()
    with sqlite3.connect(tmp_path / "shop.sqlite") as database:
        database.execute("create table customers (name text)")
    database.close()
    (tmp_path / "report.nsys-rep").write_bytes(b"anything")
    (tmp_path / "vm_1_2026_ascend_ms" / "ASCEND_PROFILER_OUTPUT").mkdir(parents=True)
    trace(tmp_path / "vm_1_2026_ascend_ms" / "ASCEND_PROFILER_OUTPUT" / "trace_view.json")
    (tmp_path / "vm_2_2026_ascend_ms").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))  # no nsys that could export its report
    client = serve()
    listed = get(client, "runs")["runs"]
    assert {(run["id"], run["kind"], run["opens"], run["state"]) for run in listed} == {
        ("report.sqlite", "trace", True, "unread"),
        ("report.nsys-rep", "nsys", False, "unreadable"),
        ("vm_1_2026_ascend_ms", "trace", True, "unread"),
        ("vm_2_2026_ascend_ms", "mindspore_derived", False, "unreadable"),
    }
    # It was 0 B in the list: a folder was as large as the files right in it, and MindSpore's has folders only.
    size = (tmp_path / "vm_1_2026_ascend_ms" / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").stat().st_size
    assert [run["size_bytes"] for run in listed if run["id"] == "vm_1_2026_ascend_ms"] == [size]
    reasons = {run["id"]: run["reason"]["text"]["en"] for run in listed if not run["opens"]}
    assert "no nsys on PATH" in reasons.pop("report.nsys-rep")
    assert all("holds no file of MindSpore's profiler" in reason for reason in reasons.values())
    refused = error(client, "table", 422, run="vm_2_2026_ascend_ms", table="kernels")
    assert refused == reasons["vm_2_2026_ascend_ms"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.json", b"", "the file is empty"),
        ("a.json.gz", gzip.compress(b'{"traceEvents": [', mtime=0)[:12], None),
        ("a.pt.trace.json", b'{"hello": 1}', "it is JSON without traceEvents (its keys are hello)"),
        ("a.json", b'{"traceEvents": {}}', "its traceEvents is no list"),
        ("trace.json", b"{" + b"\xff" * 100, None),
    ],
)
def test_a_broken_trace_is_listed_with_the_reason(
    serve: Serve, tmp_path: Path, name: str, content: bytes, reason: str | None
) -> None:
    (tmp_path / name).write_bytes(content)
    run = only_run(serve())
    assert (run["opens"], run["state"]) == (False, "unreadable")
    assert reason is None or run["reason"]["text"]["en"] == reason
    assert run["reason"]
    assert opened(serve(), name)["state"] == "error"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b'{"hello": 1}'),
        ("a.json", b'[{"hello": 1}]'),
        ("a.json", b"hello"),
        ("a.gz", gzip.compress(b"a,b,c", mtime=0)),
        (".hidden.json", b'{"traceEvents": []}'),
        (".hidden/a.json", b'{"traceEvents": []}'),
        ("node_modules/a.json", b'{"traceEvents": []}'),
    ],
)
def test_what_is_no_recording_is_not_listed(serve: Serve, tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(content)
    assert ids(serve()) == []


def test_files_without_a_recording_are_counted_in_a_note(serve: Serve, tmp_path: Path) -> None:
    """They were neither on the list nor in its notes, so that a broken copy of a trace had vanished without a word."""
    trace(tmp_path / "a.json")
    broken = {"bin": b"\x91\xff" * 100, "deep": b"[" * 100_000, "list": b"[1, 2, 3]", "object": b'{"a": 1}'}
    for name, content in broken.items():
        (tmp_path / f"{name}.json").write_bytes(content)
    os.mkfifo(tmp_path / "fifo.json")
    (tmp_path / "loop.json").symlink_to("loop.json")
    (tmp_path / "gone.json").symlink_to("nothing.json")
    answer = get(serve(), "runs")
    assert [run["id"] for run in answer["runs"]] == ["a.json"]
    assert notes(answer) == [
        "Not looked at, because they are not regular files, or are broken links: fifo.json, gone.json, loop.json.",
        "4 files hold no recording: bin.json, deep.json, list.json, object.json.",
    ]


def test_what_record_wrote_beside_a_recording_is_nothing_strange(serve: Serve, tmp_path: Path) -> None:
    """Each recorded folder had a line about a file without a recording, which stepscope itself had written."""
    for folder in ("job/processes", "job/other"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "vm_7.json").write_text('{"schema": 1}')
    trace(tmp_path / "job" / "a.json")
    answer = get(serve(), "runs")
    assert [run["id"] for run in answer["runs"]] == ["job/a.json"]
    assert notes(answer) == ["1 file holds no recording: job/other/vm_7.json."]


def test_a_link_to_a_file_without_a_recording_says_what_is_wrong_with_it(serve: Serve, tmp_path: Path) -> None:
    """It was "there is no run of this name", of a file that lies there."""
    (tmp_path / "noise.json.gz").write_bytes(gzip.compress(b"\x91\xff" * 100, mtime=0))
    client = serve()
    assert error(client, "run", 404, run="noise.json.gz") == "the file noise.json.gz holds no recording"
    assert error(client, "run", 404, run="gone.json.gz") == "there is no run of this name"


def test_a_note_names_only_some_files(serve: Serve, tmp_path: Path) -> None:
    for number in range(7):
        (tmp_path / f"{number}.json").write_text("{}")
    (note,) = notes(get(serve(), "runs"))
    assert note == "7 files hold no recording: 0.json, 1.json, 2.json, 3.json, 4.json and 2 more."


def test_runs_of_one_name_keep_their_extension(serve: Serve, tmp_path: Path) -> None:
    """A trace and its packed copy were two lines "trunc" of the list, which nobody could tell apart."""
    for path in ("a/trunc.json", "b/trunc.json", "b/other.json"):
        trace(tmp_path / path)
    (tmp_path / "b" / "trunc.json.gz").write_bytes(gzip.compress((tmp_path / "b" / "trunc.json").read_bytes()))
    names = {run["id"]: run["name"] for run in get(serve(), "runs")["runs"]}
    assert names == {
        "a/trunc.json": "trunc",
        "b/trunc.json": "trunc.json",
        "b/trunc.json.gz": "trunc.json.gz",
        "b/other.json": "other",
    }


def test_a_trace_without_events_fails_when_it_is_opened(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"schemaVersion": 1, "traceEvents": []}')
    client = serve()
    answer = opened(client, "a.json")
    assert answer == {
        "state": "error",
        "error": {
            "tried": f"cannot read {tmp_path}/a.json",
            "found": "the trace holds no events",
            "advice": answer["error"]["advice"],
            "messages": answer["error"]["messages"],
        },
    }
    assert answer["error"]["advice"]
    assert only_run(client)["state"] == "unreadable"


def test_a_new_trace_is_listed_and_nothing_new_is_304(serve: Serve, tmp_path: Path) -> None:
    client = serve()
    version = get(client, "runs")["version"]
    assert client.get("/api/runs", params={"since": version}).status_code == 304
    trace(tmp_path / "new.json")
    answer = client.get("/api/runs", params={"since": version})
    assert answer.status_code == 200
    assert [run["id"] for run in answer.json()["runs"]] == ["new.json"]
    (tmp_path / "new.json").unlink()
    assert ids(client) == []
    assert error(client, "run", 404, run="new.json") == "there is no run of this name"


def test_a_file_that_changed_is_opened_anew(serve: Serve, tmp_path: Path) -> None:
    path = trace(tmp_path / "a.json")
    client = serve()
    assert get(client, "table", run="a.json", table="steps")["total"] == 1
    write(path, *WORK, step(2, 100, 200))
    opened(client, "a.json")
    assert get(client, "table", run="a.json", table="steps")["total"] == 2


def test_a_run_whose_store_was_cleared_is_read_again(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody may call `stepscope cache clear` while the server runs."""
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path / "cache"))
    trace(tmp_path / "a.json")
    client = serve()
    opened(client, "a.json")
    shutil.rmtree(tmp_path / "cache")
    opened(client, "a.json")
    assert get(client, "table", run="a.json", table="kernels")["data"]["name"] == ["gemm"]


@pytest.mark.parametrize(
    ("failure", "found"),
    [
        (OSError(28, "No space left on device"), "the system says: No space left on device"),
        (MemoryError(), "out of memory"),
        (KeyError("x"), "a defect of stepscope, not of your trace: KeyError"),
    ],
)
def test_what_stops_a_reading_is_told(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception, found: str
) -> None:
    def fails(*_: Any) -> None:
        raise failure

    trace(tmp_path / "a.json")
    monkeypatch.setattr(opening, "open_profile", fails)
    client = serve()
    assert opened(client, "a.json")["error"]["found"] == found
    assert error(client, "table", 422, run="a.json", table="kernels") == found
    assert only_run(client)["state"] == "unreadable"


def test_a_mended_file_opens(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"traceEvents": []}')
    client = serve()
    assert opened(client, "a.json")["state"] == "error"
    trace(path)
    assert opened(client, "a.json")["state"] == "ready"


def test_a_run_that_was_read_is_ready_and_says_steps_and_health(serve: Serve, tmp_path: Path) -> None:
    trace(tmp_path / "a.json")
    opened(serve(), "a.json")
    client = serve()
    run = only_run(client)
    assert run["state"] == "ready"
    until(lambda: only_run(client)["health"] is not None)
    run = only_run(client)
    assert (run["steps"], run["health"]) == (1, "ok"), "options that were off are no warning"
    assert only_run(serve())["health"] == "ok"


def test_a_run_with_a_damaged_event_says_so(serve: Serve, tmp_path: Path) -> None:
    path = trace(tmp_path / "a.json")
    path.write_text(
        path.read_text().replace('"traceEvents": [', '"traceEvents": [{"ph": "X", "name": "cut", "ts": }, ')
    )
    client = serve()
    opened(client, "a.json")
    until(lambda: only_run(client)["health"] is not None)
    assert only_run(client)["health"] == "warning"


def test_facts_of_an_open_run(serve: Serve, tmp_path: Path) -> None:
    path = trace(tmp_path / "a.json", 2)
    client = serve()
    answer = opened(client, "a.json")
    tables = answer.pop("tables")
    assert answer.pop("what_if") == f"stepscope what-if {path}"
    assert answer == {
        "state": "ready",
        "id": "a.json",
        "name": "a",
        "path": "a.json",
        "origin_ns": "0",
        "end": 100,
        "ranks": [{"rank": 2, "device": "NVIDIA H200", "source": str(path), "steps": 1, "step_source": "ProfilerStep"}],
        "steps": {"first": 1, "last": 1, "count": 1},
        "selects_steps": True,
        "kineto": True,
        "npus": False,
        "cut": False,
        "apart": [],
        "skipped": [],
    }
    assert tables["operators"] == {
        "description": tables["operators"]["description"],
        "by": ["shape", "dtype", "stack", "module"],
        "source": True,
        "rows": None,
        "available": True,
        "lack": None,
        "option": None,
        "kind": "",
    }
    assert tables["memory"]["available"] is False
    assert tables["memory"]["lack"]["text"] == {"en": "no memory events", "zh": "没有显存事件"}
    assert tables["memory"]["option"] == "profile_memory=True"
    assert tables["npu_kernels"]["option"] is None, "a profiler of other devices records it"
    get(client, "table", run="a.json", table="operators")
    assert opened(client, "a.json")["tables"]["operators"]["rows"] == 1


def test_what_a_cut_file_lacks_may_have_been_recorded(serve: Serve, tmp_path: Path) -> None:
    """It was advised to record the GPU, whose events lay behind the cut."""
    text = write(tmp_path / "a.json", step(1, 0, 100), operator("aten::mm", 10, 20)).read_text()
    (tmp_path / "a.json").write_text(text.rstrip().rstrip("]}"))
    kernels = opened(serve(), "a.json")["tables"]["kernels"]
    assert kernels["lack"]["text"]["en"] == "no GPU activity up to where it is cut off"
    assert kernels["option"] is None


def test_what_is_not_joined_opens_by_itself_and_no_list_names_it(serve: Serve, tmp_path: Path) -> None:
    for rank in range(2):
        trace(tmp_path / "run" / f"rank{rank}.json", rank)
    made = MadeSnapshot()
    made.alloc(made.segment(4 * MIB), MIB)
    made.write(tmp_path / "run" / "memory.pickle")
    client = serve()
    facts = opened(client, "run")
    assert facts["tables"]["memory_peak"]["kind"] == "memory_snapshot"
    (apart,) = facts["apart"]
    assert (apart["name"], apart["kind"], apart["run"]) == ("memory.pickle", "memory_snapshot", "run/memory.pickle")
    assert apart["note"]["id"] == "recording-no-rank"
    assert opened(client, apart["run"])["tables"]["memory_peak"]["available"]
    assert ids(client) == ["run"]


def test_progress_is_told_and_several_share_a_reading(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for rank in range(2):
        trace(tmp_path / f"rank{rank}.json")
    size = (tmp_path / "rank0.json").stat().st_size
    go_on, readings = threading.Event(), []
    real = opening.open_profile

    def slow(paths: list[str], options: Any) -> Any:
        readings.append(paths)
        options.progress("rank0.json", 10, size, 7)
        go_on.wait(30)
        return real(paths, options)

    monkeypatch.setattr(opening, "open_profile", slow)
    client = serve()
    until(lambda: get(client, "run", run=".")["events"] > 0)
    assert get(client, "run", run=".") == {
        "state": "reading",
        "phase": "reading",
        "file": "rank0.json",
        "done_bytes": 10,
        "total_bytes": 2 * size,
        "events": 7,
        "files_done": 0,
        "files": 2,
    }
    assert get(client, "runs")["runs"][0]["state"] == "reading"
    go_on.set()
    assert opened(client, ".")["state"] == "ready"
    assert len(readings) == 1


def test_progress_goes_on_from_file_to_file() -> None:
    """Ranks that have a folder each may all have one name."""
    progress = opening.Progress()
    told = []
    for name, consumed, size, events in [
        ("t", 5, 10, 1),
        ("t", 10, 10, 3),
        ("t", 4, 8, 1),
        ("t", 8, 8, 2),
        ("u", 1, 9, 1),
    ]:
        progress.advance(name, consumed, size, events)
        told.append((progress.file, progress.done_bytes, progress.events, progress.files_done))
    assert told == [("t", 5, 1, 0), ("t", 10, 3, 0), ("t", 14, 4, 1), ("t", 18, 5, 1), ("u", 19, 6, 2)]


def test_only_some_profiles_stay_open(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MAX_OPEN", 2)
    opens = []
    real = opening.open_profile
    monkeypatch.setattr(opening, "open_profile", lambda *given: opens.append(given) or real(*given))
    for name in "abc":
        trace(tmp_path / f"{name}.json")
    client = serve()
    for name in "abca":
        assert opened(client, f"{name}.json")["state"] == "ready"
    assert len(opens) == 4
    assert opened(client, "a.json")["state"] == "ready"
    assert len(opens) == 4


def test_a_single_file_is_served_alone(serve: Serve, tmp_path: Path) -> None:
    trace(tmp_path / "a.json")
    trace(tmp_path / "b.json")
    assert ids(serve(tmp_path, "a.json")) == ["a.json"]


def test_a_single_file_that_is_no_trace_is_listed_with_the_reason(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    client = serve(tmp_path, "a.txt")
    run = only_run(client)
    assert (run["state"], run["reason"]["text"]["en"]) == ("unreadable", "it is no recording")
    (tmp_path / "a.txt").unlink()
    answer = get(client, "runs")
    assert (answer["runs"], notes(answer)) == ([], ["a.txt is gone."])


def test_deep_and_many_folders_are_left_out_and_said(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_scan, "MAX_DEPTH", 1)
    trace(tmp_path / "a" / "b" / "c.json")
    answer = get(serve(), "runs")
    assert answer["runs"] == []
    assert notes(answer) == ["Not looked at, because they lie deeper than 1 folder: a/b."]
    monkeypatch.setattr(file_scan, "MAX_FOLDERS", 1)
    assert notes(get(serve(), "runs")) == ["Stopped after 1 folder and 0 files: serve a folder below."]


def test_a_name_that_is_no_text_is_left_out_and_said(serve: Serve, tmp_path: Path) -> None:
    """The names of files are bytes on Linux; JSON holds text only."""
    os.mkdir(os.fsencode(tmp_path) + b"/\xff")
    path = trace(tmp_path / "a.json")
    try:
        os.link(path, os.fsencode(tmp_path) + b"/caf\xe9.json")
    except OSError:
        pytest.skip("this file system has no such names")
    answer = get(serve(), "runs")
    assert [run["id"] for run in answer["runs"]] == ["a.json"]
    (note,) = notes(answer)
    assert note == "Not looked at, because they have names that are not UTF-8: '\\udcff', 'caf\\udce9.json'."


def test_what_a_link_leads_to_is_listed_once(serve: Serve, tmp_path: Path) -> None:
    trace(tmp_path / "b" / "run5" / "a.json")
    trace(tmp_path / ".kept" / "c.json")
    (tmp_path / "a latest").symlink_to(tmp_path / "b" / "run5")
    (tmp_path / "kept").symlink_to(tmp_path / ".kept")
    assert ids(serve()) == ["b/run5/a.json", "kept/c.json"]


def test_an_empty_folder_has_no_runs(serve: Serve) -> None:
    answer = get(serve(), "runs")
    assert (answer["runs"], notes(answer)) == ([], [])


def test_progress_counts_what_other_processes_have_read() -> None:
    progress = opening.Progress()
    told = []
    progress.count(RanksRead(1, 0, 4, 100, 400, 100))
    for told_of in (lambda: progress.advance("t", 5, 10, 3), lambda: progress.count(RanksRead(2, 0, 4, 110, 400, 100))):
        told_of()
        told.append((progress.done_bytes, progress.events, progress.files_done))
    progress.advance("t", 7, 10, 4)
    assert [*told, (progress.done_bytes, progress.events)] == [(105, 3, 1), (110, 3, 2), (117, 7)]
