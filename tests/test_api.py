"""The Python front door takes what is sensible and refuses the rest in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stepscope
from building import kernel, launched, opened, step
from stepscope.api import OpenProfile
from stepscope.errors import BadRequest


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> OpenProfile:
    steps = [
        [step(i, i * 100, i * 100 + 100), launched(kernel("k", i * 100 + 10, i * 100 + 20, i), i * 100)]
        for i in (3, 4, 5)
    ]
    return opened(tmp_path_factory.mktemp("profile"), *steps)


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        (np.int64(3), [3]),
        ("4", [4]),
        ((3, 4), [3, 4]),
        ([np.int64(4), 5], [4, 5]),
        ("3:5", [3, 4, 5]),
        (None, [3, 4, 5]),
    ],
)
def test_steps_in_any_sensible_form(profile: OpenProfile, asked: Any, shown: list[int]) -> None:
    assert profile.show("steps", step=asked)["step"].to_list() == shown


@pytest.mark.parametrize(
    "asked", [(3,), [3, 4, 5], "x", "3:", True, 3.5, (3, None), {}, b"3", (5, 3), object(), 10**30]
)
def test_what_is_no_step_is_refused_with_advice(profile: OpenProfile, asked: Any) -> None:
    with pytest.raises(BadRequest, match="cannot show step"):
        profile.show("steps", step=asked)


@pytest.mark.parametrize("asked", [np.int64(0), "0", [0], (np.int32(0),), np.array([0]), None])
def test_ranks_in_any_sensible_form(profile: OpenProfile, asked: Any) -> None:
    assert profile.show("summary", rank=asked)["rank"].to_list() == [0]


@pytest.mark.parametrize("asked", ["a", 1.5, True, [None], [[0]], object(), 7, b"0", "-1"])
def test_what_is_no_rank_is_refused_with_advice(profile: OpenProfile, asked: Any) -> None:
    with pytest.raises(BadRequest, match="cannot show rank"):
        profile.show("summary", rank=asked)


def test_no_grouping_may_be_written_as_none(profile: OpenProfile) -> None:
    assert profile.show("kernels", by=None).equals(profile.show("kernels"))


@pytest.mark.parametrize("options", [{"table": None}, {"table": 3}, {"table": "kernels", "by": 3}, {"table": []}])
def test_a_table_and_a_grouping_are_texts(profile: OpenProfile, options: dict[str, Any]) -> None:
    with pytest.raises(BadRequest, match="has to be a text"):
        profile.show(**options)
    with pytest.raises(BadRequest, match="has to be a text"):
        profile.notes(**options)


@pytest.mark.parametrize("path", [None, 3, [None], b"trace.json", [b"trace.json"]])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(BadRequest, match="cannot open"):
        stepscope.open(path)


@pytest.mark.parametrize("value", [None, 3, "bf16=1"])
def test_peaks_and_eager_recordings_of_another_kind_are_refused(profile: OpenProfile, value: Any) -> None:
    with pytest.raises(BadRequest, match="cannot take"):
        profile.with_peaks(value)
    with pytest.raises(BadRequest, match="cannot take"):
        profile.with_eager(value)


def test_notes_follow_the_selection_and_the_grouping(profile: OpenProfile) -> None:
    assert profile.notes("idle", by="gap", step=3) == ["no rows: nothing of this kind happened in the selection"]
    per_step = "times per step are the mean of 2 whole steps on the GPU timeline; the other columns are of everything "
    assert profile.notes("idle", rank="0") == [f"{per_step}that is selected"]
    with pytest.raises(BadRequest, match="cannot show step 9"):
        profile.notes("idle", step=9)


def test_a_profile_shows_what_it_holds(profile: OpenProfile) -> None:
    assert repr(profile) == f"OpenProfile({profile.profile.path!r}, ranks=[0], steps=3)"


def test_a_file_named_twice_is_one_rank_and_named_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = opened(tmp_path, launched(kernel("k", 10, 20, 1), 0)).profile.path
    monkeypatch.chdir(tmp_path)
    for names in ([path, path], [path, Path(path).name], [path, f"./{Path(path).name}"]):
        profile = stepscope.open(names).profile
        assert (profile.path, len(profile.ranks)) == (path, 1)
    assert len(stepscope.open([str(tmp_path), path]).profile.ranks) == 1


def test_source_lines_may_be_asked_of_tables_that_always_show_them(profile: OpenProfile) -> None:
    assert profile.show("memory_peak", source=True).equals(profile.show("memory_peak"))
    with pytest.raises(BadRequest, match=r"Tables with: .*, memory_peak,"):
        profile.show("summary", source=True)
