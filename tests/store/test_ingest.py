"""Reading a trace into the cache: once, wholly or not at all, and anew when the file changed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import stepscope
from building import kernel, operator, rows, write
from stepscope.errors import UnreadableInput
from stepscope.readers.sources import Source
from stepscope.store import cache, ingest
from stepscope.store.ingest import open_traces
from stepscope.store.linking import links
from stepscope.store.nesting import nested_rows
from stepscope.store.options import ReadOptions
from stepscope.store.parquet import write_parquet
from stepscope.store.trace import FEW_ROWS

OPEN = "import stepscope, sys; print(stepscope.open(sys.argv[1]).show('kernels')['total_ns'].to_list())"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test's own."""
    root = tmp_path / "cache"
    monkeypatch.setenv("STEPSCOPE_CACHE", str(root))
    return root


def busy(path: Path) -> list[int]:
    return rows(stepscope.open(str(path)).show("summary"), "busy_ns")


def test_a_trace_is_read_once(folder: Path, tmp_path: Path) -> None:
    """The progress is called while reading, so no call means no reading."""
    path = write(tmp_path / "trace.json", kernel("a", 0, 10))
    seen: list[tuple[str, int, int, int]] = []
    options = ReadOptions(progress=lambda *progress: seen.append(progress))
    first = open_traces(Source(str(path)), options)[0]
    size = path.stat().st_size
    assert seen[-1] == ("trace.json", size, size, 1)
    seen.clear()
    second = open_traces(Source(str(path)), options)[0]
    assert seen == []
    assert first.folder == second.folder


def test_what_is_loaded_meanwhile_begins_behind_the_reader_and_before_the_first_event(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both import much at first: beside one another the reading began 0.3 s later."""
    path = write(tmp_path / "trace.json", kernel("a", 0, 10))
    seen: list[str] = []
    found = ingest.reader_of
    monkeypatch.setattr(ingest, "reader_of", lambda *given: (found(*given), seen.append("reader"))[0])
    options = ReadOptions(progress=lambda *_: seen.append("read"), began=lambda: seen.append("began"))
    open_traces(Source(str(path)), options)
    assert seen[:3] == ["reader", "began", "read"]
    seen.clear()
    open_traces(Source(str(path)), options)
    assert seen == []


def test_a_changed_file_is_read_anew(folder: Path, tmp_path: Path) -> None:
    """The same length and the same name: only the time of change differs."""
    path = write(tmp_path / "trace.json", kernel("a", 0, 10))
    assert busy(path) == [10]
    before = path.stat()
    write(path, kernel("a", 0, 20))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert path.stat().st_size == before.st_size
    assert busy(path) == [20]


def test_two_names_of_one_file_share_an_entry(folder: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "trace.json", kernel("a", 0, 10))
    (tmp_path / "link.json").symlink_to(path)
    assert busy(path) == busy(tmp_path / "link.json") == [10]
    assert len(cache.entries()) == 1


def test_another_store_version_reads_anew(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "trace.json", kernel("a", 0, 10))
    busy(path)
    monkeypatch.setattr(cache, "STORE_VERSION", cache.STORE_VERSION + 1)
    busy(path)
    assert len(cache.entries()) == 2


def test_an_interrupted_read_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "trace.json", kernel("a", 0, 10))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_traces(Source(str(path)), ReadOptions(progress=interrupt))
    assert list(folder.iterdir()) == []
    assert busy(path) == [10]


def test_a_file_that_is_no_trace_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text('{"traceEvents": []}')
    with pytest.raises(UnreadableInput, match="the trace holds no events"):
        stepscope.open(str(path))
    assert list(folder.iterdir()) == []


@pytest.mark.long
def test_two_processes_may_open_one_trace_at_once(folder: Path, tmp_path: Path) -> None:
    """Both read it; the first to end keeps its work, the other uses that."""
    events = [kernel(f"kernel {number % 7}", 10 * number, 10 * number + 7) for number in range(20_000)]
    path = write(tmp_path / "trace.json", events, [operator("aten::mm", n, n + 1) for n in range(20_000)])
    command = [sys.executable, "-c", OPEN, str(path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    ended = [(*process.communicate(), process.returncode) for process in running]
    expected = b"[20006, 19999, 19999, 19999, 19999, 19999, 19999]"
    assert [(out.strip(), code) for out, _, code in ended] == [(expected, 0)] * 3, ended
    assert len(list(folder.iterdir())) == 1


def test_without_a_place_for_the_cache_the_trace_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parent is a file, so that not even root can make the folder."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path / "file" / "cache"))
    path = write(tmp_path / "trace.json", kernel("a", 0, 10))
    assert busy(path) == [10]
    assert cache.entries() == []
    assert cache.clear() == (0, 0)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_cache_that_may_not_be_written_is_read_and_nothing_is_kept(folder: Path, tmp_path: Path) -> None:
    kept = write(tmp_path / "kept.json", kernel("a", 0, 10))
    busy(kept)
    folder.chmod(0o500)
    try:
        assert busy(kept) == [10]
        assert busy(write(tmp_path / "new.json", kernel("a", 0, 20))) == [20]
        assert len(cache.entries()) == 1
    finally:
        folder.chmod(0o700)


def test_a_cache_that_the_system_calls_read_only_is_left_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `os.access` answers for a read-only file system, to root as well."""
    folder.mkdir()
    monkeypatch.setattr(cache.os, "access", lambda *_: False)
    assert busy(write(tmp_path / "trace.json", kernel("a", 0, 20))) == [20]
    assert list(folder.iterdir()) == []


def test_a_file_is_kept_under_what_it_was_when_reading_began(folder: Path, tmp_path: Path) -> None:
    """It changes while it is read: the next opening reads it again."""
    path = write(tmp_path / "trace.json", kernel("a", 0, 10))

    def change(*_: object) -> None:
        write(path, kernel("a", 0, 10), kernel("b", 10, 30))

    open_traces(Source(str(path)), ReadOptions(progress=change))
    assert busy(path) == [30]


def test_a_full_disk_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Polars raises a ComputeError of its own, which was called a defect."""

    def full(*_: object, **__: object) -> None:
        raise pl.exceptions.ComputeError("parquet: underlying IO error: No space left on device (os error 28)")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_parquet(pl.DataFrame(), tmp_path / "a.parquet")
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.parametrize("derives", [True, False])
def test_links_and_nesting_of_a_large_file_are_kept_at_once_or_when_asked_for(
    folder: Path, tmp_path: Path, derives: bool
) -> None:
    many = (operator("op", at, at + 1) for at in range(FEW_ROWS + 1))
    path = write(tmp_path / "trace.json", kernel("a", 0, 10), *many)
    trace = open_traces(Source(str(path)), ReadOptions(derives=derives))[0]
    wanted = [links.file(trace), nested_rows.file(trace, "operator")]
    assert [file.exists() for file in wanted] == [derives, derives]
    links(trace)
    nested_rows(trace, "operator")
    assert all(file.exists() for file in wanted)
