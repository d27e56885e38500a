"""Folders of runs, one for each rank: the list shows them as the command line reads the folder that they lie in."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import stepscope
from building.ascend import info, write_database, write_run
from readers.mindspore_files import DATA
from readers.test_mindspore import written
from served import Client, get, opened, until
from stepscope.commands import main
from stepscope.server.grouping import grouped
from stepscope.server.member import Member
from stepscope.server.run_folders import shared_name

Serve = Callable[..., Client]
Printed = Callable[[str], pl.DataFrame]
FIRST = "node_900_20260101000000000_ascend_pt"


def listed(client: Client) -> list[tuple[Any, ...]]:
    return sorted((run["id"], run["name"], run["ranks"], run["span"]) for run in get(client, "runs")["runs"])


def later(run: Path, pid: int, time: str) -> Path:
    """The same run, of another process and time."""
    return run.rename(run.with_name(f"node_{pid}_{time}_ascend_pt"))


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Printed:
    """``printed(command)``: what a command of a page prints."""

    def rows(command: str) -> pl.DataFrame:
        monkeypatch.setattr("sys.argv", [*shlex.split(command), "--format", "csv"])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
        return pl.read_csv(capsys.readouterr().out.encode())

    return rows


def ranks(client: Client, run: str) -> list[int]:
    return [rank["rank"] for rank in opened(client, run)["ranks"]]


def jobs(*members: Member) -> list[list[str]]:
    return [[member.path for member in group.ranks] for group in grouped(members)]


@pytest.mark.long
def test_folders_of_a_job_are_one_run_and_its_command_has_the_same_figures(
    serve: Serve, tmp_path: Path, printed: Printed
) -> None:
    """Each rank was a run of its own, though `stepscope report` of their folder joined them."""
    for rank in (0, 1):
        write_run(tmp_path / "job", rank)
    client = serve()
    assert listed(client) == [("job", "job", 2, None)]
    (run,) = get(client, "runs")["runs"]
    assert (run["path"], run["world_size"]) == ("job", 2)
    assert ranks(client, "job") == [0, 1]
    verdict = get(client, "verdict", run="job")
    assert [one["rank"] for one in verdict["verdicts"]] == [0, 1]
    assert verdict["command"].split()[-1] == str(tmp_path / "job")
    table = get(client, "table", run="job", table="job")
    rows = printed(table["command"])
    assert table["total"] == len(rows) == 3
    assert {name: rows[name].to_list() for name in rows.columns} == table["data"]


def test_one_rank_of_a_job_still_opens_alone(serve: Serve, tmp_path: Path) -> None:
    for rank in (0, 1):
        write_run(tmp_path / "job", rank)
    assert ranks(serve(), f"job/{FIRST}") == [0]
    assert listed(serve(tmp_path / "job" / FIRST)) == [(".", f"job/{FIRST}", 1, None)]
    assert ranks(serve(tmp_path / "job" / FIRST), ".") == [0]


@pytest.mark.long
def test_two_jobs_of_one_folder_stay_two_runs(serve: Serve, tmp_path: Path, printed: Printed) -> None:
    for rank in (0, 1):
        later(write_run(tmp_path / "jobs", rank), 950 + rank, f"20260101120000{rank:03d}")
    for rank in (0, 1):
        write_run(tmp_path / "jobs", rank)
    client = serve()
    found = get(client, "runs")["runs"]
    assert sorted((run["id"], run["path"], run["ranks"]) for run in found) == [
        (f"jobs/{FIRST}", "jobs/node_90*_2026010100000000*_ascend_pt", 2),
        ("jobs/node_950_20260101120000000_ascend_pt", "jobs/node_95*_2026010112000000*_ascend_pt", 2),
    ]
    table = get(client, "table", run=f"jobs/{FIRST}", table="recordings")
    paths = sorted(os.path.basename(path) for path in table["data"]["path"])
    assert paths == [FIRST, "node_901_20260101000000001_ascend_pt"]
    assert printed(table["command"])["path"].to_list() == table["data"]["path"]


def test_recordings_of_the_same_processes_one_after_the_other_are_spans(serve: Serve, tmp_path: Path) -> None:
    for second in (10, 20):
        for rank in (0, 1):
            later(write_run(tmp_path / "job", rank), 900 + rank, f"202601010000{second}{rank:03d}")
    assert listed(serve()) == [
        ("job/node_900_20260101000010000_ascend_pt", "job, span 1 of 2", 2, [1, 2]),
        ("job/node_900_20260101000020000_ascend_pt", "job, span 2 of 2", 2, [2, 2]),
    ]


@pytest.mark.long
@pytest.mark.parametrize("known", [0, 1])
def test_a_rank_that_its_metadata_does_not_name_is_of_the_job(serve: Serve, tmp_path: Path, known: int) -> None:
    """As on the command line it gets the lowest number that is free."""
    for rank in (0, 1):
        run = write_run(tmp_path / "job", rank)
        if rank != known:
            (run / f"profiler_info_{rank}.json").unlink()
            (run / "profiler_metadata.json").unlink()
    client = serve()
    assert listed(client) == [("job", "job", 2, None)]
    assert ranks(client, "job") == [0, 1]
    assert [rank.number for rank in stepscope.open(tmp_path / "job").profile.ranks] == [0, 1]


def test_the_rank_is_that_of_the_file_its_name_or_the_database(serve: Serve, tmp_path: Path) -> None:
    for rank in (0, 1):
        run = write_run(tmp_path / "named", rank)
        content = {key: value for key, value in info(rank).items() if key != "rank_id"}
        (run / f"profiler_info_{rank}.json").write_text(json.dumps(content))
        run = write_run(tmp_path / "said", rank)
        (run / f"profiler_info_{rank}.json").rename(run / "profiler_info.json")
        later(write_database(tmp_path / "databases", rank), 900, f"20260101{rank:02d}0000000")
    assert [(name, ranks) for name, _, ranks, _ in listed(serve())] == [("databases", 2), ("named", 2), ("said", 2)]


def test_runs_without_ranks_are_of_one_job_where_they_began_together() -> None:
    def run(pid: int, time: str, rank: int | None = None, world: int | None = None) -> Member:
        return Member(f"node_{pid}_{time}_ascend_pt", rank, world, "torch_npu", is_run=True)

    first, second = run(7, "20260101000000000"), run(8, "20260101000030000")
    hour_later = run(9, "20260101010000000")
    assert jobs(first, second, hour_later) == [[first.path, second.path], [hour_later.path]]
    again = run(7, "20260101000031000")
    assert jobs(first, again) == [[first.path], [again.path]]
    no_date = run(8, "20269901000030000")
    assert jobs(first, no_date) == [[first.path], [no_date.path]]
    worlds = run(7, "20260101000000000", 0, 2), run(8, "20260101000000000", 1, 4)
    assert jobs(*worlds) == [[worlds[0].path], [worlds[1].path]]
    ranks = run(7, "20260101000000000", 0), run(8, "20260101010000000", 1)
    assert jobs(*ranks) == [[one.path for one in ranks]]


def test_the_folder_of_a_run_stands_beside_no_other_recorder_and_others_beside_it() -> None:
    run = Member("node_7_20260101000000000_ascend_pt", recorder="torch_npu", is_run=True)
    trace, samples = Member("gpu.json", recorder="Kineto"), Member("stacks.txt", recorder="py-spy")
    assert jobs(trace, run) == [["gpu.json"], [run.path]]
    (group,) = grouped([run, samples])
    assert (group.ranks, group.beside) == ((run,), (samples,))


def test_a_pipeline_beside_a_run_belongs_to_it(serve: Serve, tmp_path: Path) -> None:
    """It was a run of its own, though `stepscope report` of their folder reads it as a part of the run."""
    operators = {"cpu_op_execute_timestamp_0.txt": "a;HostCpuOps;1000,1,0 \n"}
    written(tmp_path / "one" / "vm_1_20260101000000000_ascend_ms" / "FRAMEWORK", operators)
    written(tmp_path / "one" / "minddata", DATA)
    client = serve()
    assert listed(client) == [("one", "one", 1, None)]
    table = get(client, "table", run="one", table="recordings")["data"]
    assert (table["kind"], table["rank"]) == (["trace", "input_pipeline"], [0, 0])
    assert opened(client, "one")["tables"]["input_pipeline"]["available"]
    assert opened(client, "one/minddata")["state"] == "ready"


@pytest.mark.parametrize("served", ["", "one"])
def test_a_run_in_the_folder_of_its_pipeline_is_found(serve: Serve, tmp_path: Path, served: str) -> None:
    """Neither the list nor the command line looked for runs in a folder with files of MindData: the run was lost."""
    operators = {"cpu_op_execute_timestamp_0.txt": "a;HostCpuOps;1000,1,0 \n"}
    written(tmp_path / "one", DATA)
    run = written(tmp_path / "one" / "vm_1_20260101000000000_ascend_ms" / "FRAMEWORK", operators)
    size = sum(len(content) for content in (*DATA.values(), *operators.values()))
    assert [(one.kind, one.path) for one in stepscope.open(tmp_path / "one").profile.ranks[0].recordings] == [
        ("trace", str(run.parent)),
        ("input_pipeline", str(tmp_path / "one")),
    ]
    client = serve(tmp_path / served)
    run_id = "." if served else "one"
    assert listed(client) == [(run_id, "one", 1, None)]
    assert get(client, "runs")["runs"][0]["size_bytes"] == size
    table = get(client, "table", run=run_id, table="recordings")
    assert table["data"]["kind"] == ["trace", "input_pipeline"]
    assert shlex.split(table["command"])[-1] == str(tmp_path / "one")


def test_a_pipeline_beside_spans_is_of_the_last_one(serve: Serve, tmp_path: Path) -> None:
    operators = {"cpu_op_execute_timestamp_0.txt": "a;HostCpuOps;1000,1,0 \n"}
    for second in ("10", "20"):
        written(tmp_path / "one" / f"vm_1_202601010000{second}000_ascend_ms" / "FRAMEWORK", operators)
    written(tmp_path / "one" / "minddata", DATA)
    client = serve()
    last = "one/vm_1_20260101000020000_ascend_ms"
    assert listed(client) == [
        ("one/vm_1_20260101000010000_ascend_ms", "vm_1, span 1 of 2", 1, [1, 2]),
        (last, "vm_1, span 2 of 2", 1, [2, 2]),
    ]
    assert get(client, "table", run=last, table="recordings")["data"]["kind"] == ["trace", "input_pipeline"]


def test_every_device_of_a_folder_counts_as_a_rank(serve: Serve, tmp_path: Path) -> None:
    """The list said 1 rank."""
    operators = "a;HostCpuOps;1000,1,0 \n"
    written(tmp_path / "profiler", {f"cpu_op_execute_timestamp_{device}.txt": operators for device in (0, 1)})
    written(tmp_path / "profiler", {"pipeline_profiling_2.json": DATA["pipeline_profiling_0.json"]})
    client = serve()
    assert [run["ranks"] for run in get(client, "runs")["runs"]] == [3]
    assert ranks(client, "profiler") == [0, 1, 2]


def test_a_file_within_a_folder_that_changed_has_its_run_read_anew(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of the folder itself was looked at, which a file below it does not change."""
    monkeypatch.setattr("stepscope.server.runs._RESCAN_SECONDS", 0)
    monkeypatch.setattr("stepscope.server.opening._LOOK_AGAIN_SECONDS", 0)
    run = write_run(tmp_path, 0)
    client = serve(tmp_path)

    def kernels() -> int:
        total: int = get(client, "table", run=FIRST, table="npu_kernels")["total"]
        return total

    before = kernels()
    (run / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv").unlink()
    view = run / "ASCEND_PROFILER_OUTPUT" / "trace_view.json"
    os.utime(view, ns=(1, view.stat().st_mtime_ns + 5_000_000_000))
    assert before > 0
    until(lambda: kernels() == 0)


@pytest.mark.parametrize(
    ("paths", "shared"),
    [
        (["a/x_1_ascend_pt", "a/y_22_ascend_pt"], "a/*_ascend_pt"),
        (["rank0/a", "rank1/a"], "rank*/a"),
        (["a1b1", "a12b1"], "a1*b1"),
        (["only"], "only"),
    ],
)
def test_the_name_that_several_folders_share(paths: list[str], shared: str) -> None:
    assert shared_name(paths) == shared
