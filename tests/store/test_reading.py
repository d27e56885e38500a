"""Several files, each read in a process of its own: the same as in this one, and nothing lost by what goes wrong."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

import tasks
from building import kernel, operator, step, write
from stepscope.analyses import make_table
from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.sources import Source
from stepscope.store import cache, reading, worker_pools
from stepscope.store.opening import open_profile
from stepscope.store.options import RanksRead, ReadOptions
from stepscope.store.profile import Skipped
from stepscope.store.task_queue import Failed

DIED = Message("reader-process-died")

SCRIPT = """
import stepscope, sys
from stepscope.store import worker_pools
worker_pools._WORTH_PROCESSES_SECONDS = 0
worker_pools.cores = lambda: 2
print(stepscope.open(sys.argv[1]))
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test's own."""
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder of four ranks."""
    folder = tmp_path / "run"
    folder.mkdir()
    for rank in range(4):
        rank_file(folder, rank)
    return folder


def rank_file(folder: Path, rank: int, name: str = "") -> Path:
    events = [step(1, 0, 1000), operator("aten::mm", 0, 500), kernel("gemm", 100, 300 + rank), step(2, 1000, 2000)]
    return write(folder / f"{name}rank{rank}.json", events, distributedInfo={"rank": rank, "world_size": 4})


class Listener:
    """Keeps what is told of the reading; ends it after so many files."""

    def __init__(self, most: int = 1000) -> None:
        self.told: list[RanksRead] = []
        self._most = most

    def __call__(self, ranks: RanksRead) -> None:
        self.told.append(ranks)
        if ranks.done >= self._most:
            raise KeyboardInterrupt


def entries(root: Path) -> list[str]:
    return [path.name for path in root.iterdir()]


@pytest.mark.long
def test_processes_read_what_this_one_reads(root: Path, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the reader runs here: that would fail."""
    expected = {name: make_table(open_profile(str(run)), name) for name in ("summary", "steps", "kernels", "health")}
    cache.clear()
    monkeypatch.setattr(reading, "read_trace", None)
    listener = Listener()
    profile = open_profile(str(run), ReadOptions(processes=2, ranks=listener))
    for name, frame in expected.items():
        assert_frame_equal(make_table(profile, name), frame, check_exact=True)
    size = sum(path.stat().st_size for path in run.iterdir())
    assert listener.told[0] == RanksRead(0, 0, 4, 0, size, 0)
    assert listener.told[-1] == RanksRead(4, 0, 4, size, size, 0)
    assert [ranks.done for ranks in listener.told] == [0, 1, 2, 3, 4]


@pytest.mark.long
def test_what_is_no_trace_or_kills_its_process_is_named(root: Path, run: Path) -> None:
    (run / "notes.json").write_text('{"traceEvents": []}')
    rank_file(run, 7, "always-")
    listener = Listener()
    profile = open_profile(str(run), ReadOptions(processes=2, ranks=listener, after=tasks.dies_reading))
    assert [rank.number for rank in profile.ranks] == [0, 1, 2, 3]
    assert sorted(profile.skipped, key=lambda one: one.path) == [
        Skipped(str(run / "always-rank7.json"), Message("reader-process-died")),
        Skipped(str(run / "notes.json"), Message("reader-no-events", reason=None)),
    ]
    assert (listener.told[-1].done, listener.told[-1].failed) == (6, 2)


@pytest.mark.long
def test_an_interrupted_run_goes_on_where_it_was(root: Path, run: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        open_profile(str(run), ReadOptions(processes=2, ranks=Listener(most=2)))
    assert multiprocessing.active_children() == []
    assert not [name for name in entries(root) if "tmp" in name]
    stored = len(entries(root))
    assert stored >= 2
    listener = Listener()
    assert len(open_profile(str(run), ReadOptions(processes=2, ranks=listener)).ranks) == 4
    assert [ranks.done for ranks in listener.told] == list(range(stored, 5))[: len(listener.told)]
    silent = Listener()
    open_profile(str(run), ReadOptions(processes=2, ranks=silent))
    assert silent.told == []


def test_what_a_dead_process_began_to_write_goes_away(root: Path) -> None:
    folder = cache.entry_folder(Source(__file__).fingerprint())
    mine = folder.with_name(f"{folder.name}.tmp-{os.getpid()}-1")
    others = folder.with_name(f"{folder.name}.tmp-{os.getpid()}0-1")
    for one in (mine, others):
        one.mkdir(parents=True)
    cache.drop_unfinished(root, os.getpid())
    assert entries(root) == [others.name]


@pytest.mark.long
def test_without_a_place_for_the_cache_the_stores_live_as_long_as_this_process(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path / "file" / "cache"))
    profile = open_profile(str(run), ReadOptions(processes=2))
    assert make_table(profile, "summary")["busy_ns"].to_list() == [200, 201, 202, 203]
    listener = Listener()
    open_profile(str(run), ReadOptions(processes=2, ranks=listener))
    assert listener.told == []


@pytest.mark.long
def test_a_script_without_a_guard_is_not_run_again(root: Path, run: Path, tmp_path: Path) -> None:
    """`multiprocessing` imports the main module in each of its processes; these do not need it."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script), str(run)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"OpenProfile({str(run)!r}, ranks=[0, 1, 2, 3], steps=2)\n", "")


def test_paths_from_here_mean_the_same_there(root: Path, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process starts in the folder in which this one started, which may have gone elsewhere since."""
    monkeypatch.chdir(run.parent)
    wanted = reading._look_up(Source("run/rank0.json"), ReadOptions())
    assert isinstance(wanted, reading.Wanted)
    assert wanted.source.path == str(run / "rank0.json")
    assert [rank.source for rank in open_profile("run").ranks] == [f"run/rank{rank}.json" for rank in range(4)]


def test_few_small_files_are_read_here(root: Path, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pools, "Processes", None)
    assert len(open_profile(str(run)).ranks) == 4


def test_a_defect_in_one_rank_leaves_the_others(root: Path, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = reading.read_trace

    def broken(source: Source, *given: object) -> Path:
        if source.name == "rank1.json":
            raise KeyError("duration")
        if source.name == "rank2.json":
            raise UnreadableInput("cannot read it", "it is odd", "Leave it.")
        return real(source, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(reading, "read_trace", broken)
    profile = open_profile(str(run))
    assert [rank.number for rank in profile.ranks] == [0, 3]
    assert [skipped.reason for skipped in profile.skipped] == [
        Message("reader-defect", type="KeyError"),
        "it is odd",
    ]


def test_where_no_process_can_be_started_the_files_are_read_here(
    root: Path, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("stepscope.store.processes._new_executor", refuse)
    assert len(open_profile(str(run), ReadOptions(processes=2)).ranks) == 4


def test_a_missing_file_among_several_is_named(root: Path, run: Path) -> None:
    missing = str(run / "rank9.json")
    profile = open_profile([str(run), missing])
    assert profile.skipped == (Skipped(missing, Message("error-no-such-file")),)
    assert reading.read_all([Source(missing)], ReadOptions()) == [Failed(Message("error-no-such-file"))]
