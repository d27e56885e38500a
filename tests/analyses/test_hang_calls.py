"""The calls around a hang, and what became of each on which ranks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import stepscope
from building.hangs import SECOND, MadeJob, one_left

Row = tuple[int, str, str]


def rows_of(job: MadeJob, folder: Path, without: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    return stepscope.open(job.write(folder / "dumps", without)).show("hang_calls").to_dicts()


def states(rows: list[dict[str, Any]]) -> list[Row]:
    return [(row["sequence"], row["ranks"], row["state"]) for row in rows]


def test_a_rank_that_left(tmp_path: Path) -> None:
    rows = rows_of(one_left(), tmp_path)
    assert states(rows) == [
        (1, "0-3", "completed"),
        (2, "0-3", "completed"),
        (3, "0-3", "completed"),
        (4, "3", "missing"),
        (4, "0-2", "started"),
    ]
    missing, waiting = rows[3:]
    assert [row["hangs"] for row in rows] == [False, False, False, True, True]
    assert (missing["collective"], missing["last_call"], missing["source"]) == (
        "all_reduce",
        "all_reduce 3",
        "/home/me/train.py:12",
    )
    assert (waiting["count"], waiting["last_rank"], waiting["source"], waiting["sizes"]) == (
        3,
        2,
        "/home/me/train.py:88",
        "[[4, 2]]",
    )
    assert (waiting["first"], waiting["last"], waiting["last_call"]) == (
        "2026-10-01 12:00:04.000",
        "2026-10-01 12:00:04.000",
        None,
    )


def test_nothing_hangs(tmp_path: Path) -> None:
    job = MadeJob(2)
    job.call()
    assert rows_of(job, tmp_path) == []


def test_a_rank_without_a_dump_is_not_missing(tmp_path: Path) -> None:
    rows = rows_of(one_left(), tmp_path, without=(1,))
    assert states(rows)[-3:] == [(4, "1", "no_dump"), (4, "3", "missing"), (4, "0, 2", "started")]


def test_what_differs_is_said_of_the_fewest(tmp_path: Path) -> None:
    job = MadeJob(4)
    job.call()
    job.call(ranks=[0, 1, 3], state="started")
    job.now_ns -= SECOND
    job.call(ranks=[2], state="started", size=(4, 3))
    rows = rows_of(job, tmp_path)
    assert [(row["ranks"], row["differs"]) for row in rows] == [("0-3", None), ("2", "sizes"), ("0-1, 3", None)]


def test_two_equal_sides_both_differ(tmp_path: Path) -> None:
    job = MadeJob(2)
    job.call("all_reduce", ranks=[0], state="started")
    job.call("broadcast", ranks=[1], state="started")
    rows = rows_of(job, tmp_path)
    assert sorted((row["ranks"], row["collective"], row["differs"]) for row in rows) == [
        ("0", "all_reduce", "collectives"),
        ("1", "broadcast", "collectives"),
    ]


def test_of_gloo_a_call_is_entered_and_not_scheduled(tmp_path: Path) -> None:
    job = MadeJob(2, backend="gloo")
    job.call(ranks=[0], state="scheduled")
    assert states(rows_of(job, tmp_path)) == [(1, "0", "entered"), (1, "1", "missing")]


def test_a_call_before_the_first_record_is_not_missing(tmp_path: Path) -> None:
    """Its record was overwritten: later ones are there."""
    job = MadeJob(2)
    for _ in range(4):
        job.call()
    job.call(ranks=[0], state="started")
    job.entries[1] = job.entries[1][2:]
    rows = states(rows_of(job, tmp_path))
    assert rows[:2] == [(1, "0", "completed"), (1, "1", "overwritten")]
    assert rows[-2:] == [(5, "0", "started"), (5, "1", "missing")]


@pytest.mark.long
def test_no_more_than_the_calls_around_it_are_held(tmp_path: Path) -> None:
    job = MadeJob(300)
    for _ in range(20):
        job.call()
    job.call(ranks=range(299), state="started")
    for _ in range(9):
        job.call(ranks=range(299), state="scheduled")
    rows = rows_of(job, tmp_path)
    assert (rows[0]["sequence"], rows[-1]["sequence"]) == (9, 27)
    assert len(rows) == 12 + 2 * 7
