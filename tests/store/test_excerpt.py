"""An excerpt of a trace says of its steps what the whole trace says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from building import Events, annotation, call, kernel, launched, memcpy, opened, operator, step, timed
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.simulation import representative
from stepscope.analyses.simulation.changes import parse_change
from stepscope.analyses.steps.steps import rank_steps
from stepscope.api import OpenProfile
from stepscope.findings.examination import Examination, examine
from stepscope.findings.what_if import what_if
from stepscope.store.excerpt import excerpt
from stepscope.store.linking import links
from stepscope.store.profile import Rank

STEP = 1_000_000
STEPS = 40


def each(number: int) -> list[Events]:
    """A step of 1 ms: Python work, 20 small kernels, and a value read back behind them."""
    at, n = number * STEP, 100 * number + 1
    return [
        step(number, at, at + STEP),
        timed("python_function", "train.py(3): work", at + 10_000, at + 300_000, process=1, thread=1),
        *(
            [
                operator("aten::add", at + 300_000 + 15_000 * i, at + 310_000 + 15_000 * i),
                call(at + 302_000 + 15_000 * i, at + 306_000 + 15_000 * i, n + i),
                kernel("add", at + 308_000 + 25_000 * i, at + 330_000 + 25_000 * i, n + i),
            ]
            for i in range(20)
        ),
        operator("aten::item", at + 700_000, at + 900_000),
        call(at + 710_000, at + 890_000, n + 50, name="cudaMemcpyAsync"),
        memcpy(at + 880_000, at + 885_000, n + 50, name="Memcpy DtoH (Device -> Pageable)", bytes=4),
    ]


@pytest.fixture
def profile(tmp_path: Path) -> OpenProfile:
    """Forty such steps, in a range that is open all the time; one kernel runs four steps after its launch."""
    late = launched(kernel("late", 9 * STEP + 910_000, 9 * STEP + 920_000, 99_999, stream=8), 5 * STEP + 950_000)
    return opened(tmp_path, annotation("train", 0, STEPS * STEP), late, *(each(n) for n in range(STEPS)))


def examination(profile: OpenProfile, monkeypatch: pytest.MonkeyPatch, most: int) -> tuple[Examination, Rank]:
    monkeypatch.setattr(representative, "MOST_STEPS", most)
    opened_anew = OpenProfile(profile.profile.select())
    [rank] = opened_anew.profile.ranks
    rank.forget()
    found = examine(opened_anew.profile, rank)
    assert found is not None
    return found, representative.examined(rank)


def test_of_some_steps_it_has_the_events_of_these_and_their_neighbours(profile: OpenProfile) -> None:
    [rank] = profile.profile.ranks
    short = excerpt(rank, 10 * STEP, 16 * STEP)
    assert short.excerpt_of is rank
    assert short.steps["step"].to_list() == list(range(10, 16))
    assert short.whole.all_steps.ranges["step"].to_list() == list(range(8, 17))
    starts = short.trace.frame("operator", ["start_ns"])["start_ns"]
    assert 8 * STEP <= starts.min() < starts.max() < 17 * STEP  # type: ignore[operator]
    assert short.trace.rows("operator") == len(starts) < rank.trace.rows("operator")
    assert short.trace.frame("annotation", ["duration_ns"])["duration_ns"].max() == STEPS * STEP, "open all the time"
    assert excerpt(rank, 0, STEP).steps["step"].to_list() == [0]
    assert excerpt(rank, 39 * STEP, 40 * STEP).steps["step"].to_list() == [39]


def test_launches_and_steps_are_those_of_the_whole_trace(profile: OpenProfile) -> None:
    [rank] = profile.profile.ranks
    short = excerpt(rank, 10 * STEP, 16 * STEP)
    assert rank_steps(short).equals(rank_steps(rank.with_steps((10, 15))))
    linked = links(short.trace)
    assert linked["launch"].null_count() == 0, "also of what was launched before the excerpt"
    mine = _launches(short.whole).filter(pl.col("launch_start_ns") >= 8 * STEP)
    assert len(mine) >= 9 * 21
    assert mine.join(_launches(rank), mine.columns, "anti").is_empty()
    assert host_threads(short).main == host_threads(rank).main


def _launches(rank: Rank) -> pl.DataFrame:
    """Each activity with the moments of its launch and its operator."""
    operators = rank.trace.frame("operator", ["start_ns"])["start_ns"]
    frame = rank.activity.select("start_ns", "name", "launch_start_ns", "operator")
    return frame.with_columns(operators.gather(frame["operator"]).alias("operator at")).drop("operator")


def test_findings_are_those_of_all_steps(profile: OpenProfile, monkeypatch: pytest.MonkeyPatch) -> None:
    some, rank = examination(profile, monkeypatch, 8)
    every, all_of_it = examination(profile, monkeypatch, 1_000)
    assert rank.excerpt_of is not None
    assert all_of_it.excerpt_of is None
    assert [one.cause.id for one in some.findings] == [one.cause.id for one in every.findings] != []
    for one, other in zip(some.findings, every.findings, strict=True):
        assert one.saving_pct.best == pytest.approx(other.saving_pct.best, abs=1)
        assert one.cause.count == pytest.approx(other.cause.count)
        assert one.cause.where == other.cause.where
    assert some.step_ns.best == pytest.approx(every.step_ns.best, rel=0.02)
    assert some.recorded_ns == every.recorded_ns == STEP


def test_what_if_says_what_the_finding_says(profile: OpenProfile, monkeypatch: pytest.MonkeyPatch) -> None:
    some, _ = examination(profile, monkeypatch, 8)
    first: Any = some.findings[0]
    [answer] = what_if(profile.profile, [parse_change(f"fix:{first.cause.id}")])
    assert answer.together.saving_pct == first.saving_pct
    assert answer.recorded_ns == some.recorded_ns
