"""Results of a rank kept beside its trace: found again by the same code alone, and by nobody else's number."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from building import kernel, step, write
from stepscope.store import result_cache
from stepscope.store.opening import open_profile
from stepscope.store.profile import Rank

FRAME = pl.DataFrame({"at_ns": [1, 2], "share": [0.1, None], "name": ["a", "ü"], "parts": [[1], []]})


@pytest.fixture
def rank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rank:
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path / "cache"))
    path = write(tmp_path / "trace.json", [step(1, 0, 50), kernel("a", 0, 10), step(2, 50, 90)])
    return open_profile(str(path)).ranks[0]


class Counted:
    """Makes the frame and counts how often it had to."""

    def __init__(self, frame: pl.DataFrame = FRAME) -> None:
        self.calls = 0
        self.frame = frame

    def __call__(self) -> pl.DataFrame:
        self.calls += 1
        return self.frame


def kept_files(rank: Rank) -> list[Path]:
    return sorted(rank.trace.folder.glob("kept.*"))


def test_a_result_is_made_once_and_comes_back_the_same(rank: Rank) -> None:
    make = Counted()
    for again in (rank, open_profile(rank.source).ranks[0]):
        assert_frame_equal(again.kept("calls", make), FRAME, check_exact=True)
    assert make.calls == 1


def test_other_code_makes_its_own_and_leaves_nothing_stale(rank: Rank, monkeypatch: pytest.MonkeyPatch) -> None:
    rank.kept("calls", Counted())
    monkeypatch.setattr(result_cache, "code_version", lambda: "0123456789abcdef")
    newer = Counted(FRAME.head(1))
    assert len(rank.kept("calls", newer)) == 1
    assert newer.calls == 1
    assert [path.name for path in kept_files(rank)] == ["kept.calls.0.0123456789abcdef.parquet"]


def test_every_source_file_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_cache, "_PACKAGE", tmp_path)
    (tmp_path / "inner").mkdir()
    seen = []
    for name, text in (("a.py", "1"), ("a.py", "2"), ("inner/b.py", ""), ("inner/b.py", "# why")):
        (tmp_path / name).write_text(text)
        seen.append(result_cache.code_version.__wrapped__())
        assert result_cache.code_version.__wrapped__() == seen[-1]
    assert len(set(seen)) == 4
    (tmp_path / "inner" / "b.py").rename(tmp_path / "inner" / "c.py")
    assert result_cache.code_version.__wrapped__() not in seen


def test_a_package_without_files_finds_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_cache, "_PACKAGE", tmp_path)
    assert result_cache.code_version.__wrapped__() != result_cache.code_version.__wrapped__()


def test_a_damaged_result_is_made_again(rank: Rank) -> None:
    make = Counted()
    rank.kept("calls", make)
    kept_files(rank)[0].write_bytes(b"PAR1")
    assert_frame_equal(rank.kept("calls", make), FRAME)
    assert_frame_equal(rank.kept("calls", make), FRAME)
    assert make.calls == 2


def test_steps_selected_keep_nothing(rank: Rank) -> None:
    make = Counted()
    chosen = rank.with_steps((1, 1))
    chosen.kept("calls", make)
    chosen.kept("calls", make)
    assert make.calls == 2
    assert kept_files(rank) == []
    chosen.whole.kept("calls", make)
    assert len(kept_files(rank)) == 1


def test_one_trace_under_two_numbers_keeps_two_results(tmp_path: Path, rank: Rank) -> None:
    other = Rank.of_trace(3, rank.trace, rank.source)
    rank.kept("calls", Counted())
    make = Counted()
    other.kept("calls", make)
    assert make.calls == 1
    assert len(kept_files(rank)) == 2


@pytest.mark.parametrize("name", ["", "../x", "A", "a.b", "a b"])
def test_a_name_that_is_no_name(rank: Rank, name: str) -> None:
    with pytest.raises(ValueError, match="no name for a kept result"):
        rank.kept(name, Counted())


def test_a_cache_that_cannot_be_written_is_no_error(rank: Rank, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(path)

    monkeypatch.setattr("stepscope.store.parquet.whole_file", refuse)
    assert_frame_equal(rank.kept("calls", Counted()), FRAME)
    assert kept_files(rank) == []
