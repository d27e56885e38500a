"""What a path opens: which ranks, under which numbers, and what a selection leaves of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import stepscope
from building import kernel, launched, memcpy, opened, operator, rows, step, write
from stepscope.errors import BadRequest, UnreadableInput
from stepscope.messages.rendering import render


def ranks(path: Path, *more: Path) -> list[tuple[int, str, str]]:
    """Number, file and origin of the number of each rank."""
    paths = str(path) if not more else [str(one) for one in (path, *more)]
    found = stepscope.open(paths).profile.ranks
    return [(rank.number, Path(rank.source).name, rank.origin) for rank in found]


def a_trace(path: Path, **head: Any) -> Path:
    return write(path, kernel("a", 0, 10), **head)


def test_the_recorded_rank_comes_before_the_file_name(tmp_path: Path) -> None:
    path = a_trace(tmp_path / "rank5.json", distributedInfo={"backend": "nccl", "rank": 3, "world_size": 8})
    assert ranks(path) == [(3, "rank5.json", "distributedInfo")]


@pytest.mark.parametrize("info", [{}, {"rank": None}, {"rank": "seven"}, {"rank": -1}, {"rank": True}, [], "lost"])
def test_without_a_usable_recorded_rank_the_file_name_tells(tmp_path: Path, info: Any) -> None:
    path = a_trace(tmp_path / "trace_8_rank_1.json", distributedInfo=info)
    assert ranks(path) == [(1, "trace_8_rank_1.json", "file name")]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("rank0.json", 0),
        ("worker-rank-12.pt.trace.json", 12),
        ("RANK[7].json", 7),
        ("rank_003.json", 3),
        ("cpu_only-gloo-300rank-rank34.json", 34),
        ("a100-16rank-6streams-rank2.json", 2),
    ],
)
def test_digits_after_rank_in_the_file_name_are_the_number(tmp_path: Path, name: str, number: int) -> None:
    assert ranks(a_trace(tmp_path / name)) == [(number, name, "file name")]


def test_a_file_without_any_rank_is_rank_zero(tmp_path: Path) -> None:
    assert ranks(a_trace(tmp_path / "trace.json")) == [(0, "trace.json", "order of the files")]


def test_files_without_ranks_get_the_numbers_that_are_free_in_order(tmp_path: Path) -> None:
    """Digits in names count as numbers: run10 comes after run9."""
    for name in ("run10.json", "run9.json", "other-rank1.json"):
        a_trace(tmp_path / name)
    assert ranks(tmp_path) == [
        (0, "run9.json", "order of the files"),
        (1, "other-rank1.json", "file name"),
        (2, "run10.json", "order of the files"),
    ]


def test_of_two_files_with_one_rank_one_is_left_out(tmp_path: Path) -> None:
    for name, number in (("a.json", 1), ("b.json", 1), ("c.json", 0)):
        a_trace(tmp_path / name, distributedInfo={"rank": number})
    assert ranks(tmp_path) == [(0, "c.json", "distributedInfo"), (1, "a.json", "distributedInfo")]
    (skipped,) = stepscope.open(str(tmp_path)).profile.skipped
    assert skipped.path.endswith("b.json")
    assert render(skipped.reason) == "rank 1 is also in a.json, which comes first by name"


def test_a_name_gives_way_to_what_another_trace_says(tmp_path: Path) -> None:
    """Names that count from one, while the traces count from zero; one trace says nothing of itself."""
    a_trace(tmp_path / "rank1.json")
    a_trace(tmp_path / "rank2.json", distributedInfo={"rank": 1})
    assert ranks(tmp_path) == [(0, "rank1.json", "order of the files"), (1, "rank2.json", "distributedInfo")]


def test_several_paths_open_as_one_profile_and_a_file_named_twice_counts_once(tmp_path: Path) -> None:
    first, second = a_trace(tmp_path / "rank0.json"), a_trace(tmp_path / "rank1.json")
    assert [number for number, _, _ in ranks(second, first, second)] == [0, 1]


def test_a_pattern_opens_what_matches(tmp_path: Path) -> None:
    for name in ("rank0.json", "rank1.json", "other.json"):
        a_trace(tmp_path / name)
    assert [number for number, _, _ in ranks(tmp_path / "rank*.json")] == [0, 1]


def test_a_folder_skips_what_is_no_trace(tmp_path: Path) -> None:
    a_trace(tmp_path / "rank0.json")
    (tmp_path / "notes.json").write_text("{}")
    (tmp_path / "readme.txt").write_text("rank1")
    profile = stepscope.open(str(tmp_path)).profile
    assert [rank.number for rank in profile.ranks] == [0]
    assert [Path(skipped.path).name for skipped in profile.skipped] == ["notes.json"]


def test_a_folder_without_any_trace_says_why(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("{}")
    with pytest.raises(UnreadableInput, match=r"its only file that may be a recording cannot be read \(notes\.json: "):
        stepscope.open(str(tmp_path))


def test_a_single_file_that_is_no_trace_is_refused_not_skipped(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    path.write_text("{}")
    with pytest.raises(UnreadableInput):
        stepscope.open(str(path))


@pytest.mark.parametrize("paths", [[], ()])
def test_no_path_at_all_is_refused(paths: Any) -> None:
    with pytest.raises((UnreadableInput, BadRequest)):
        stepscope.open(paths)


def test_a_path_object_opens_like_its_text(tmp_path: Path) -> None:
    path = a_trace(tmp_path / "trace.json")
    assert stepscope.open(path).show("summary")["busy_ns"].to_list() == [10]


@pytest.fixture(scope="module")
def uneven(tmp_path_factory: pytest.TempPathFactory) -> stepscope.OpenProfile:
    """Two ranks, of which only the first has step 6."""
    folder = tmp_path_factory.mktemp("uneven")
    write(
        folder / "rank0.json",
        step(5, 0, 100),
        step(6, 100, 200),
        operator("aten::mm", 110, 120),
        launched(kernel("a", 150, 160, 1), at=115),
        launched(memcpy(160, 170, 2), at=116),
    )
    write(
        folder / "rank1.json",
        step(5, 0, 100),
        operator("aten::mm", 10, 20),
        operator("aten::mul", 30, 40),
        launched(kernel("a", 150, 160, 1), at=15),
    )
    return stepscope.open(str(folder))


def test_a_step_that_one_rank_lacks_shows_what_the_others_did(uneven: stepscope.OpenProfile) -> None:
    assert rows(uneven.show("summary", step=6), "rank", "steps", "busy_ns") == [(0, 1, 20), (1, 0, 0)]
    assert rows(uneven.show("steps", step=6), "rank", "step") == [(0, 6)]
    assert rows(uneven.show("operators", step=6), "name", "calls", "device_self_ns") == [("aten::mm", 1, 20)]
    assert rows(uneven.show("kernels", step=6), "name", "calls") == [("a", 1)]
    assert rows(uneven.show("memcpy", step=6), "calls") == [1]


def test_a_step_range_includes_both_ends(uneven: stepscope.OpenProfile) -> None:
    assert rows(uneven.show("steps", step=(5, 6)), "rank", "step") == [(0, 5), (0, 6), (1, 5)]
    assert rows(uneven.show("steps", step=(6, 99)), "rank", "step") == [(0, 6)]


def test_ranks_and_steps_are_selected_together(uneven: stepscope.OpenProfile) -> None:
    assert rows(uneven.show("steps", rank=1, step=5), "rank", "step") == [(1, 5)]


def test_a_missing_step_names_those_there_are(uneven: stepscope.OpenProfile) -> None:
    with pytest.raises(BadRequest, match="cannot show step 7: the profile has steps 5-6"):
        uneven.show("summary", step=7)
    with pytest.raises(BadRequest, match="cannot show step 6: the profile has steps 5"):
        uneven.show("summary", rank=1, step=6)


def test_a_missing_rank_names_those_there_are(uneven: stepscope.OpenProfile) -> None:
    with pytest.raises(BadRequest, match="cannot show rank 4: the profile has 0-1"):
        uneven.show("summary", rank=[0, 4])


@pytest.mark.parametrize("table", ["summary", "steps", "operators", "kernels", "memcpy", "health"])
def test_no_rank_at_all_is_refused(uneven: stepscope.OpenProfile, table: str) -> None:
    with pytest.raises(BadRequest):
        uneven.show(table, rank=[])


def test_a_selection_leaves_the_profile_as_it_was(uneven: stepscope.OpenProfile) -> None:
    before = uneven.show("summary").rows()
    uneven.show("summary", rank=0, step=6)
    assert uneven.show("summary").rows() == before


def test_unknown_tables_and_groupings_name_what_there_is(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("a", 0, 10))
    with pytest.raises(BadRequest, match="Did you mean kernels"):
        profile.show("kernel")
    with pytest.raises(BadRequest, match="it offers launch, op"):
        profile.show("kernels", by="shape")
    with pytest.raises(BadRequest, match="it has no other grouping"):
        profile.show("summary", by="rank")


def test_a_selection_shares_what_the_whole_trace_remembers(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 10), operator("aten::mm", 0, 5), step(2, 10, 20)).profile
    (rank,), (limited,) = profile.ranks, profile.select(None, (2, 2)).ranks
    assert limited.whole is rank
    assert limited.nesting("operator") is rank.nesting("operator")
    assert limited.with_steps((1, 1)).whole is rank
    assert limited.all_steps is rank.all_steps
    assert limited.steps["step"].to_list() == [2]
    assert limited.span == (0, 20)
