"""Pairs of CPU programs that were disturbed while they were timed are marked in truth.json."""

from __future__ import annotations

from pathlib import Path

from yardstick.truth import Timed, add, entry, read


def unsteady(slow: Timed, fixed: Timed) -> bool:
    return bool(entry("", [], slow, fixed)["unsteady"])


STEADY = Timed((10.0, 11.0, 10.5), 10.0)


def test_rounds_that_differ_by_a_fifth_are_steady() -> None:
    assert not unsteady(STEADY, Timed((5.0, 6.0, 5.5), 5.0))


def test_one_round_that_is_longer_makes_a_pair_unsteady() -> None:
    assert unsteady(STEADY, Timed((5.0, 6.1, 5.5), 5.5))


def test_steps_that_are_shorter_or_longer_after_the_recordings_make_a_pair_unsteady() -> None:
    assert unsteady(Timed((10.0, 10.0), 12.1), STEADY)
    assert unsteady(Timed((10.0, 10.0), 8.0), STEADY)


def test_pairs_are_added_to_those_that_are_there_and_replaced(tmp_path: Path) -> None:
    """The rest of the file is of the last recording."""
    for date, name, planted in (("day 1", "a", "old"), ("day 2", "b", "other"), ("day 3", "a", "new")):
        add(tmp_path, {"recorded": date}, name, entry(planted, ["sleep"], STEADY, STEADY))
    truth = read(tmp_path)
    assert truth["recorded"] == "day 3"
    assert {name: pair["planted"] for name, pair in truth["scenarios"].items()} == {"a": "new", "b": "other"}
    side = {"step_ms": 10.5, "step_ms_runs": [10.0, 11.0, 10.5], "step_ms_after": 10.0}
    said = {"planted": "new", "findings": ["sleep"], "unsteady": False, "slow": side, "fixed": side}
    assert truth["scenarios"]["a"] == said
