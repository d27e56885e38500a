"""Names of kept results: one for each code, and which code wrote a file."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from stepscope.store import result_cache
from stepscope.store.parquet import arrow_of
from stepscope.store.result_cache import kept_file, new_result, read_frame, write_frame


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


@pytest.mark.parametrize("name", ["", "../x", "a b", "test.<locals>.f", "f-A", "f-", "f-a.b"])
def test_a_name_that_is_no_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no name for a kept result"):
        kept_file(tmp_path, name)


def test_results_of_other_code_go_and_nothing_else(tmp_path: Path) -> None:
    """What another thread is writing, and other files of the store, stay."""
    own, being_written = kept_file(tmp_path, "a.f"), tmp_path / "kept.a.g.parquet.tmp-1-0123abcd"
    others = [tmp_path / f"kept.{name}.{'0' * 16}.{ending}" for name, ending in (("a.f", "parquet"), ("b-1", "bin"))]
    stay = [own, being_written, tmp_path / "activity.0.parquet"]
    for path in [*stay, *others]:
        path.write_bytes(b"")
    new = kept_file(tmp_path, "a.h", "bin")
    with new_result(new) as temporary:
        temporary.write_bytes(b"1")
    assert set(tmp_path.iterdir()) == {*stay, new}


@pytest.mark.parametrize("rows", [0, 3, 200_000])
@pytest.mark.parametrize("columns", [None, [], ["text"], ["text", "number"]])
def test_a_frame_is_read_as_it_was_written_small_or_large(tmp_path: Path, rows: int, columns: list[str] | None) -> None:
    """What is small is a stream. Asked for no column of one, Polars panics."""
    number = pl.int_range(rows, dtype=pl.Int64, eager=True).alias("number")
    frame = pl.DataFrame([number, number.cast(pl.String).alias("text")])
    path = kept_file(tmp_path, "a.f")
    write_frame(frame, path)
    found = read_frame(path, columns)
    assert found is not None
    assert_frame_equal(found, frame if columns is None else frame.select(columns), check_column_order=False)


def test_a_folder_is_tidied_once_by_the_same_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[Path] = []
    monkeypatch.setattr(result_cache.os, "listdir", lambda path: listed.append(path) or ["other"])
    for name in ("a.f", "a.g"):
        write_frame(pl.DataFrame(), kept_file(tmp_path, name))
    assert listed == [tmp_path]


def test_a_frame_that_others_hold_is_not_locked_while_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads of the server waited for one another: one wrote the frame, the other asked for its rows."""
    frame, written = pl.DataFrame({"a": [1]}), []
    write = pl.DataFrame.write_ipc_stream
    monkeypatch.setattr(
        pl.DataFrame,
        "write_ipc_stream",
        lambda given, *args, **kwargs: written.append(given) or write(given, *args, **kwargs),
    )
    assert_frame_equal(pl.read_ipc_stream(arrow_of(frame)), frame)
    assert written[0] is not frame
    assert written[0]._df is not frame._df
