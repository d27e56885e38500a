"""Ranks read by a real Dask cluster of two workers on this machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import click
import pytest
from distributed import Client, LocalCluster
from polars.testing import assert_frame_equal

import tasks
from building import kernel, operator, step, write
from stepscope.analyses import make_table
from stepscope.analyses.per_rank import preparation, rank_table
from stepscope.commands import cli
from stepscope.commands.options import chosen_cluster
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store import cache, cluster, reading
from stepscope.store.opening import open_profile
from stepscope.store.options import ReadOptions
from stepscope.store.profile import Skipped
from stepscope.store.task_queue import Failed, work_through


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", scheduler_port=0
    ) as workers:
        yield workers.scheduler_address
        for client in cluster._clients.values():
            client.close()
        cluster._clients.clear()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test's own, which the workers have not been told of."""
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """A folder of four ranks."""
    folder = tmp_path / "run"
    folder.mkdir()
    for rank in range(4):
        events = [step(1, 0, 1000), operator("aten::mm", 0, 500), kernel("gemm", 100, 300 + rank), step(2, 1000, 2000)]
        write(folder / f"rank{rank}.json", events, distributedInfo={"rank": rank, "world_size": 4})
    return folder


@pytest.mark.long
def test_workers_read_what_this_process_reads(
    address: str, root: Path, job: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading here would fail; what is kept of each rank is made there, too, now and later."""
    expected = {name: make_table(open_profile(str(job)), name) for name in ("summary", "steps", "kernels")}
    cache.clear()
    monkeypatch.setattr(reading, "_read_here", None)
    profile = open_profile(str(job), ReadOptions(scheduler=address, after=preparation(["steps"])))
    assert all(rank_table.file(rank, "steps").is_file() for rank in profile.ranks)
    for name, frame in expected.items():
        assert_frame_equal(make_table(profile, name), frame, check_exact=True)
    assert "activity" not in open_profile(str(job), ReadOptions(scheduler=address)).ranks[0].__dict__


@pytest.mark.long
def test_the_command_line_takes_the_address(
    address: str, root: Path, job: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["show", "summary", str(job), "--scheduler", address, "--format", "csv", "--columns", "rank,busy_ns"]
    cli.main(given, standalone_mode=False)
    assert capsys.readouterr().out == "rank,busy_ns\n0,200\n1,201\n2,202\n3,203\n"


def test_what_is_no_trace_is_named(address: str, root: Path, job: Path) -> None:
    (job / "notes.json").write_text('{"traceEvents": []}')
    profile = open_profile(str(job), ReadOptions(scheduler=address))
    assert profile.skipped == (Skipped(str(job / "notes.json"), Message("reader-no-events", reason=None)),)


def test_what_raises_there_is_named_and_the_rest_goes_on(address: str, root: Path) -> None:
    found = dict(work_through(cluster.Cluster(address), tasks.fails, [0, 1, 2]))
    assert found == {0: 0, 1: Failed(Message("reader-no-memory")), 2: 2}


def test_a_cache_that_the_workers_do_not_share_is_said(
    address: str, root: Path, job: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They write where nobody here looks."""
    monkeypatch.setattr(reading, "_LOOK_SECONDS", 0)
    monkeypatch.setattr(cache, "is_sound", lambda folder: False)
    with pytest.raises(BadRequest, match="Set STEPSCOPE_CACHE here to a folder that all of them share"):
        open_profile(str(job), ReadOptions(scheduler=address))


def test_workers_without_stepscope_are_said(address: str) -> None:
    future: Future[None] = Future()
    future.set_exception(ModuleNotFoundError("stepscope"))
    with pytest.raises(BadRequest, match="they lack stepscope, or have another version of it"):
        cluster.Cluster(address).take_back(future)


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.1)
    with pytest.raises(BadRequest, match="the Dask scheduler tcp://127"):
        cluster.Cluster("tcp://127.0.0.1:9")
    with pytest.raises(BadRequest, match="it does not answer"):
        cluster.Cluster("nonsense://")


def test_a_scheduler_without_workers(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody_comes(client: Client, n_workers: int, timeout: float) -> None:
        raise TimeoutError

    monkeypatch.setattr(cluster, "_clients", {})
    monkeypatch.setattr(Client, "wait_for_workers", nobody_comes)
    with pytest.raises(BadRequest, match="it has no workers"):
        cluster.Cluster(address)


def test_without_dask_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadRequest, match=r"it is not installed\. Install it: pip install 'stepscope\[dask\]'"):
        cluster.Cluster("local")


def test_two_clusters_at_once_are_refused() -> None:
    with pytest.raises(click.UsageError, match="exclude each other"):
        chosen_cluster("tcp://host:8786", "local")
    assert [chosen_cluster("a", None), chosen_cluster(None, "local"), chosen_cluster(None, None)] == [
        "a",
        "local",
        "",
    ]
