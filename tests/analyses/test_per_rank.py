"""Tables put together by rank are those that their functions give for all ranks at once, wherever they were made."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from stepscope.analyses import make_table, per_rank
from stepscope.analyses.per_rank import is_by_rank, preparation, prepare, rank_table
from stepscope.analyses.registry import analysis, digest
from stepscope.schema import TABLES
from stepscope.store import preparing, worker_pools
from stepscope.store.memo import per_rank_on_disk
from stepscope.store.opening import open_profile
from stepscope.store.options import ReadOptions
from stepscope.store.profile import Profile, Rank

RECORDINGS = Path(__file__).resolve().parent.parent / "recordings"
PER_RANK = [name for name, table in TABLES.items() if table.per_rank]
SMALL = ["summary", "steps", "health"]
ACROSS = {"rank_numbers", "one_run", "same_steps", "ranks"}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test's own."""
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def at_once(profile: Profile, name: str) -> pl.DataFrame:
    """The table as its own function gives it for all ranks."""
    make = analysis(name).make
    return make(profile)


def kept(profile: Profile, name: str) -> list[bool]:
    return [rank_table.file(rank, name).is_file() for rank in profile.ranks]


def compare(path: Path) -> None:
    """Every table: of all ranks at once, by rank, and by rank from what was kept; the same to the last bit."""
    profile = open_profile(str(path))
    expected = {name: at_once(profile, name) for name in PER_RANK}
    for name, again in itertools.product(PER_RANK, (profile, open_profile(str(path)))):
        assert_frame_equal(make_table(again, name), expected[name], check_exact=True)
        assert all(kept(again, name))


@pytest.mark.long
def test_unlike_recordings_of_no_common_rank(root: Path) -> None:
    """They are numbered by order, lack this and that, and some have no step."""
    compare(RECORDINGS)


@pytest.mark.long
def test_ranks_of_one_job(root: Path, examples: Path) -> None:
    compare(examples / "ddp4_straggler")


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["ddp4", "fsdp4", "collectives4"])
def test_recorded_jobs(root: Path, shared_data: Path, name: str) -> None:
    compare(shared_data / "h200" / "ranks" / name)


@pytest.mark.long
def test_other_processes_make_the_same(root: Path, examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the ranks are read, and later. Each has one thread of Polars where this process has several."""
    path = str(examples / "ddp4_straggler")
    profile = open_profile(path, ReadOptions(processes=2, after=preparation(["steps", "step_time"])))
    assert all(kept(profile, "steps"))
    assert all(kept(profile, "step_time"))
    assert not any(kept(profile, "summary"))
    monkeypatch.setattr(worker_pools, "_WORTH_PROCESSES_SECONDS", 0)
    monkeypatch.setattr(worker_pools, "cores", lambda: 2)
    for name in ("steps", "step_time", "summary", "utilization"):
        assert_frame_equal(make_table(profile, name), at_once(open_profile(path), name), check_exact=True)
    assert "activity" not in profile.ranks[0].__dict__  # nothing of a rank was looked at here


def test_what_other_processes_cannot_make_is_made_here(
    root: Path, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged store, for one: the error belongs to whoever asks for the table."""
    profile = open_profile(str(examples / "ddp4_straggler"))
    stored = preparing._Stored(0, root / "gone", "rank0.json", "", lambda rank: rank.steps)
    preparing.prepare_stored(stored)
    monkeypatch.setattr(preparing, "crew_for", lambda *_: None)
    assert len(make_table(profile, "summary")) == 4


@pytest.mark.long
def test_what_is_chosen_goes_the_old_way(root: Path, examples: Path) -> None:
    profile = open_profile(str(examples / "ddp4_straggler"))
    steps = profile.ranks[0].steps["step"].to_list()
    for chosen in (
        profile.select(steps=(steps[0], steps[0])),
        profile.select(ranks=[0]),
        replace(profile, peaks={"bf16": 1e15}),
        replace(profile, eager=profile),
    ):
        assert not is_by_rank(chosen, "steps")
        at_once(chosen, "steps")
    assert not any(kept(profile, "steps"))
    assert is_by_rank(profile.select(ranks=[0, 2]), "steps")
    assert not is_by_rank(profile, "kernels")


@pytest.mark.long
def test_files_left_out_and_numbers_are_told_of_the_profile(root: Path, tmp_path: Path, examples: Path) -> None:
    """Rows of health that no single rank knows come first, and are not kept."""
    folder = tmp_path / "run"
    folder.mkdir()
    for rank in range(2):
        source = examples / "ddp4_straggler" / f"rank{rank}.json.gz"
        (folder / source.name).write_bytes(source.read_bytes())
    (folder / "notes.json").write_text("[]")
    assert told_of_profile(folder) == {"skipped_files", *ACROSS}
    (folder / "notes.json").unlink()
    assert told_of_profile(folder) == ACROSS


def told_of_profile(folder: Path) -> set[str]:
    """Those of some checks that stand in rows without a rank, which have to be the first ones."""
    health = make_table(open_profile(str(folder)), "health")
    first = health["rank"].is_null().sum()
    assert health["rank"].head(first).is_null().all()
    return set(health["check"].head(first)) & {"skipped_files", *ACROSS}


@per_rank_on_disk
def calls(rank: Rank) -> pl.DataFrame:
    return pl.DataFrame({"rank": [rank.number]})


@pytest.mark.long
def test_digests_are_prepared_with_the_tables_made_from_them(
    root: Path, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TABLES, "kernels", replace(TABLES["kernels"], digests=("calls",)))
    monkeypatch.setattr(per_rank, "digest", {"calls": calls}.__getitem__)
    after = preparation(["kernels", "operators", "summary"])
    profile = open_profile(str(examples / "ddp4_straggler"))
    assert after is not None
    for rank in profile.ranks:
        after(rank)
    assert all(calls.file(rank).is_file() for rank in profile.ranks)
    assert all(kept(profile, "summary"))
    assert preparation(["operators"]) is None
    assert preparation(["summary"], of_steps=True) is None
    assert preparation(["kernels", "summary"], of_steps=True).args == (("calls",),)  # type: ignore[union-attr]


def test_every_digest_has_a_function() -> None:
    named = {name for table in TABLES.values() for name in table.digests}
    assert all(callable(digest(name)) for name in named)


@pytest.mark.long
def test_what_cannot_be_prepared_fails_where_it_is_asked_for(
    root: Path, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(profile: Profile) -> pl.DataFrame:
        raise KeyError("duration")

    monkeypatch.setattr("stepscope.analyses.steps.summary.summary", broken)
    path = str(examples / "ddp4_straggler")
    profile = open_profile(path)
    for rank in profile.ranks:
        prepare(SMALL, rank)
    assert all(kept(profile, "steps"))
    with pytest.raises(KeyError):
        make_table(profile, "summary")
