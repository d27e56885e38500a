"""The cache: where it lies, what it lists, what it deletes, and what becomes of damaged entries."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import stepscope
from building import kernel, launched, operator, rows, write
from stepscope.errors import UnreadableInput
from stepscope.store import cache

HOUR = 3600


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test's own."""
    root = tmp_path / "cache"
    monkeypatch.setenv("STEPSCOPE_CACHE", str(root))
    return root


def read(path: Path) -> list[int]:
    """Open a trace anew; the busy time of each rank."""
    return rows(stepscope.open(str(path)).show("summary"), "busy_ns")


def a_trace(path: Path, length: int = 10) -> Path:
    return write(path, operator("aten::mm", 0, 5), launched(kernel("a", 10, 10 + length, 1), at=2))


def age(entry: cache.Entry, hours: float) -> None:
    """Make an entry look as if it was last used some hours ago."""
    then = entry.used - hours * HOUR
    os.utime(entry.folder / "used", (then, then))


def test_the_cache_lies_where_the_environment_says(folder: Path, tmp_path: Path) -> None:
    assert cache.cache_root() == folder
    assert read(a_trace(tmp_path / "trace.json")) == [10]
    [entry] = cache.entries()
    assert entry.folder.parent == folder
    assert entry.source == str(tmp_path / "trace.json")
    assert entry.size_bytes == sum(file.stat().st_size for file in entry.folder.iterdir())


def test_without_a_home_nothing_is_kept_and_the_trace_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A container run as a user without an entry and without HOME ended in a RuntimeError of platformdirs."""

    def no_home(_: str) -> str:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("STEPSCOPE_CACHE", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_dir", no_home)
    monkeypatch.chdir(tmp_path)
    assert read(a_trace(tmp_path / "trace.json")) == [10]
    assert not (tmp_path / "~").exists()


def test_without_the_variable_the_cache_lies_in_the_users_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("STEPSCOPE_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert tmp_path in cache.cache_root().parents
    assert cache.cache_root().name == "stepscope" or "stepscope" in cache.cache_root().parts


def test_a_tilde_in_the_variable_is_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("STEPSCOPE_CACHE", "~/traces")
    assert cache.cache_root() == tmp_path / "traces"


@pytest.mark.parametrize(
    ("given", "limit"), [("", 20 << 30), ("1000", 1000), ("0", 0), ("a lot", 20 << 30), ("-5", 20 << 30)]
)
def test_the_limit_is_20_gib_unless_the_environment_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, given: str, limit: int
) -> None:
    monkeypatch.setenv("STEPSCOPE_CACHE_LIMIT", given)
    assert cache.cache_limit() == limit


def test_an_empty_cache_has_no_entries_and_nothing_to_clear(folder: Path) -> None:
    assert cache.entries() == []
    assert cache.clear() == (0, 0)
    assert cache.prune() == []
    assert not folder.exists()


def test_entries_are_listed_most_recently_used_first(folder: Path, tmp_path: Path) -> None:
    for number in range(3):
        read(a_trace(tmp_path / f"{number}.json"))
    for entry in cache.entries():
        age(entry, {"0": 1, "1": 3, "2": 2}[Path(entry.source).stem])
    assert [Path(entry.source).name for entry in cache.entries()] == ["0.json", "2.json", "1.json"]


def test_opening_a_stored_trace_makes_it_the_most_recently_used(folder: Path, tmp_path: Path) -> None:
    for number in range(2):
        read(a_trace(tmp_path / f"{number}.json"))
    for entry in cache.entries():
        age(entry, {"0": 9, "1": 5}[Path(entry.source).stem])
    read(tmp_path / "0.json")
    assert [Path(entry.source).name for entry in cache.entries()] == ["0.json", "1.json"]


def test_clear_deletes_everything_and_says_how_much(folder: Path, tmp_path: Path) -> None:
    for number in range(2):
        read(a_trace(tmp_path / f"{number}.json"))
    size = sum(entry.size_bytes for entry in cache.entries())
    assert cache.clear() == (2, size)
    assert list(folder.iterdir()) == []
    assert read(tmp_path / "0.json") == [10]


def test_clear_deletes_what_is_damaged_too(folder: Path, tmp_path: Path) -> None:
    read(a_trace(tmp_path / "no description.json"))
    read(a_trace(tmp_path / "bad description.json"))
    for entry, text in zip(cache.entries(), ("", None), strict=True):
        description = entry.folder / "meta.json"
        description.unlink() if text is None else description.write_text(text)
    cache.clear()
    assert list(folder.iterdir()) == []


def test_clear_leaves_what_is_not_its_own(folder: Path, tmp_path: Path) -> None:
    """Somebody may name a folder as the cache that holds other things."""
    read(a_trace(tmp_path / "trace.json"))
    (folder / "thesis.txt").write_text("years of work")
    (folder / "pictures").mkdir()
    (folder / "pictures" / "meta.json").write_text('{"album": 1}')
    cache.clear()
    assert sorted(path.name for path in folder.iterdir()) == ["pictures", "thesis.txt"]


def test_prune_deletes_the_least_recently_used_until_the_rest_fits(folder: Path, tmp_path: Path) -> None:
    for number in range(4):
        read(a_trace(tmp_path / f"{number}.json"))
    for entry in cache.entries():
        age(entry, {"0": 5, "1": 2, "2": 9, "3": 3}[Path(entry.source).stem])
    fits = sum(entry.size_bytes for entry in cache.entries()[:2])
    deleted = cache.prune(fits)
    assert [Path(entry.source).name for entry in deleted] == ["2.json", "0.json"]
    assert [Path(entry.source).name for entry in cache.entries()] == ["1.json", "3.json"]
    assert all(not entry.folder.exists() for entry in deleted)


def test_prune_spares_what_was_used_within_the_hour(folder: Path, tmp_path: Path) -> None:
    """It may be open in another process."""
    for number in range(3):
        read(a_trace(tmp_path / f"{number}.json"))
    for entry in cache.entries():
        age(entry, {"0": 0.5, "1": 2, "2": 0}[Path(entry.source).stem])
    assert [Path(entry.source).name for entry in cache.prune(0)] == ["1.json"]
    assert len(cache.entries()) == 2


def test_reading_a_trace_prunes_the_cache(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read(a_trace(tmp_path / "old.json"))
    age(cache.entries()[0], 2)
    monkeypatch.setenv("STEPSCOPE_CACHE_LIMIT", "1")
    assert read(a_trace(tmp_path / "new.json")) == [10]
    assert [Path(entry.source).name for entry in cache.entries()] == ["new.json"]


def test_what_a_killed_process_left_is_deleted_after_a_day(folder: Path, tmp_path: Path) -> None:
    read(a_trace(tmp_path / "trace.json"))
    now = cache.entries()[0].used
    entry = cache.entries()[0].folder.name
    for name, hours in (("tmp-1-0123abcd", 25), ("tmp-2-4567cdef", 1)):
        left = folder / f"{entry}.{name}"
        left.mkdir()
        (left / "activity.0.parquet").write_bytes(b"half of it")
        os.utime(left, (now - hours * HOUR, now - hours * HOUR))
    cache.prune()
    assert sorted(path.name for path in folder.iterdir()) == [entry, f"{entry}.tmp-2-4567cdef"]


@pytest.mark.parametrize("damage", ["cut", "empty", "missing"])
@pytest.mark.parametrize("name", ["activity.0", "texts.0", "kept.store.linking.links.*", "meta"])
def test_a_damaged_entry_is_read_anew(folder: Path, tmp_path: Path, name: str, damage: str) -> None:
    """As a full disk, a crash of the machine or a cleaning job leave it."""
    path = a_trace(tmp_path / "trace.json")
    first = stepscope.open(str(path)).show("operators").rows()
    (file,) = cache.entries()[0].folder.glob(f"{name}.*")
    if damage == "missing":
        file.unlink()
    else:
        data = file.read_bytes()
        file.write_bytes(data[: len(data) // 2] if damage == "cut" else b"")
    assert stepscope.open(str(path)).show("operators").rows() == first


def test_small_stores_do_not_make_the_cache_be_looked_through_each_time(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a thousand stores, that took longer than reading a small trace."""
    looks: list[int] = []
    monkeypatch.setattr(cache, "prune", lambda: looks.append(1))
    for number in range(3):
        read(a_trace(tmp_path / f"{number}.json"))
    assert len(looks) == 1
    monkeypatch.setenv("STEPSCOPE_CACHE_LIMIT", "1000000")
    read(a_trace(tmp_path / "last.json"))
    assert len(looks) == 2, "of a small limit each store is a large share"


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 4
    path.write_bytes(data)


@pytest.mark.parametrize("name", ["activity.0.parquet", "texts.0.parquet", "meta.json"])
def test_a_store_with_a_flipped_bit_is_read_anew(folder: Path, tmp_path: Path, name: str) -> None:
    """Sizes alone were checked: some flipped bits gave other figures, and others an error at every later run."""
    trace = a_trace(tmp_path / "trace.json")
    assert read(trace) == [10]
    [entry] = cache.entries()
    for kept in entry.folder.glob("kept.*"):
        kept.unlink()
    flip(entry.folder / name)
    assert not cache.is_intact(entry.folder)
    assert read(trace) == [10]
    assert cache.is_intact(entry.folder)


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_cache_that_is_deleted_under_an_open_profile_is_made_anew(folder: Path, tmp_path: Path, ranks: int) -> None:
    (tmp_path / "run").mkdir()
    for rank in range(ranks):
        a_trace(tmp_path / "run" / f"rank{rank}.json", 10 + rank)
    profile = stepscope.open(str(tmp_path / "run"))
    shutil.rmtree(folder)
    assert rows(profile.show("summary"), "busy_ns") == [10, 11][:ranks]
    assert len(cache.entries()) == ranks


def test_a_store_that_is_lost_is_no_store_of_a_file_that_has_changed_since(folder: Path, tmp_path: Path) -> None:
    trace = a_trace(tmp_path / "trace.json")
    profile = stepscope.open(str(trace))
    shutil.rmtree(folder)
    a_trace(trace, 1000)
    with pytest.raises(UnreadableInput, match="the file has changed since"):
        profile.show("kernels")
