"""Local folders and patterns, and files behind URLs; the remote file system is in memory."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from readers.reproduction import gather
from stepscope.errors import UnreadableInput
from stepscope.readers.finding import find_sources
from stepscope.readers.kineto import KinetoReader
from stepscope.readers.sources import Source

EVENT = {"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": 1, "dur": 1}
TRACE = json.dumps({"traceEvents": [EVENT]}).encode()


@pytest.fixture
def remote() -> Iterator[MemoryFileSystem]:
    filesystem = fsspec.filesystem("memory")
    yield filesystem
    for path in filesystem.ls("/", detail=False):
        filesystem.rm(path, recursive=True)


def events(url: str) -> int:
    with Source(url).open() as stream:
        reader = KinetoReader(stream)
        gather(reader.tables())
    return reader.facts.events


class TestRemote:
    @pytest.mark.parametrize("data", [TRACE, gzip.compress(TRACE, mtime=0)])
    def test_a_file_is_read(self, remote: MemoryFileSystem, data: bytes) -> None:
        remote.pipe("/run/trace.json", data)
        assert events("memory://run/trace.json") == 1

    def test_damaged_gzip_is_read_as_far_as_it_goes(self, remote: MemoryFileSystem) -> None:
        packed = gzip.compress(TRACE)
        remote.pipe("/run/trace.json.gz", packed[:-8] + b"\0\0\0\0" + packed[-4:])
        assert events("memory://run/trace.json.gz") == 1

    def test_a_folder_gives_its_traces_by_rank(self, remote: MemoryFileSystem) -> None:
        for name in ("rank10.json", "rank9.json.gz", "notes.txt", "rank1.json"):
            remote.pipe(f"/run/{name}", TRACE)
        found = find_sources("memory://run")
        assert [source.name for source in found] == ["rank1.json", "rank9.json.gz", "rank10.json"]
        assert [events(source.path) for source in found] == [1, 1, 1]

    def test_a_pattern_gives_its_matches(self, remote: MemoryFileSystem) -> None:
        for name in ("a/rank0.json", "b/rank0.json", "b/rank1.json"):
            remote.pipe(f"/run/{name}", TRACE)
        found = find_sources("memory://run/*/rank0.json")
        assert [source.path for source in found] == ["memory:///run/a/rank0.json", "memory:///run/b/rank0.json"]
        assert [events(source.path) for source in found] == [1, 1]

    def test_the_fingerprint_changes_with_the_content_and_only_then(self, remote: MemoryFileSystem) -> None:
        source = Source("memory://run/trace.json")
        remote.pipe("/run/trace.json", TRACE)
        first = source.fingerprint()
        assert first == source.fingerprint()
        assert (first.path, first.size) == ("memory://run/trace.json", len(TRACE))
        time.sleep(0.001)
        remote.pipe("/run/trace.json", TRACE)
        assert source.fingerprint() != first

    def test_an_etag_is_the_surest_sign(self, remote: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch) -> None:
        answer = {"name": "x", "size": 5, "created": "today", "LastModified": "now", "ETag": '"abc"'}
        monkeypatch.setattr(MemoryFileSystem, "info", lambda *_, **__: answer)
        assert Source("memory://x").fingerprint().stamp == '"abc"'
        del answer["ETag"]
        assert Source("memory://x").fingerprint().stamp == "now"

    def test_a_missing_file_and_an_empty_folder_say_so(self, remote: MemoryFileSystem) -> None:
        with pytest.raises(UnreadableInput, match="there is no such file or folder"):
            Source("memory://none.json").open()
        remote.pipe("/run/notes.txt", b"")
        for url in ("memory://run", "memory://run/*.json"):
            with pytest.raises(UnreadableInput, match="no trace file is there"):
                find_sources(url)

    def test_an_unknown_scheme_says_what_to_install(self) -> None:
        with pytest.raises(UnreadableInput, match="no support for nowhere:// is installed"):
            Source("nowhere://bucket/trace.json").open()

    @pytest.mark.parametrize("error", [RuntimeError("x"), OSError("x"), KeyError("x"), PermissionError(13, "x")])
    def test_every_error_of_a_server_becomes_a_sentence(
        self, remote: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch, error: Exception
    ) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise error

        remote.pipe("/run/trace.json", TRACE)
        for method in ("open", "info", "isdir", "glob"):
            with monkeypatch.context() as patch:
                patch.setattr(MemoryFileSystem, method, refuse)
                path = "memory://run/*" if method == "glob" else "memory://run/trace.json"
                with pytest.raises(UnreadableInput, match="cannot open memory://run/"):
                    find_sources(path)[0].open()

    def test_a_connection_that_breaks_becomes_a_sentence(
        self, remote: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        remote.pipe("/run/trace.json", TRACE)
        with Source("memory://run/trace.json").open() as stream:
            monkeypatch.setattr(stream._raw, "read", lambda _: 1 / 0)
            with pytest.raises(UnreadableInput, match="the connection failed"):
                stream.read_into(memoryview(bytearray(1000)))


class TestLocal:
    def test_a_folder_gives_its_traces_by_rank(self, tmp_path: Path) -> None:
        for name in ("rank10.json", "rank9.json.gz", "notes.txt", "rank1.pt.trace.json"):
            (tmp_path / name).write_bytes(TRACE)
        (tmp_path / "folder.json").mkdir()
        names = [source.name for source in find_sources(str(tmp_path))]
        assert names == ["rank1.pt.trace.json", "rank9.json.gz", "rank10.json"]

    def test_a_pattern_gives_its_matches(self, tmp_path: Path) -> None:
        for name in ("b2.json", "b10.json", "a.txt"):
            (tmp_path / name).write_bytes(TRACE)
        assert [source.name for source in find_sources(str(tmp_path / "*.json"))] == ["b2.json", "b10.json"]

    def test_a_name_with_signs_of_a_pattern_is_a_name(self, tmp_path: Path) -> None:
        path = tmp_path / "trace[1].json"
        path.write_bytes(TRACE)
        assert find_sources(str(path)) == [Source(str(path))]

    def test_nothing_found_says_so(self, tmp_path: Path) -> None:
        with pytest.raises(UnreadableInput, match=r"the folder holds no recording that stepscope reads"):
            find_sources(str(tmp_path))
        with pytest.raises(UnreadableInput, match="the pattern matches no file"):
            find_sources(str(tmp_path / "*.json"))

    def test_a_folder_that_may_not_be_listed_says_so(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(_: Path) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "iterdir", refuse)
        with pytest.raises(UnreadableInput, match="no permission to read it"):
            find_sources(str(tmp_path))

    def test_the_fingerprint_follows_links_and_changes_with_the_content(self, tmp_path: Path) -> None:
        path, link = tmp_path / "trace.json", tmp_path / "link.json"
        path.write_bytes(TRACE)
        link.symlink_to(path)
        first = Source(str(link)).fingerprint()
        assert first == Source(str(path)).fingerprint()
        path.write_bytes(TRACE + b" ")
        assert Source(str(link)).fingerprint() != first

    def test_single_bytes_from_a_pipe_are_enough(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "trace.json.gz"
        path.write_bytes(gzip.compress(TRACE))
        monkeypatch.setattr("stepscope.readers.sources.CHUNK", 1)
        monkeypatch.setattr("stepscope.readers.inflating.CHUNK", 1)
        assert events(str(path)) == 1

    def test_a_folder_of_runs_names_those_below(self, tmp_path: Path) -> None:
        """Of a logdir it was said that it holds no trace: true one level down only."""
        for name in ("runs/lr1", "runs/lr2"):
            (tmp_path / name).mkdir(parents=True)
            (tmp_path / name / "a.pt.trace.json").write_bytes(TRACE)
        with pytest.raises(
            UnreadableInput, match=r"Name a folder below it \(runs/lr1, runs/lr2\), or see all of them: "
        ):
            find_sources(str(tmp_path))
        with pytest.raises(UnreadableInput, match=r"Name a folder below it \(lr1, lr2\)"):
            find_sources(str(tmp_path / "runs"))
