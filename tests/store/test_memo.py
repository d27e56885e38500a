"""Results computed once: in memory by function, arguments and owner, on disk by the same code alone."""

from __future__ import annotations

import importlib
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from building import kernel, step, write
from stepscope.store import result_cache
from stepscope.store.memo import (
    KeptFrame,
    Memory,
    in_memory,
    per_profile,
    per_rank,
    per_rank_on_disk,
    per_trace_on_disk,
)
from stepscope.store.opening import open_profile
from stepscope.store.profile import Profile, Rank
from stepscope.store.trace import Trace

FRAME = pl.DataFrame({"at_ns": [1, 2], "share": [0.1, None], "name": ["a", "ü"], "parts": [[1], []]})
CALLS: Counter[str] = Counter()
"""How often each function below ran."""


@per_rank
def of_selection(rank: Rank, lane: str = "", *, scale: int = 1) -> tuple[int, str, int]:
    CALLS["of_selection"] += 1
    return len(rank.steps), lane, scale


@per_rank(whole=True)
def of_whole(rank: Rank) -> int:
    CALLS["of_whole"] += 1
    return len(rank.steps)


@per_rank
def slow(rank: Rank) -> object:
    CALLS["slow"] += 1
    time.sleep(0.05)
    return object()


@per_rank
def failing(rank: Rank) -> None:
    CALLS["failing"] += 1
    raise LookupError


@per_profile
def of_profile(profile: Profile) -> int:
    CALLS["of_profile"] += 1
    return len(profile.ranks)


@per_rank_on_disk
def frame_of_rank(rank: Rank, table: str = "all") -> pl.DataFrame:
    CALLS[f"frame_of_rank {table}"] += 1
    assert rank.chosen is None
    return FRAME


@per_trace_on_disk
def frame_of_trace(trace: Trace) -> pl.DataFrame:
    CALLS["frame_of_trace"] += 1
    return FRAME


@dataclass
class Held:
    """Keeps the results of two calls."""

    memory: Memory = field(default_factory=lambda: Memory(2))


@in_memory(lambda held: held)
def of_held(held: Held, number: int) -> int:
    CALLS["of_held"] += 1
    return number


@pytest.fixture(autouse=True)
def calls() -> Iterator[None]:
    CALLS.clear()
    yield
    CALLS.clear()


@pytest.fixture
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Profile:
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path / "cache"))
    path = write(tmp_path / "trace.json", [step(1, 0, 50), kernel("a", 0, 10), step(2, 50, 90)])
    return open_profile(str(path))


@pytest.fixture
def rank(profile: Profile) -> Rank:
    return profile.ranks[0]


def files(rank: Rank) -> list[str]:
    """Names of what the functions of this module keep on disk, without the code."""
    return sorted(path.name.rsplit(".", 2)[0] for path in rank.trace.folder.glob(f"kept.{__name__}.*"))


def test_a_result_is_computed_once(rank: Rank) -> None:
    assert [of_selection(rank) for _ in range(3)] == [(2, "", 1)] * 3
    assert CALLS["of_selection"] == 1


def test_each_selection_has_a_result_of_its_own(rank: Rank) -> None:
    first = rank.with_steps((1, 1))
    assert [of_selection(one)[0] for one in (rank, first, rank, first)] == [2, 1, 2, 1]
    assert CALLS["of_selection"] == 2


def test_selections_share_a_result_of_the_whole(rank: Rank) -> None:
    assert [of_whole(one) for one in (rank.with_steps((1, 1)), rank.with_steps((2, 2)), rank)] == [2, 2, 2]
    assert CALLS["of_whole"] == 1


def test_other_arguments_are_another_result_however_they_are_written(rank: Rank) -> None:
    assert of_selection(rank, "gpu") == of_selection(rank, lane="gpu", scale=1) == (2, "gpu", 1)
    assert CALLS["of_selection"] == 1
    assert of_selection(rank, "gpu", scale=2) == (2, "gpu", 2)
    assert of_selection(rank, "") == of_selection(rank) == (2, "", 1)
    assert CALLS["of_selection"] == 3


def test_an_argument_that_cannot_be_a_key_is_an_error(rank: Rank) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        of_selection(rank, [])  # type: ignore[arg-type]
    assert CALLS["of_selection"] == 0


def test_threads_that_ask_at_once_get_one_result(rank: Rank) -> None:
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(slow, [rank] * 8))
    assert len({id(result) for result in results}) == 1
    assert CALLS["slow"] == 1


def test_what_failed_is_tried_again(rank: Rank) -> None:
    for _ in range(2):
        with pytest.raises(LookupError):
            failing(rank)
    assert CALLS["failing"] == 2


def test_functions_of_one_name_share_nothing(rank: Rank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in memory nor on disk."""
    monkeypatch.syspath_prepend(tmp_path)
    for number, name in enumerate(("first_namesakes", "second_namesakes")):
        (tmp_path / f"{name}.py").write_text(
            "import polars as pl\n"
            "from stepscope.store.memo import per_rank, per_rank_on_disk\n"
            f"@per_rank\ndef value(rank):\n    return {number}\n"
            f"@per_rank_on_disk\ndef frame(rank):\n    return pl.DataFrame({{'value': [{number}]}})\n"
        )
    modules = [importlib.import_module(name) for name in ("first_namesakes", "second_namesakes")]
    for _ in range(2):
        assert [module.value(rank) for module in modules] == [0, 1]
        assert [module.frame(rank).item() for module in modules] == [0, 1]


def test_a_forgotten_result_is_computed_again(rank: Rank) -> None:
    of_whole(rank)
    rank.forget()
    assert of_whole(rank) == 2
    assert CALLS["of_whole"] == 2


def test_the_profile_that_others_were_selected_from_keeps_the_result(profile: Profile) -> None:
    assert of_profile(profile.select(steps=(1, 1))) == of_profile(profile) == of_profile(profile.select([0])) == 1
    assert CALLS["of_profile"] == 1


def test_a_small_memory_keeps_what_was_used_last() -> None:
    held = Held()
    for number in (1, 2, 1, 3, 1):
        assert of_held(held, number) == number
    assert CALLS["of_held"] == 3
    assert len(held.memory) == 2
    assert of_held(held, 2) == 2
    assert CALLS["of_held"] == 4


def test_a_frame_on_disk_is_found_again(rank: Rank) -> None:
    for again in (rank, open_profile(rank.source).ranks[0], rank.with_steps((1, 1))):
        assert_frame_equal(frame_of_rank(again), FRAME, check_exact=True)
        assert_frame_equal(frame_of_trace(again.trace), FRAME, check_exact=True)
    assert CALLS == {"frame_of_rank all": 1, "frame_of_trace": 1}
    assert frame_of_rank.file(rank).is_file()
    assert files(rank) == [f"kept.{__name__}.frame_of_rank-all-0", f"kept.{__name__}.frame_of_trace"]


def test_some_columns_of_a_frame(rank: Rank) -> None:
    for _ in ("computed", "read"):
        assert_frame_equal(frame_of_trace.columns(["name", "at_ns"], rank.trace), FRAME.select("name", "at_ns"))
    assert frame_of_trace.columns([], rank.trace).columns == []
    assert CALLS["frame_of_trace"] == 1


def test_each_argument_has_a_file_of_its_own(rank: Rank) -> None:
    for table in ("kernels", "steps", "kernels"):
        frame_of_rank(rank, table)
    assert CALLS == {"frame_of_rank kernels": 1, "frame_of_rank steps": 1}
    with pytest.raises(ValueError, match="no name for a kept result"):
        frame_of_rank(rank, "../steps")


def test_other_code_computes_its_own_and_leaves_nothing_stale(rank: Rank, monkeypatch: pytest.MonkeyPatch) -> None:
    frame_of_rank(rank)
    old = frame_of_rank.file(rank)
    monkeypatch.setattr(result_cache, "code_version", lambda: "0123456789abcdef")
    frame_of_rank(rank)
    assert CALLS["frame_of_rank all"] == 2
    assert not old.exists()
    assert [path.name for path in rank.trace.folder.glob("kept.*")] == [
        f"kept.{__name__}.frame_of_rank-all-0.0123456789abcdef.frame"
    ]


@pytest.mark.parametrize("data", [b"PAR1", b""])
def test_a_damaged_file_is_made_again(rank: Rank, data: bytes) -> None:
    frame_of_rank(rank)
    frame_of_rank.file(rank).write_bytes(data)
    rank.trace.forget()
    for _ in range(2):
        assert_frame_equal(frame_of_rank(rank), FRAME)
    assert CALLS["frame_of_rank all"] == 2


def test_a_small_frame_is_read_once(rank: Rank) -> None:
    frame_of_rank(rank)
    frame_of_rank.file(rank).unlink()
    assert_frame_equal(frame_of_rank(rank), FRAME)
    assert CALLS["frame_of_rank all"] == 1


def test_one_trace_under_two_numbers_has_two_files(rank: Rank) -> None:
    frame_of_rank(rank)
    frame_of_rank(Rank.of_trace(3, rank.trace, rank.source))
    assert files(rank) == [f"kept.{__name__}.frame_of_rank-all-{number}" for number in (0, 3)]


def test_a_folder_that_cannot_be_written_still_answers(rank: Rank, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    outdated = rank.trace.folder / f"kept.x.{'0' * 16}.parquet"
    outdated.write_bytes(b"")
    monkeypatch.setattr(Path, "unlink", refuse)
    monkeypatch.setattr("stepscope.store.result_cache.whole_file", refuse)
    assert_frame_equal(frame_of_rank(rank), FRAME)
    assert files(rank) == []


def test_a_function_keeps_its_name_and_description() -> None:
    assert of_whole.__name__ == "of_whole"
    assert isinstance(frame_of_rank, KeptFrame)
    assert frame_of_rank.__name__ == "frame_of_rank"  # type: ignore[attr-defined]
