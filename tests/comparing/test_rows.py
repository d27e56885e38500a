"""Parts of a comparison: what adds up, what is the same, what exchanging the sides does."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from building import Events, kernel, launched, memcpy, operator
from comparing.compared import compared, recorded
from stepscope.comparison.compare import Comparison, compare
from stepscope.comparison.sentences import is_identical
from stepscope.store.profile import Rank


def made(folder: Path, seed: int) -> Rank:
    """Steps of random operators, kernels and copies."""
    chance = random.Random(seed)

    def each(start: int, number: int) -> list[Events]:
        events: list[Events] = []
        at = start + 1_000
        for n in range(12):
            length = chance.randrange(5_000, 60_000)
            events.append(operator(f"aten::op{chance.randrange(8)}", at, at + length))
            made_of = memcpy if n % 5 == 0 else kernel
            name = {} if n % 5 == 0 else {"name": f"kernel{chance.randrange(5)}"}
            on_gpu = made_of(start=at + 3_000, end=at + 3_000 + length // 2, correlation=number + n, **name)
            events += launched(on_gpu, at + 1_000)
            at += length + chance.randrange(2_000)
        return events

    return recorded(folder, each)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rank, Rank]:
    folder = tmp_path_factory.mktemp("pair")
    return made(folder, 1), made(folder, 2)


def sums(found: Comparison, level: str) -> tuple[int, int, int]:
    rows = found.rows.filter(level=level)
    return tuple(int(rows[name].sum()) for name in ("base_ns", "new_ns", "delta_ns"))  # type: ignore[return-value]


@pytest.mark.parametrize("level", ["side", "phase"])
def test_parts_sum_to_the_step_exactly(pair: tuple[Rank, Rank], level: str) -> None:
    found = compare([pair[0]], [pair[1]])
    assert sums(found, level) == sums(found, "step")
    assert sums(found, "step")[2] != 0


@pytest.mark.long
@pytest.mark.parametrize("level", ["side", "phase"])
def test_parts_of_several_recordings_sum_to_the_step_exactly(tmp_path: Path, level: str) -> None:
    ranks = [made(tmp_path, seed) for seed in range(5)]
    found = compare(ranks[:2], ranks[2:])
    assert sums(found, level) == sums(found, "step")


def test_a_recording_does_not_differ_from_itself(pair: tuple[Rank, Rank]) -> None:
    found = compare([pair[0]], [pair[0]])
    assert is_identical(found)
    assert set(found.rows["status"]) == {"same"}
    assert set(found.rows["delta_ns"]) == {0}
    assert (found.attribution.causes, found.gpu_work.causes) == ((), ())


def test_exchanging_the_sides_changes_only_signs(pair: tuple[Rank, Rank]) -> None:
    there, back = compare([pair[0]], [pair[1]]), compare([pair[1]], [pair[0]])
    key = ["level", "of", "key"]
    both = there.rows.join(back.rows, key, how="full", suffix="_back", coalesce=True)
    assert (both["delta_ns"] == -both["delta_ns_back"]).all()
    assert (both["low_ns"] + both["high_ns_back"]).abs().max() <= 1
    exchanged = both["status_back"].replace({"new": "gone", "gone": "new"})
    assert both["status"].to_list() == exchanged.to_list()
    effects = [
        sorted(round(sign * cause.effect_ns) for cause in found.attribution.causes)
        for found, sign in ((there, 1), (back, -1))
    ]
    assert effects[0] == pytest.approx(effects[1], abs=2)


def test_work_of_a_name_is_new_gone_or_in_both(tmp_path: Path) -> None:
    def each(name: str):
        return lambda start, number: [
            operator(name, start + 1_000, start + 501_000),
            operator("aten::add", start + 600_000, start + 700_000),
        ]

    found = compared(tmp_path, each("aten::mul"), each("aten::div"))
    rows = found.rows.filter(level="operator")
    assert dict(rows.select("key", "status").rows()) == {
        "aten::mul": "gone",
        "aten::div": "new",
        "aten::add": "same",
    }
    assert rows.filter(key="aten::mul").select("base_ns", "new_ns", "base_calls", "new_calls").rows() == [
        (500_000, 0, 1.0, None)
    ]


def test_counts_have_no_noise(tmp_path: Path) -> None:
    def each(copies: int):
        def events(start: int, number: int) -> list[Events]:
            return [
                launched(memcpy(start + 9_000 * n + 5_000, start + 9_000 * n + 6_000, number + n, bytes=64), start + n)
                for n in range(copies)
            ]

        return events

    found = compared(tmp_path, each(2), each(5))
    assert found.counts.filter("differs").select("key", "base", "new", "varies").rows() == [
        ("memcpy", 2.0, 5.0, False),
        ("memcpy_HtoD_bytes", 128.0, 320.0, False),
        ("api_calls", 2.0, 5.0, False),
    ]
